//! What a message puts off for later: an idea by itself, called by what is put off.

use std::sync::LazyLock;

use afterword_core::{Candidate, Confidence, Kind, KnownReason, Signal};
use afterword_transcript::event::Origin;
use regex::Regex;

use super::cues;
use super::foreign::{foreign_words, is_foreign};
use super::language::Language;
use super::moment::Moment;
use super::ngrams::{is_unspaced, words};
use super::passing::{ends_the_matter, puts_off_outright};
use super::phrase::flat;
use super::plain::evidence_of;
use super::reading::ReadClause;
use super::reasons::sentence;
use super::thread::Weighed;
use super::topic::Topic;
use super::wording;
use super::words::{pattern, sentences};

/// How likely a clause must put something off to be an idea by itself.
const IDEA: f32 = 0.4;
/// Letters of a message in which the person says what they will do themselves, at most.
const OWN_ERRAND: usize = 120;
/// Words beyond that it is for later which a clause has that points to what was said before, at least.
const NAMED: usize = 3;
/// Letters of the agent's words in a title, at most.
const ABOUT: usize = 110;
/// Beginnings of words that only say that something is for later, or that it is fine so.
const LATER: [&str; 48] = [
    "later", "futur", "todo", "follow", "consider", "definit", "great", "fine", "good", "nice", "cool",
    "perfect", "love", "phase", "backlog", "log", "add", "creat", "writ", "note", "put", "leav", "push",
    "move", "park", "defer", "postpon", "done", "time", "ticket", "issue", "next", "soon", "day", "work",
    "pick", "come", "back", "list", "file", "open", "keep", "track", "captur", "someth", "thing", "really",
    "much",
];

/// Letters of a message that is one sentence with a list, at most.
const SHORT: usize = 200;

/// What a message puts off for later, each by the clause that says it.
pub(super) fn ideas(item: &Weighed) -> Vec<ReadClause> {
    let moment = &item.moment;
    if matches!(moment.utterance.origin, Origin::Shell) || item.features.get("words.pasted") > 0.0 {
        return Vec::new();
    }
    let foreign = foreign_words(&moment.own, item.reading.language);
    let mut found = item.reading.sentences(&item.moment.own, |act| act.idea, IDEA);
    let proposed = item
        .reading
        .clauses
        .iter()
        .filter(|clause| !clause.partial && is_only_proposed(clause.text(&moment.own), moment));
    for clause in proposed {
        if !found.iter().any(|known| known.holds(clause) || clause.holds(known)) {
            found.push(*clause);
        }
    }
    let own = moment.own.as_str();
    let named = |clause: &&ReadClause| {
        !clause.partial && !found.iter().any(|known| known.holds(clause) || clause.holds(known))
    };
    let outright =
        item.reading.clauses.iter().filter(named).filter(|clause| puts_off_outright(clause.text(own)));
    let listed =
        item.reading.clauses.iter().filter(named).filter(|clause| goes_on_with_a_list(clause, &found, own));
    let more: Vec<ReadClause> = outright.chain(listed).copied().collect();
    found.extend(more);
    // "We spoke of a second door once. Do it now": nothing is put off.
    found.retain(|clause| {
        let end = clause.start + clause.length;
        !item.reading.clauses.iter().any(|other| other.start >= end && is_wanted_now(other.text(own)))
    });
    found.retain(|clause| {
        let text = clause.text(&moment.own);
        (words(text).len() > 4 || text.chars().any(is_unspaced))
            && !only_points(text)
            && !ends_the_matter(text)
            && !is_sequence(text)
            && !is_sequence(sentence_with(clause, item))
            && !asks_how_it_is(text)
            && !looks_back(text)
            && !asks_to_look(text)
            && !is_own_errand(text)
            && !is_no_time(text, item.reading.language)
            && !answers_a_request(moment)
            && !is_foreign(clause.start..clause.start + clause.length, &foreign)
            // "She is here for half a year, so in English as of today": what holds from now on is not put off.
            && !(cues::present(text, item.reading.language).has("from_now")
                && item.rules.iter().any(|rule| rule.holds(clause) || clause.holds(rule)))
    });
    for clause in &mut found {
        if !names_something(clause.text(&moment.own)) {
            with_sentence_before(clause, item);
        }
    }
    found.retain(|clause| {
        let text = clause.text(&moment.own);
        let of = || moment.rejected.is_some() || offered(moment, text).is_some();
        names_something(text) || says_later(text) && of()
    });
    found
}

