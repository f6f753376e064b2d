//! Short requests that come back: "diff first", "can I see the diff?", "show me the diff and then commit".
//!
//! Each is too weak to be a rule. Asked for in three sessions of a project it is a wish that nobody should have to repeat. Two
//! requests are the same when what the one names beyond everyday orders the other names too, in scripts without spaces when they share
//! enough neighbouring letters.

use std::sync::LazyLock;

use regex::Regex;

use super::cues;
use super::guidance::guidance;
use super::ngrams::is_unspaced;
use super::put_off::is_only_proposed;
use super::thread::Weighed;
use super::topic::Topic;
use super::words::pattern;

/// Most content words of a request that can come back in other words.
const MOST: usize = 6;
/// Most words of a request that are more than an everyday order.
const NAMED: usize = 3;
/// Letters in a row that two requests share, in scripts without spaces.
const SHARED_LETTERS: usize = 4;
/// Most words of the message it stands in.
const MESSAGE: usize = 14;
/// Most words of what is added to a longer message and is about more than that.
const ASIDE: usize = 5;
/// Most words of such a message, which is spoken and not pasted.
const SPOKEN: usize = 30;
/// Most words of one, fillers and all.
const WORDS: usize = 12;
/// Of ten words of two requests about the matter at hand so many must be common to both for them to be one.
const ALIKE: usize = 6;
/// What every session asks for; it says nothing of how this person wants things.
const EVERYDAY: [&str; 82] = [
    "integration",
    "scenario",
    "case",
    "print",
    "latest",
    "back",
    "fetch",
    "sync",
    "switch",
    "checkout",
    "server",
    "local",
    "remote",
    "page",
    "user",
    "current",
    "everything",
    "version",
    "restart",
    "wait",
    "finish",
    "resume",
    "take",
    "tell",
    "say",
    "put",
    "use",
    "call",
    "move",
    "better",
    "best",
    "new",
    "option",
    "approach",
    "idea",
    "question",
    "step",
    "part",
    "commit",
    "push",
    "continue",
    "merge",
    "pr",
    "test",
    "run",
    "fix",
    "deploy",
    "build",
    "check",
    "review",
    "update",
    "create",
    "branch",
    "done",
    "issue",
    "next",
    "start",
    "stop",
    "try",
    "look",
    "show",
    "add",
    "remove",
    "file",
    "change",
    "code",
    "error",
    "fail",
    "work",
    "line",
    "pull",
    "read",
    "open",
    "write",
    "main",
    "thing",
    "ready",
    "proceed",
    "delete",
    "rename",
    "implement",
    "release",
];
/// What says when or how often.
const FILLERS: [&str; 88] = [
    "doing",
    "going",
    "happening",
    "mean",
    "per",
    "many",
    "roughly",
    "around",
    "feel",
    "free",
    "fully",
    "completely",
    "quickly",
    "properly",
    "fine",
    "okay",
    "cool",
    "awesome",
    "lgtm",
    "love",
    "exactly",
    "agree",
    "correct",
    "thanks",
    "fantastic",
    "excellent",
    "lovely",
    "sure",
    "alright",
    "where",
    "whats",
    "wheres",
    "hows",
    "put",
    "give",
    "make",
    "want",
    "could",
    "can",
    "with",
    "this",
    "these",
    "that",
    "same",
    "without",
    "well",
    "maybe",
    "pls",
    "thx",
    "ty",
    "real",
    "both",
    "line",
    "first",
    "before",
    "after",
    "again",
    "more",
    "missing",
    "miss",
    "entry",
    "time",
    "once",
    "still",
    "much",
    "very",
    "nice",
    "good",
    "great",
    "ask",
    "thank",
    "perfect",
    "yes",
    "sorry",
    "last",
    "bit",
    "little",
    "lot",
    "plus",
    "something",
    "supply",
    "include",
    "provide",
    "forgot",
    "forget",
    "need",
    "left",
    "below",
];

