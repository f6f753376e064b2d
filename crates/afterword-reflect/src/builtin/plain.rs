//! Rules said plainly: a clause that states how things are to be done from now on is a lesson by itself, whatever the agent
//! answered and whatever else the message asks for.

use std::sync::LazyLock;

use afterword_core::{Candidate, Confidence, Evidence, Kind, KnownReason, Signal};
use afterword_transcript::event::{Authorship, Origin};

use regex::Regex;

use super::agreement::only_agrees;
use super::choice::picks_for_good;
use super::clause::announces_rules;
use super::cues;
use super::doubt::{asks_for_nothing, asks_for_now, excuses, is_task, leaves_doubt, waves_off};
use super::draft::thread_evidence;
use super::exception::allows_in_a_case;
use super::foreign::{foreign_words, is_foreign, rules_a_quotation};
use super::fragment::{is_outcry, without_reason};
use super::guidance::guidance;
use super::heading::without_object;
use super::moment::Moment;
use super::ngrams::{is_unspaced, words};
use super::outright::{self, Form};
use super::pair::is_elsewhere;
use super::passing::{
    beginning_reports, is_said_in_passing, puts_back, puts_off_outright, tells_of_the_past,
};
use super::phrase::{instruction, title};
use super::reading::{LISTED, ReadClause, Reading};
use super::reasons::sentence;
use super::specification::{describes_what_is_made, specifies};
use super::thread::Weighed;
use super::whole::{completed, points_back};
use super::wish::says_what_happened;
use super::wording;
use super::words::pattern;

/// How likely a clause must state a rule to be saved without asking: in English, for which the models also know real sessions and are
/// strict, and in the other languages.
const CERTAIN: [f32; 2] = [0.32, 0.42];
/// How likely it must be to be asked about.
const LIKELY: [f32; 2] = [0.28, 0.42];

/// How likely it must be to be asked about where the agent promised to keep to it: it took the words for a rule as well. It may have been
/// led to promise anything, so that makes nothing certain.
const PROMISED: [f32; 2] = [0.2, 0.3];

/// Whether a message has words that only the agent's promise makes a rule.
pub(super) fn rests_on_promise(reading: &Reading) -> bool {
    let least = bar(CERTAIN, reading.language);
    reading.clauses.iter().any(|clause| clause.before_promise.is_some_and(|before| before < least))
}

/// Whether the agent promised to go by what was said from then on.
fn is_promised(item: &Weighed) -> bool {
    item.features.get("reply.will_keep") > 0.0
}

/// How long the sentence may be that tells what is done instead, in bytes.
const INSTEAD: usize = 80;

/// From here on a rule needs no mark of its own that it is meant for good.
const SURE: [f32; 2] = [0.5, 0.6];

fn bar(bars: [f32; 2], language: usize) -> f32 {
    bars[usize::from(language != 0)]
}

