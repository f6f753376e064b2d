//! What is said in passing, however firmly: of the work of now, or of what happened. It rules nothing.

use std::sync::LazyLock;

use regex::Regex;

use super::cues;
use super::moment::Moment;
use super::ngrams::words;
use super::reading::{ReadClause, Reading};
use super::words::pattern;

/// "I always get a blank page", "we never had this before the update", "every time I deploy it fails": what happens, however sure it
/// sounds.
pub(super) fn tells_what_happens(text: &str) -> bool {
    static HAPPENS: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"\b(?:i|it|he|she|they|this|that|(?:the|my|our) [\w-]+(?: [\w-]+)?) (?:always|never|still) (?:gets?|got|sees?|saw|hits?|loses?|lost|lands?|shows?|returns?|fails?|crash(?:es)?|opens?|loads?|works?|worked|fires?|comes?|came|ends? up|hangs?|breaks?|broke|happens?|happened|appears?|throws?|times? out|finish(?:es)?|ends?|arrives?|arrived|responds?|stops?)\b|\b(?:it|that|this)'?s (?:always|never) (?:fine|ok|okay|the same|empty|wrong|red|green|slow|broken|null|late|there|off)\b|\b(?:i|we|you|they|it) (?:always|never) (?:had|got|saw|was|were|did|went|ran|knew|thought|noticed|said|told|asked|heard|managed)\b|^(?:the |my |our )?[\w-]+(?: [\w-]+)? (?:was|were) (?:running|using|getting|showing|failing|working|returning|sending|writing|logging)\b|^i (?:just |only )?asked\b|^(?:always|never) (?:fails|crashes|hangs|breaks|works|worked|loads|shows|returns|comes|the same)\b|^(?:support|qa|sales|marketing|(?:the |some |our |my )?(?:customers?|users?|clients?|testers?|people|players?)) (?:says?|said|report|reported|complains?|complained|tells? (?:me|us)|told (?:me|us)|noticed|keeps? (?:saying|getting))\b|\b(?:every|each)(?: single)? time,? (?:i|it|the \w+|my \w+|a \w+|someone|somebody|we)\b.*\b(?:i get|i see|it (?:fails|crashes|hangs|breaks|says|shows|gets|goes)|there(?:'s| is)|(?:get|gets|got|see|sees) (?:an?|the)|fails|crashes|hangs|breaks)\b",
        )
    });
    let lower = text.to_lowercase().replace('’', "'");
    let rules = [" should ", " must ", "from now on"];
    HAPPENS.is_match(&lower) && !rules.iter().any(|mark| lower.contains(mark))
}

/// "The old shelf is crooked", "plan.c was half done": how one thing is, which at most gives the reason of a rule.
pub(super) fn tells_of_one_thing(text: &str, language: usize) -> bool {
    static ONE: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)^(?:(?:and|but|so|oh|btw|yes|no),? )*(?:it|(?:the|my|your|our|his|her|their|that|this|old|new)(?: old| new| last| other)? (?:[\w./-]+ ){0,3}[\w./-]*[^s\W]|[\w-]+\.[a-z]{1,4})(?: is| was| has| had| looks| looked| got| went) ",
        )
    });
    let rules =
        ["must", "forbid", "always", "all", "here", "we_habit", "instead", "from_now", "prefer", "remember"];
    language == 0 && ONE.is_match(text) && !cues::present(text, language).has_any(&rules)
}

/// "We got a new kiln over easter", "saw it last week", "there is no signal down there": what happened or is so, which at most gives the
/// reason of a rule.
pub(super) fn tells_of_the_past(text: &str, language: usize) -> bool {
    static PAST: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)^(?:(?:and|but|so|oh|btw|yes|no|even|funny story|hang on|well),? )*(?:there(?:'s| is| are| was| were) |(?:[\w'./-]+ ){0,5}?(?:got|bought|lost|spent|went|came|broke|died|cried|gave|told|saw|took|ended up|complained|found|cost|kept|hated|loved|had to|couldn't|didn't|wasn't|weren't)\b|[\w./-]+(?:'s| is| are| was| got) (?:cancelled|canceled|dead|sold|closed|broken|over|finished|retired)\b)",
        )
    });
    let rules = ["must", "forbid", "always", "all", "we_habit", "from_now", "prefer", "remember", "turn"];
    language == 0 && PAST.is_match(&text.replace('’', "'")) && !cues::present(text, language).has_any(&rules)
}

