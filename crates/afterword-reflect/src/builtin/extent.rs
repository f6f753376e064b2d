//! How far a rule goes: "goes for the whole repo", "each time, not only today" say nothing by themselves, and that the sentence before
//! them is meant for good.

use std::sync::LazyLock;

use regex::Regex;

use super::words::pattern;

/// "Goes for the whole repo", "same for all later photos", "make that a habit": the sentence before is meant for good.
static MEANS_ALL: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:(?:and |please )*(?:(?:that|this|these|it|same|the same|all of (?:it|that|this))(?: should| has to| must| will)?(?:'s| is| are| be| goes| go| holds| hold| applies| apply| counts)?|goes|holds|applies|valid)(?: also| true| valid| meant| the way(?: it is)?| how it (?:is|works))? (?:for|of|to|in) (?:all|every|each|any|anything|whatever|the whole|everything|everyone|new|later|the next|the rest|future|the future)\b.{0,40}|(?:please )?make (?:that|it|this) a (?:habit|rule)|(?:please )?(?:keep|bear) (?:that|this|it) in mind(?: (?:for|in|when) .{0,40})?|(?:all of (?:it|them|these|those),? )?(?:with no|no|without) exceptions?|in general,? i mean|i mean in general|in that order, for all.{0,20}|never(?:,? ever)?|(?:and )?always|not now and not later|(?:each|every) (?:single )?time, all of (?:it|them|this)\b.{0,30}|not (?:just|only) (?:here|now|this time|today|in this).{0,30}|(?:each|every) (?:single )?time,? (?:and )?not (?:just|only) (?:today|now|here|this (?:time|once))|(?:for )?(?:both(?: [\w-]+)?|all of (?:it|them)|these(?: [\w-]+)?),? and (?:whatever|everything|all)(?: that| which)? (?:comes?|follows?)(?: after| later| next| on)?|expect (?:that|this|it) to (?:hold|stay|last|apply)\b.{0,80}|(?:and )?(?:that|this) (?:holds|stays|lasts|counts) (?:for good|forever|until i say otherwise).{0,20}|(?:and )?that(?:'s|'ll be| is| will be) (?:how|the way|what) we(?: all)? (?:do|want|have|call|write|name) (?:it|this|that|them)(?: now| here| from now on| from here on)?|(?:all )?(?:through|throughout|all over|across) (?:the|our|this) (?:whole |entire )?(?:project|repo|code ?base|app|site|game|book|firmware|thesis|docs?)(?: please| pls)?|(?:and )?these(?: \w+)? and (?:any|all|every) (?:later|new|future|further|other) ones?|(?:and )?i (?:don't|do not|never) (?:ever )?want to (?:see|find|hear|read) (?:one|any|them|those|such a thing) (?:ever )?again.{0,20})[.!…]*$",
    )
});

/// The same in other languages: "vale para todo", "gilt ab jetzt überall", "以后都这样".
static MEANS_ALL_ELSEWHERE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"^(?:und )?(?:das |dies )?(?:gilt|zählt) (?:(?:ab jetzt|ab sofort|auch|immer|künftig|weiterhin) )*(?:für (?:alle?s?|jede\w*|das ganze|künftige\w*|den rest)\b.{0,40}|überall|immer|ab jetzt|künftig)[.!…]*$",
        r"|^(?:y |e )?(?:eso |esto |isso |isto )?(?:vale|aplica|se aplica)(?: también| também| igual)? (?:para|pra|a) (?:tod[oa]s?|cualquier|qualquer|cada|el resto|o resto|lo que venga)\b.{0,50}[.!…]*$",
        r"|^(?:et )?(?:ça |cela |c'est )?(?:vaut|valable)(?: aussi)? pour (?:tou[ts]e?s?|chaque|n'importe|le reste|la suite)\b.{0,40}[.!…]*$",
        r"|^(?:и )?(?:это )?(?:касается|относится ко?|действует для) (?:все\w*|люб\w+|кажд\w+)\b.{0,40}[.!…]*$|^(?:и )?(?:так везде|всегда так|дальше тоже так)[.!…]*$",
        r"|^(?:以后|今后|往后)(?:全|都|也都|一律|也)*(?:这样|一样|如此|照这个来|按这个来)[。！!]*$|^(?:今後|これから)も(?:全部|ずっと|すべて)?(?:同じ|そう|この形)(?:で|です|にして)?.{0,8}$|^앞으로도? (?:다|전부|모두|계속)? ?(?:그렇게|이렇게|똑같이).{0,8}$",
    ))
});

/// Whether a clause only says that the one before it is meant for good.
pub(super) fn means_all(text: &str, language: usize) -> bool {
    let lower = text.to_lowercase().replace('’', "'");
    if language == 0 { MEANS_ALL.is_match(lower.trim()) } else { MEANS_ALL_ELSEWHERE.is_match(lower.trim()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_says_how_far_a_rule_goes_is_told_from_the_work_at_hand() {
        assert!(means_all("keep that in mind for everything you build here", 0));
        assert!(means_all("never.", 0) && !means_all("never mind", 0));
        assert!(
            means_all("both walls, and whatever comes after", 0) && means_all("each time, not only today", 0)
        );
        assert!(!means_all("that and everything after it", 0));
        assert!(!means_all("every time, not just on the ground floor", 0));
        assert!(means_all("i don't want to see one again", 0) && !means_all("i want to see it again", 0));
        assert!(means_all("same goes for all new pages", 0) && !means_all("that is for the new page", 0));
    }
}