/// "Two things for later: a second door. And a bell": the sentences after one that announces more than one thing to be put off.
fn goes_on_with_a_list(clause: &ReadClause, found: &[ReadClause], own: &str) -> bool {
    static ANNOUNCES: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)\b(?:two|three|four|a few|some|a couple of|several) (?:[\w-]+ )?(?:things|ideas|notes|points|wishes)\b[^.!?]*:|\b(?:notes|ideas|wishes|things) (?:to self |for )[^.!?]*:",
        )
    });
    static GOES_ON: LazyLock<Regex> =
        LazyLock::new(|| pattern(r"(?i)^(?:and|also|plus|second(?:ly)?|then|the other|another)\b"));
    let announced = found.iter().any(|known| {
        let behind = own.get(known.start + known.length..clause.start);
        ANNOUNCES.is_match(known.text(own))
            && behind.is_some_and(|gap| gap.trim().trim_matches('.').is_empty())
    });
    announced && GOES_ON.is_match(clause.text(own)) && !clause.text(own).ends_with('?')
}

/// "Do it now", "then let's, now".
fn is_wanted_now(text: &str) -> bool {
    static NOW: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)^(?:(?:ok|okay|so|but|then|please|and),? )*(?:let['’]?s )?(?:please )?do (?:it|that|this|them|both) (?:right )?now\b|^(?:so |then )?let['’]?s,? now\b",
        )
    });
    NOW.is_match(text)
}

/// "Eso otro día", "das später": puts off what was said before, and names nothing.
fn only_points(text: &str) -> bool {
    const POINTERS: [&str; 10] = ["eso", "esto", "das", "dies", "ça", "cela", "isso", "isto", "это", "that"];
    let mut words = text.split_whitespace();
    let first = words.next().unwrap_or_default().to_lowercase();
    POINTERS.contains(&first.as_str()) && words.count() <= 3
}

/// "A broken one is sorted out later, right?", "follow-up question: …", "why is it green, any idea?": asks for knowledge, though it speaks
/// of later or of an idea.
fn asks_how_it_is(text: &str) -> bool {
    static ASKS: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)^\W*(?:and |one |another |a |quick )*follow-?\s?up question\b|\bany (?:idea|clue)(?: (?:why|what|how|where|who|whether)\b[^.!]*)?\?*$|\bany ideas (?:why|what|how|where|who|whether)\b[^.!]*$|\b(?:is|are|get|gets|got|was|were|will be) (?:\w+ )?[a-z]+ed (?:later|eventually|at some point|sooner or later)\b[^.!]*,? (?:right|correct|isn['’]?t it|aren['’]?t they|no)\?",
        )
    });
    ASKS.is_match(text)
}

/// "Zuerst der Nebel, danach die Lampe", "draw it first, then paint it": the order of one piece of work, though the second comes later.
fn is_sequence(text: &str) -> bool {
    static SEQUENCE: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)\bfirst\b[^.!?]*[,;] (?:and )?(?:then|after that|afterwards) |сначала.*потом|\bzuerst\b.*\b(?:danach|dann)\b|\bprimero\b.*\b(?:después|luego)\b|\bd['’]abord\b.*\b(?:ensuite|après|puis)\b|\bprimeiro\b.*\bdepois\b|(?:^|[，。])先.*然后|まず.*(?:その後|それから)|먼저.*다음",
        )
    });
    SEQUENCE.is_match(text)
}

/// "Whatever comes later than ten minutes", "at some point in the text it says Mary", "no idea about boats": speaks of no time to come.
fn is_no_time(text: &str, language: usize) -> bool {
    static NO_TIME: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)\blater (?:than|today|tonight|this (?:morning|afternoon|evening|week))\b|\bat some point (?:in|on|of|during|inside) (?:the|this|that|my|our|your) (?:[\w-]+ ){1,3}(?:it|there|the|we|you|i)\b|\b(?:no|any) idea (?:about|what|how|why|who|where)\b",
        )
    });
    language == 0
        && NO_TIME.is_match(text)
        && !cues::present(&NO_TIME.replace_all(text, " "), language).has("later")
}

