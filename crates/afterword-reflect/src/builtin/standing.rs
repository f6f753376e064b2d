//! Forms of an English sentence that say how things are done from now on: "twelve is the limit now", "we're on oil paint since May".

use std::sync::LazyLock;

use regex::Regex;

use super::words::pattern;

/// Whether words, in lower case, say that something stands from now on.
pub(super) fn stands_from_now(said: &str) -> bool {
    STANDS.is_match(said)
        || OF_ALL.is_match(said) && !AT_HAND.is_match(said)
        || STAYS.is_match(said) && !NO_SUBJECT.is_match(said)
        || (ONLY_NOW.is_match(said) || IS_NOW.is_match(said) && !NO_SUBJECT.is_match(said))
            && !ONE_THING.is_match(&said.replace("these days", "now"))
}

/// Whether words, in lower case, say what has taken the place of something.
pub(super) fn has_changed(said: &str) -> bool {
    CHANGED_TO.captures(said).is_some_and(|found| !NO_CHANGE.is_match(&found["what"]))
}

/// "Twelve chairs is the limit now", "treat it as the norm for every room", "you only need my word for the fragile ones": what
/// stands from now on.
static STANDS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^[^?]{3,60} (?:is|are) (?:now )?(?:the|our) (?:new )?(?:limit|ceiling|maximum|minimum|cap|norm|standard|default|convention|format|rule)s?(?: now| here| for (?:all|every|each|any|everything)\b.*| from (?:now|here) on)[.!]*$|\b(?:that's|that is|this is) the new (?:limit|ceiling|maximum|minimum|cap|norm|standard|default|format|rule)\b|\b(?:treat|take|see|consider) (?:it|that|this|them) as the (?:limit|ceiling|maximum|minimum|cap|norm|standard|default|rule)s? (?:for|in|on) (?:all|every|each|any|everything)\b|^(?:from now on )?you (?:only|just) (?:need|have) (?:to (?:ask|check)(?: me| with me)?|my (?:word|ok|okay|approval|permission|go|go-ahead|yes)) (?:for|before|when|about) \S",
    )
});

