//! Whether a lesson says by itself what to do: what a session is given it reads without the session it was learned in.

use afterword_transcript::event::{Authorship, Event, Origin, Place, Utterance};

use super::language::Language;
use super::models::Models;
use super::moment::Moments;
use super::reading::Reading;

/// How likely a sentence, read alone, tells a later session what to go by: 0 to 1. A question never does.
pub fn guidance(sentence: &str) -> f32 {
    if sentence.trim_end().ends_with(['?', '？']) {
        return 0.0;
    }
    let mut moments = Moments::default();
    moments.push(&Event::User(Utterance {
        place: Place { line: 1, uuid: String::new(), time: None, sidechain: false },
        also: Vec::new(),
        origin: Origin::Prompt,
        authorship: Authorship::Person,
        text: sentence.to_owned(),
        attachment: false,
        pasted: Vec::new(),
    }));
    let models = Models::shipped();
    let read = |moment| Reading::of(&moment, Language::english(), &models.clauses).most();
    moments.finish().into_iter().next().map(read).map_or(0.0, |act| act.rule.max(act.lasting))
}