/// The rules a message states, each by the clause that says it.
pub(super) fn rules(item: &Weighed) -> Vec<ReadClause> {
    let moment = &item.moment;
    let has = |name: &str| item.features.get(name) > 0.0;
    // The words of a chosen option are the agent's.
    let of_agent = matches!(moment.utterance.origin, Origin::Answer { free_text: false, .. });
    if matches!(moment.utterance.origin, Origin::Shell) || has("words.pasted") || of_agent {
        return Vec::new();
    }
    let least = bar(if is_promised(item) { PROMISED } else { LIKELY }, item.reading.language);
    let found = item.reading.sentences(&moment.own, |act| act.rule, least);
    let candidates = completed(&found, &item.reading, &moment.own);
    let mut found = candidates.clone();
    let foreign = foreign_words(&moment.own, item.reading.language);
    found.retain(|clause| {
        let text = clause.text(&moment.own);
        (!outright::is_question(text) || outright::asks_for_a_nod(text))
            && !announces(clause, &moment.own)
            && clause.act.idea < clause.act.rule
            && !puts_off_outright(text)
            && is_own(text, item)
            && (words(text).len() > 4
                || words(text).len() == 4 && clause.listed && clause.act.rule >= LISTED
                || text.chars().any(is_unspaced) && text.chars().count() >= 6)
            && !is_exclamation(text)
            && !is_outcry(text)
            // What is allowed somewhere is an exception to a rule, or nothing.
            && (!allows_in_a_case(text) || cues::present(text, item.reading.language).has("from_now"))
            && !asks_for_nothing(text)
            && (only_agrees(text) || text.contains('`') || !without_object(text))
            && !excuses(text, item.reading.language)
            && !supposes(text, item.reading.language)
            && !only_names(text)
            && (clause.listed || !adds_one(text, item.reading.language))
            && !is_task(text, item.reading.language)
            && !is_said_in_passing(text, item.reading.language)
            && (text.contains([',', ':', ';']) || !tells_of_the_past(text, item.reading.language))
            && !is_elsewhere(text)
            && (clause.act.rule >= bar(SURE, item.reading.language)
                || !describes(&item.reading, clause, &moment.own))
            && (is_for_good(clause, &item.reading, &moment.own)
                || is_vouched_for(clause, &item.reading, &moment.own))
            && (moment.index > 0
                || (clause.start > 0 || says_it_lasts(clause, &item.reading, &moment.own))
                    && !specifies(clause, &item.reading, &moment.own))
            && !describes_what_is_made(clause, &item.reading, &moment.own)
            && (!is_foreign(clause.start..clause.start + clause.length, &foreign) || rules_a_quotation(text))
            && !taken_back_after(&item.reading, clause, &moment.own)
    });
    with_what_is_done_instead(with_what_leads_to_it(found, item), &candidates, item)
}

/// Below this ([`guidance`]) a sentence tells nobody what to do by itself, and a rule needs the sentence that leads to it.
const BESIDE: f32 = 0.36;
/// From here on a clause is a rule beside others, whatever it tells of.
const PLAIN: f32 = 0.85;
/// How long a rule may become with the sentence before it, in bytes.
const LED_IN: usize = 160;

/// "The pine cracked on me. Every shelf is oak from now on": what somebody did, has or thinks, said beside a rule that is marked as meant
/// for good, is no rule of its own. It stays in the words the rule rests on, and in the next rule where that follows from it or says too
/// little by itself. Told in English only.
fn with_what_leads_to_it(rules: Vec<ReadClause>, item: &Weighed) -> Vec<ReadClause> {
    let (own, language) = (&item.moment.own, item.reading.language);
    let has =
        |rule: &ReadClause, families: &[&str]| cues::present(rule.text(own), language).has_any(families);
    let is_marked =
        |rule: &ReadClause| has(rule, &LASTING) || outright::stated(form_of(rule, own), language) > 0.0;
    if rules.len() < 2 || language != 0 || !rules.iter().any(is_marked) {
        return rules;
    }
    let says = |rule: &ReadClause| guidance(&title(&instruction(rule.text(own))));
    let is_beside = |rule: &ReadClause| {
        !is_marked(rule)
            && !rule.listed
            && rule.act.rule < PLAIN
            && !has(rule, &["all", "turn"])
            && is_remark(rule.text(own))
            && says(rule) < BESIDE
    };
    let mut kept: Vec<ReadClause> = Vec::new();
    let mut leads: Option<ReadClause> = None;
    for rule in rules {
        if is_beside(&rule) {
            leads = Some(rule);
            continue;
        }
        let is_right_before = |lead: &ReadClause| {
            let between = own.get(lead.start + lead.length..rule.start).unwrap_or(own);
            !between.contains(char::is_alphanumeric)
        };
        let led = leads.take().filter(is_right_before).map(|lead| ReadClause {
            start: lead.start,
            length: rule.start + rule.length - lead.start,
            partial: false,
            ..rule
        });
        // "We have oak again. So every shelf is oak from now on."
        let follows = || rule.text(own).to_lowercase().starts_with("so ") || says(&rule) < BESIDE;
        let is_needed = |led: &ReadClause| led.length <= LED_IN && follows();
        kept.push(led.filter(is_needed).unwrap_or(rule));
    }
    kept
}