/// "No, I did not say sand it", "who asked for that": says that something was not wanted, and not what is.
pub(super) fn only_objects(text: &str) -> bool {
    static OBJECTS: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)^(?:(?:no+|hey|stop|wait),? )*(?:(?:i|we) (?:did(?:n['’]?t| not)|never|haven['’]?t|have not) (?:say|said|ask|asked|tell|told|want|wanted|order|ordered)|who (?:said|asked|told)|why (?:did|do|are|would)|what are you)\b",
        )
    });
    OBJECTS.is_match(text)
}

/// "I always get …", "it never loads", "the lid doesn't close any more": said of what happens.
pub(super) fn beginning_reports(text: &str) -> bool {
    static ENDED: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)^(?:(?:the|my|our|his|her) )?(?:[\w./-]+ ){1,3}(?:doesn['’]?t|does not|won['’]?t|can['’]?t|cannot|isn['’]?t|aren['’]?t) (?P<does>[\w-]+)(?: [\w-]+){0,3} (?:any ?more|any longer)\b",
        )
    });
    let ended = ENDED.captures(text).is_some_and(|found| {
        let by_people = ["we ", "you ", "i "].iter().any(|who| text.to_lowercase().starts_with(who));
        !by_people
            && !["apply", "count", "hold", "matter", "go", "allowed", "get", "happen"]
                .contains(&&found["does"])
    });
    if ended {
        return true;
    }
    let words = words(text);
    let is = |at: usize, known: &[&str]| words.get(at).is_some_and(|word| known.contains(&word.as_str()));
    is(1, &["i", "it", "that", "this", "he", "she", "they", "the"])
        && (2..5).any(|at| is(at, &["always", "never"]))
        && !(1..6).any(|at| {
            is(
                at,
                &[
                    "should", "must", "want", "prefer", "need", "needs", "has", "have", "goes", "stays",
                    "expect",
                ],
            )
        })
}

/// "Die App öffnet nie", "la página siempre sale en blanco": what a program does, in other languages than English.
fn reports_of_a_program(text: &str) -> bool {
    static DOES: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)^(?:mas |pero |aber |mais |e |y |und |et |но |а )?(?:(?:o|a|el|la|le|l'|die|der|das|meine?|mein|mi|meu|minha|mon|ma) ?)?(?:app|apps|aplicativo|aplicaci[oó]n|appli\w*|p[aá]gina|page|seite|site|sitio|tela|pantalla|écran|bildschirm|bot[aãó]o?n?|knopf|bouton|login|build|servidor|server|serveur|formul\w+|приложение|страница|кнопка|сервер|экран|сайт) (?:\w+ )?(?:n'\w+ |ne \w+ )?(?:nunca|sempre|siempre|jamais|toujours|nie|niemals|immer|jedes mal|никогда|всегда|постоянно)\b|^(?:アプリ|画面|ページ|ボタン|サーバー)(?:が|は)(?:いつも|毎回|全然|まったく)|^(?:앱|화면|페이지|버튼|서버)(?:이|가|은|는) (?:항상|매번|계속|전혀)|^(?:应用|页面|按钮|程序|服务器|屏幕)(?:总是|老是|一直|从来不)",
        )
    });
    static SHOULD: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)\b(?:dev[ea]m?|deb[ea]n?|tem que|tiene que|soll(?:en|te)?|muss|müssen|darf|dürfen|doit|doivent|должн\w+)\b|べき|ること|해야|必须|应该",
        )
    });
    DOES.is_match(text) && !SHOULD.is_match(text)
}

