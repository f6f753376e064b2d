//! Which files lessons are written to, whoever names them.

use std::fs;
use std::path::Path;

use afterword_app::error::ExportError;
use afterword_app::exchange::{self, ExportForm, ExportRequest};
use afterword_app::{Error, ErrorKind};

use afterword_testkit::Sandbox;
use afterword_testkit::transcript::with_a_rule;

const ID: &str = "5f0a0000-0000-4000-8000-0000000000f1";

fn with_lesson() -> Sandbox {
    let host = Sandbox::new();
    host.session(ID, &with_a_rule(ID));
    host.reflect();
    fs::create_dir_all(host.path("shop/.git/hooks")).unwrap();
    host
}

fn export(host: &Sandbox, form: ExportForm, to: &Path) -> Result<usize, Error> {
    let request = ExportRequest { form, project: None, note: None, chosen: None, to: Some(to.to_owned()) };
    let planned = exchange::plan_export(&host.app(), &request)?;
    exchange::write_export(&host.app(), &planned)?;
    Ok(planned.files.len())
}

#[test]
fn file_that_is_no_earlier_export_stays() {
    let host = with_lesson();
    let file = |name: &str| host.path(&format!("shop/{name}"));
    for (form, name) in [(ExportForm::Json, "notes.json"), (ExportForm::Markdown, "notes.md")] {
        assert_eq!(export(&host, form, &file(name)).unwrap(), 1);
        assert_eq!(export(&host, form, &file(name)).unwrap(), 0, "twice is once");
        fs::write(file(name), "{\"mine\": 1}\n").unwrap();
        let refused = export(&host, form, &file(name)).unwrap_err();
        assert!(matches!(refused, Error::Export(ExportError::NotAnExport { .. })), "{refused}");
        assert_eq!(refused.kind(), ErrorKind::Conflict);
        assert_eq!(fs::read_to_string(file(name)).unwrap(), "{\"mine\": 1}\n");
    }
    // What the person added to data stays, and data of another program that looks alike.
    let data = file("data.json");
    assert_eq!(export(&host, ExportForm::Json, &data).unwrap(), 1);
    let edited =
        fs::read_to_string(&data).unwrap().replacen("\"version\": 1", "\"mine\": 1,\n  \"version\": 1", 1);
    fs::write(&data, &edited).unwrap();
    let refused = export(&host, ExportForm::Json, &data).unwrap_err();
    assert!(matches!(refused, Error::Export(ExportError::Edited { .. })), "{refused}");
    fs::write(&data, "{\"version\": 1, \"lessons\": []}").unwrap();
    let refused = export(&host, ExportForm::Json, &data).unwrap_err();
    assert!(matches!(refused, Error::Export(ExportError::NotAnExport { .. })), "{refused}");
    for name in [".bashrc", "config", "settings.json", "main.rs"] {
        fs::write(file(name), "mine\n").unwrap();
        let refused = export(&host, ExportForm::ClaudeMd, &file(name)).unwrap_err();
        assert!(matches!(refused, Error::Export(ExportError::NotInstructions { .. })), "{refused}");
        assert_eq!(fs::read_to_string(file(name)).unwrap(), "mine\n");
    }
    for name in ["AGENTS.md", ".cursorrules", ".cursor/rules/shop.mdc"] {
        assert_eq!(export(&host, ExportForm::ClaudeMd, &file(name)).unwrap(), 1, "{name}");
        assert_eq!(export(&host, ExportForm::ClaudeMd, &file(name)).unwrap(), 0, "{name}");
    }
    fs::write(file("CLAUDE.md"), "# Mine\n").unwrap();
    export(&host, ExportForm::ClaudeMd, &file("CLAUDE.md")).unwrap();
    assert!(fs::read_to_string(file("CLAUDE.md")).unwrap().starts_with("# Mine\n\n<!-- afterword:begin "));
}

