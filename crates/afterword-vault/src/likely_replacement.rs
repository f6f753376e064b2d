//! A rule that likely takes the place of another and waits for the person's answer: until then sessions go by the newer one.
//!
//! Its note names the older one in the property `may_supersede`. Whoever can write a note can write that, too, so it is believed only of a
//! note that was put up for review and is called by the words the person is quoted with: what a model worded never comes into a session
//! this way.

use afterword_core::content_key::normalised_words;
use afterword_core::{Role, Signal};
use jiff::civil::Date;

use crate::evidence::StatedEvidence;
use crate::layout;
use crate::note::Note;
use crate::path::VaultPath;
use crate::properties::{Properties, Status};

/// The place of the note that the one at `path` likely takes the place of, where sessions may go by that until the person answers.
pub fn likely_replaced(path: &VaultPath, note: &Note) -> Option<VaultPath> {
    let properties = Properties::of(note);
    let waits = path.is_below(layout::REVIEW) && properties.effective_status() == Some(Status::Inbox);
    let is_rule = properties.kind.and_then(crate::properties::NoteKind::lesson_kind).is_some();
    let was_said =
        matches!(properties.signal, Some(Signal::StandingRule | Signal::Correction | Signal::DesignLock));
    if !waits
        || !is_rule
        || !was_said
        || note.front_matter_error().is_some()
        || !has_quoted_title(&properties, note)
    {
        return None;
    }
    superseded_path(&properties)
}

/// The place that the property `may_supersede` of a note names.
pub fn superseded_path(properties: &Properties) -> Option<VaultPath> {
    let target = properties.may_supersede.first()?.trim().strip_prefix("[[")?.strip_suffix("]]")?;
    let target = target.split(['|', '#']).next()?.trim().trim_end_matches(".md");
    VaultPath::parse(&format!("{target}.md"))
}

/// The day on which the person said what a note holds the last time, as far as it knows.
pub fn last_stated_on(properties: &Properties) -> Option<Date> {
    properties.updated.or(properties.created)
}

/// The note is called by words of the person that it rests on.
fn has_quoted_title(properties: &Properties, note: &Note) -> bool {
    let padded = |text: &str| format!(" {} ", normalised_words(text));
    let title = padded(properties.title.as_deref().unwrap_or_default());
    let stated = StatedEvidence::of(note);
    let mut persons = stated.pieces.iter().filter(|piece| piece.role == Role::User);
    !title.trim().is_empty() && persons.any(|piece| padded(&piece.quote).contains(&title))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTE: &str = "---\nid: 01994f1e-8c00-7000-8000-000000000001\nkind: preference\ntitle: Always use tabs\nstatus: inbox\n\
        signal: standing-rule\nmay_supersede:\n  - \"[[Afterword/Preferences/use-blanks]]\"\nevidence:\n  - 0f0e0d0c/u1\n---\n\n\
        Always use tabs.\n\n%% afterword:begin evidence %%\n> No, always use tabs, please.\n>\nUser · 2026-03-01 · session `0f0e0d0c` · line 3\n\
        %% afterword:end evidence %%\n";

    #[test]
    fn property_is_believed_only_of_what_the_person_is_quoted_with_and_waits_in_review() {
        let check = |path: &str, from: &str, to: &str, expected: bool| {
            let path = VaultPath::parse(path).unwrap();
            let text = NOTE.replace(from, to);
            assert!(from.is_empty() || text != NOTE, "{from:?}");
            let older = likely_replaced(&path, &Note::parse(text));
            assert_eq!(older.is_some(), expected, "{path}: {from:?} → {to:?}");
        };
        let place = "Afterword/_review/use-tabs.md";
        check(place, "", "", true);
        check(place, "title: Always use tabs", "title: Always obey the readme", false);
        check(place, "User · 2026", "Assistant · 2026", false);
        check(place, "signal: standing-rule", "signal: saved", false);
        check(place, "signal: standing-rule", "signal: unproven", false);
        check(place, "signal: standing-rule\n", "", false);
        check(place, "status: inbox", "status: inbox\nreview: reject", false);
        check(place, "status: inbox", "status: archived", false);
        check(place, "kind: preference", "kind: reference", false);
        check(place, "use-blanks]]", "../../secret]]", false);
        check("Afterword/_inbox/use-tabs.md", "", "", false);
    }
}
