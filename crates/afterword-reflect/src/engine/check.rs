//! What is believed of an answer: only what rests, word for word, on lines the model was shown.
//!
//! A session's text may tell a model what to answer, and models make things up. So every quotation is looked up, what has
//! none left is dropped, and a wish or an idea must rest on words of the person. Only what the person's own words say is
//! certain.

use afterword_core::{Candidate, Confidence, Evidence, Kind, LessonScope, Role, Signal};

use super::contract::{Proposed, Quoted};
use super::grounds::{self, SupportingWords, TITLE, is_opposite};
use super::idea;
use super::line::Line;
use crate::builtin::phrase::{flat, title};
use crate::builtin::words::head;

/// Shorter quotations say nothing, in characters without blanks; unless they are all that was said.
const SHORTEST: usize = 6;
/// Longest body and rationale, in bytes.
const BODY: usize = 2_000;
const RATIONALE: usize = 400;
/// Shorter beginnings of a title are no rule by themselves, in bytes.
const RULE: usize = 24;
/// Most pieces of evidence.
const EVIDENCE: usize = 8;

/// A lesson of an answer that may be believed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AcceptedLesson {
    /// The candidate whose words it replaces, from 1; 0 for a new one.
    pub n: usize,
    /// What it says. It is certain only if the person's words say it outright.
    pub candidate: Candidate,
    /// Its title has to do with what it quotes.
    pub is_grounded: bool,
    /// It has a body, which has to do with what it quotes and with its title.
    pub has_grounded_body: bool,
    /// The person's own words, with the messages they stand in.
    pub(super) own_words: SupportingWords,
    /// It is said to hold everywhere.
    pub everywhere: bool,
    /// The known lesson that is said to say the same: an index.
    pub same_as: Option<usize>,
    /// The known lesson that is said no longer to hold: an index.
    pub replaces: Option<usize>,
}

/// A title's rule, and what it adds after its colon.
pub(super) fn split_rule(title: &str) -> Option<(&str, &str)> {
    title.split_once(": ").filter(|(rule, _)| rule.len() >= RULE)
}

/// A text that begins with what a title added after its rule.
pub(super) fn begun_with(rest: &str, body: &str) -> String {
    let mut rest = rest.trim_end_matches('.').to_owned();
    // "streamingService" is a name.
    let is_word = rest.split(' ').next().is_some_and(|word| word.chars().all(char::is_lowercase));
    if let Some(first) = rest.chars().next().filter(|_| is_word) {
        rest.replace_range(..first.len_utf8(), &first.to_uppercase().to_string());
    }
    format!("{rest}. {body}").trim_end().to_owned()
}

/// What was kept of an answer's lessons, and the titles of what was not, with the reason. The candidates are those that were
/// shown with the lines, in the order of their numbers.
pub fn checked(
    proposed: Vec<Proposed>,
    lines: &[Line],
    shown: &[&Candidate],
) -> (Vec<AcceptedLesson>, Vec<(String, String)>) {
    let (mut kept, mut dropped) = (Vec::new(), Vec::new());
    for proposed in proposed {
        let name = head(&flat(&proposed.title), 120).to_owned();
        let worded = proposed.n.checked_sub(1).and_then(|at| shown.get(at)).copied();
        match believed(proposed, lines, worded) {
            Ok(lesson) => kept.push(lesson),
            Err(reason) => dropped.push((name, reason.to_owned())),
        }
    }
    (kept, dropped)
}

