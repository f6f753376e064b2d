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
    // "Whatever you bake goes to the shop": a sentence of its own. The verb of "anything that has to do with" stands right behind.
    static VERB: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)(?P<before>\S+) (?:is|are|has|have|gets?|goes|go|needs?|runs?|must|should|may|can|belongs?|stays?|lives?|starts?|ends?|carr(?:y|ies)|takes?|uses?|comes?)\b",
        )
    });
    const OPENS: [&str; 7] = ["that", "which", "who", "whatever", "whoever", "whichever", "wherever"];
    let has_verb =
        || VERB.captures_iter(part).any(|found| !OPENS.contains(&found["before"].to_lowercase().as_str()));
    SUBJECT.is_match(part) && !has_verb()
}

/// "Comment on behaviour, never on formatting", "a name, nothing else, from now on", "…, on output", "…, and whatever comes after": what says nothing without the part before it.
pub(super) fn goes_on(part: &str) -> bool {
    static GOES_ON: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)^(?:(?:and )?then|afterwards|since|because|so that|weil|damit|parce que|porque|потому что|(?:but |and )?(?:(?:never|not|only|always) (?:on|in|at|for|to|with|from|by|of|when|if)|not even|even (?:in|on|if|when|for))|unless|except|otherwise|or else)\b|^(?:and |so |please )*(?:nothing (?:else|more|less)|(?:starting |as )?(?:from|of) (?:now|here|today)(?: on)?|from (?:now|here) on|starting (?:now|today)|in future|going forward|for good|(?:with )?no exceptions?|without (?:any )?exceptions?|everywhere|every ?where|always|every (?:single )?time|each time|ever|never|period|full stop|please|thanks|ab jetzt|ab sofort|immer|sonst nichts|ohne ausnahme|a partir de ahora|siempre|sin excepci[oó]n|nada más|désormais|toujours|rien d'autre|sans exception|a partir de agora|sempre|sem exceção|mais nada|отныне|всегда|и ничего больше|без исключений)[.!]*$|^as |^(?:on|in|at|with|by|per|under) \s*(?:\S+(?:\s+\S+)?)?\s*$|^(?:but |and )?(?:nowhere else|nothing else|(?:never|don['’]?t|do not|not|no) (?:make |do |go |be )?(?:any(?:thing|one|where)|nothing|something) (?:else|bigger|smaller|longer|shorter|higher|lower|more|less|other))[.!]*$|^(?:but |and )?(?:not \S+(?: \S+)?|never [a-z]{3,}s)[.!]*$|^(?:all|every|each) (?:the |our |my |single )?[\w-]+(?:,? (?:always|every time|no exceptions?|please))*[.!]*$|^(?:in|on|at|under|throughout|for) (?:all|every|each|any)(?: of)?(?: the| our| my| your)? [\w./*-]+(?: [\w./*-]+){0,2}(?:,? (?:from (?:now|here) on|now|too|as well|not just this one))*[.!]*$|^(?:(?:each|every) time|whenever|when|wherever)(?: before| after)? (?:you|we|i) (?:(?:write|add|make|create|touch|change|put|open|start|do)(?: (?:a |any |the |some )?(?:new )?(?:ones?|them|it|that|so|something|anything|more))?|commit|push|merge|release|deploy|build|ship)[.!]*$|^(?:each|every) time (?:before|after) \w+ing(?: [\w-]+)?[.!]*$|^(?:for|across) (?:(?:(?:all|the|our|new|any) )+[\w-]+(?: [\w-]+)?|[\w-]+(?:,| and| or| &) [\w-]+(?:(?:,| and| or) [\w-]+)?)[.!]*$|^(?:and |or )?(?:whatever|(?:everything|anything|all) (?:that|which)) (?:comes?|follows?)(?: after| later| next| on)?[.!]*$",
        )
    });
    GOES_ON.is_match(part)
}

/// "No matter how small", "otherwise I end up with two", "it bit me twice", "trains are running": what belongs to the part before it,
/// where that is a rule.
pub(super) fn belongs_to_before(part: &str) -> bool {
    // How far it goes, from where on it does not, and what was left out as it stands before.
    static FAR: LazyLock<Regex> = LazyLock::new(|| {
        pattern(concat!(
            r"^(?:its|their|both) \S|^(?:no matter|regardless|whether|however (?:small|short|tiny|big|trivial|late|long)|otherwise|or else|that way|this way|which|even (?:if|when|though|for)|unless|until|till|given (?:that|how)|under no circumstances)\b",
            r"|^(?:always|never) (?:have|had|has|did|do|will|was|were|am|is|are)(?: been)?[.!]*$",
            r"|^(?:we|you|i) (?:don't|do not|never) do (?:that|this|it)\b",
            r"|\b(?:and so on|and so forth|etc\.?|or similar|and the like)[.!]*$",
        ))
    });
    static WHY: LazyLock<Regex> = LazyLock::new(|| {
        pattern(concat!(
            r"^(?:(?:and|but|so|as|since|because|cause|cuz) )?(?:it|it's|its|they|they're|they'll|he|she|him|them|there's|there (?:is|are|was|were))\b",
            r"|^(?:(?:and|but|so|as|since|because|cause|cuz) )?(?:this|that|these|those) (?:is|was|are|were|has|have|had|bit|bites|makes?|made|breaks?|broke|costs?|took|takes|will|would|can|could|did|does|got)\b",
            r"|^(?:(?:and|but|so|as|since|because|cause|cuz) )?(?:i|we)(?:'m|'ve| am| are| have| had| got| was| were| kept| lost| spent| once| already| end up| ended up| don't have| couldn't| didn't| wasted| paid) |^i keep ",
            r"|^(?:the |my |our |his |her |their )?[\w-]+(?: [\w-]+)? (?:is|are|was|were) \w+ing\b",
            r"|^(?:my|our|his|her|their) [\w-]+(?: [\w-]+)? (?:sits?|lives?|opens?|reads?|knows?|likes?|loves?|hates?|comes?|says?|thinks?|works?|can't|cannot) \S",
            r"|^so (?:that )?(?:people|they|everyone|everybody|nobody|no one|users|customers|it|he|she|the [\w-]+|my [\w-]+|our [\w-]+) (?:can |could |will |would |find|see|know|get|does|do|stay|work|look|read)",
        ))
    });
    // "They never use the network", "it's two spaces in lists, not four": a rule all the same.
    static RULES: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"\b(?:never|always|must|mustn't|no|not|only|at most|at least|under|below|within|max|can't|cannot|has to|have to|should|shouldn't|needs?|now|don't|every|each|everywhere)\b|\d+ ?%",
        )
    });
    static NOT_WE: LazyLock<Regex> =
        LazyLock::new(|| pattern(r"^(?:we|i)(?:'re| are|'m| am) not (?:an?|the|your|some)\b"));
    // German, French, Spanish and Portuguese: subordinate clauses, where they give no order themselves.
    static SUBORDINATE: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"^(?:bevor|damit|sonst|egal|auch wenn|da (?:hängen|sind|ist|haben|hat)|avant que|sinon|même si|peu importe|antes de que|si no|aunque|antes que|senão|mesmo que)\b",
        )
    });
    static ORDERS: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"\b(?:immer|nie|niemals|frag|frage|bitte|erst|zuerst|toujours|jamais|demande|d'abord|siempre|nunca|pregúntame|pregunta|sempre|jamais|pergunta|primero|primeiro)\b",
        )
    });
    let part = part.trim().to_lowercase().replace('’', "'");
    FAR.is_match(&part)
        || NOT_WE.is_match(&part)
        || WHY.is_match(&part) && !RULES.is_match(&part)
        || SUBORDINATE.is_match(&part) && !ORDERS.is_match(&part)
}

/// What is wished of one thing, up to the reason that is given of somebody else: "drop the list, because they never read it".
pub(super) fn without_reason(text: &str) -> &str {
    static ONE_THING: LazyLock<Regex> =
        LazyLock::new(|| pattern(r"(?i)\b(?:the|this|that|these|those) [\w-]+"));
    static REASON: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i),? (?:because|['’]?cause|cuz|since|as) (?:they|he|she|it|people|users|customers|nobody|no one|the [\w-]+|my [\w-]+|our [\w-]+)\b",
        )
    });
    let wish = &text[..REASON.find(text).map_or(text.len(), |found| found.start())];
    if ONE_THING.is_match(wish) { wish } else { text }
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
        for part in [
            "every jar gets a label",
            "all lids are blue",
            "any colour but green",
            "all lids in the box are blue",
            "whatever you bake goes to the shop",
            "anything that leaves the kiln needs a label",
        ] {
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
            "E12 and so on",
            "bevor der Teig aufgeht",
            "we don't do that with a brush",
            "its lid afterwards",
            "our guests love the smell",
        ] {
            assert!(belongs_to_before(part), "{part}");
        }
        for part in [
            "jars are labelled in blue",
            "we label every jar",
            "never stack them",
            "this shop uses twine",
            "they never touch the floor",
            "there are no lids in the box",
            "we have two ovens at least",
            "bevor du backst, immer die Hände waschen",
        ] {
            assert!(!belongs_to_before(part), "{part}");
        }
    }

    #[test]
    fn an_outcry_is_no_rule() {
        assert_eq!(without_reason("drop the list, because they never read it"), "drop the list");
        let general = "put units on labels since people always mix them up";
        assert_eq!(without_reason(general), general);
        assert!(is_outcry("Way too bright") && is_outcry("not with the good brush!"));
        assert!(!is_outcry("not with oil paint, ever") && !is_outcry("never paint too thick"));
    }
}