/// A request of a message.
#[derive(Debug)]
pub(super) struct Request {
    /// What it is for.
    pub(super) topic: Topic,
    /// The words that make it.
    pub(super) words: String,
    /// It is about the matter at hand, as far as one can tell: it came back only where nearly the same words did.
    pub(super) is_of_matter: bool,
    /// What it names and the agent had not just spoken of.
    pub(super) unspoken: Vec<String>,
}

/// The requests of a message.
pub(super) fn of(item: &Weighed) -> Vec<Request> {
    let own = &item.moment.own;
    // In a longer message a request is about the matter at hand.
    let (count, has_lines) = (own.split_whitespace().count(), own.trim().contains('\n'));
    let is_long = count > MESSAGE || has_lines;
    let is_spoken = count <= SPOKEN && !has_lines;
    let whole: Vec<_> = item.reading.clauses.iter().filter(|clause| !clause.partial).collect();
    let before = item.moment.before.as_ref().map(|said| said.text.to_lowercase()).unwrap_or_default();
    let mut found: Vec<Request> = Vec::new();
    for (index, clause) in whole.iter().enumerate() {
        // A session's first words are its task.
        if item.moment.index == 0 && index == 0 {
            continue;
        }
        let end = clause.start + clause.length;
        let parts = item
            .reading
            .clauses
            .iter()
            .filter(|part| part.partial && part.start >= clause.start && part.start < end);
        for text in std::iter::once(clause.text(own)).chain(parts.map(|part| part.text(own))) {
            let topic = Topic::of(text);
            // The small words of other languages count for nothing.
            let is_content =
                |word: &&str| item.reading.language == 0 || !(is_common(word) || cues::only_requests(word));
            let short = (1..=MOST).contains(&essential(&topic).filter(is_content).count())
                && text.split_whitespace().count() <= WORDS;
            let code = text.contains(['`', '_', '=', '<', '{', '@', '#', '\\']);
            let once = text.contains(|c: char| c.is_ascii_digit()) || reports(text) || approves(text);
            let named: Vec<&str> = named(&topic).collect();
            // What the agent had just spoken of is what the session is about, not how the person wants things.
            let unspoken: Vec<&str> = named.iter().copied().filter(|word| !before.contains(*word)).collect();
            let is_aside = index > 0 && is_spoken && asks_in_passing(text);
            let is_of_matter = is_long && !is_aside || code || unspoken.is_empty() && !named.is_empty();
            let tells = if is_of_matter { is_order(text, &topic) } else { is_telling(&topic) };
            let is_known = |known: &Request| is_same(&known.topic, &topic);
            let is_idea =
                || is_only_proposed(text, &item.moment) || item.put_off.iter().any(|idea| idea.holds(clause));
            if short && !once && tells && !found.iter().any(is_known) && !is_idea() {
                let unspoken = unspoken.into_iter().map(str::to_owned).collect();
                found.push(Request { topic, words: clause.text(own).to_owned(), is_of_matter, unspoken });
            }
        }
    }
    found
}

/// An order in English that names something: "mark it in the ledger", "when you are done, delete the sketch".
fn is_order(text: &str, topic: &Topic) -> bool {
    static ORDER: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)^(?:(?:if|when|once|after|before)\b[^,]{3,60}, )?(?:add|always|archive|ask|attach|bump|change|check|clean|close|commit|compare|copy|create|delete|do not|document|don't|draw|drop|export|fetch|fill|fix|format|generate|give|ignore|include|keep|leave|link|list|log|look|make|mark|mention|merge|move|never|note|open|post|print|push|put|read|rebase|record|regenerate|remove|rename|replace|report|rerun|restart|review|run|save|send|set|show|skip|sort|start|stop|sum|summari[sz]e|sync|tag|tell|test|tick|translate|try|update|upload|use|validate|verify|wait|write)\b",
        )
    });
    essential(topic).count() >= 2
        && named(topic).next().is_some()
        && ORDER.is_match(&super::phrase::instruction(text))
}