/// "He showed me how", "we changed ovens", "the lid has been glued", "no point keeping two", "big ones too": what tells of somebody, of
/// what happened or of the sentence before.
fn is_remark(text: &str) -> bool {
    static REMARK: LazyLock<Regex> = LazyLock::new(|| {
        pattern(concat!(
            r"^(?:(?:no|yes|and|but|so|oh|ah|ugh|well|sorry|ok)[,!.]* )*(?:(?:he|she) |(?:my|his|her) \w+ (?:will|would|can['’]?t|couldn['’]?t|has|have|had|is|was) |(?:i|we|you|they)(?: have| had|['’]ve) |i (?:was|am|don['’]?t want the) |(?:i|we|you|they)(?: \w+ly)? (?:\w+[^\We]ed|set|got|lost|broke|moved|made|left|put|took|went|kept|bought|sold|were) |as (?:decided|agreed|discussed|said|promised) |no (?:point|use|need|sense) |that [\w-]+ (?:is|was|has) |when )",
            r"|\b(?:has|have) been \w+|['’]em\b|\bof em\b|, (?:she|he) |\b(?:ones?|words) too\b|^(?:\S+ ){1,2}(?:too|words)[.!]*$",
        ))
    });
    REMARK.is_match(&text.to_lowercase())
}

/// "We don't glue the joints here. Pegs hold them": what is forbidden with the next sentence that tells what is done instead, where that is
/// no rule of its own.
fn with_what_is_done_instead(
    rules: Vec<ReadClause>,
    candidates: &[ReadClause],
    item: &Weighed,
) -> Vec<ReadClause> {
    let (own, language) = (&item.moment.own, item.reading.language);
    let mut joined: Vec<ReadClause> = Vec::new();
    for rule in &rules {
        // It was taken along by the one before it.
        if joined.last().is_some_and(|last| last.start + last.length > rule.start) {
            continue;
        }
        let end = rule.start + rule.length;
        let forbids = cues::present(rule.text(own), language).has("forbid") && !rule.partial && !rule.listed;
        let next = item.reading.sentence_from(end).filter(|_| forbids).filter(|next| {
            let text = next.text(own);
            let is_own_rule =
                rules.iter().any(|other| other.start >= next.start && other.start < next.start + next.length);
            candidates.iter().any(|one| one.start == next.start)
                && (!is_own_rule || next.act.rule < bar(CERTAIN, language))
                && text.len() <= INSTEAD
                && !text.ends_with(['?', '？'])
                && !cues::present(text, language).is_for_now()
                && !is_task(text, language)
                && !tells_of_the_past(text, language)
        });
        joined.push(
            next.map_or(*rule, |next| ReadClause { length: next.start + next.length - rule.start, ..*rule }),
        );
    }
    joined
}

/// Whether words of a message are the person's: where it speaks of what a reviewer wrote, only those that say they hold from now on.
pub(super) fn is_own(text: &str, item: &Weighed) -> bool {
    let speaks_of_reviewer = item.features.get("person.review_voice") > 0.0;
    !speaks_of_reviewer || cues::present(text, item.reading.language).has("from_now")
}

/// Whether a session's first clause, which is its task, says by a mark of its own that it is meant for good.
fn says_it_lasts(clause: &ReadClause, reading: &Reading, own: &str) -> bool {
    let cues = cues::present(clause.text(own), reading.language);
    clause.listed
        || cues.has_any(&LASTING)
        || cues.has("turn")
        || outright::stated(form_of(clause, own), reading.language) > 0.0
}

fn form_of<'t>(clause: &ReadClause, own: &'t str) -> Form<'t> {
    Form {
        text: clause.text(own),
        after: own.get(clause.start + clause.length..).unwrap_or_default(),
        partial: clause.partial,
        joined: clause.joined,
    }
}