/// Whether a message that was taken for an idea says what is put off, or at least that something said before is.
pub(super) fn says_what(moment: &Moment) -> bool {
    (names_something(&moment.own) || says_later(&moment.own))
        && !is_own_errand(&moment.own)
        && !answers_a_request(moment)
        && !looks_back(&moment.own)
        && !asks_how_it_is(&moment.own)
        && !ends_the_matter(&moment.own)
}

/// "That would be great" takes an offer up and puts nothing off.
fn says_later(text: &str) -> bool {
    let lower = text.to_lowercase();
    let words = [
        "later", "futur", "todo", "follow", "ticket", "issue", "backlog", "phase", "next", "park", "defer",
        "separate", "another",
    ];
    words.iter().any(|word| lower.contains(word))
        || OWN_PROJECT.is_match(text)
        || text.chars().any(|c| !c.is_ascii() && c.is_alphabetic())
}

/// Whether words say what is put off.
fn names_something(text: &str) -> bool {
    static POINTS: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)\b(?:for|about|regarding|on|of|have|do|that|leave|add|to) (?:this|that|it|these|those|them)\b|\b(?:this|that|it)[?.!]*$|^(?:\S+ )?(?:that|this|it)(?:'s|’s| is| would| can| could)\b",
        )
    });
    if text.chars().any(is_unspaced) {
        return true;
    }
    let plain = text.split('(').next().unwrap_or(text);
    let topic = Topic::of(plain);
    let is_own = |word: &&str| {
        !cues::is_common(word) && !LATER.iter().any(|known| word.starts_with(known)) && *word != "more"
    };
    let named = topic.words().filter(is_own).count();
    named >= if POINTS.is_match(plain) { NAMED } else { 1 }
}

/// The sentence that a clause stands in; of the item of a list the short message that has it.
fn sentence_with<'t>(clause: &ReadClause, item: &'t Weighed) -> &'t str {
    let own = &item.moment.own;
    // The items of a list are sentences by themselves.
    if clause.listed && own.len() <= SHORT {
        return own;
    }
    item.reading.sentence_with(clause).text(own)
}

/// "Could we share the code of both? Fine to do it later": what is put off stands before.
fn with_sentence_before(clause: &mut ReadClause, item: &Weighed) {
    let before = item.reading.clauses.iter().rev();
    let before = before.filter(|other| !other.partial && other.start + other.length <= clause.start);
    let of = |other: &&ReadClause| names_something(other.text(&item.moment.own));
    if let Some(other) = before.take(2).find(of) {
        (clause.length, clause.start) = (clause.start + clause.length - other.start, other.start);
    }
}

/// What the agent had offered when it was put off; of what is proposed to stand by itself, what the agent had told of.
fn offered(moment: &Moment, words: &str) -> Option<String> {
    let said = moment.before.as_ref()?;
    let all: Vec<String> = sentences(&said.text).into_iter().map(flat).collect();
    let names = |text: &&String| names_something(text) && text.chars().count() <= ABOUT;
    let asked = all.iter().rev().filter(|text| text.ends_with('?')).find(names);
    asked.or_else(|| all.iter().find(names).filter(|_| OWN_PROJECT.is_match(words))).cloned()
}

/// "This could be its own project", "das könnte ein eigenes Projekt werden".
static OWN_PROJECT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"(?i)\b(?:could|should|would|might|may|can) (?:\w+ )?(?:be|become|get|make|live as|go into|have) (?:its|their|an?) (?:own|separate|standalone|independent) (?:[\w-]+ )?",
        r"(?:project|repo(?:sitory)?|tool|library|package|crate|app|product|service|plugin|module)\b|\b(?:könnte|sollte|kann) (?:\w+ )?(?:ein|eine) (?:eigenes?|separates?) (?:projekt|repo|werkzeug|bibliothek|paket)\b",
        r"|\b(?:podría|debería) ser (?:su propio|un) proyecto(?: propio| aparte)?\b|\b(?:pourrait|devrait) (?:être|devenir) (?:son propre projet|un projet à part)\b|\b(?:poderia|deveria) ser um projeto (?:próprio|separado|à parte)\b",
        r"|(?:мог|могл)[аои]? бы (?:быть|стать) отдельным проектом|可以(?:做成|成为|是)?(?:一个)?(?:单独|独立)的?项目|別(?:の)?プロジェクトに(?:でき|して)|별도(?:의)? 프로젝트",
    ))
});