/// "No cambies nada, solo míralo", "don't write code, just explain it": nothing is to be changed at all, so it is said of now.
pub(super) fn forbids_all(text: &str) -> bool {
    static ALL: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)\b(?:don'?t|do not) (?:change|touch|edit|do|write|modify|implement|fix|run|start|execute|install|send|commit|push|delete) (?:anything|any code)(?: yet)?(?:[,.;:!]|$| (?:just|only|but|and) )|\b(?:don'?t|do not) (?:write|change|touch|make) (?:any |the )?(?:code|changes)(?: yet)?(?:[,.;:!]|$| (?:just|only|but|and) )|\bno (?:cambies|toques|hagas) nada\b|\b(?:ändere|ändre|mach) nichts\b|\bne (?:change|touche|fais) rien\b|\bnão (?:mude|altere|mexa em|faça) nada\b|ничего не (?:меняй|трогай|делай)|什么都(?:别|不要)|何も(?:変え|触ら|し)ないで|아무것도 (?:바꾸|고치|건드리)지",
        )
    });
    ALL.is_match(&text.replace('’', "'"))
}

/// "Hands off the kiln until Mara has had a look": an order that ends, unless it holds each time.
fn waits_for_somebody(lower: &str) -> bool {
    static WAITS: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"\b(?:until|till) (?:the |my |our )?[a-z]+(?: from [a-z]+)? (?:(?:has|have|had|'s) (?:had a look|looked|answered|replied|called|checked (?:it|that|this)|come back)|(?:looks|looked) at|is back|gets back|says (?:so|ok|okay|go|it's))\b",
        )
    });
    static EACH_TIME: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"\b(?:never|always|ever|nothing|nobody|any|every|each|no [a-z]+s|an?)\b.*\b(?:until|till)\b|\bever\b",
        )
    });
    WAITS.is_match(lower) && !EACH_TIME.is_match(lower)
}

/// "Don't stop until all is green", "before you go on, commit what you have", "run it again and show me": how the work of now goes on.
pub(super) fn steers_the_work(text: &str) -> bool {
    static STEERS: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"^(?:please |now |then |ok |okay |so )*(?:go on|carry on|continue|proceed) with\b|\b(?:don'?t|do not|no need to) ask(?: me)? (?:for|about) (?:each|every) single (?:one|of)\b|^(?:only|just) (?:that|this|those|these)\b(?: one)?(?:[,.;:!]|$)|\b(?:don'?t|do not|never) (?:stop|give up|come back|finish|end|quit) (?:\w+ ){0,3}(?:until|till|before|unless)\b|\b(?:keep|carry|go) (?:going|on|working|at it) (?:until|till)\b|\b(?:don'?t|do not) [a-z]+ (?:anything|it|this|that|them)(?: yet)? (?:until|till) (?:i|we) (?:say|tell|give|have)\b|\bbefore (?:you|we) (?:go on|go doing|go and|move on|continue|proceed|carry on|go any further|go further)\b|\bbefore (?:you|we) (?:start|begin|do (?:that|this|it|anything)),? (?:please |just |can you |could you )*(?:show|tell|give|read|list|explain|summari[sz]e|let me|have a look|look at|check what)\b|^(?:please |and |now |then |ok |okay |just |only )*(?:run|try|do|start|check|test|build|deploy) (?:it|this|that|them|(?:the|your|only the|just the) [\w -]{2,30}) (?:once )?(?:again|once more|one more time)\b|^(?:no,? )?never ?mind\b|^nothing else (?:in|on|from|at) (?:there|it|here|that one|this one)[.!]*$|^(?:when|once|after|as soon as) (?:you(?:'re| are)|you have|you've|that'?s|this is|it'?s) (?:done|finished|ready)\b|\b(?:until|till) (?:i'?m|i am) (?:back|there|home)\b|\b(?:just|only) (?:for )?(?:this|that) (?:one|once|time)\b|^(?:(?:no|stop|wait|sorry|oops|halt),? )*wrong (?:folder|file|branch|one|repo|window|tab|chat|place)[.!]*$|\b(?:ask|tell me|let me know|shout) if (?:something|anything|sth) (?:is|isn't|remains|seems) (?:open|unclear|missing|odd|wrong|not clear)\b",
        )
    });
    let lower = text.to_lowercase().replace('’', "'");
    (STEERS.is_match(&lower) || waits_for_somebody(&lower))
        && !["every time", "always", "from now on", "in future", "each time", "not just", "not only"]
            .iter()
            .any(|mark| lower.contains(mark))
}

