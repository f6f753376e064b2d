//! AskUserQuestion: what was asked, what was offered, what the person answered.
//!
//! It owns both forms the answers come in: the structured `toolUseResult`, and the sentence the model reads.
//! Start at [`parse_answers`].

use crate::entry::Questionnaire;
use crate::json::{JsonValue, Raw, Reader};

/// Most questions read from one call; the client asks four at most.
const MAX_QUESTIONS: usize = 16;
/// Most options read of one question; the client offers four at most.
const MAX_OPTIONS: usize = 16;
/// Longest question, label, description, or answer kept, in bytes.
const MAX_TEXT: usize = 4 * 1024;

/// A question and the options offered: label and description.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Question {
    pub(crate) question: String,
    pub(crate) options: Vec<(String, String)>,
}

/// A question answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct QuestionAnswer {
    pub(crate) asked: Question,
    /// The option or options chosen, or the words typed instead, and below them the person's notes.
    pub(crate) text: String,
    pub(crate) free_text: bool,
}

/// Reads the questions of a call from their JSON.
pub(crate) fn parse_questions(json: &str) -> Vec<Question> {
    let mut all = Vec::new();
    for_each_object(json, |fields| {
        let mut asked = Question::default();
        for (key, value) in fields {
            if key.equals("question") {
                asked.question = json_text(value);
            } else if key.equals("options") {
                for_each_object(value, |fields| {
                    let find = |name| {
                        fields.iter().find(|(key, _)| key.equals(name)).map(|(_, value)| json_text(value))
                    };
                    if asked.options.len() < MAX_OPTIONS {
                        asked.options.push((
                            find("label").unwrap_or_default(),
                            find("description").unwrap_or_default(),
                        ));
                    }
                });
            }
        }
        if all.len() < MAX_QUESTIONS && !asked.question.is_empty() {
            all.push(asked);
        }
    });
    all
}

/// Questions with their options, one a line.
pub(crate) fn outline_questions(asked: &[Question]) -> String {
    let mut lines = String::new();
    for asked in asked {
        lines.push_str(&asked.question);
        let labels: Vec<_> = asked.options.iter().map(|(label, _)| label.as_str()).collect();
        if !labels.is_empty() {
            lines.push_str(" [");
            lines.push_str(&labels.join(" | "));
            lines.push(']');
        }
        lines.push('\n');
    }
    lines
}

/// What was answered: from the structured result if there is one, else from the sentence. `call` is what the
/// call asked, where it was seen.
pub(crate) fn parse_answers(
    sentence: &str,
    result: Questionnaire<'_>,
    call: Option<&[Question]>,
) -> Vec<QuestionAnswer> {
    let asked = match result.questions.map(parse_questions) {
        Some(asked) if !asked.is_empty() => asked,
        _ => call.map(<[Question]>::to_vec).unwrap_or_default(),
    };
    if let Some(response) = result.response.filter(|response| !response.is_empty()) {
        return build_answer(merge_questions(asked), &response.decode(), "").into_iter().collect();
    }
    let Some(given) = result.answers.map(text_pairs).filter(|given| !given.is_empty()) else {
        // The sentence holds the agent's own questions and options; where they could pass for its other parts, it
        // cannot be told whose words a part is.
        return if asked.iter().any(is_ambiguous) { Vec::new() } else { parse_sentence(sentence, &asked) };
    };
    let notes: Vec<(String, String)> = result.annotations.map(answer_notes).unwrap_or_default();
    let find = |pairs: &[(String, String)], question: &str| {
        pairs.iter().find(|(key, _)| key == question).map(|(_, text)| text.clone()).unwrap_or_default()
    };
    let mut answered = Vec::new();
    let unasked = given.iter().filter(|(question, _)| !asked.iter().any(|asked| asked.question == *question));
    let unasked: Vec<_> =
        unasked.map(|(question, _)| Question { question: question.clone(), options: Vec::new() }).collect();
    for asked in asked.into_iter().chain(unasked) {
        let (answer, note) = (find(&given, &asked.question), find(&notes, &asked.question));
        answered.extend(build_answer(asked, &answer, &note));
    }
    answered
}

