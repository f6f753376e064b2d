//! Titles, bodies and rationales: a note a colleague can follow without the session.
//!
//! A title is one sentence; a body says the words as they were spoken, what led to them and what came of them. Nothing is
//! added that does not stand in the transcript.

use afterword_core::{Evidence, Role};
use afterword_transcript::event::EntryLocation;

use super::agreement;
use super::cause;
use super::choice;
use super::heading;
use super::language::{Language, normalise};
use super::moment::{AgentText, Moment};
use super::phrase::{flat, instruction, postponed, statement_title, title};
use super::remark::Remark;
use super::topic::Topic;
use super::words::{head, sentences};

/// Longest quotation in evidence, in bytes.
const QUOTE: usize = 700;
/// Longest quotation in a body, in bytes.
const SPOKEN: usize = 900;
/// How far from the leading message of a thread others are quoted in the body; all are in the evidence.
const SHOWN: usize = 3;

/// How the paragraph begins that says what a person had asked for, where they had reported no problem.
const ASKED_FOR: &str = "**Asked for:**";

/// A title and a body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wording {
    /// One sentence.
    pub title: String,
    /// Markdown.
    pub body: String,
    /// The title says it in the agent's words alone: the person picked it, or only agreed.
    pub is_of_agent: bool,
}

/// Words a thread of moments: the member that carries the point leads.
pub fn of_thread(members: &[&Moment], lead: usize, language: &Language) -> Wording {
    let title = heading::of_wish(members[lead], language);
    let is_of_agent =
        agreement::is_of_agent_with(agreement::borrowed(members[lead]).as_deref(), members[lead]);
    Wording { body: body(members, lead, &title), title, is_of_agent }
}

/// What was said, unless the title says it already, what led to it and what came of it.
fn body(members: &[&Moment], lead: usize, title: &str) -> String {
    let moment = members[lead];
    let mut body = String::new();
    // What the title says stands word for word in the evidence.
    let says_more = members.len() > 1 || !is_said_by(title, &moment.own);
    let shown = (0..members.len()).filter(|index| says_more && index.abs_diff(lead) < SHOWN);
    for (place, index) in shown.enumerate() {
        if place > 0 {
            body.push_str(">\n");
        }
        quote(&mut body, &members[index].own);
    }
    if let Some(option) = agreement::borrowed(moment) {
        body.push_str(&format!("\n**Chosen of what the agent offered:** “{}”\n", bounded(&option, 260)));
    }
    if let Some(said) = moment.before.as_ref() {
        let led = last_words(&said.text);
        if !led.is_empty() {
            body.push_str(&format!("\n**Before that, the agent:** “{led}”\n"));
        }
    }
    if let Some(call) = &moment.rejected {
        body.push_str(&format!(
            "\n**Rejected:** {} — `{}`\n",
            call.name,
            flat(&call.summary).replace('`', "'")
        ));
    }
    if let Some(said) = moment.reply.as_ref() {
        let took = first_words(&said.text);
        if !took.is_empty() {
            body.push_str(&format!("\n**The agent's answer:** “{took}”\n"));
        }
    }
    let files = changed(members);
    if !files.is_empty() {
        body.push_str(&format!("\n**Changed after it:** {files}\n"));
    }
    body.trim_start().to_owned()
}

/// A body that begins with the words as they were spoken, where the title is in others.
pub fn with_words_spoken(body: &str, title: &str, moment: &Moment) -> String {
    if body.starts_with('>') || is_said_by(title, &moment.own) {
        return body.to_owned();
    }
    let mut quoted = String::new();
    quote(&mut quoted, &moment.own);
    if !body.is_empty() {
        quoted.push('\n');
    }
    quoted + body
}

/// Whether a title has all words of substance that were spoken.
fn is_said_by(title: &str, own: &str) -> bool {
    let title = Topic::of(title);
    Topic::of(own).words().all(|word| title.words().any(|known| known == word))
}

/// Words a rule stated in one clause of a message; the only lesson of a message quotes all of it.
pub fn of_rule(moment: &Moment, clause: &str, alone: bool) -> Wording {
    let of_clause = of_clause(moment, clause);
    // "b, for every room, from here on" says nothing without what b was.
    let picks = |of: fn(&Moment) -> Option<String>| {
        of(&of_clause).or_else(|| of(moment).filter(|_| alone && only_picks(&moment.own)))
    };
    let borrows = agreement::borrowed(&of_clause).is_some() || agreement::only_agrees(clause);
    let picked = picks(choice::of).or_else(|| picks(choice::answer).filter(|_| borrows));
    let is_of_agent = match &picked {
        Some(_) => picks(agreement::borrowed)
            .is_some_and(|option| agreement::is_of_agent_with(Some(&option), moment)),
        None => moment.rejected.is_none() && agreement::only_agrees(clause),
    };
    let title = match picked {
        Some(picked) => title(&picked),
        None if is_of_agent => heading::of_agreement(clause, moment),
        None => title(&instruction(clause)),
    };
    let body = if alone { body(&[moment], 0, &title) } else { body(&[&by_itself(of_clause)], 0, &title) };
    Wording { title, body, is_of_agent }
}