/// "Decimal please", "english?", "bullet points are enough": a few words at the end of a message that ask for something.
fn asks_in_passing(text: &str) -> bool {
    const ASKS: [&str; 8] = ["please", "pls", "enough", "bitte", "por favor", "svp", "пожалуйста", "halt"];
    let lower = text.to_lowercase();
    let count = text.split_whitespace().count();
    count <= 2
        || count <= ASIDE && (text.ends_with(['?', '？']) || ASKS.iter().any(|word| lower.contains(word)))
}

/// "Sounds good".
fn approves(text: &str) -> bool {
    text.to_lowercase().split_whitespace().any(|word| word == "sounds")
}

/// Whether words tell of a failure or ask how far the work is.
fn reports(text: &str) -> bool {
    const FAILURES: [&str; 8] =
        ["fail", "error", "broke", "crash", "does not work", "doesn't work", "doesnt work", "not working"];
    // "Error bars" are no failure.
    static NAMED: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"\berror[ -](?:bars?|handling|messages?|codes?|margins?|boundar(?:y|ies)|budgets?|types?|pages?)\b",
        )
    });
    let lower = NAMED.replace_all(&text.to_lowercase(), "").into_owned();
    let of_state = ["are we", "are you", "is it", "did we", "have you", "how far"];
    // "The failing test first" asks for something.
    let fails = FAILURES.iter().any(|word| lower.contains(word)) && !lower.contains("failing test");
    fails || of_state.iter().any(|start| lower.starts_with(start))
}

/// Whether two requests are made of nearly the same words.
pub(super) fn is_worded_the_same(one: &Topic, other: &Topic) -> bool {
    let (ones, others): (Vec<&str>, Vec<&str>) = (essential(one).collect(), essential(other).collect());
    let shared = ones.iter().filter(|word| others.iter().any(|other| is_one_word(word, other))).count();
    shared >= 2 && 10 * shared >= ALIKE * (ones.len() + others.len() - shared)
}

/// Its words but those that say when or how gladly.
fn essential(topic: &Topic) -> impl Iterator<Item = &str> {
    topic.words().filter(|word| !FILLERS.contains(word))
}

/// Whether two requests ask for the same: what the one names beyond everyday orders, the other names too.
pub(super) fn is_same(one: &Topic, other: &Topic) -> bool {
    let (ones, others): (Vec<&str>, Vec<&str>) = (named(one).collect(), named(other).collect());
    let first = |topic: &Topic| topic.words().any(|word| word == "first");
    let ordered =
        |topic: &Topic| topic.words().filter(|word| is_everyday(word)).map(str::to_owned).collect::<Vec<_>>();
    is_within(one, other)
        || is_within(other, one)
        || ones.iter().any(|one| others.iter().any(|other| shares_letters(one, other)))
        || ones.is_empty()
            && others.is_empty()
            && first(one)
            && first(other)
            && ordered(one).iter().any(|word| ordered(other).contains(word))
}

/// Whether one request names something beyond everyday orders, and nothing that the other does not name too.
pub(super) fn is_within(less: &Topic, more: &Topic) -> bool {
    let more: Vec<&str> = named(more).collect();
    let mut less = named(less).peekable();
    less.peek().is_some() && less.all(|word| more.iter().any(|other| is_one_word(word, other)))
}

/// Whether a request names a thing, beside what else it names.
pub(super) fn names(topic: &Topic, thing: &str) -> bool {
    named(topic).any(|word| is_one_word(word, thing))
}

/// Fewest letters that two words share which are one: "translate" and "translations".
const STEM: usize = 6;
/// Most letters in which they end otherwise.
const ENDING: usize = 5;

fn is_one_word(one: &str, other: &str) -> bool {
    let shared = one.chars().zip(other.chars()).take_while(|(one, other)| one == other).count();
    let (one_length, other_length) = (one.chars().count(), other.chars().count());
    let longer = one_length.max(other_length);
    // "주석", "주석은요"
    let is_hangul = |c: char| ('가'..='힣').contains(&c);
    let with_particles = shared >= 2
        && shared == one_length.min(other_length)
        && longer - shared <= 2
        && one.chars().chain(other.chars()).all(is_hangul);
    let is_adverb = one.strip_suffix("ly") == Some(other) || other.strip_suffix("ly") == Some(one);
    one == other
        || is_adverb
        || shared >= STEM && longer - shared <= ENDING
        || with_particles
        || is_named_in(one, other)
        || is_named_in(other, one)
}