/// "Everything here stays in ounces", "take always the soft brush", "oil for all which you paint", "oak in door files, not pine": what is done
/// with all of a kind.
static OF_ALL: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"^(?:please )?(?:always )?(?:use|write|spell|take|stick to|keep to) (?:in |it in |things in |the )*(?:british|american|canadian|australian|uk|us) (?:english|spelling|spellings|orthography)(?:,? (?:please|pls|everywhere|here|always|throughout))*[\s.!:)]*$",
        r"|^don'?t forget to (?:\S+ ){1,5}(?:and |,)?not (?:from|off|in|on|to|into|with|the) (?:the |a |your )?[\w./-]+(?: [\w./-]+)?[.!]*$",
        r"|\bsince (?:monday|tuesday|wednesday|thursday|friday|(?:last|this) (?:week|month|year|spring|summer|autumn|fall|winter)|january|february|march|april|may|june|july|august|september|october|november|december) (?:all of us|we|everyone|everybody|the (?:whole )?team) (?:are on|is on|use|uses|work with|works with|write in) [\w./-]+(?: \d[\w.]*)?(?:[.!]*$|,? (?:so|not)\b)",
        r"|\b(?:that's|that is|that'll be|that will be|this is) (?:the|our|my) (?:place|way|tool|folder|home|name|format|order|style|colou?r) (?:for|of) (?:(?:all|every|each|any|the|our) )?[\w-]+(?: [\w-]+)?(?: now| from now on| from here on)[.!]*$",
        r"|\b(?:make|keep) (?:it|that|this) (?:the|our|your|my) (?:default|standard|norm|tool|way|format|convention|habit|place|style|order) (?:for|in|of) (?:every|all|any|each)\b",
        r"|\b(?:it's|it is|that's) [\w./+-]+(?: [\w./+-]+)? for (?:every|all|each|any) [\w-]+(?: [\w-]+)? (?:now|from now on|from here on)[.!]*$",
        r"|\bfor this and (?:all|every|any|each)\b|\b(?:in|for) [\w-]+s (?:generally|in general)\b|\bthese(?: \d+| \w+)? and (?:any|all|every) (?:later|new|future|further|other) ones?\b",
        r"|^(?:[\w ,]{0,20}\b)?(?:new |my |our |house )?rule(?: of thumb)?(?: for (?:the future|you|now on|us all))?(?: then)?: ?\S",
        r"|\bsince [^,.?]{3,40},? everything (?:that|we|which) [^,.?]{3,40} (?:is|goes|goes (?:in|into|to)) [\w./-]+[.!]*$",
        r"|\balso (?:what|whatever|everything|all) (?:we|you|i) [\w ]{2,20} in (?:the )?future\b",
        r"|^(?:and |but |so )*everything (?:here|in (?:this|our) [\w-]+) stays (?:in|on|as|under) \S",
        r"|^(?:[\w ]{0,20}: )?(?:please )?(?:take|use|make|write|do|put|keep|run|add|give|name) always (?:the|an?|our|my|your|in|with|one|two|from|on) \S",
        r"|\S for (?:all|everything|every \w+|each \w+|any \w+)(?: (?:the |of the |our )?[\w-]+)? (?:that |which |what )?you(?:'ll| will)? (?:(?:ever )?(?:make|write|create|add|produce|draw|build)|do for me)(?: (?:for me|in future|from now on))?(?:[.!]*$|:)",
        r"|^(?:and |but |so )*(?:[\w-]+ ){1,2}in [\w.*/-]+ (?:files|tests|scripts|docs|comments|names|commits|messages|queries),? not [\w-]+(?:[.!]*$|,? (?:i keep|because|otherwise|please)\b)",
        r"|^(?:[^a-z]*|careful\W+)nothing [^,.?]{3,60} (?:gets?|goes|leaves|is ever) [^,.?]{3,40},? ever\b[.!]*$|^(?:[^a-z]*|careful\W+)nothing [^,.?]{3,60} gets \w+(?:ed|en),? ever[.!]*$",
        r"|^(?:all|every) [\w-]+ (?:goes?|belongs?|lives?) (?:on|in|to|into|under) [\w./-]+ now\b",
        r"|^[a-z]+ [^,?]{3,60} (?:whenever|every time|each time) (?:you|we)(?:'ve| have)? [a-z]+(?: [^?,]{2,40})?[.!]*$",
        r"|^i(?:'d| would)? (?:(?:always )?prefer to|rather|like to|want to) (?:do|keep|handle|make) (?:all )?(?:the |my |our )?[\w-]+ing (?:for |by )?myself[.!]*$",
        r"|^all (?:[\w'-]+ ){1,9}(?:must|have to|need to) (?:have|be|go|carry|use|come|start|end|live|contain) \S",
        r"|^[\w-]+s (?:stay|remain|are left) (?:untouched|unchanged|intact|as they are)\b",
    ))
});

/// "Everything here stays in ounces for now": said of the work at hand.
static AT_HAND: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(?:yet|this time|once|today|tomorrow|tonight|for now|right now|at the moment|still|this (?:pr|page|task|ticket|week|email|e-mail|one|text|picture|table))\b",
    )
});

/// "Captions begin with the place now", "we only paint on paper now", "framing is Ada's job these days", "labels are blue now, period".
static IS_NOW: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^[\w./-]+(?: [\w./-]+){0,2}? (?:begin|start|end|carry|use|follow) (?:(?:with|in|on|by|from) )?(?:[\w./-]+ ){1,4}(?:now|these days|from now on)(?:[.!]*$|, (?:like|as in|e\.?g\.?|for example|we |not |no ))|^[\w./-]+(?: [\w./-]+){0,2} is (?:[\w-]+'s|your) (?:job|business|task) (?:now|these days|from now on)\b|^[\w./-]+(?: [\w./-]+){0,2} (?:is|are) [\w./-]+(?: [\w./-]+){0,2} now,? (?:period|full stop|for good|everywhere|always|no exceptions)\b",
    )
});

/// "We only paint on paper now": what people do, and not what they have left.
static ONLY_NOW: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^we (?:only|exclusively) (?:ship|use|support|sell|print|paint|build|write|accept|publish|deploy|target|test|speak|work|run|store|keep|export|import|release|merge)(?: (?:on|in|with|to|by|from|for))? [\w./-]+(?: [\w./-]+){0,2} (?:now|these days)[.!]*$",
    )
});

/// What is told of one thing, or of what went wrong.
static ONE_THING: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:the|my|your|his|her|their|our|both|just|alright|now|this|these|some|all of)\b|\b(?:errors?|wrong|bugs?|fail\w*|timeouts?|trace|blank|broken|old|same|right|code|mock|again|\d+)\b|\b(?:two|three|four|five|this|these|that|those)\b",
    )
});

