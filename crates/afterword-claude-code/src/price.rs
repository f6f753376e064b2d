//! What models cost, where their makers say so.

/// US dollars for a million tokens.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Price {
    /// Read.
    pub input: f64,
    /// Written.
    pub output: f64,
}

/// By the beginning of the model's name: Anthropic's list prices as its pricing page and price comparisons had them in 2026.
const LISTED: [(&str, Price); 6] = [
    ("claude-haiku-4-5", Price { input: 1.0, output: 5.0 }),
    ("claude-3-5-haiku", Price { input: 0.8, output: 4.0 }),
    ("claude-sonnet-4", Price { input: 3.0, output: 15.0 }),
    ("claude-opus-4-5", Price { input: 5.0, output: 25.0 }),
    ("claude-opus-4-6", Price { input: 5.0, output: 25.0 }),
    ("claude-opus-4", Price { input: 15.0, output: 75.0 }),
];

impl Price {
    /// Costs nothing: a model on this machine.
    pub const FREE: Self = Self { input: 0.0, output: 0.0 };

    /// As dear as any listed: for models nobody knows.
    pub const DEAREST: Self = Self { input: 15.0, output: 75.0 };

    /// The list price of a model.
    pub fn listed(model: &str) -> Option<Self> {
        LISTED.iter().find(|(name, _)| model.starts_with(name)).map(|(_, price)| *price)
    }

    /// US dollars where tokens were read, written into a cache, and read from one: as Anthropic lists it, and 2.1.197 and 2.1.330
    /// of the client reckon.
    #[expect(clippy::cast_precision_loss, reason = "no call has 2^52 tokens")]
    pub fn of_cached(self, (read, into_cache, from_cache): (u64, u64, u64), written: u64) -> f64 {
        let read = read as f64 + 1.25 * into_cache as f64 + 0.1 * from_cache as f64;
        (self.input * read + self.output * written as f64) / 1e6
    }

    /// US dollars for so many tokens.
    #[expect(clippy::cast_precision_loss, reason = "no call has 2^52 tokens")]
    pub fn of(self, input_tokens: u64, output_tokens: u64) -> f64 {
        (self.input * input_tokens as f64 + self.output * output_tokens as f64) / 1e6
    }
}