/// Whether a clause, or the part it begins with, is meant for longer than now, or its form says so.
fn is_for_good(clause: &ReadClause, reading: &Reading, own: &str) -> bool {
    let first = reading.clauses.iter().find(|part| part.partial && part.start == clause.start);
    let meant = |one: &ReadClause| is_meant_for_good(one.text(own), one.act.rule, reading.language);
    // "We've left the old tracker. Plain titles now": what comes after a change.
    let follows_change = || {
        let mut before = reading.clauses.iter().rev();
        let before = before.find(|other| !other.partial && other.start + other.length <= clause.start);
        clause.act.rule >= bar(CERTAIN, reading.language)
            && before.is_some_and(|other| cues::present(other.text(own), reading.language).has("turn"))
    };
    let begins_as_rule =
        || first.is_some_and(|part| part.act.rule >= bar(SURE, reading.language) && meant(part));
    // "Everywhere in it, and do it now" is said of now, however its first part sounds.
    let is_lasting = || {
        !cues::present(clause.text(own), reading.language).is_for_now()
            && (follows_change() || begins_as_rule())
    };
    !begins_for_now(clause, reading, own)
        && (outright::stated(form_of(clause, own), reading.language) > 0.0
            || clause.listed && clause.act.rule >= LISTED
            || meant(clause)
            || is_lasting())
}

/// "JSON keys in snake case, please. That's how all our endpoints are": the next sentence, a rule itself, points back to it. "No tabs here,
/// and write links with https": what its sentence adds to a rule is one as well.
fn is_vouched_for(clause: &ReadClause, reading: &Reading, own: &str) -> bool {
    let end = clause.start + clause.length;
    let next = reading.sentence_from(end);
    let pointed_at = || {
        next.is_some_and(|next| points_back(next.text(own)) && next.act.rule >= bar(SURE, reading.language))
    };
    let adds_to_a_rule = || {
        let start = reading.sentence_of(clause).map(|sentence| sentence.start);
        let mut parts = reading.clauses.iter().filter(|part| part.partial);
        parts.find(|part| Some(part.start) == start && part.start < clause.start).is_some_and(|first| {
            first.act.rule >= bar(SURE, reading.language) && is_for_good(first, reading, own)
        })
    };
    let is_for_now = cues::present(clause.text(own), reading.language).is_for_now();
    pointed_at()
        || clause.partial
            && clause.joined
            && !is_for_now
            && clause.act.rule >= bar(CERTAIN, reading.language)
            && adds_to_a_rule()
}

/// "Not tonight, send it unsigned": a part of a sentence whose beginning says that it is meant for now.
fn begins_for_now(clause: &ReadClause, reading: &Reading, own: &str) -> bool {
    // "You must label this one in red. And don't show the date": so does a sentence that goes on with one.
    let sentence = reading.sentence_with(clause);
    let before = reading.clauses.iter().rfind(|other| !other.partial && other.start < sentence.start);
    let goes_on = sentence.start == clause.start
        && !clause.listed
        && ["and ", "also "].iter().any(|word| sentence.text(own).to_lowercase().starts_with(word))
        && before.is_some_and(|before| cues::present(before.text(own), reading.language).is_for_now())
        && !cues::present(sentence.text(own), reading.language).has_any(&LASTING);
    if goes_on {
        return true;
    }
    let beginning =
        reading.sentence_of(clause).and_then(|whole| own.get(whole.start..clause.start)).unwrap_or_default();
    clause.partial
        && cues::present(beginning, reading.language).is_for_now()
        && !cues::present(clause.text(own), reading.language).has("from_now")
}

/// Families of cues that say by themselves that something is meant for good.
const LASTING: [&str; 8] =
    ["always", "from_now", "here", "we_habit", "ask_first", "remember", "prefer", "repeat"];

/// Whether words say that they hold for longer than now: by a mark of their own, or by several weaker ones where the model is not sure.
fn is_meant_for_good(text: &str, probability: f32, language: usize) -> bool {
    let cues = cues::present(text, language);
    // "…, because they never read it" is said of them.
    let strong = cues::present(without_reason(text), language).has_any(&LASTING);
    let weak = ["all", "forbid", "must", "instead", "condition", "because"];
    let weak = weak.iter().filter(|family| cues.has(family)).count();
    // "It always fails": something that happens, not something that is wished.
    let reported = (cues.has("report") || beginning_reports(text))
        && !cues.has_any(&["from_now", "here", "we_habit", "ask_first", "must", "prefer"]);
    if cues.is_for_now()
        || !strong && points_at_some(text)
        || hands_over(text)
        || reported && probability < bar(SURE, language)
    {
        return false;
    }
    strong || weak >= 2 || weak == 1 && probability >= 0.5 || probability >= bar(SURE, language)
}