/// Subjects of which nothing lasting is said: "let's go to the next step now", "the second one has it".
static NO_SUBJECT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:let'?s|we|you|i|it|this|that|these|those|they|all requests|the (?:\w+ )?one)\b|\b(?:can|could|should|will|would|may|might|must) (?:go|goes)\b",
    )
});

/// "05:30 is the earliest start for deliveries now", "deliveries go to the back door now", "the hall has oak doors, please keep to that":
/// how things are done, said with a word that it stays so.
static STAYS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^[^?]{2,60} (?:is|are) the (?:earliest|highest|lowest|shortest|longest|largest|biggest|smallest) [\w -]{2,40} (?:now|from now on)\b|^[\w./-]+(?: [\w./-]+){0,2} (?:go|goes|belong|belongs|report|reports) to \S+(?: \S+)? now[.!]*$|^(?:every|all|each)(?: [\w./-]+){1,3} (?:go|goes|is|are|run|runs|use|uses|sit|sits|live|lives)(?: (?:on|with|in|to|by|under|at))? [\w./-]+(?: [\w./-]+)? now[.!]*$|^[^?]{8,120},? (?:that|this|it|same|which) (?:goes|holds|counts|applies) (?:for|to) (?:all|every|each|any|both|everything\b|[^?]{3,60},? (?:the lot|all of (?:it|them)|everything)[.!]*$)|^[\w./-]+ (?:reviews|signs|approves|owns|decides|merges|handles|leads|takes) [^?]{3,60} from (?:this|next) (?:week|month|sprint|quarter|release|version)(?: on(?:wards?)?)?[.!]*$|^for (?:anything|everything|all [\w-]+|every [\w-]+) (?:below|under|in|inside) \S+ .*\b(?:should|must|needs? to|have to|has to)\b|^[^?,]{8,80}, (?:and )?(?:please )?(?:stick to|keep to|stay with|hold to|go by) (?:it|that|this)(?: please| now| from now on| from here on)?[.!]*$|^[\w./-]+(?: [\w./-]+){0,3} (?:uses?|has|have|is in|are in|goes|go) [^?,]{3,40}, (?:and )?(?:please )?keep (?:it|that|this)(?: that way| so| please)?[.!]*$",
    )
});

/// "We're on oil paint since May", "we have been on the new kiln since last week": what has taken the place of something.
static CHANGED_TO: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^we(?:'re| are|'ve been| have been) (?:all )?(?:on|using) (?P<what>[\w./-]+(?: [\w./-]+){0,2}) (?:now since|since|as of|these days|from now on)\b[^?]{0,30}$",
    )
});
static NO_CHANGE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^(?:too|call|hold|holiday|vacation|fire|track|time|strike)\b"));

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_so_now_stands() {
        for said in [
            "captions begin with the place now",
            "we only paint on paper now",
            "framing is ada's job these days",
            "labels are blue now, period",
            "twelve chairs is the limit now",
            "everything here stays in ounces until the last page",
            "please take always the soft brush for the frames",
            "please write in canadian spelling",
            "nothing that hangs in the hall gets repainted, ever",
            "all frames belong on rack7 now",
            "labels stay untouched!!",
            "they may weigh up to nine, and that's the new limit for all of them",
            "since the fair everything that leaves the shop is oiled",
            "don't forget to start from the oak plank and not the pine one",
            "since monday we use beech, not oak",
            "the soft brush for all which you make",
            "but ounces in recipe files, not grams",
        ] {
            assert!(stands_from_now(said), "{said}");
        }
        for said in [
            "it starts with the map now",
            "let's go to the barn now",
            "the second one comes with it now",
            "labels are blue now",
            "we only have two left now and none to spare",
            "builds end in a timeout now",
            "the server starts on port 8080 now",
            "both use the same cache now",
            "your examples use the old names now",
            "framing is my job now",
            "we only run two tests now and it is still slow",
            "we only work on this branch now",
            "everything here is broken",
            "don't forget to lock the door",
            "don't forget to sand and not paint yet",
            "run always fails on the wet wood",
            "since march everyone uses the new key, so melt the old one",
            "since monday we use far too much glue",
            "everything here must be moved today",
            "everything in this box belongs to the old owner",
            "cut one key for every door you add to this house",
            "use british spelling in this one letter please",
            "duplicates in paint names, not in numbers, that's what I see",
            "since the storm everything is wet",
            "for all the frames you make",
            "since monday we have no oven",
            "the header in blue, not green",
        ] {
            assert!(!stands_from_now(said), "{said}");
        }
    }
}