/// Whether words propose something for another time: "this could be its own project", "we should also read the old files later".
fn proposes(text: &str) -> bool {
    static ALSO: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)^(?:(?:and|oh|hm+|btw|maybe|perhaps|actually|i think),? )*(?:we|i|one|you) (?:should|could|might) (?:also|eventually|someday) \S+ \S",
        )
    });
    OWN_PROJECT.is_match(text) || (ALSO.is_match(text) || is_for_after(text)) && !text.ends_with('?')
}

/// "We ought to keep the old maps too, that's after the launch tho".
fn is_for_after(text: &str) -> bool {
    static AFTER: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)\b(?:should|could|might|ought to|would be (?:nice|good|great|cool))\b.*[,;–—-] ?(?:but |and )?(?:that['’]?s|that is|it['’]?s|this is|not before) (?:something |a thing |stuff )?(?:for )?(?:after )?(?:the |our )?(?:beta|alpha|mvp|release|launch|demo|freeze|deadline|go-?live|audit|holidays?|vacation|migration|v\d|version)\b[^,.]{0,20}$|^(?:[\w-]+ ){1,4}(?:yes,? )?(?:but )?not before (?:(?:the |our )?(?:next )?(?:beta|alpha|mvp|release|launch|version|sprint|quarter|season|year)|v?\d+\.\d)[.!]*(?:$|[,;])|^(?:[\w-]+ ){0,3}[\w-]+,? yes,? but (?:only )?(?:after|not before) (?:the |our )?(?:easter|christmas|summer|winter|spring|autumn|holidays?|vacation|fair|launch|release|beta|demo|freeze|deadline|audit|exams?|season|conference|weekend)\b|^(?:[\w-]+ ){0,5}[\w-]+,? (?:too|as well),? (?:also )?something for after (?:the |our )?(?:easter|christmas|summer|winter|spring|autumn|holidays?|vacation|fair|launch|release|beta|demo|freeze|deadline|audit|exams?|season|conference|weekend)\b",
        )
    });
    // "Release, yes, but after the audit": when something that is under way is done.
    static DEED: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)^(?:(?:ok|okay|yes|so|and|but)[,.]? )*(?:merge|release|delete|deploy\w*|push|publish|commit|tests?|prod|remove|rename|close|run|send|ship|start)\b",
        )
    });
    AFTER.is_match(text) && !DEED.is_match(text)
}

/// Whether words propose something that was neither done nor begun at once, nor talked about.
pub(super) fn is_only_proposed(text: &str, moment: &Moment) -> bool {
    const ANOTHER_TIME: [&str; 7] =
        ["later", "someday", "some day", "some point", "eventually", "not now", "next time"];
    /// Letters of an answer that only agrees, at most.
    const AGREED: usize = 60;
    if !proposes(text) {
        return false;
    }
    let lower = text.to_lowercase();
    let only_agrees = || moment.reply.as_ref().is_none_or(|reply| reply.text.trim().len() <= AGREED);
    ANOTHER_TIME.iter().any(|word| lower.contains(word))
        || is_for_after(text)
        || moment.follow.calls == 0 && (OWN_PROJECT.is_match(text) || only_agrees())
}

/// "It crashes when I save, look into it": an order for now.
fn asks_to_look(text: &str) -> bool {
    static LOOK: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)(?:^|[,.;] |please |can you |could you |and )(?:have a )?look (?:in)?to (?:it|this|that|why|what|the)\b",
        )
    });
    LOOK.is_match(text) && !says_later(text)
}

