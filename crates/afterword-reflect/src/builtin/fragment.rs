//! Pieces of a sentence that say nothing by themselves: what it is about ("whatever gets rolled out, …"), how far it goes ("…, no
//! matter how small") and why ("…, trains are running"). A rule takes them along; none of them is one.

use std::sync::LazyLock;

use regex::Regex;

use super::words::pattern;

/// "Whatever gets rolled out", "anything that has to do with money", "as for the docs": what the rest of the sentence is said of.
pub(super) fn is_subject(part: &str) -> bool {
    static SUBJECT: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)^(?:(?:and|so|but|also|generally|in general|please),? )*(?:(?:whatever|whoever|whichever|wherever|as for|as regards|when it comes to|regarding|concerning|speaking of)\b|(?:anything|everything|everyone|anyone|(?:any|every|each|all)(?: the| our)? [\w-]+) (?:that|which|who|we|you|i|with|in|for|from|of|on|about|under|below|inside|to do with)\b[^,]*$)",
        )
    });
    SUBJECT.is_match(part)
}

/// "No matter how small", "otherwise I end up with two", "it bit me twice", "trains are running": what belongs to the part before it,
/// where that is a rule.
pub(super) fn belongs_to_before(part: &str) -> bool {
    static BELONGS: LazyLock<Regex> = LazyLock::new(|| {
        pattern(concat!(
            // How far it goes, and from where on it does not.
            r"^(?:no matter|regardless|whether|however (?:small|short|tiny|big|trivial|late|long)|otherwise|or else|that way|this way|which|even (?:if|when|though|for)|unless|until|till|given (?:that|how)|under no circumstances)\b",
            // Why.
            r"|^(?:(?:and|but|so|as|since|because|cause|cuz) )?(?:it|it's|its|they|they're|they'll|he|she|him|them|there's|there (?:is|are|was|were))\b",
            r"|^(?:(?:and|but|so|as|since|because|cause|cuz) )?(?:this|that|these|those) (?:is|was|are|were|has|have|had|bit|bites|makes?|made|breaks?|broke|costs?|took|takes|will|would|can|could|did|does|got)\b",
            r"|^(?:(?:and|but|so|as|since|because|cause|cuz) )?(?:i|we)(?:'m|'ve| am| are| have| had| got| was| were| keep| kept| lost| spent| once| already| end up| ended up| don't have| can't| cannot| couldn't| didn't| wasted| paid) ",
            r"|^(?:the |my |our |his |her |their )?[\w-]+(?: [\w-]+)? (?:is|are|was|were) \w+ing\b",
            r"|^(?:we|you|i) (?:don't|do not|never) do (?:that|this|it)\b",
            // What was left out stands before it.
            r"|^(?:always|never) (?:have|had|has|did|do|will|was|were|am|is|are)(?: been)?[.!]*$",
            // German, French, Spanish and Portuguese: subordinate clauses.
            r"|^(?:bevor|damit|sonst|egal|auch wenn|da (?:hängen|sind|ist|haben|hat)|avant que|sinon|même si|peu importe|antes de que|si no|aunque|antes que|senão|mesmo que)\b",
        ))
    });
    BELONGS.is_match(&part.trim().to_lowercase().replace('’', "'"))
}

/// Words up to the reason they give of somebody else: "drop the list, because they never read it".
pub(super) fn without_reason(text: &str) -> &str {
    static REASON: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i),? (?:because|['’]?cause|cuz|since|as) (?:they|he|she|it|people|users|customers|nobody|no one|the [\w-]+|my [\w-]+|our [\w-]+)\b",
        )
    });
    &text[..REASON.find(text).map_or(text.len(), |found| found.start())]
}

/// "Way too small.", "Not in daylight, man!": said of what both see.
pub(super) fn is_outcry(text: &str) -> bool {
    static TOO: LazyLock<Regex> = LazyLock::new(|| {
        pattern(r"(?i)^(?:(?:no|still|way|much|far|a bit|a little|just|again),? )*too [\w-]+[.!]*$")
    });
    static NOT_SO: LazyLock<Regex> =
        LazyLock::new(|| pattern(r"(?i)^not (?:in|on|at|by|with|like|from|now|here|there)\b[^,.:;]*!+$"));
    let is_short = text.split_whitespace().count() <= 6;
    is_short && (TOO.is_match(text) || NOT_SO.is_match(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_sentence_is_about_is_no_rule_of_its_own() {
        for part in ["whatever leaves the kiln", "anything that touches the till", "as for the signs"] {
            assert!(is_subject(part), "{part}");
        }
        for part in ["every jar gets a label", "all lids are blue", "any colour but green"] {
            assert!(!is_subject(part), "{part}");
        }
    }

    #[test]
    fn how_far_a_rule_goes_and_why_belongs_to_it() {
        for part in [
            "no matter how late",
            "otherwise I clean it twice",
            "it stained my shirt",
            "guests are sleeping",
            "we have two ovens",
            "always have",
            "that cost us a week",
            "we don't do that with a brush",
        ] {
            assert!(belongs_to_before(part), "{part}");
        }
        for part in
            ["jars are labelled in blue", "we label every jar", "never stack them", "this shop uses twine"]
        {
            assert!(!belongs_to_before(part), "{part}");
        }
    }

    #[test]
    fn an_outcry_is_no_rule() {
        assert!(is_outcry("Way too bright") && is_outcry("not with the good brush!"));
        assert!(!is_outcry("not with oil paint, ever") && !is_outcry("never paint too thick"));
    }
}