/// Most bytes of an answer that only picks an option: "2. that's how we do it from now on".
const PICK: usize = 90;

fn only_picks(own: &str) -> bool {
    own.trim().len() <= PICK
}

/// The title of a clause that changes a rule.
pub fn of_revision(clause: &str) -> String {
    title(&instruction(clause))
}

/// Words an idea put off in one clause of a message.
pub fn of_idea_clause(moment: &Moment, clause: &str, alone: bool, language: &Language) -> Wording {
    let of_clause = of_clause(moment, clause);
    let mut wording = of_idea(&if alone { of_clause } else { by_itself(of_clause) }, language);
    wording.title = title(&postponed(&instruction(clause)));
    wording
}

/// A moment as if the clause were all that was said in it: what else the message asks for is no part of the lesson.
fn of_clause(moment: &Moment, clause: &str) -> Moment {
    Moment { own: clause.to_owned(), ..moment.clone() }
}

/// What the agent said before and after a message of several lessons is of none of them more than of the others.
fn by_itself(moment: Moment) -> Moment {
    Moment { before: None, reply: None, ..moment }
}

/// Words the resolution of a problem: what the person reported of it, else what they had `asked` for, and `causes` in order, of
/// which the one that stood in the end leads.
pub fn of_investigation(
    symptom: Option<&str>,
    asked: Option<&str>,
    causes: &[&Remark],
    lead: usize,
    language: &Language,
) -> Wording {
    let remark = causes[lead];
    let sentence = cause::sentence(&remark.text, language);
    let mut body = String::new();
    let problem = symptom.filter(|said| cause::tells_of_failure(said, language));
    if let Some((label, words)) =
        problem.map(|said| ("**Problem:**", said)).or(symptom.or(asked).map(|said| (ASKED_FOR, said)))
    {
        let words = flat(&sentences(words).into_iter().take(3).collect::<Vec<_>>().join(" "));
        body.push_str(&format!("{label} {}\n\n", bounded(&words, 300)));
    }
    let explained = bounded(&cause::explanation(&remark.text, sentence, language), 700);
    let is_remedy = cause::is_remedy(sentence, language);
    let label = if is_remedy { "Fix" } else { "Cause" };
    body.push_str(&format!("**{label}:** {explained}\n"));
    let remedy = || {
        let mut after = causes[lead + 1..].iter().map(|later| cause::sentence(&later.text, language));
        cause::remedy(&remark.text, sentence, language)
            .or_else(|| after.rfind(|said| cause::is_remedy(said, language)))
    };
    if !is_remedy
        && let Some(fix) = remedy()
        && !explained.contains(&flat(fix))
    {
        body.push_str(&format!("\n**Fix:** {}\n", bounded(&flat(fix), 400)));
    }
    if remark.worked > 0 && remark.failed == 0 && remark.edits_soon {
        body.push_str("\nThe change that followed ran without an error.\n");
    }
    Wording { title: statement_title(sentence), body, is_of_agent: false }
}

/// Whether the body of a fix says what had failed, what would mend it or that it was mended, beside its cause.
pub fn tells_more_than_a_cause(body: &str) -> bool {
    body.trim().split("\n\n").filter(|paragraph| !paragraph.starts_with(ASKED_FOR)).count() > 1
}

/// Words an idea that was put off: two sentences, what it is and where it came up.
pub fn of_idea(moment: &Moment, language: &Language) -> Wording {
    let mut body = String::new();
    if let Some(led) = moment.before.as_ref().map(|said| last_words(&said.text)).filter(|led| !led.is_empty())
    {
        body.push_str(&format!("It came up after the agent said “{led}” "));
    }
    if let Some(took) =
        moment.reply.as_ref().map(|said| first_words(&said.text)).filter(|took| !took.is_empty())
    {
        body.push_str(&format!("The agent answered “{took}”"));
    }
    let mut body = body.trim_end().to_owned();
    if !body.is_empty() {
        body.push_str("\n\n");
    }
    quote(&mut body, &moment.own);
    Wording { title: heading::of_idea(moment, language), body, is_of_agent: false }
}

/// Evidence: words of the person.
pub fn spoken(place: &EntryLocation, text: &str) -> Evidence {
    Evidence { uuid: place.uuid.clone(), line: place.line, role: Role::User, quote: quotation(text) }
}