/// "Cause the printers need it": the reason of what was said before.
fn is_only_a_reason(text: &str) -> bool {
    static REASON: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)^(?:and |but )?(?:['’]?cause|because|cuz|coz|bc) (?:the|we|i|it|they|he|she|you|our|my|that|this)\b[^,]*$",
        )
    });
    static RULES: LazyLock<Regex> = LazyLock::new(|| {
        pattern(r"(?i)\b(?:never|always|don['’]?t|do not|must|should|every|each|no|use|keep|only)\b")
    });
    REASON.is_match(text) && !RULES.is_match(text)
}

/// "I'll talk to our printer first", "I know, that takes long": what the person does or knows, unless it is their part for good.
fn is_own_plan(text: &str) -> bool {
    static PLAN: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)^(?:(?:ok|okay|so|then|thanks|right|well|and|but|yes|no)[,.!]? )*(?:(?:i['’]?ll|i will|i['’]?m (?:going to|gonna)|i am going to)\b|i know[,.!]|i must say\b|i have to say\b|i must admit\b)",
        )
    });
    static FOR_GOOD: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)\b(?:always|never|myself|only|every|each|from now on|from here on|in future|whenever|any|all|here|this (?:repo|project|code ?base)|without|accept|we (?:use|never|always)|commits?|prs?|pull requests?|deploys?|releases?|migrations?|merge|push|deploy|publish|inline|styles?|you (?:don['’]?t|do not|open|never|only))\b|: ",
        )
    });
    PLAN.is_match(text.trim()) && !FOR_GOOD.is_match(text)
}

/// "Can we send it as it is or not": a question without its mark.
fn asks_whether(text: &str) -> bool {
    static WHETHER: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)^(?:[^,.!?]{0,60}, )?(?:can|could|should|shall|do|does|did|is|are|will|would|may) (?:we|you|i|it|they|he|she|that|this|the [\w-]+)\b[^,.!?]* or not[.!]*$",
        )
    });
    static TELLS: LazyLock<Regex> = LazyLock::new(|| {
        pattern(r"(?i)\b(?:tell|say|state|write|ask|note|mention|always|never|every|each)\b")
    });
    WHETHER.is_match(text) && !TELLS.is_match(text)
}

/// "Fine then, nothing to do", "nothing else for now": the matter ends, and nothing is put off.
pub(super) fn ends_the_matter(text: &str) -> bool {
    static ENDS: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)^(?:(?:ok|okay|fine|good|great|alright|right|well|then|so|no|yes|thanks)[,.!]? )*(?:(?:there(?:'s| is)|i have) )?nothing (?:else |more |left )?(?:to (?:do|add|change|fix)|left|for now|there|here)(?: then| here| there| for now)?[.!]?$",
        )
    });
    ENDS.is_match(text.trim())
}

/// "This one has to be oak", "donne-lui ce verre-là, seulement celui-ci": said of one thing only.
fn is_for_one_only(text: &str) -> bool {
    static ONE: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)^(?:(?:ah|oh|ok|okay|no|well|but|and|so|hm+),? )*(?:this|that) (?:one|file|time) (?:has to|needs to|must|can|may|should|stays?)\b|[,;] (?:only|just|but only) (?:this|that) one[.!]*$|\b(?:nur|aber nur|bloß) (?:diese[rsnm]?|die eine|das eine)(?: hier| da| eine[rsn]?)?[.!]*$|\b(?:seulement|juste|rien que|mais que) (?:celui|celle)-(?:ci|là)[.!]*$|\b(?:solo|sólo|solamente|só|apenas|somente) (?:este|esta|ese|esa|esse|essa)(?: vez| archivo| arquivo)?[.!]*$|\bтолько (?:этот|эту|это|эта)(?: \w+)?[.!]*$|(?:只有|只是|仅限)这(?:个|一个|次|份)[。！!]*$|(?:これ|この一つ|今回)だけ(?:です|ね)?[。！!]*$|이것만[.!]*$",
        )
    });
    ONE.is_match(text.trim())
}

