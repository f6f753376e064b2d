//! What models cost, where their makers say so.

/// US dollars for a million tokens.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Price {
    /// Read.
    pub input: f64,
    /// Written.
    pub output: f64,
}

const HAIKU_3: Price = Price { input: 0.8, output: 4.0 };
const HAIKU: Price = Price { input: 1.0, output: 5.0 };
const SONNET: Price = Price { input: 3.0, output: 15.0 };
const OPUS: Price = Price { input: 5.0, output: 25.0 };
const OPUS_4: Price = Price { input: 15.0, output: 75.0 };
const FABLE: Price = Price { input: 10.0, output: 50.0 };

/// By name, without date: the table that 2.1.197 of Claude Code reckons by. A model that is not in it has no known price, however
/// much its name is like another's: makers change prices from one version to the next.
const LISTED: [(&str, Price); 16] = [
    ("claude-3-5-haiku", HAIKU_3),
    ("claude-haiku-4-5", HAIKU),
    ("claude-3-5-sonnet", SONNET),
    ("claude-3-7-sonnet", SONNET),
    ("claude-sonnet-4", SONNET),
    ("claude-sonnet-4-5", SONNET),
    ("claude-sonnet-4-6", SONNET),
    ("claude-sonnet-5", SONNET),
    ("claude-opus-4", OPUS_4),
    ("claude-opus-4-1", OPUS_4),
    ("claude-opus-4-5", OPUS),
    ("claude-opus-4-6", OPUS),
    ("claude-opus-4-7", OPUS),
    ("claude-opus-4-8", OPUS),
    ("claude-fable-5", FABLE),
    ("claude-mythos-5", FABLE),
];

/// What names stand for that are none of a model's own, with 2.1.197.
const NEWEST: [(&str, &str); 4] = [
    ("opus", "claude-opus-4-8"),
    ("opusplan", "claude-opus-4-8"),
    ("sonnet", "claude-sonnet-5"),
    ("haiku", "claude-haiku-4-5"),
];

/// Tokens a message took in, by what is paid for them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TokensRead {
    /// Read anew.
    pub fresh: u64,
    /// Written into a cache that holds for five minutes.
    pub into_cache: u64,
    /// Written into one that holds for an hour.
    pub into_cache_for_an_hour: u64,
    /// Read from a cache.
    pub from_cache: u64,
}

impl Price {
    /// Costs nothing: a model on this machine.
    pub const FREE: Self = Self { input: 0.0, output: 0.0 };

    /// As dear as any listed: for models nobody knows.
    pub const DEAREST: Self = OPUS_4;

    /// The list price of a model, by any of the names its providers have for it.
    pub fn list_price(model: &str) -> Option<Self> {
        let model = model.to_lowercase();
        LISTED.iter().find(|(name, _)| names(&model, name)).map(|(_, price)| *price)
    }

    /// The list price of a model by a name that a person gives it to Claude Code, of which some stand for the newest of a family.
    pub fn of_client_model(model: &str) -> Option<Self> {
        let family = model.split_once('[').map_or(model, |(name, _)| name);
        let newest = NEWEST.iter().find(|(name, _)| *name == family);
        Self::list_price(newest.map_or(model, |(_, name)| name))
    }

    /// US dollars for tokens read, into or out of a cache, and written: as Anthropic lists it, and 2.1.197 and 2.1.330 of the
    /// client reckon.
    #[expect(clippy::cast_precision_loss, reason = "no call has 2^52 tokens")]
    pub fn of_cached(self, read: TokensRead, written: u64) -> f64 {
        let cached = 1.25 * read.into_cache as f64 + 2.0 * read.into_cache_for_an_hour as f64;
        let read = read.fresh as f64 + cached + 0.1 * read.from_cache as f64;
        (self.input * read + self.output * written as f64) / 1e6
    }

    /// US dollars for so many tokens.
    #[expect(clippy::cast_precision_loss, reason = "no call has 2^52 tokens")]
    pub fn of(self, input_tokens: u64, output_tokens: u64) -> f64 {
        (self.input * input_tokens as f64 + self.output * output_tokens as f64) / 1e6
    }
}

/// Whether a provider's name for a model is this one: before it a region or a maker may stand, after it a date, a version of the
/// provider's or a mark of the context's length. `-fast` is dearer and no such mark.
fn names(model: &str, name: &str) -> bool {
    let Some((_, rest)) = model.split_once(name) else { return false };
    let date = rest.strip_prefix('-').and_then(|rest| rest.get(..8));
    let is_dated = date.is_some_and(|date| date.bytes().all(|byte| byte.is_ascii_digit()));
    let rest = if is_dated { &rest[9..] } else { rest };
    rest.is_empty()
        || rest == "-0"
        || rest == "-latest"
        || rest.starts_with("-v")
        || rest.starts_with(['[', '@', ':'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_are_known_by_every_name_providers_have_for_them() {
        for (model, price) in [
            ("claude-opus-4-8", Some(OPUS)),
            ("claude-opus-4-8[1m]", Some(OPUS)),
            ("us.anthropic.claude-opus-4-7-v1", Some(OPUS)),
            ("claude-opus-4-5-20251101", Some(OPUS)),
            ("claude-opus-4-20250514", Some(OPUS_4)),
            ("claude-opus-4@20250514", Some(OPUS_4)),
            ("claude-opus-4-0", Some(OPUS_4)),
            ("claude-opus-4-1-20250805-v1:0", Some(OPUS_4)),
            ("claude-sonnet-5", Some(SONNET)),
            ("claude-sonnet-4-5-20250929", Some(SONNET)),
            ("claude-3-5-haiku-latest", Some(HAIKU_3)),
            ("claude-haiku-4-5-20251001", Some(HAIKU)),
            // Seen with newer clients, or to come: nobody told what they cost.
            ("claude-opus-5-5", None),
            ("claude-opus-4-9", None),
            ("claude-opus-4-15", None),
            ("claude-sonnet-5-1", None),
            ("claude-opus-4-6-fast", None),
            ("gpt-9", None),
            ("", None),
        ] {
            assert_eq!(Price::list_price(model), price, "{model}");
        }
    }

    #[test]
    fn names_of_a_family_stand_for_its_newest() {
        for (name, price) in [
            ("opus[1m]", Some(OPUS)),
            ("sonnet", Some(SONNET)),
            ("claude-opus-4-1", Some(OPUS_4)),
            ("best", None),
        ] {
            assert_eq!(Price::of_client_model(name), price, "{name}");
        }
    }

    #[test]
    fn cache_for_an_hour_costs_twice_what_is_read() {
        let read =
            TokensRead { fresh: 1_000, into_cache: 400, into_cache_for_an_hour: 100, from_cache: 5_000 };
        assert!((SONNET.of_cached(read, 100) - 0.0081).abs() < 1e-9);
    }
}