/// Evidence: words of the agent.
pub fn said(said: &AgentText) -> Evidence {
    Evidence {
        uuid: said.place.uuid.clone(),
        line: said.place.line,
        role: Role::Assistant,
        quote: quotation(&said.text),
    }
}

/// Words as they stand, cut at a line or a sentence so that they stay word for word.
pub fn quotation(text: &str) -> String {
    let text = text.trim();
    if text.len() <= QUOTE {
        return text.to_owned();
    }
    let cut = head(text, QUOTE);
    let end = cut.rfind(['\n', '.', '!', '?']).filter(|at| *at > QUOTE / 3).map_or(cut.len(), |at| at + 1);
    cut[..end].trim().to_owned()
}

/// How well a moment's words can lead a note: below zero for bare answers and for what other people wrote.
pub fn tells(moment: &Moment, language: &Language) -> f32 {
    let review = language.person.has("person.review_voice", &normalise(&moment.own));
    let short = choice::of(moment).is_none() && Topic::of(&moment.own).len() < 3;
    -0.25 * f32::from(u8::from(short)) - 0.15 * f32::from(u8::from(review))
}

/// Whether words of a person say what they are about: "yes, go on" does not.
pub fn says_enough(own: &str) -> bool {
    Topic::of(own).len() >= 4
}

fn quote(body: &mut String, text: &str) {
    for line in bounded(text.trim(), SPOKEN).lines() {
        body.push_str("> ");
        body.push_str(line.trim_end());
        body.push('\n');
    }
}

fn changed(members: &[&Moment]) -> String {
    let mut files: Vec<String> = Vec::new();
    for name in members.iter().flat_map(|member| &member.follow.files) {
        let name = format!("`{}`", name.replace('`', "'"));
        if !files.contains(&name) {
            files.push(name);
        }
    }
    files.truncate(6);
    files.join(", ")
}

/// The agent's last point: its closing question or sentence.
fn last_words(text: &str) -> String {
    let parts = sentences(text);
    let last = parts
        .iter()
        .rev()
        .find(|sentence| sentence.len() > 12 && !sentence.starts_with(['|', '`', '{', '}']))
        .copied();
    bounded(&flat(last.unwrap_or_default()), 260)
}

/// The agent's first point.
fn first_words(text: &str) -> String {
    let parts = sentences(text);
    let mut first = String::new();
    for sentence in parts.iter().take(3) {
        if !first.is_empty() {
            first.push(' ');
        }
        first.push_str(&flat(sentence));
        if first.len() > 60 {
            break;
        }
    }
    bounded(first.trim_end_matches(':'), 260)
}

fn bounded(text: &str, limit: usize) -> String {
    if text.len() <= limit {
        return text.to_owned();
    }
    let cut = head(text, limit);
    format!("{} …", cut.rsplit_once(char::is_whitespace).map_or(cut, |(kept, _)| kept))
}

#[cfg(test)]
mod tests {
    use super::super::remark::Remarks;
    use super::*;
    use afterword_transcript::event::Event;

    #[test]
    fn a_fix_says_what_was_asked_for_where_nothing_was_reported() {
        let english = Language::english();
        let mut remarks = Remarks::new(english);
        for text in [
            "The list is read before `cache/` is created, so the folder is missing there.",
            "The fix is to read the list of folders after the cache was made.",
        ] {
            let place = EntryLocation { line: 1, uuid: String::new(), time: None, sidechain: false };
            remarks.push(&Event::Agent { place, text: text.to_owned() });
        }
        let remarks = remarks.finish();
        let causes: Vec<&Remark> = remarks.iter().collect();
        let asked = "can you look at the folders, one of them is left out";
        let worded = |symptom, lead| of_investigation(symptom, Some(asked), &causes, lead, english);
        let fix = worded(None, 0);
        assert_eq!(
            fix.body,
            format!(
                "**Asked for:** {asked}\n\n\
                 **Cause:** The list is read before `cache/` is created, so the folder is missing there.\n\n\
                 **Fix:** The fix is to read the list of folders after the cache was made.\n"
            )
        );
        assert!(tells_more_than_a_cause(&fix.body));
        assert!(
            worded(None, 1).body.contains("**Fix:** Read the list of folders"),
            "{}",
            worded(None, 1).body
        );
        assert!(!tells_more_than_a_cause(&worded(None, 1).body));
        assert!(worded(Some("the build fails"), 0).body.starts_with("**Problem:** the build fails\n"));
        assert!(worded(Some("why is it so?"), 0).body.starts_with("**Asked for:** why is it so?\n"));
    }
}