/// "Nope and it never will be again": an answer.
fn foretells(text: &str) -> bool {
    static WILL: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)^(?:(?:nope|no|yes|yep|yeah|ok|and|but|so),? )+(?:it|that|this|he|she|they) (?:never )?(?:will|won['’]t)\b",
        )
    });
    WILL.is_match(text)
}

/// "Hands off that shelf, there's a delivery going on", "no labels for this, it runs once": the reason passes, and so does the order.
fn passes(text: &str) -> bool {
    static PASSES: LazyLock<Regex> = LazyLock::new(|| {
        pattern(concat!(
            r"(?i)\bthere(?:['’]s| is) an? (?:[\w-]+ ){1,3}(?:going on|running|in progress|under ?way)\b|\bi (?:still )?(?:have|need|want) to \w+ (?:it|them|that|those|these) (?:[\w-]+ ){0,4}first\b",
            r"|^(?:and |but )?nothing (?:outside|beyond)\b.* (?:may|must|should|can|gets?) (?:change|be changed|be touched|touched)\b",
            r"|\b(?:it|this|that) (?:only )?runs (?:only )?once\b|\bfor this,? (?:it|this|we|i)\b|\bgoes (?:in|into) the bin\b|\bis (?:a )?(?:throw-?away|one-?off)\b",
        ))
    });
    static EACH: LazyLock<Regex> = LazyLock::new(|| {
        pattern(r"(?i)\b(?:whenever|when|if|as long as|while|every time|each time|until)\b")
    });
    PASSES.is_match(text) && !EACH.is_match(text)
}

/// "Friday I put them back myself": what comes before it holds until then.
pub(super) fn puts_back(text: &str) -> bool {
    static BACK: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)^(?:on |after |from )?(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|tomorrow|tonight|afterwards|next week|later|then|the day after),? (?:on,? )?(?:i|we|you)(?:['’]ll| will| can)? (?:\w+ )?(?:put|turn|switch|bring|change|take|undo|revert|go)\b.*\b(?:back|again|off|on)\b",
        )
    });
    BACK.is_match(text.trim())
}

/// "窗户放到以后再做", "窓はまた今度": put off, in words that say nothing else.
pub(super) fn puts_off_outright(text: &str) -> bool {
    static OUTRIGHT: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?:放到|留到|等到?|挪到)(?:以后|之后|下次|下个版本|将来|下一版)再?(?:做|说|弄|加|搞|考虑|实现)|(?:以后|下次|下个版本|将来)再(?:做|弄|加|搞|考虑|实现)(?:吧|了)?[。.!！]?$|(?:また今度|後回し|いつかやり)(?:に|で|ます|たい|$)|(?:나중에|다음에) (?:하자|하기로|합시다|추가하자)",
        )
    });
    OUTRIGHT.is_match(text)
}

/// Whether a sentence is said in passing.
pub(super) fn is_said_in_passing(text: &str, language: usize) -> bool {
    forbids_all(text)
        || is_for_one_only(text) && !cues::present(text, language).has("from_now")
        || language != 0 && reports_of_a_program(text)
        || language == 0
            && (tells_what_happens(text)
                || steers_the_work(text)
                || is_only_a_reason(text)
                || is_own_plan(text)
                || foretells(text)
                || passes(text)
                || asks_whether(text))
}