#[test]
fn nothing_is_written_into_a_repository_s_own_folder_or_afterword_s() {
    let host = with_lesson();
    let state = host.paths().state;
    for place in [
        host.path("shop/.git/CLAUDE.md"),
        host.path("shop/.git/new/CLAUDE.md"),
        host.path("shop/none/../.git/CLAUDE.md"),
        host.path("shop/.GIT/CLAUDE.md"),
    ] {
        let refused = export(&host, ExportForm::ClaudeMd, &place).unwrap_err();
        assert!(matches!(refused, Error::Export(ExportError::GitDirectory { .. })), "{refused}");
    }
    for place in
        [state.join("CLAUDE.md"), state.join("none/../new/CLAUDE.md"), host.paths().cache.join("a.md")]
    {
        let refused = export(&host, ExportForm::ClaudeMd, &place).unwrap_err();
        assert!(matches!(refused, Error::Export(ExportError::OwnFiles { .. })), "{refused}");
        assert!(!place.exists());
    }
    for place in [
        host.path("vault/Afterword/Home.md"),
        host.path("shop/../vault/Afterword/new/a.md"),
        host.paths().config_file,
    ] {
        let refused = export(&host, ExportForm::Markdown, &place).unwrap_err();
        assert!(matches!(refused, Error::Export(ExportError::OwnFiles { .. })), "{refused}");
    }
    assert_eq!(
        export(&host, ExportForm::Markdown, &host.path("vault/mine.md")).unwrap(),
        1,
        "the vault is the person's"
    );
    let refused = export(&host, ExportForm::Rules, &host.path("shop/.git/hooks")).unwrap_err();
    assert!(matches!(refused, Error::Export(ExportError::GitDirectory { .. })), "{refused}");
}

#[test]
fn person_s_own_file_is_never_taken_for_an_export_and_ours_is_known_with_any_ends_of_lines() {
    let host = with_lesson();
    let file = host.path("shop/lessons.md");
    export(&host, ExportForm::Markdown, &file).unwrap();
    let ours = fs::read_to_string(&file).unwrap();
    fs::write(&file, format!("\u{feff}{}", ours.replace('\n', "\r\n"))).unwrap();
    assert_eq!(export(&host, ExportForm::Markdown, &file).unwrap(), 0, "known, and the same");
    let (mark, without_mark) = ours.split_once('\n').unwrap();
    assert!(mark.starts_with("<!-- afterword:lessons "), "{mark}");
    for theirs in ["# Lessons\n\n- Tuesday, piano\n", without_mark] {
        fs::write(&file, theirs).unwrap();
        let refused = export(&host, ExportForm::Markdown, &file).unwrap_err();
        assert!(matches!(refused, Error::Export(ExportError::NotAnExport { .. })), "{refused}");
        assert!(refused.to_string().contains("nothing was exported"), "{refused}");
        assert_eq!(fs::read_to_string(&file).unwrap(), theirs);
    }
    fs::write(&file, format!("{ours}\nmine\n")).unwrap();
    let refused = export(&host, ExportForm::Markdown, &file).unwrap_err();
    assert!(matches!(refused, Error::Export(ExportError::Edited { .. })), "{refused}");
}

#[test]
fn file_that_changed_since_it_was_seen_keeps_all_of_them_from_being_written() {
    let host = with_lesson();
    let (first, second) =
        (host.path("shop/.claude/rules"), host.path("shop/.claude/rules/afterword-workflows.md"));
    fs::create_dir_all(&first).unwrap();
    fs::write(&second, "mine\n\n<!-- afterword:begin 0 -->\n<!-- afterword:end -->\n").unwrap();
    let request = ExportRequest {
        form: ExportForm::Rules,
        project: None,
        note: None,
        chosen: None,
        to: Some(first.clone()),
    };
    let planned = exchange::plan_export(&host.app(), &request).unwrap();
    assert_eq!(planned.files.len(), 2, "{planned:?}");
    fs::write(&second, "mine, and more\n").unwrap();
    let refused = exchange::write_export(&host.app(), &planned).unwrap_err();
    assert!(matches!(refused, Error::Export(ExportError::Changed { .. })), "{refused}");
    assert_eq!(refused.kind(), ErrorKind::Conflict);
    assert!(!planned.files[0].path.exists(), "nor is the other");
    assert_eq!(fs::read_to_string(&second).unwrap(), "mine, and more\n");
}