/// "日志呢" asks for what "这里能加点日志吗" asks for: a name of a few letters in a script without spaces, without what makes it a question.
fn is_named_in(one: &str, other: &str) -> bool {
    const ASKS: [char; 10] = ['呢', '吗', '嗎', '吧', '啊', '了', '的', 'か', 'は', 'も'];
    let name = one.trim_end_matches(ASKS);
    (2..=4).contains(&name.chars().count())
        && name.chars().all(is_unspaced)
        && !cues::is_common(name)
        && !cues::only_requests(name)
        && other.contains(name)
}

/// Whether two requests that only add to the work ("and the captions?", "you forgot the captions", "captions too") are for one thing.
pub(super) fn adds_the_same(one: (&Topic, &str), other: (&Topic, &str)) -> bool {
    let shares = || named(one.0).any(|word| named(other.0).any(|known| is_one_word(word, known)));
    adds(one.1) && adds(other.1) && shares()
}

fn adds(text: &str) -> bool {
    static ADDS: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)^(?:and|also|plus|with|what about|where(?:'s| is| are)|is there|are there|you (?:forgot|left out|missed)|what is|whats|what's) |^(?:\S+ ){0,4}(?:is|are) (?:missing|not there)| (?:too|also|as well|again)[.?!]*$|\bneeds? an? |\bforgot\b|\bleft out\b",
        )
    });
    text.split_whitespace().count() <= WORDS && ADDS.is_match(text.trim())
}

/// The words of a request that are more than an everyday order.
fn named(topic: &Topic) -> impl Iterator<Item = &str> {
    topic.words().filter(|word| {
        !(is_everyday(word)
            || FILLERS.contains(word)
            || ["always", "never", "ever"].contains(word)
            || is_common(word)
            || cues::only_requests(word))
    })
}

/// Whether a word is among the commonest of any language, also where it was taken for a plural: "dans".
fn is_common(word: &str) -> bool {
    cues::is_common(word) || cues::is_common(&format!("{word}s"))
}

/// "Files" lost more than its plural.
fn is_everyday(word: &str) -> bool {
    EVERYDAY.iter().any(|known| *known == word || known.strip_suffix('e') == Some(word))
}

/// Whether two runs of letters without spaces have enough in common: "能加点中文注释吗", "中文注释呢".
fn shares_letters(one: &str, other: &str) -> bool {
    let letters: Vec<char> = one.chars().collect();
    letters
        .windows(SHARED_LETTERS)
        .any(|row| row.iter().all(|c| is_unspaced(*c)) && other.contains(&row.iter().collect::<String>()))
}

/// Of several tellings of one wish the one that says best what to do; where all of them only ask, that it should be told unasked.
pub(super) fn best_title<'q>(own: &str, others: impl Iterator<Item = &'q str>) -> String {
    let title = |quote: &str| super::phrase::title(&super::phrase::instruction(quote));
    let short = |quote: &&str| quote.split_whitespace().count() <= WORDS && !reports(quote);
    let all = std::iter::once(own.to_owned()).chain(others.filter(short).map(title));
    let says = |title: &String| (!only_asks(title), guidance(title));
    let best =
        all.max_by(|one, other| says(one).partial_cmp(&says(other)).unwrap_or(std::cmp::Ordering::Equal));
    let best = best.unwrap_or_else(|| own.to_owned());
    if only_asks(&best) { format!("{}{best}", UNASKED[cues::language_of(&best)]) } else { best }
}

/// "Whats the row count", "日志呢": a question, which does not say by itself that it should be answered unasked.
fn only_asks(title: &str) -> bool {
    static ASKS: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)^(?:(?:and|so|but|ok|hm+),? )*(?:what|whats|which|how|why|who|where|wheres|is|are|do|does|did|have|has|any)\b|[?？呢吗嗎]$",
        )
    });
    ASKS.is_match(title.trim_end_matches(['.', '…']))
}