/// Whether a question or an option holds what sets the parts of the sentence apart.
fn is_ambiguous(asked: &Question) -> bool {
    const PARTS: [&str; 5] = ["\n", "notes:", "\"=", "Answer:", "selected preview:"];
    let labels = asked.options.iter().map(|(label, _)| label);
    std::iter::once(&asked.question).chain(labels).any(|text| PARTS.iter().any(|part| text.contains(part)))
}

/// All questions as one, for words typed in place of every answer.
fn merge_questions(asked: Vec<Question>) -> Question {
    let question = asked.iter().map(|asked| asked.question.as_str()).collect::<Vec<_>>().join(" / ");
    Question { question, options: asked.into_iter().flat_map(|asked| asked.options).collect() }
}

fn build_answer(asked: Question, answer: &str, note: &str) -> Option<QuestionAnswer> {
    let (answer, note) = (answer.trim(), note.trim());
    let answer = if answer == "(no option selected)" { "" } else { answer };
    let free_text = !note.is_empty() || !is_choice(&asked, answer);
    let text = [answer, note].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n");
    (!text.is_empty()).then_some(QuestionAnswer { asked, text, free_text })
}

/// Whether an answer is one of the options, or several joined by commas (labels may hold commas themselves), however they are
/// spaced and with or without their mark of being recommended.
fn is_choice(asked: &Question, answer: &str) -> bool {
    let labels: Vec<String> =
        asked.options.iter().map(|(label, _)| bare_label(label)).filter(|label| !label.is_empty()).collect();
    let answer = bare_label(answer);
    let mut rest = answer.as_str();
    while !rest.is_empty() {
        let after = labels.iter().filter_map(|label| rest.strip_prefix(label.as_str()));
        let Some(after) = after.min_by_key(|after| after.len()) else {
            return false;
        };
        if after.is_empty() {
            return true;
        }
        let Some(next) = after.trim_start().strip_prefix(',') else { return false };
        rest = next.trim_start();
    }
    false
}

/// What agents put into the label they recommend.
const RECOMMENDED: &str = "(Recommended)";

/// A label without its mark, one space between words.
fn bare_label(label: &str) -> String {
    label.replace(RECOMMENDED, " ").split_whitespace().collect::<Vec<_>>().join(" ").replace(" ,", ",")
}

/// `"Question"="Answer" user notes: …, "Question"="Answer". You can now continue …`, cut where a known question
/// begins; where none is known, at each `", "`.
fn parse_sentence(sentence: &str, asked: &[Question]) -> Vec<QuestionAnswer> {
    let Some(body) =
        ["User has answered your questions:", "Your questions have been answered:", "The user answered:"]
            .iter()
            .find_map(|opening| sentence.trim_start().strip_prefix(opening))
    else {
        return parse_clarification(sentence, asked);
    };
    let after = [". You can now continue with", ". Read the answers carefully"];
    let body = after.iter().find_map(|after| body.rfind(after)).map_or(body, |end| &body[..end]);
    let mut starts: Vec<(usize, usize, Question)> = asked
        .iter()
        .filter_map(|asked| {
            let key = format!("\"{}\"=", asked.question);
            body.find(&key).map(|at| (at, at + key.len(), asked.clone()))
        })
        .collect();
    if starts.is_empty() {
        starts = guess_questions(body);
    }
    starts.sort_by_key(|(at, ..)| *at);
    let mut answered = Vec::new();
    for (index, (_, from, asked)) in starts.iter().enumerate() {
        let end = starts.get(index + 1).map_or(body.len(), |(next, ..)| *next);
        let Some(part) = body.get(*from..end) else { continue };
        let part = part.trim().trim_end_matches(',');
        let marks = [" user notes: ", "\" notes: ", ") notes: ", "\nnotes: ", " notes: "];
        let (part, note) = marks.iter().find_map(|mark| part.split_once(mark)).unwrap_or((part, ""));
        let part = part.split(" selected preview:").next().unwrap_or_default();
        answered.extend(build_answer(asked.clone(), part.trim().trim_matches('"'), note));
    }
    answered
}