fn believed(
    proposed: Proposed,
    lines: &[Line],
    worded: Option<&Candidate>,
) -> Result<AcceptedLesson, &'static str> {
    let mut evidence: Vec<Evidence> = Vec::new();
    let found = |quoted: &Quoted| evidence_of(quoted, lines).or_else(|| quoted_of(quoted, worded?));
    for piece in proposed.evidence.iter().take(EVIDENCE).filter_map(found) {
        if !evidence.contains(&piece) {
            evidence.push(piece);
        }
    }
    let is_fix = proposed.kind == Kind::Fix;
    let spoken = evidence.iter().any(|piece| piece.role == Role::User);
    if evidence.is_empty() {
        return Err("nothing it quotes stands in the session");
    }
    if !spoken && !is_fix {
        return Err("it rests on no words of the person");
    }
    evidence.sort_by_key(|piece| piece.role != Role::User && !is_fix);
    let title = title(&proposed.title);
    if title.chars().filter(|c| c.is_alphanumeric()).count() < 8 {
        return Err("its title says nothing");
    }
    if is_opposite(&title, proposed.kind, &evidence) {
        return Err("it says the opposite of what it quotes");
    }
    let (title, body, confidence) = outright(&proposed, title, &evidence, lines);
    let touches = SupportingWords::of_person(&evidence, lines).touch(&title);
    let close = SupportingWords::of(&evidence, lines).with_words(&title);
    // A text that does not say the title again is in words of the exchange.
    let wide = close.clone().with_exchange(&evidence, lines);
    let has_grounded_body = close.touch(&body) && wide.carry(&body, grounds::BODY);
    let is_idea = proposed.kind == Kind::Idea;
    let body = if is_idea {
        let whole = SupportingWords::of_lines(lines);
        let is_said =
            |part: &str| has_grounded_body && (wide.carry(part, grounds::BODY) || whole.state_directly(part));
        idea::text(&body, &evidence, lines, is_said)
    } else {
        body
    };
    Ok(AcceptedLesson {
        n: proposed.n,
        has_grounded_body: has_grounded_body || is_idea,
        is_grounded: touches || title_rests(proposed.kind, &title, &evidence, lines),
        own_words: SupportingWords::of_own_messages(&evidence, lines),
        everywhere: proposed.scope == LessonScope::Everywhere,
        same_as: known_index(&proposed.same_as),
        replaces: known_index(&proposed.replaces),
        candidate: Candidate {
            kind: proposed.kind,
            confidence,
            signal: proposed.signal,
            title,
            body,
            rationale: head(&flat(&proposed.why), RATIONALE).to_owned(),
            evidence,
        },
    })
}

/// Title, text and confidence of a lesson. Of a title whose words the person did not say outright, what stands before its
/// colon may be what they said: that is the title then, and the rest begins the text.
fn outright(
    proposed: &Proposed,
    title: String,
    evidence: &[Evidence],
    lines: &[Line],
) -> (String, String, Confidence) {
    let body = head(proposed.body.trim(), BODY).to_owned();
    let whole = confidence(proposed, &title, evidence, lines);
    if proposed.confidence == Confidence::High
        && whole != Confidence::High
        && let Some((rule, rest)) = split_rule(&title)
        && confidence(proposed, rule, evidence, lines) == Confidence::High
    {
        return (rule.to_owned(), begun_with(rest, &body), Confidence::High);
    }
    (title, body, whole)
}

/// Whether a title is about what is quoted. What failed, why and what helped is hardly ever said in one message.
fn title_rests(kind: Kind, title: &str, evidence: &[Evidence], lines: &[Line]) -> bool {
    let close = SupportingWords::of(evidence, lines);
    close.carry(title, TITLE)
        || kind == Kind::Fix && close.touch(title) && close.with_exchange(evidence, lines).carry(title, TITLE)
}

/// How sure a model may be of a lesson: certain of what the person's words say outright, and of nothing that is in the agent's
/// words alone.
fn confidence(proposed: &Proposed, title: &str, evidence: &[Evidence], lines: &[Line]) -> Confidence {
    let said = SupportingWords::of_person(evidence, lines);
    let is_carried = title_rests(proposed.kind, title, evidence, lines);
    let is_theirs = match proposed.kind {
        Kind::Fix => true,
        Kind::Idea => said.touch(title) || answers_what_it_quotes(evidence, lines),
        Kind::Preference | Kind::Workflow => said.touch(title),
    };
    if !is_carried || !is_theirs {
        return Confidence::Low;
    }
    let explicit = matches!(proposed.signal, Signal::StandingRule | Signal::Correction | Signal::DesignLock);
    let is_rule = matches!(proposed.kind, Kind::Preference | Kind::Workflow);
    match proposed.confidence {
        Confidence::High
            if !(explicit
                && is_rule
                && SupportingWords::of_own_messages(evidence, lines).state_directly(title)) =>
        {
            Confidence::Medium
        }
        confidence => confidence,
    }
}