/// "Without being asked", in the languages of [`cues::LANGUAGES`].
const UNASKED: [&str; 9] = [
    "Without being asked: ",
    "Ungefragt: ",
    "Sin que se pida: ",
    "Sans qu’on le demande : ",
    "Sem que se peça: ",
    "Без напоминания: ",
    "不用问就做：",
    "言われなくても：",
    "묻지 않아도: ",
];

/// More than an everyday order and no more than can be said in passing, or an everyday order with when it is wanted ("test first").
fn is_telling(topic: &Topic) -> bool {
    let count = named(topic).count();
    let everyday = topic.words().any(is_everyday);
    (1..=NAMED).contains(&count) || count == 0 && everyday && topic.words().any(|word| word == "first")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_named_after_errors_is_no_failure() {
        assert!(!reports("add error bars, please") && !reports("one error message a field"));
        assert!(reports("the error is back") && reports("an error of the bars"));
    }

    #[test]
    fn small_words_of_other_languages_name_nothing() {
        let topic = Topic::of("un petit schéma dans le mode d'emploi stp");
        assert_eq!(named(&topic).collect::<Vec<_>>(), ["emploi", "mode", "schéma"]);
        assert!(is_one_word("weekly", "week"));
    }

    #[test]
    fn what_is_only_asked_is_to_be_told_unasked() {
        let title = |own: &str, other: &str| best_title(own, std::iter::once(other));
        assert_eq!(
            title("Where's the legend", "is there a legend?"),
            "Without being asked: Where's the legend"
        );
        assert_eq!(title("Where's the legend", "add a legend please"), "Add a legend");
        assert_eq!(title("图例呢", "图例呢"), "不用问就做：图例呢");
    }

    #[test]
    fn what_is_added_to_the_work_is_known_by_one_thing() {
        let adds = |one: &str, other: &str| adds_the_same((&Topic::of(one), one), (&Topic::of(other), other));
        assert!(adds("also a legend entry for it?", "you left out the legend colours again"));
        assert!(!adds("the legend is too wide", "also a legend entry for it?"));
        assert!(!adds("and the icon?", "and the tooltip?"));
    }

    #[test]
    fn what_is_about_the_matter_comes_back_in_nearly_the_same_words() {
        let same = |one: &str, other: &str| is_worded_the_same(&Topic::of(one), &Topic::of(other));
        assert!(same("great, if its drawn feel free to burn the sketch", "if it's drawn, burn the sketch"));
        assert!(!same("burn the sketch", "frame the sketch"));
        let orders = |text: &str| is_order(text, &Topic::of(text));
        assert!(orders("great, if its drawn feel free to delete the sketch"));
        assert!(orders("mark it in the ledger please"));
        for text in ["Files to modify", "commit and push your changes", "the sketch is in the ledger"] {
            assert!(!orders(text), "{text}");
        }
    }

    #[test]
    fn the_same_request_is_known_in_other_words() {
        let same = |one: &str, other: &str| is_same(&Topic::of(one), &Topic::of(other));
        assert!(same("is there a flame graph?", "flame graph please"));
        assert!(same("the legend is missing", "show me the legend"));
        assert!(same("write the tests first", "tests first please"));
        assert!(same("is there a translation?", "translate the label too"));
        assert!(same("kannst du das als Skizze zeigen?", "hätte ich gern wieder als Skizze"));
        assert!(same("dá pra pôr uma legenda?", "faltou a legenda"));
        assert!(same("а какой чертёж? сначала покажи", "погоди, сначала чертёж"));
        assert!(same("¿puedes poner un resumen?", "falta el resumen"));
        assert!(same("tu peux mettre une légende ?", "il manque la légende"));
        assert!(same("图例呢", "这张图能加上图例吗") && same("범례는요?", "여기 범례 좀 넣어줄래?"));
        assert!(!same("zeig mir die Skizze", "zeig mir den Plan"));
        assert!(!same("commit it", "commit and push"));
        assert!(!same("fix the parser", "fix the login"));
    }
}
