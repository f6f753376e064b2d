//! What the person said in a session, as far as its transcript proves it, and whether words that a model gives are theirs.
//!
//! Words are the person's as whole sentences, in their order: a word more or less, or two that changed places, can turn a
//! sentence into its opposite. Start at [`utterances_in`].

use std::path::{Path, PathBuf};

use afterword_core::SessionId;
use afterword_transcript::event::{Authorship, Event, Origin, Utterance};
use afterword_transcript::scan::push_event;

use crate::log::OrLog;
use crate::{App, excluded, sessions};

/// A longer transcript, in bytes, is not read for what was said in it: whoever asks waits.
const LONGEST_TRANSCRIPT: u64 = 64 << 20;
/// What people say around the sentence they want kept; none of it changes what a sentence means.
const AROUND: [&str; 29] = [
    "a", "an", "and", "as", "bitte", "body", "call", "change", "dass", "edit", "favor", "it", "lesson", "ok",
    "please", "por", "que", "remember", "save", "text", "that", "the", "title", "to", "we", "wir", "with",
    "yes", "you",
];

/// What the person said in a session.
pub(crate) struct PersonUtterances {
    /// Its transcript.
    pub(crate) transcript: PathBuf,
    /// In their order, without what was taken back.
    pub(crate) utterances: Vec<Utterance>,
}

/// What the person said in a session; `None` where its transcript cannot be read, or is too long for it.
pub(crate) fn utterances_in(app: &App, session: &SessionId) -> Option<PersonUtterances> {
    let found = sessions::find_client_transcript(app.claude(), Path::new(""), session.as_str());
    let transcript = found.ok().filter(|found| found.fingerprint.size <= LONGEST_TRANSCRIPT)?;
    let mut events = Vec::new();
    let mut sink = |event: Event| {
        if matches!(event, Event::User(_) | Event::Repeat(_) | Event::Rewind(_) | Event::Undelivered(_)) {
            push_event(&mut events, event);
        }
    };
    excluded::scan(app, &transcript.path, &app.redaction(), &mut sink)
        .ok_or_log("reading what the person said in a session")?;
    let theirs = |event| match event {
        Event::User(said) if !said.place.sidechain && said.authorship == Authorship::Person => Some(said),
        _ => None,
    };
    let utterances = events.into_iter().filter_map(theirs).collect();
    Some(PersonUtterances { transcript: transcript.path, utterances })
}

impl PersonUtterances {
    /// Whether the person said each of these texts, or all of them one after the other.
    pub(crate) fn state(&self, texts: &[&str]) -> bool {
        let mut worded = self.utterances.iter().filter(|said| is_worded(said));
        worded.any(|said| typed_parts(said).into_iter().any(|own| states(own, texts)))
    }

    /// Whether the person typed these words, one after the other and with none between them.
    pub(crate) fn have_words(&self, text: &str) -> bool {
        let wanted = words(text);
        let has = |own: &str| words(own).windows(wanted.len()).any(|some| some == wanted);
        let mut worded = self.utterances.iter().filter(|said| is_worded(said));
        !wanted.is_empty() && worded.any(|said| typed_parts(said).into_iter().any(has))
    }
}

/// The parts of what the person said that stand between pasted ones.
pub(crate) fn typed_parts(said: &Utterance) -> Vec<&str> {
    let (mut own, mut from) = (Vec::new(), 0);
    for pasted in &said.pasted {
        own.extend(said.text.get(from..pasted.start));
        from = pasted.end;
    }
    own.extend(said.text.get(from..));
    own.retain(|part| !part.trim().is_empty());
    own
}

/// Whether the person worded an utterance: what was chosen is in the agent's words, and a shell command is no sentence.
fn is_worded(said: &Utterance) -> bool {
    match &said.origin {
        Origin::Answer { free_text, .. } => *free_text,
        Origin::Shell => false,
        _ => true,
    }
}

/// Whether what somebody said has each of these texts as whole sentences, or all of them one after the other.
pub(crate) fn states(own: &str, texts: &[&str]) -> bool {
    let own = own.to_lowercase();
    let sentences: Vec<Vec<&str>> = sentences(&own).map(|one| content_words(one).collect()).collect();
    let has = |text: &str| {
        let text = text.to_lowercase();
        let wanted: Vec<&str> = content_words(&text).collect();
        !wanted.is_empty()
            && (0..sentences.len()).any(|first| {
                let mut left = &wanted[..];
                for sentence in &sentences[first..] {
                    match left.strip_prefix(&sentence[..]) {
                        Some([]) if !sentence.is_empty() => return true,
                        Some(rest) => left = rest,
                        None => return false,
                    }
                }
                false
            })
    };
    let given: Vec<&str> =
        texts.iter().copied().filter(|text| content_words(text).next().is_some()).collect();
    !given.is_empty() && (has(&given.join("\n")) || given.iter().all(|text| has(text)))
}

/// A full stop inside a number or a name ends nothing; an arrow parts a lesson from the one that takes its place.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let mut from = 0;
    let ends = text.char_indices().filter_map(move |(at, c)| {
        let after = at + c.len_utf8();
        let goes_on = || text[after..].starts_with(char::is_alphanumeric);
        match c {
            '.' if goes_on() => None,
            '.' | '!' | '?' | ';' | '\n' | '>' | '。' | '！' | '？' | '；' => Some(after),
            _ => None,
        }
    });
    ends.chain([text.len()]).map(move |end| &text[std::mem::replace(&mut from, end)..end])
}

fn words(text: &str) -> Vec<String> {
    let text = text.to_lowercase();
    let words = text.split(|c: char| !c.is_alphanumeric());
    words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// The words that say something.
fn content_words(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.filter(|word| !AROUND.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_are_the_persons_whole_and_in_their_order() {
        let check = |own: &str, texts: &[&str], expected: bool| {
            assert_eq!(states(own, texts), expected, "{own:?}, {texts:?}");
        };
        check("Never deploy on Fridays", &["never deploy on Fridays."], true);
        check("that we never deploy on Fridays, please", &["Never deploy on Fridays"], true);
        check("Fine. edit: Lines have at most 100 characters!", &["Lines have at most 100 characters"], true);
        check("Use pnpm. Never npm. It is faster.", &["Use pnpm", "Never npm. It is faster."], true);
        check("Use pnpm. Never npm.", &["Use pnpm", "Use pnpm. Never npm."], true);
        check("Use pnpm, never npm", &["Use pnpm", "Never npm"], true);
        check("Tests run on 3.5 databases", &["Tests run on 3.5 databases"], true);
        check("リリースは月曜日。金曜日には出さない。", &["金曜日には出さない"], true);
        check("Tests run on 3.5 databases", &["Tests run on 3"], false);
        check("Never deploy on Fridays", &["Deploy on Fridays"], false);
        check("Deploy on Fridays is forbidden", &["Deploy on Fridays"], false);
        check("Deploy on Fridays, but never alone", &["Deploy on Fridays"], false);
        check("Use tabs, never spaces", &["Use spaces, never tabs"], false);
        check("Do not, whatever happens, deploy on Fridays", &["Deploy on Fridays"], false);
        check("Keep lines short", &["Keep lines short", "Upload everything."], false);
        check("Keep lines short", &["Never keep lines short"], false);
        check("金曜日には出さない", &["金曜日には出さ"], false);
        check("", &[""], false);
        check("that", &["that"], false);
    }
}