/// Whether the agent's words among these are what the person's answer: "yes, write that down for later".
fn answers_what_it_quotes(evidence: &[Evidence], lines: &[Line]) -> bool {
    let spoken: Vec<&Line> = lines.iter().filter(|line| line.role != Role::Tool).collect();
    let is_quoted =
        |line: &Line| evidence.iter().any(|piece| piece.line == line.number && piece.role == line.role);
    spoken.windows(2).any(|pair| {
        pair[0].role == Role::Assistant
            && pair[1].role == Role::User
            && is_quoted(pair[0])
            && is_quoted(pair[1])
    })
}

/// The index of a known lesson, as `K1` names it.
fn known_index(name: &str) -> Option<usize> {
    name.trim().strip_prefix(['K', 'k'])?.parse::<usize>().ok()?.checked_sub(1)
}

/// What a candidate rests on that a lesson words anew, where the quotation stands in its words: not all that it rests on is shown.
fn quoted_of(quoted: &Quoted, candidate: &Candidate) -> Option<Evidence> {
    let wanted = without_blanks(&quoted.quote);
    if wanted.chars().filter(|c| !c.is_whitespace()).count() < SHORTEST {
        return None;
    }
    let is_in = |text: &str| verbatim(text, &wanted).is_some();
    let own = candidate.evidence.iter().find(|piece| is_in(&piece.quote));
    own.or_else(|| candidate.evidence.first().filter(|_| is_in(&candidate.title))).cloned()
}

/// Whether a quotation stands in a line that was shown.
pub(super) fn rests_on(quoted: &Quoted, lines: &[Line]) -> bool {
    evidence_of(quoted, lines).is_some()
}

/// The quotation as it stands in a line that was shown: the one that was named, or else another. Words of an option rest on
/// the answer that picked it.
pub(super) fn evidence_of(quoted: &Quoted, lines: &[Line]) -> Option<Evidence> {
    let wanted = without_blanks(&quoted.quote);
    let is_short = wanted.chars().filter(|c| !c.is_whitespace()).count() < SHORTEST;
    let is_of = |line: &&Line| line.number == quoted.line;
    if is_short {
        // "B" is all that was said.
        let whole = lines
            .iter()
            .filter(is_of)
            .find(|line| line.role == Role::User && without_blanks(&line.text) == wanted)?;
        return (!wanted.is_empty()).then(|| evidence(whole, whole.text.clone()));
    }
    let has_picked = |line: &&Line| line.role == Role::User && verbatim(&line.chosen, &wanted).is_some();
    let quoted_in = |line: &Line| Some(evidence(line, verbatim(&line.text, &wanted)?));
    let named = lines.iter().filter(is_of).find_map(quoted_in);
    let picked = || lines.iter().filter(is_of).find(has_picked).map(|line| evidence(line, line.text.clone()));
    named.or_else(picked).or_else(|| lines.iter().filter(|line| !is_of(line)).find_map(quoted_in))
}

fn evidence(line: &Line, quote: String) -> Evidence {
    Evidence { uuid: line.uuid.clone(), line: line.number, role: line.role, quote }
}

/// The stretch of a text that reads as `wanted` when white space is folded; never across what was left out of it.
fn verbatim(text: &str, wanted: &str) -> Option<String> {
    text.split("[…]").find_map(|part| {
        let starts = part.char_indices().filter(|(_, c)| wanted.starts_with(*c));
        starts.map(|(start, _)| &part[start..]).find_map(|rest| {
            let mut expected = wanted.chars();
            let mut next = expected.next();
            let mut blank = false;
            for (at, c) in rest.char_indices() {
                let Some(want) = next else { return Some(rest[..at].trim_end().to_owned()) };
                if c.is_whitespace() {
                    if want == ' ' {
                        next = expected.next();
                    } else if !blank {
                        return None;
                    }
                    blank = true;
                } else if c == want {
                    blank = false;
                    next = expected.next();
                } else {
                    return None;
                }
            }
            next.is_none().then(|| rest.trim_end().to_owned())
        })
    })
}

fn without_blanks(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