/// "I'll check it tomorrow", "потом посмотрю": what the person will look at themselves, soon.
fn is_own_errand(text: &str) -> bool {
    static OWN: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)\bi(?:'ll| will|'m going to|'m gonna| can) (?:just )?(?:look|check|test it|try it|have a look|take a look|read it|read through|answer|measure|get back)\b|\bi(?:'ll| will) (?:just )?\w+ [^.?!]{0,50}\b(?:and|then) (?:come|get|be|report|write) back(?:[.!]*$| to you\b| with\b)|\b(?:schau|schaue|seh|sehe|guck|gucke|prüf|prüfe|teste|lese) ich\b|\bich (?:schau|schaue|seh|sehe|guck|gucke) (?:es |das |mir )|\bje (?:regarderai|vérifierai|verrai|vais (?:regarder|vérifier|voir))\b|\b(?:luego|después|más tarde) (?:lo )?(?:miro|veo|reviso|pruebo)\b|\blo (?:miro|veo|reviso|pruebo) (?:luego|después|más tarde)\b|\b(?:depois|mais tarde|logo)(?: \w+){0,2} (?:eu )?(?:vejo|olho|testo|confiro)\b|\b(?:vejo|olho|testo|confiro)(?: isso)? (?:depois|mais tarde|logo)\b|(?:позже|потом|вечером|завтра) (?:гляну|посмотрю|проверю|почитаю)|(?:гляну|посмотрю|проверю|почитаю) (?:позже|потом|вечером|завтра)|(?:後で|あとで)[^。]{0,6}(?:見ます|見る|確認します|確認する|試します)|나중에 (?:볼게|보겠|확인할게|확인하겠)|(?:待会|等会|回头|晚点|稍后)儿?我?再?(?:看|查)",
        )
    });
    let text = text.replace('’', "'");
    OWN.is_match(&text) && !text.to_lowercase().contains(" we ") && text.chars().count() < OWN_ERRAND
}

/// "Would you weigh it?" answered by "no scale here before Monday": the person puts off what they were asked to do.
fn answers_a_request(moment: &Moment) -> bool {
    static ASKED: LazyLock<Regex> =
        LazyLock::new(|| pattern(r"(?i)\b(?:could|can|would|will) you\b[^.?!]*\?\s*$"));
    let asked = moment.before.as_ref().is_some_and(|said| ASKED.is_match(said.text.trim_end()));
    let lower = moment.own.to_lowercase();
    let proposes = ["we ", "ticket", "issue", "todo", "backlog", "add ", "idea"];
    asked && words(&lower).len() < 14 && !proposes.iter().any(|word| lower.contains(word))
}

/// "We said we'd keep it for later", "this is the follow-up to", "todo 5 was completed": put off before, and taken up or done now.
fn looks_back(text: &str) -> bool {
    static DONE: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"\b(?:was|were|got|is|are|has been|have been) (?:now |already |just )?(?:completed|done|finished|merged|resolved|shipped|closed)\b",
        )
    });
    let lower = text.to_lowercase().replace('’', "'");
    let said = [
        "we said",
        "you said",
        "now after all",
        "is the follow-up to",
        "is a follow-up to",
        "is the follow up to",
    ];
    // "To hide this notice in the future …": the words of a screen.
    let is_of_screen =
        lower.starts_with("to ") && lower.trim_end().ends_with(['…', '.']) && lower.contains("..");
    said.iter().any(|words| lower.contains(words))
        || is_of_screen
        || DONE.is_match(&lower)
            && !lower.contains("once ")
            && !lower.contains("when ")
            && !lower.contains("after ")
}

