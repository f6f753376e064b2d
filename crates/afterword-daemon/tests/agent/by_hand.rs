//! What the person does by hand: a lesson in their own words, an idea ticked or dismissed.

use std::fs;

use afterword_app::ideas::IdeaMark;
use afterword_app::saving::{SaveOutcome, SaveRequest};
use afterword_app::{ErrorKind, ideas, saving};
use afterword_core::{LessonKind, ProjectKey};

use afterword_testkit::{Sandbox, now};

fn save_request(title: &str) -> SaveRequest {
    SaveRequest {
        kind: LessonKind::Fix,
        title: title.to_owned(),
        body: "It keeps old jobs.".to_owned(),
        project: Some(ProjectKey::from_cwd("/home/ada/shop")),
        session: None,
    }
}

#[test]
fn lesson_written_by_hand_counts_at_once_and_only_for_a_person() {
    let host = Sandbox::new();
    let request = save_request("Restart the queue after a deploy");
    let refused = saving::write_lesson(&host.app().for_model(), &request, &now()).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Precondition);
    let saved = saving::write_lesson(&host.app(), &request, &now()).unwrap();
    assert_eq!(saved.outcome, SaveOutcome::Saved);
    let path = saved.path.unwrap();
    assert!(path.starts_with("Afterword/Fixes/"), "{path}");
    let text = fs::read_to_string(host.path("vault").join(&path)).unwrap();
    assert!(text.contains("status: active") && text.contains("confidence: high"), "{text}");
    assert!(text.contains("It keeps old jobs."), "{text}");
    assert_eq!(saving::write_lesson(&host.app(), &request, &now()).unwrap().outcome, SaveOutcome::Known);
    let unusable = saving::write_lesson(&host.app(), &save_request(" "), &now()).unwrap_err();
    assert_eq!(unusable.kind(), ErrorKind::Invalid);
}

#[test]
fn idea_is_marked_in_the_ledger_and_nothing_else_of_it_changes() {
    let host = Sandbox::new();
    host.samples();
    host.reflect();
    let ledger = host.path("vault/Afterword/Ideas.md");
    let idea = ideas::ideas(&host.app()).unwrap().remove(0);
    assert_eq!(idea.mark, Some(IdeaMark::Open));
    let own = fs::read_to_string(&ledger).unwrap() + "\nMy own words stay [ ].\n";
    fs::write(&ledger, &own).unwrap();
    let mark = |mark| ideas::mark_idea(&host.app(), &idea.line.id, mark).unwrap();
    let standing = || {
        let ideas = ideas::ideas(&host.app()).unwrap();
        let found = ideas.into_iter().find(|one| one.line.id == idea.line.id).unwrap();
        (found.mark, found.done)
    };
    mark(IdeaMark::Done);
    assert_eq!(standing(), (Some(IdeaMark::Done), true));
    mark(IdeaMark::Dismissed);
    assert_eq!(standing(), (Some(IdeaMark::Dismissed), true));
    let text = fs::read_to_string(&ledger).unwrap();
    let changed: Vec<_> = text.lines().zip(own.lines()).filter(|(one, other)| one != other).collect();
    assert_eq!(changed.len(), 1, "{changed:?}");
    assert!(changed[0].0.starts_with("- [-] "), "{changed:?}");
    mark(IdeaMark::Open);
    assert_eq!(fs::read_to_string(&ledger).unwrap(), own);
    fs::write(&ledger, "# Ideas\n").unwrap();
    let gone = ideas::mark_idea(&host.app(), &idea.line.id, IdeaMark::Done).unwrap_err();
    assert_eq!(gone.kind(), ErrorKind::NotFound);
    assert_eq!(standing(), (None, false));
}