/// "Don't use the cached ones", "not that button": of certain things both see.
fn points_at_some(text: &str) -> bool {
    static POINTS: LazyLock<Regex> = LazyLock::new(|| {
        pattern(r"(?i)\b(?:the|these|those) (?:[\w-]+ )?ones?\b|^(?:no,? )?not (?:that|this|these|those) ")
    });
    POINTS.is_match(text)
}

/// "No!!": a single word.
fn is_exclamation(text: &str) -> bool {
    !text.chars().any(is_unspaced) && text.split_whitespace().count() < 2
}

/// "Names, numbers, nothing": single words, which belong to the sentence before.
fn only_names(text: &str) -> bool {
    !text.chars().any(is_unspaced)
        && text.contains(',')
        && text.split(',').all(|part| part.split_whitespace().count() == 1)
}

/// "A shelf with three boards", "two more chairs please": what is to be made now.
fn adds_one(text: &str, language: usize) -> bool {
    static ONE: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)^(?:(?:and|also|plus|then|ok|please),? )*(?:another|(?:one|two|three|four|five|a few|some|\d+) more|an? (?:[\w-]+ ){1,3}(?:with|for|to|that|of|about|from|in)) ",
        )
    });
    static NAMES_RULE: LazyLock<Regex> = LazyLock::new(|| {
        pattern(r"(?i)\b(?:another|more) (?:thing|rule|convention|point|note|remark|request|wish)\b")
    });
    let lasts = [
        "all",
        "always",
        "from_now",
        "here",
        "we_habit",
        "repeat",
        "forbid",
        "must",
        "instead",
        "prefer",
        "remember",
        "condition",
        "ask_first",
        "rules",
    ];
    language == 0
        && ONE.is_match(text)
        && !NAMES_RULE.is_match(text)
        && !cues::present(text, language).has_any(&lasts)
}

/// "If it is not there, maybe rebase", "with a test, please", "did we not go through this", "I can't see any use of it": supposes, asks or looks, and rules nothing.
fn supposes(text: &str, language: usize) -> bool {
    const STARTS: [&str; 30] = [
        "you were ",
        "you are right",
        "you're right",
        "with ",
        "if a user",
        "if the user",
        "when a user",
        "when the user",
        "did ",
        "do we ",
        "do you ",
        "does ",
        "are we ",
        "are you ",
        "is it ",
        "is that ",
        "is this ",
        "isn't it ",
        "can i ",
        "could i ",
        "i can't ",
        "i cant ",
        "i cannot ",
        "can't get ",
        "cant get ",
        "i don't see ",
        "i dont see ",
        "otherwise you ",
        "if we do this",
        "if you do this",
    ];
    // However firmly the rest is said.
    const DOUBTS: [&str; 9] = [
        "always a pleasure",
        " might just ",
        "i think we",
        "i also think",
        "if we do this",
        "if you do this",
        "as far as i know",
        "as far as we know",
        "afaik",
    ];
    const HEDGES: [&str; 11] = [
        " maybe ",
        "maybe ",
        "perhaps",
        "should have ",
        "mostly concerned",
        " might ",
        "i think we",
        "i think this",
        "i also think",
        "have the problem",
        "there is a problem",
    ];
    let lower = text.to_lowercase().replace('’', "'");
    let supposed = STARTS.iter().any(|start| lower.starts_with(start))
        || lower.contains("always a ")
        || HEDGES.iter().any(|hedge| lower.contains(hedge));
    DOUBTS.iter().any(|doubt| lower.contains(doubt))
        || supposed
            && (lower.starts_with("you ")
                || !cues::present(text, language).has_any(&["from_now", "always", "ask_first"]))
}