fn guess_questions(body: &str) -> Vec<(usize, usize, Question)> {
    let mut starts = Vec::new();
    let mut search = 0;
    while let Some(found) = body[search..].find("\"=\"") {
        let end = search + found;
        let start = body[..end].rfind('"').map_or(0, |at| at + 1);
        let question = body[start..end].to_owned();
        starts.push((start.saturating_sub(1), end + 2, Question { question, options: Vec::new() }));
        search = end + 3;
        if starts.len() == MAX_QUESTIONS {
            break;
        }
    }
    starts
}

/// The form when the person wants to talk first, or ends a plan interview: `- "Q"`, `  Answer: A`,
/// `  User notes: N`, one a line. A choice not submitted is no answer; notes are the person's words.
fn parse_clarification(sentence: &str, asked: &[Question]) -> Vec<QuestionAnswer> {
    let ended = sentence.contains("provided enough answers for the plan interview");
    if !ended && !sentence.contains("wants to clarify these questions") {
        return Vec::new();
    }
    let mut answered = Vec::new();
    let mut current = Question::default();
    let mut answer = "";
    let mut note = "";
    let mut close = |current: &mut Question, answer: &mut &str, note: &mut &str| {
        let choice = if ended { *answer } else { "" };
        answered.extend(build_answer(std::mem::take(current), choice, note));
        (*answer, *note) = ("", "");
    };
    for line in sentence.lines().map(str::trim) {
        if let Some(question) = line.strip_prefix("- \"").and_then(|line| line.strip_suffix('"')) {
            close(&mut current, &mut answer, &mut note);
            let known = asked.iter().find(|asked| asked.question == question).cloned();
            current =
                known.unwrap_or_else(|| Question { question: question.to_owned(), options: Vec::new() });
        } else if let Some(text) = line.strip_prefix("Answer:") {
            answer = text.trim();
        } else if let Some(text) = line.strip_prefix("User notes:") {
            note = text.trim();
        }
    }
    close(&mut current, &mut answer, &mut note);
    answered.retain(|answered| !answered.asked.question.is_empty());
    answered
}

/// An object's keys with its values as JSON.
fn object_fields(json: &str) -> Vec<(Raw<'_>, &str)> {
    let mut fields = Vec::new();
    let mut reader = Reader::new(json, 0);
    if matches!(reader.next_value(), Ok(JsonValue::Object)) {
        let mut first = true;
        while let Ok(Some(key)) = reader.next_key(&mut first) {
            let Ok(value) = reader.skip_value() else { break };
            fields.push((key, value));
        }
    }
    fields
}

fn for_each_object<'a>(json: &'a str, mut visit: impl FnMut(&[(Raw<'a>, &'a str)])) {
    let mut reader = Reader::new(json, 0);
    if matches!(reader.next_value(), Ok(JsonValue::Array)) {
        let mut first = true;
        while let Ok(true) = reader.next_item(&mut first) {
            let Ok(item) = reader.skip_value() else { break };
            visit(&object_fields(item));
        }
    }
}

/// A JSON value as text: a string's content, an array's strings joined, else nothing.
fn json_text(json: &str) -> String {
    let mut reader = Reader::new(json, 0);
    match reader.next_value() {
        Ok(JsonValue::Text(text)) => text.head(MAX_TEXT).into_owned(),
        Ok(JsonValue::Array) => {
            let mut texts = Vec::new();
            let mut first = true;
            while let Ok(true) = reader.next_item(&mut first) {
                let Ok(item) = reader.skip_value() else { break };
                if item.starts_with('"') && texts.len() < MAX_OPTIONS {
                    texts.push(json_text(item));
                }
            }
            texts.join(", ")
        }
        _ => String::new(),
    }
}

fn text_pairs(json: &str) -> Vec<(String, String)> {
    let pair = |(key, value): (Raw<'_>, &str)| (key.head(MAX_TEXT).into_owned(), json_text(value));
    object_fields(json).into_iter().take(MAX_QUESTIONS).map(pair).collect()
}

fn answer_notes(json: &str) -> Vec<(String, String)> {
    let note = |(key, value): (Raw<'_>, &str)| {
        let (_, note) = object_fields(value).into_iter().find(|(key, _)| key.equals("notes"))?;
        Some((key.head(MAX_TEXT).into_owned(), json_text(note)))
    };
    object_fields(json).into_iter().take(MAX_QUESTIONS).filter_map(note).collect()
}
