//! Nothing is written outside the vault, nothing half, and what cannot be written is said.

use std::fs;

use crate::test_vault::{LATER, TestVault, all, fix, idea, pnpm, user_evidence};
use afterword_platform::files::real_path;
use afterword_testkit::Sandbox;
use afterword_vault::{Outcome, Vault, VaultError};

fn grown() -> afterword_vault::Lesson {
    let mut lesson = pnpm();
    lesson.session = afterword_core::SessionId::parse(LATER).unwrap();
    lesson.candidate.evidence.push(user_evidence("22222222-aaaa-4bbb-8ccc-000000000009", 8, "pnpm I said"));
    lesson
}

fn assert_no_temporary_files(stage: &TestVault) {
    let files = stage.files();
    assert!(!files.iter().any(|file| file.contains(".tmp")), "{files:?}");
}

#[test]
fn a_new_vault_has_the_template_and_an_old_one_is_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("notes");
    let (vault, installed) = Vault::create(&root).unwrap();
    assert_eq!(installed.files.len(), 4);
    assert!(!installed.in_obsidian);
    fs::write(root.join("Afterword/HEARTBEAT.md"), "mine").unwrap();
    let (_, again) = Vault::create(vault.root()).unwrap();
    assert!(again.files.is_empty());
    assert_eq!(fs::read_to_string(root.join("Afterword/HEARTBEAT.md")).unwrap(), "mine");
}

#[test]
fn an_obsidian_vault_is_recognised_from_a_folder_inside_it() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join(".obsidian")).unwrap();
    fs::write(folder.path().join("Daily.md"), "mine").unwrap();
    let (vault, installed) = Vault::create(&folder.path().join("Areas/Work")).unwrap();
    assert!(installed.in_obsidian);
    assert_eq!(vault.obsidian_root().unwrap(), real_path(folder.path()).unwrap());
    assert_eq!(fs::read_to_string(folder.path().join("Daily.md")).unwrap(), "mine");
}

#[test]
fn a_folder_that_was_never_set_up_or_is_gone_is_not_a_vault() {
    let folder = tempfile::tempdir().unwrap();
    for path in [folder.path().to_owned(), folder.path().join("gone")] {
        assert!(matches!(Vault::open(&path), Err(VaultError::NotAVault { .. })), "{}", path.display());
    }
    fs::write(folder.path().join("file"), "").unwrap();
    assert!(Vault::create(&folder.path().join("file")).is_err());
}

#[test]
fn a_vault_that_was_pulled_away_is_an_error_not_an_empty_vault() {
    let mut stage = TestVault::new();
    stage.reflect(&[pnpm()]);
    let plan = stage.plan(&all());
    let removed = fs::remove_dir_all(stage.folder());
    if cfg!(windows) {
        assert!(removed.is_err(), "Windows holds a folder that is in use");
        return;
    }
    removed.unwrap();
    assert!(stage.vault.scan().is_err());
    let applied = stage.vault.apply(&plan);
    assert!(applied.done.iter().all(|done| !done.outcome.is_done()), "{applied:?}");
    assert!(applied.records.is_empty());
}

#[test]
fn one_write_that_fails_does_not_stop_the_others() {
    let mut stage = TestVault::new();
    fs::remove_dir(stage.path("Afterword/_review")).unwrap();
    stage.write("Afterword/_review", "a file where a folder should be");
    let (_, applied) = stage.reflect(&[pnpm(), fix(), idea()]);
    let failed: Vec<&str> =
        applied.done.iter().filter(|done| !done.outcome.is_done()).map(|done| done.path.as_str()).collect();
    assert_eq!(failed, ["Afterword/_review/clear-the-cache-when-the-build-hangs.md"]);
    let error = applied.done.iter().find_map(|done| match &done.outcome {
        Outcome::Failed(error) => Some(error.to_string()),
        _ => None,
    });
    assert!(error.unwrap().starts_with("Afterword/_review"));
    assert!(!stage.ledger.contains_key(&fix().key) && stage.ledger.contains_key(&pnpm().key));
    assert_no_temporary_files(&stage);
    fs::remove_file(stage.path("Afterword/_review")).unwrap();
    stage.reflect(&[pnpm(), fix(), idea()]);
    assert!(stage.ledger.contains_key(&fix().key), "the next run does what is left");
}