/// "… is defined there, but never called": the rest of a sentence that says how things are.
fn describes(reading: &Reading, clause: &ReadClause, own: &str) -> bool {
    let text = clause.text(own).to_lowercase();
    let mut start = text.split_whitespace();
    let participle = matches!(start.next(), Some("never" | "always" | "only" | "not"))
        && start.next().is_some_and(|word| word.ends_with("ed"));
    let within = reading
        .clauses
        .iter()
        .find(|other| !other.partial && other.holds(clause) && other.start < clause.start);
    // "The queue is not emptied": a finding.
    static FINDING: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"\b(?:is|are)(?: not|n'?t) (?P<what>[a-z]+ed)\b|\b(?:is|are) never (?:called|captured|cleared|emitted|fired|invoked|reached|released|triggered|updated)[.!]*$",
        )
    });
    const ALLOWS: [&str; 8] =
        ["allowed", "permitted", "needed", "supposed", "wanted", "welcomed", "accepted", "tolerated"];
    let finds = FINDING
        .captures(&text)
        .is_some_and(|found| found.name("what").is_none_or(|what| !ALLOWS.contains(&what.as_str())));
    says_what_happened(&text)
        || finds
        || participle
            && within.is_some_and(|whole| {
                let before = own.get(whole.start..clause.start).unwrap_or_default().to_lowercase();
                [" is ", " are ", " was ", " were "].iter().any(|verb| before.contains(verb))
            })
}

/// "We go by the following pattern:" and a new line: what is wanted comes after it.
fn announces(clause: &ReadClause, own: &str) -> bool {
    // "Three conventions for whoever touches the importer, as I am away".
    static RULES: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)^(?:here are |and |so |ok,? )?(?:some|a few|a couple of|two|three|four|five|my|our) (?:[a-z]+ )?(?:rules|principles|guidelines|conventions|things|points|ground rules)\b",
        )
    });
    let rest = own.get(clause.start + clause.length..).unwrap_or_default();
    let text = clause.text(own);
    let is_announcement = RULES.is_match(text) || announces_rules(text);
    if is_announcement && !text.contains(':') && words(rest).len() > 4 {
        return true;
    }
    text.ends_with([':', '：']) && rest.trim_start_matches([' ', '\t']).starts_with(['\n', '\r'])
}

/// "Here is my file": gives something, and wishes nothing.
fn hands_over(text: &str) -> bool {
    words(text).windows(2).any(|two| two[0] == "here" && matches!(two[1].as_str(), "is" | "are"))
        || words(text).iter().any(|word| word == "heres")
}

/// "No wait, forget that": what a later sentence of the same message takes back.
pub(super) fn taken_back_after(reading: &Reading, clause: &ReadClause, own: &str) -> bool {
    let end = clause.start + clause.length;
    reading.clauses.iter().filter(|other| other.start >= end && !other.partial).any(|other| {
        let text = other.text(own);
        // "We never drop a column, it is moved to the archive": one more rule takes nothing back.
        let rules = other.act.rule >= bar(LIKELY, reading.language);
        let withdraws =
            || cues::present(text, reading.language).has("withdraw") || waves_off(text) || puts_back(text);
        !rules && text.chars().count() < 80 && withdraws()
    })
}

/// The words of the clause, which tell apart several rules of one message, and what the agent said around the only one.
pub(super) fn evidence_of(moment: &Moment, clause: &str, alone: bool) -> Vec<Evidence> {
    let mut evidence = thread_evidence(&[moment], 0);
    if !alone {
        evidence.truncate(1);
    }
    if let Some(first) = evidence.first_mut() {
        first.quote = wording::quotation(clause);
    }
    evidence
}

/// The candidate of a rule.
pub(super) fn of_rule(item: &Weighed, clause: &ReadClause) -> Candidate {
    let moment = &item.moment;
    let proven = moment.utterance.authorship == Authorship::Person;
    let alone = item.says_one_thing();
    let wording = wording::of_rule(moment, clause.text(&moment.own), alone);
    let certain = proven
        && !wording.is_of_agent
        && (clause.rule_unpromised() >= bar(CERTAIN, item.reading.language) || picks_for_good(moment))
        && !leaves_doubt(&wording.title, clause.text(&moment.own), item.reading.language)
        && !asks_for_now(&wording.title, item.reading.language);
    Candidate {
        kind: Kind::Preference,
        confidence: if certain { Confidence::High } else { Confidence::Medium },
        signal: if wording.is_of_agent { Signal::Approval } else { Signal::StandingRule },
        title: wording.title,
        body: wording.body,
        rationale: sentence(KnownReason::StatedPlainly.words()),
        evidence: evidence_of(moment, clause.text(&moment.own), alone),
    }
}