/// The candidate of an idea.
pub(super) fn of_put_off(item: &Weighed, clause: &ReadClause, language: &'static Language) -> Candidate {
    let moment = &item.moment;
    let words = clause.text(&moment.own);
    let alone = item.says_one_thing();
    let wording = wording::of_idea_clause(moment, words, alone, language);
    let of = (!names_something(words)).then(|| offered(moment, words)).flatten();
    Candidate {
        kind: Kind::Idea,
        confidence: if clause.act.idea >= 0.6 { Confidence::Medium } else { Confidence::Low },
        signal: Signal::FollowUp,
        title: of.map_or(wording.title.clone(), |offer| format!("{} (on “{offer}”)", wording.title)),
        body: wording.body,
        rationale: sentence(KnownReason::LeftForLater.words()),
        evidence: evidence_of(moment, words, alone),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_about_what_comes_later_put_nothing_off() {
        assert!(asks_how_it_is("Follow-up question: does the lamp flicker as well?"));
        assert!(asks_how_it_is("the broken tiles are replaced later, right?"));
        assert!(!asks_how_it_is("could the tiles be replaced later?"));
        assert!(!asks_how_it_is("the tiles get replaced later"));
    }

    #[test]
    fn an_idea_says_what_is_put_off() {
        for text in [
            "that would be great",
            "fine to do it later too",
            "definitely more of a future thing (log:add)",
            "add a ticket for this",
            "leave that for the next phase",
        ] {
            assert!(!names_something(text), "{text}");
        }
        for text in [
            "dark mode can wait for the next release",
            "add a ticket for the flaky upload retries, this can wait",
            "later we should cache the thumbnails",
            "以后再做深色模式",
        ] {
            assert!(names_something(text), "{text}");
        }
    }

    #[test]
    fn what_is_proposed_for_another_time() {
        for text in [
            "this could be its own project",
            "That might become a separate tool!",
            "we should also paint the door later",
            "das könnte ein eigenes Projekt werden",
            "这个可以做成独立的项目",
        ] {
            assert!(proposes(text), "{text}");
        }
        for text in ["we should paint the door", "could we also paint the door?", "paint the door as well"] {
            assert!(!proposes(text), "{text}");
        }
    }

    #[test]
    fn what_the_person_will_look_at_is_no_idea() {
        for text in [
            "thanks, I'll check it tomorrow",
            "danke, schaue ich mir morgen an",
            "gracias, lo reviso luego",
            "ok, depois eu vejo",
            "спасибо, потом посмотрю",
            "後で確認します",
            "나중에 확인할게요",
            "好的，晚点我看",
        ] {
            assert!(is_own_errand(text), "{text}");
        }
        for text in
            ["later we should check the totals too", "später die Summen prüfen", "потом добавим поиск"]
        {
            assert!(!is_own_errand(text), "{text}");
        }
    }

    #[test]
    fn what_is_done_or_stands_on_a_screen_is_not_put_off() {
        assert!(looks_back("item 4 of the list was completed last week"));
        assert!(looks_back("To mute this warning in the future ..."));
        assert!(!looks_back("once the parser is done we should fuzz it"));
        assert!(!looks_back("to speed this up later we could cache the index"));
    }

    #[test]
    fn order_of_the_work_and_questions_put_nothing_off() {
        assert!(is_sequence("Draw the map first, show me the rivers, then paint it"));
        assert!(!is_sequence("First the rivers. A legend can come later"));
        assert!(asks_how_it_is("Why is the ink green, any idea?"));
        assert!(asks_how_it_is("any idea why the ink is green"));
        assert!(!asks_how_it_is("An idea: green ink for the rivers"));
        assert!(!asks_how_it_is("we should add a green ink later, any ideas"));
        for text in
            ["a guest who comes later than ten pays more", "at some point in the list it says salt too"]
        {
            assert!(is_no_time(text, 0), "{text}");
        }
        assert!(!is_no_time("at some point we should count the jars", 0));
        assert!(!is_no_time("later, whoever comes later than ten should pay more", 0));
    }

    #[test]
    fn what_is_for_after_a_launch_is_put_off() {
        assert!(is_for_after("we ought to print the old maps too, that's after the launch tho"));
        assert!(is_for_after("folding maps not before 2.1"));
        assert!(is_for_after("folding maps, yes, but after the fair when there is time"));
        assert!(!is_for_after("deliveries not before 9 am"));
        assert!(!is_for_after("hang it up, yes, but after you sanded it"));
        assert!(!is_for_after("release, yes, but after the audit"));
        assert!(!is_for_after("we should print the maps after the launch party flyer"));
        assert!(!is_for_after("we should turn the keys, only when the release is tagged"));
    }
}