/// Whether every sentence of a message is said in passing, beside a question or by itself.
pub(super) fn says_only_in_passing(moment: &Moment, reading: &Reading) -> bool {
    let sentences = || reading.clauses.iter().filter(|clause| !clause.partial);
    let in_passing = |clause: &ReadClause| is_said_in_passing(clause.text(&moment.own), reading.language);
    let asks = |clause: &ReadClause| clause.text(&moment.own).trim_end().ends_with('?');
    sentences().any(in_passing) && sentences().all(|clause| in_passing(clause) || asks(clause))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_objection_wants_nothing_by_itself() {
        assert!(only_objects("no, I did not say oil the chairs") && only_objects("who asked for that?"));
        assert!(!only_objects("no, oil the chairs before you sell them"));
    }

    #[test]
    fn what_works_no_longer_is_reported() {
        assert!(beginning_reports("lid doesn't close any more, hinge bent over night"));
        assert!(!beginning_reports("we don't paint lids any more"));
        assert!(!beginning_reports("the old list doesn't count any more"));
    }

    #[test]
    fn what_happens_rules_nothing() {
        for text in [
            "We never had that trouble on the old laptop",
            "every time I open the map I get a grey tile",
            "it never loads",
            "always fails on the second try",
            "each time the import runs it crashes",
            "players say it is dark in there every time",
            "Don't hang anything until I'm back",
            "stop, wrong folder",
            "do NOT unpack anything until I say so",
            "nothing else in there",
            "I only asked where",
            "I'll talk to the baker first, he made it, don't touch his shelf",
            "I know, she is strict",
            "two lines for the sign please, can we hang it up or not",
            "only that, don't move anything else",
            "please go on with the next shelf",
            "I must say nobody can read those",
            "burn them, and don't ask me for each single one",
        ] {
            assert!(is_said_in_passing(text, 0), "{text}");
        }
        for text in [
            "every time you open a ticket, link it",
            "I never want to see a popup",
            "we never squash",
            "I'll always sign those myself",
            "only those who bake may open the oven",
        ] {
            assert!(!is_said_in_passing(text, 0), "{text}");
        }
    }

    #[test]
    fn what_a_program_does_rules_nothing_in_any_language() {
        for text in [
            "Die App startet nie auf dem alten Tablet",
            "la página siempre sale en blanco",
            "l'appli plante toujours",
            "a tela sempre fica branca",
            "приложение никогда не открывается",
            "アプリがいつも落ちます",
            "앱이 항상 멈춰요",
            "页面总是空白",
        ] {
            assert!(is_said_in_passing(text, 1), "{text}");
        }
        for text in [
            "die App darf nie ohne PIN starten",
            "Commits immer auf Englisch",
            "los commits siempre en inglés",
        ] {
            assert!(!is_said_in_passing(text, 1), "{text}");
        }
    }

    #[test]
    fn what_ends_the_matter_puts_nothing_off() {
        for text in ["ok then, nothing to do", "Nothing else for now.", "alright, there's nothing left"] {
            assert!(ends_the_matter(text), "{text}");
        }
        for text in
            ["nothing to do with the cache, add it later", "later: show nothing to do in an empty list"]
        {
            assert!(!ends_the_matter(text), "{text}");
        }
    }

    #[test]
    fn what_steers_the_work_of_now_rules_nothing() {
        for text in [
            "Don't stop until the list is empty",
            "before you move on, save the draft",
            "before you start, tell me what is in the drawer",
            "Start the server again and paste the log",
            "never mind, it was my proxy",
            "don't write code, just tell me how",
            "Don't make any changes yet",
            "don't run anything, just write it down",
            "Paint the door, ask if anything is unclear",
        ] {
            assert!(is_said_in_passing(text, 0), "{text}");
        }
        for text in [
            "before you open a pull request, run the linter",
            "before you start, make a branch",
            "every time you finish, run the tests again and show me",
            "don't write code in notebooks",
            "don't commit anything that is generated",
            "never make changes on a friday",
        ] {
            assert!(!is_said_in_passing(text, 0), "{text}");
        }
    }

    #[test]
    fn what_waits_for_somebody_and_what_only_gives_a_reason_rules_nothing() {
        for text in [
            "hands off the kiln until Mara has had a look, don't fire a single pot",
            "leave the shop closed till the plumber is back",
            "cause the printers need it",
            "because we ran out of blue",
        ] {
            assert!(is_said_in_passing(text, 0), "{text}");
        }
        for text in ["don't fire a pot until the glaze is dry", "because we glaze twice, keep every pot dry"]
        {
            assert!(!is_said_in_passing(text, 0), "{text}");
        }
    }
}