#[test]
fn a_folder_under_a_notes_name_is_left_alone() {
    let mut stage = TestVault::new();
    fs::create_dir_all(stage.path("Afterword/Preferences/use-pnpm-never-npm.md/inside")).unwrap();
    stage.reflect(&[pnpm()]);
    assert!(stage.path("Afterword/Preferences/use-pnpm-never-npm.md/inside").is_dir());
    assert!(stage.path("Afterword/Preferences/use-pnpm-never-npm-2.md").is_file());
}

#[test]
fn a_folder_that_takes_a_notes_name_after_the_plan_is_left_alone() {
    let stage = TestVault::new();
    let plan = stage.plan(&[pnpm()]);
    fs::create_dir(stage.path("Afterword/Preferences/use-pnpm-never-npm.md")).unwrap();
    let applied = stage.vault.apply(&plan);
    assert!(!applied.done[0].outcome.is_done(), "{applied:?}");
    assert_no_temporary_files(&stage);
}

#[test]
fn writes_leave_no_temporary_file() {
    let mut stage = TestVault::new();
    stage.reflect(&all());
    assert_no_temporary_files(&stage);
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::path::Path;

    use super::*;

    fn outside() -> tempfile::TempDir {
        tempfile::tempdir().unwrap()
    }

    fn is_empty(folder: &Path) -> bool {
        fs::read_dir(folder).unwrap().next().is_none()
    }

    #[test]
    fn a_folder_that_is_a_link_out_of_the_vault_is_not_written_through() {
        let (mut stage, outside) = (TestVault::new(), outside());
        fs::remove_dir(stage.path("Afterword/Preferences")).unwrap();
        symlink(outside.path(), stage.path("Afterword/Preferences")).unwrap();
        let (_, applied) = stage.reflect(&[pnpm()]);
        assert!(
            matches!(&applied.done[0].outcome, Outcome::Failed(VaultError::LeavesVault { .. })),
            "{applied:?}"
        );
        assert!(is_empty(outside.path()));
    }

    #[test]
    fn a_relative_link_out_of_the_vault_is_not_written_through() {
        let folder = outside();
        fs::create_dir(folder.path().join("secret")).unwrap();
        let (vault, _) = Vault::create(&folder.path().join("vault")).unwrap();
        fs::remove_dir(vault.root().join("Afterword/Preferences")).unwrap();
        symlink("../../secret", vault.root().join("Afterword/Preferences")).unwrap();
        let index = vault.scan().unwrap();
        let plan = afterword_vault::plan(
            &index,
            &[pnpm()],
            &afterword_vault::EmptyHistory,
            &crate::test_vault::now(),
        );
        let applied = vault.apply(&plan);
        assert!(
            matches!(&applied.done[0].outcome, Outcome::Failed(VaultError::LeavesVault { .. })),
            "{applied:?}"
        );
        assert!(is_empty(&folder.path().join("secret")));
    }

    #[test]
    fn a_template_is_not_installed_through_a_link_out_of_the_vault() {
        let (folder, outside) = (outside(), outside());
        symlink(outside.path(), folder.path().join("Afterword")).unwrap();
        assert!(matches!(Vault::create(folder.path()), Err(VaultError::LeavesVault { .. })));
        assert!(is_empty(outside.path()));
    }

    #[test]
    fn a_note_that_is_a_link_out_of_the_vault_is_neither_read_nor_written() {
        let (mut stage, outside) = (TestVault::new(), outside());
        stage.reflect(&[pnpm()]);
        let note = stage.path("Afterword/Preferences/use-pnpm-never-npm.md");
        let elsewhere = outside.path().join("note.md");
        let plan = stage.plan(&[grown()]);
        fs::rename(&note, &elsewhere).unwrap();
        symlink(&elsewhere, &note).unwrap();
        let before = fs::read(&elsewhere).unwrap();
        let applied = stage.vault.apply(&plan);
        assert!(!applied.done[0].outcome.is_done(), "{applied:?}");
        assert_eq!(fs::read(&elsewhere).unwrap(), before);
        assert!(stage.scan().by_key(&pnpm().key).is_none());
    }

    #[test]
    fn a_link_to_another_place_in_the_vault_stays_a_link() {
        let mut stage = TestVault::new();
        stage.reflect(&[pnpm()]);
        let plan = stage.plan(&[grown()]);
        let note = stage.path("Afterword/Preferences/use-pnpm-never-npm.md");
        fs::create_dir(stage.path("Kept")).unwrap();
        fs::rename(&note, stage.path("Kept/pnpm.md")).unwrap();
        symlink("../../Kept/pnpm.md", &note).unwrap();
        let applied = stage.vault.apply(&plan);
        assert!(applied.done[0].outcome.is_done(), "{applied:?}");
        assert!(fs::symlink_metadata(&note).unwrap().is_symlink());
        assert!(stage.read("Kept/pnpm.md").contains("> pnpm I said"));
    }

    #[test]
    fn links_in_circles_end_the_scan() {
        let mut stage = TestVault::new();
        symlink("..", stage.path("Afterword/Fixes/up")).unwrap();
        symlink("loop.md", stage.path("Afterword/Fixes/loop.md")).unwrap();
        stage.reflect(&all());
        assert_eq!(stage.scan().notes().filter(|entry| entry.properties.id.is_some()).count(), 5);
    }

    #[test]
    fn a_pipe_and_an_unreadable_file_are_passed_by() {
        let mut stage = TestVault::new();
        let made =
            std::process::Command::new("mkfifo").arg(stage.path("Afterword/Fixes/pipe.md")).status().unwrap();
        assert!(made.success());
        stage.reflect(&[pnpm()]);
        let note = stage.path("Afterword/Preferences/use-pnpm-never-npm.md");
        fs::set_permissions(&note, fs::Permissions::from_mode(0o000)).unwrap();
        let index = stage.scan();
        // root reads everything
        if fs::read(&note).is_err() {
            assert!(
                index
                    .problems()
                    .iter()
                    .any(|problem| problem.path.as_str().ends_with("use-pnpm-never-npm.md"))
            );
        }
        fs::set_permissions(&note, fs::Permissions::from_mode(0o644)).unwrap();
    }

    #[test]
    fn a_folder_that_may_not_be_written_is_an_error_of_its_notes_only() {
        let mut stage = TestVault::new();
        let folder = stage.path("Afterword/Preferences");
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o555)).unwrap();
        let may_write_anyway = fs::write(folder.join("probe"), "").is_ok();
        let (_, applied) = stage.reflect(&[pnpm(), fix()]);
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).unwrap();
        if may_write_anyway {
            return; // root may
        }
        assert!(matches!(&applied.done[0].outcome, Outcome::Failed(VaultError::Io { .. })), "{applied:?}");
        assert!(applied.done[1].outcome.is_done());
    }

    #[test]
    fn a_replaced_note_keeps_its_mode_and_a_new_one_has_the_umasks() {
        let mut stage = TestVault::new();
        stage.reflect(&[pnpm()]);
        let note = stage.path("Afterword/Preferences/use-pnpm-never-npm.md");
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        fs::write(stage.path("plain"), "").unwrap();
        assert_eq!(mode(&note), mode(&stage.path("plain")));
        fs::set_permissions(&note, fs::Permissions::from_mode(0o640)).unwrap();
        stage.reflect(&[grown()]);
        assert!(stage.read("Afterword/Preferences/use-pnpm-never-npm.md").contains("> pnpm I said"));
        assert_eq!(mode(&note), 0o640);
    }

    #[test]
    #[cfg(target_os = "linux")] // APFS refuses such names
    fn a_file_whose_name_is_not_unicode_is_a_problem() {
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt;
        let stage = TestVault::new();
        fs::write(stage.path("Afterword/Fixes").join(OsStr::from_bytes(b"caf\xe9.md")), "x").unwrap();
        assert_eq!(stage.scan().problems().len(), 1);
    }
}