#[cfg(unix)]
#[test]
fn link_is_not_followed() {
    use std::os::unix::fs::symlink;

    let host = with_lesson();
    let (link, target) = (host.path("shop/CLAUDE.md"), host.path("shop/private.md"));
    fs::write(&target, "mine\n").unwrap();
    symlink(&target, &link).unwrap();
    let refused = export(&host, ExportForm::ClaudeMd, &link).unwrap_err();
    assert!(matches!(refused, Error::Export(ExportError::Link { .. })), "{refused}");
    fs::remove_file(&link).unwrap();
    let request = ExportRequest {
        form: ExportForm::ClaudeMd,
        project: None,
        note: None,
        chosen: None,
        to: Some(link.clone()),
    };
    let planned = exchange::plan_export(&host.app(), &request).unwrap();
    symlink(&target, &link).unwrap();
    assert!(exchange::write_export(&host.app(), &planned).is_err(), "nor one that came after it was seen");
    assert_eq!(fs::read_to_string(&target).unwrap(), "mine\n");
    // A folder of a repository on the way, also one that came after it was seen; the person's own links lead where they like.
    fs::create_dir_all(host.path("shop/.git")).unwrap();
    fs::create_dir_all(host.path("elsewhere/rules")).unwrap();
    let through = host.path("shop/docs/rules/CLAUDE.md");
    let request = ExportRequest { to: Some(through.clone()), ..request };
    let planned = exchange::plan_export(&host.app(), &request).unwrap();
    symlink(host.path("elsewhere"), host.path("shop/docs")).unwrap();
    for refused in [
        exchange::write_export(&host.app(), &planned).unwrap_err(),
        export(&host, ExportForm::ClaudeMd, &through).unwrap_err(),
    ] {
        assert!(matches!(refused, Error::Export(ExportError::LinkedFolder { .. })), "{refused}");
        assert!(refused.to_string().contains("shop/docs is a link in a repository"), "{refused}");
    }
    assert!(!host.path("elsewhere/rules/CLAUDE.md").exists());
    symlink(host.path("elsewhere"), host.path("mine")).unwrap();
    export(&host, ExportForm::ClaudeMd, &host.path("mine/CLAUDE.md")).unwrap();
    assert!(host.path("elsewhere/CLAUDE.md").exists());
    // A folder that leads into one of ours, or into a repository's.
    symlink(host.paths().state, host.path("shop/rules")).unwrap();
    let refused = export(&host, ExportForm::Rules, &host.path("shop/rules")).unwrap_err();
    assert!(matches!(refused, Error::Export(ExportError::OwnFiles { .. })), "{refused}");
}

/// A team's file has the lessons that were chosen for it, and no secret that stood in one of their notes.
#[test]
fn only_chosen_lessons_are_written_and_no_secret_of_theirs() {
    let secret = format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
    let host = Sandbox::new();
    for (name, words) in [
        ("tabs", "Use tabs in Go files"),
        ("token", "Push with the team's token"),
        ("of-own", "Stand at my desk"),
    ] {
        let body = if name == "token" { format!("Push with {secret} in the header.") } else { String::new() };
        let note = format!(
            "---\nid: 01890000-0000-7000-8000-00000000000{}\nkind: preference\ntitle: {words}\nstatus: active\n---\n\n{words}. {body}\n",
            name.len()
        );
        fs::write(host.path(&format!("vault/Afterword/Preferences/{name}.md")), note).unwrap();
    }
    let file = host.path("shop/AGENTS.md");
    let asked = ExportRequest {
        form: ExportForm::ClaudeMd,
        project: None,
        note: None,
        chosen: None,
        to: Some(file.clone()),
    };
    let all = exchange::plan_export(&host.app(), &asked).unwrap();
    let secrets: Vec<_> = all.offered.iter().map(|one| (one.title.as_str(), one.has_secret)).collect();
    assert_eq!(
        secrets,
        [("Push with the team's token", true), ("Stand at my desk", false), ("Use tabs in Go files", false)]
    );
    let chosen =
        all.offered.iter().filter(|one| !one.title.contains("desk")).map(|one| one.path.clone()).collect();
    let planned =
        exchange::plan_export(&host.app(), &ExportRequest { chosen: Some(chosen), ..asked }).unwrap();
    assert_eq!(
        (planned.lessons.len(), planned.offered.len()),
        (2, 3),
        "what was left out can be chosen again"
    );
    exchange::write_export(&host.app(), &planned).unwrap();
    export(&host, ExportForm::Rules, &host.path("shop/rules")).unwrap();
    let text = fs::read_to_string(&file).unwrap();
    let rules = fs::read_to_string(host.path("shop/rules/afterword-preferences.md")).unwrap();
    assert!(text.contains("Use tabs in Go files") && text.contains("Push with the team's token"), "{text}");
    assert!(!text.contains("desk") && rules.contains("desk"), "{text}\n{rules}");
    assert!(rules.contains("Push with") && rules.contains("in the header"), "{rules}");
    assert!(!format!("{text}{rules}").contains(&secret), "{text}\n{rules}");
}