#[test]
fn a_vault_may_lie_deeper_than_windows_allows_by_itself() {
    let sandbox = Sandbox::empty();
    let mut root = sandbox.path("vault");
    root.extend(["a folder with a name of fifty letters and some more"; 6]);
    assert!(root.as_os_str().len() > 260);
    let mut stage = TestVault::in_folder(sandbox, &root);
    stage.reflect(&[pnpm()]);
    let (_, applied) = stage.reflect(&[grown(), fix()]);
    assert!(applied.done.iter().all(|done| done.outcome.is_done()), "{applied:?}");
    assert!(stage.scan().problems().is_empty());
    assert!(stage.vault.root().join("Afterword/Preferences/use-pnpm-never-npm.md").is_file());
}

#[cfg(windows)]
mod on_windows {
    use std::fs::{File, OpenOptions};
    use std::os::windows::fs::OpenOptionsExt;
    use std::path::{Path, PathBuf};
    use std::time::Duration;

    use super::*;

    const NOTE: &str = "Afterword/Preferences/use-pnpm-never-npm.md";

    /// As an editor opens a file that nobody else is to touch.
    fn open_exclusively(path: &Path) -> File {
        OpenOptions::new().read(true).share_mode(0).open(path).unwrap()
    }

    #[test]
    fn the_root_is_a_path_as_people_write_it() {
        let folder = tempfile::tempdir().unwrap();
        let (vault, _) = Vault::create(&folder.path().join("notes")).unwrap();
        let root = vault.root().to_str().unwrap();
        assert!(!root.starts_with(r"\\?\"), "{root}");
    }

    #[test]
    fn a_note_that_an_editor_holds_for_a_moment_is_written() {
        let mut stage = TestVault::new();
        stage.reflect(&[pnpm()]);
        let plan = stage.plan(&[grown()]);
        let editor = open_exclusively(&stage.path(NOTE));
        let release = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(200));
            drop(editor);
        });
        let applied = stage.vault.apply(&plan);
        release.join().unwrap();
        assert!(applied.done.iter().all(|done| done.outcome.is_done()), "{applied:?}");
        assert!(stage.read(NOTE).contains("> pnpm I said"));
    }

    #[test]
    fn a_note_that_is_held_on_is_left_alone_and_said_and_the_others_are_written() {
        let mut stage = TestVault::new();
        stage.reflect(&[pnpm()]);
        let plan = stage.plan(&[grown(), fix()]);
        let editor = open_exclusively(&stage.path(NOTE));
        let applied = stage.vault.apply(&plan);
        let failed: Vec<_> =
            applied.done.iter().filter(|done| matches!(done.outcome, Outcome::Failed(_))).collect();
        assert_eq!(failed.iter().map(|done| done.path.as_str()).collect::<Vec<_>>(), [NOTE], "{applied:?}");
        assert!(stage.path("Afterword/_review/clear-the-cache-when-the-build-hangs.md").is_file());
        drop(editor);
        assert_no_temporary_files(&stage);
        stage.reflect(&[grown(), fix()]);
        assert!(
            stage.read(NOTE).contains("> pnpm I said"),
            "what could not be written is written the next time"
        );
    }

    /// The folder by way of this machine's own share; `None` where there is none.
    fn on_a_share(path: &Path) -> Option<PathBuf> {
        let (drive, rest) = path.to_str()?.split_once(':')?;
        let share = PathBuf::from(format!(r"\\localhost\{drive}${rest}"));
        share.parent()?.is_dir().then_some(share)
    }

    #[test]
    fn a_vault_on_a_server_is_shown_as_people_write_it() {
        let sandbox = Sandbox::empty();
        let Some(root) = on_a_share(&sandbox.path("vault")) else {
            println!("skipped: this machine shares no drive");
            return;
        };
        let mut stage = TestVault::in_folder(sandbox, &root);
        stage.reflect(&[pnpm()]);
        stage.reflect(&[grown()]);
        assert!(stage.read(NOTE).contains("> pnpm I said"));
        let shown = stage.vault.root().to_str().unwrap();
        assert!(!shown.starts_with(r"\\?\"), "{shown}");
    }

    #[test]
    fn nothing_is_written_or_read_through_a_junction_that_leads_out() {
        let mut stage = TestVault::new();
        let outside = tempfile::tempdir().unwrap();
        fs::write(outside.path().join("theirs.md"), "---\ntitle: Theirs\n---\n").unwrap();
        let junction = stage.path("Afterword/Preferences");
        fs::remove_dir(&junction).unwrap();
        let made = std::process::Command::new("cmd")
            .args(["/C", "mklink", "/J"])
            .arg(&junction)
            .arg(outside.path())
            .output();
        assert!(made.unwrap().status.success());
        assert!(!stage.scan().notes().any(|note| note.path.as_str().ends_with("theirs.md")));
        let (_, applied) = stage.reflect(&[pnpm(), fix()]);
        assert!(matches!(&applied.done[0].outcome, Outcome::Failed(VaultError::Io { .. })), "{applied:?}");
        assert!(applied.done[1].outcome.is_done());
        assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 1);
    }
}
