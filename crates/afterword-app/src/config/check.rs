//! Whether a value would work, before it is written: what the file's form allows may still be of no use.

use std::path::{Path, PathBuf};

use afterword_claude_code::ClaudeDirs;
use afterword_claude_code::dirs::{is_projects_folder, nested};
use afterword_platform::files::is_program;
use afterword_platform::paths::expand_home;
use afterword_recall::EmbeddingModel;
use afterword_reflect::engine::is_local;
use afterword_vault::{Vault, VaultError};

use super::edit::listed;
use super::keys::{Setting, SettingType};
use crate::Error;
use crate::error::{ConfigError, SettingProblem, VaultSetupError};

/// Looks at the directories of Claude Code that are to be followed with the one that `followed` has first. One of `set`, which the
/// setting holds so far, need not be there now: it may be on a disk that comes back.
pub(crate) fn check_directories(
    key: &str,
    values: &[String],
    home: Option<&Path>,
    followed: &ClaudeDirs,
    set: &[PathBuf],
) -> Result<(), Error> {
    let bad = |problem: SettingProblem| -> Result<(), Error> {
        Err(ConfigError::BadValue { key: key.to_owned(), problem: problem.into() }.into())
    };
    let mut known = [followed.main(), followed.usual()].map(|home| home.root().to_owned()).to_vec();
    for value in listed(values) {
        let path = expand_home(&value, home);
        if !path.is_absolute() {
            // The file's reader says so.
            continue;
        }
        if !path.exists() && set.contains(&path) {
            continue;
        }
        check_folder(&path).or_else(|problem| bad(problem.of_folder(&path)))?;
        if is_projects_folder(&path) {
            return bad(SettingProblem::ProjectsFolder.of_folder(path));
        }
        if let Some(nested) = nested(&path, known.iter().map(PathBuf::as_path)) {
            return bad(SettingProblem::Nested { detail: nested.to_string() });
        }
        known.push(path);
    }
    Ok(())
}

/// Looks at the one value of a setting that names a folder, a program or an address.
pub(crate) fn check(setting: &Setting, values: &[String], home: Option<&Path>) -> Result<(), Error> {
    let [value] = values else { return Ok(()) };
    let bad = |problem: SettingProblem| {
        ConfigError::BadValue { key: setting.key.to_owned(), problem: problem.into() }.into()
    };
    let path = expand_home(value, home);
    match setting.key {
        "engine.address" | "engine.anthropic_address" => {
            address(value, "http:// sends your sessions' words unencrypted").map_err(bad)
        }
        "updates.address" => address(value, "whoever is between could say anything").map_err(bad),
        // Not a path, or not a whole one: the file's reader says so.
        _ if !path.is_absolute() => Ok(()),
        "vault.path" if path.exists() && !path.is_dir() => Err(bad(SettingProblem::NotAFolder)),
        "vault.path" => match Vault::open(&path) {
            Ok(_) => Ok(()),
            Err(VaultError::NotAVault { path }) => Err(VaultSetupError::NotSetUp { path }.into()),
            Err(error) => Err(error.into()),
        },
        "claude.binary" if !path.exists() => Err(bad(SettingProblem::NoFile)),
        "claude.binary" if !is_program(&path) => Err(bad(SettingProblem::NotAProgram)),
        "claude.binary" => Ok(()),
        "recall.model" => EmbeddingModel::from_folder(&path)
            .map(drop)
            .map_err(|error| bad(SettingProblem::Model { detail: format!("{error}; {}", error.hint()) })),
        _ if !matches!(setting.shape, SettingType::Path) => Ok(()),
        _ => check_folder(&path).map_err(bad),
    }
}

fn check_folder(path: &Path) -> Result<(), SettingProblem> {
    if !path.exists() {
        Err(SettingProblem::NoFolder)
    } else if !path.is_dir() {
        Err(SettingProblem::NotAFolder)
    } else {
        Ok(())
    }
}

/// An address that may be asked: of another machine only by https, or else `danger`.
fn address(value: &str, danger: &'static str) -> Result<(), SettingProblem> {
    let rest = value.strip_prefix("https://").or_else(|| value.strip_prefix("http://"));
    let host = rest.and_then(|rest| rest.split(['/', '?', '#']).next()).unwrap_or_default();
    if host.is_empty() || value.contains(char::is_whitespace) {
        Err(SettingProblem::NoAddress)
    } else if value.starts_with("http://") && !is_local(value) {
        Err(SettingProblem::Unencrypted { danger })
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use afterword_claude_code::ClaudeHome;

    use super::*;
    use crate::config::keys::setting;

    fn refused(key: &str, value: &str) -> Option<String> {
        let found = setting(key).expect("the setting exists");
        check(found, &[value.to_owned()], None).err().map(|error| error.to_string())
    }

    #[test]
    fn a_vault_is_a_folder_that_was_set_up() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
        fs::write(path("file"), "").unwrap();
        fs::create_dir(path("empty")).unwrap();
        Vault::create(&folder.path().join("vault")).unwrap();
        assert!(refused("vault.path", &path("file")).unwrap().contains("not a folder"));
        for unset in ["empty", "nowhere"] {
            let found = setting("vault.path").unwrap();
            let error = check(found, &[path(unset)], None).unwrap_err();
            assert_eq!(error.kind(), crate::ErrorKind::Precondition, "{unset}: {error}");
        }
        assert_eq!(refused("vault.path", &path("vault")), None);
    }

    #[test]
    fn a_folder_and_a_program_are_there() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "").unwrap();
        let nowhere = folder.path().join("nowhere/claude");
        let (file, folder) = (file.to_str().unwrap(), folder.path().to_str().unwrap());
        let nowhere = nowhere.to_str().unwrap();
        assert!(refused("claude.config_dir", nowhere).is_some());
        assert!(refused("claude.config_dir", file).is_some());
        assert_eq!(refused("claude.config_dir", folder), None);
        assert!(refused("claude.binary", nowhere).is_some());
        assert!(refused("claude.binary", folder).is_some());
        #[cfg(unix)]
        assert!(refused("claude.binary", file).is_some());
        assert_eq!(refused("claude.binary", std::env::current_exe().unwrap().to_str().unwrap()), None);
    }

    #[test]
    fn other_directories_of_claude_code_are_there_and_apart() {
        let place = tempfile::tempdir().unwrap();
        let path = |name: &str| place.path().join(name).to_str().unwrap().to_owned();
        for made in ["main/projects/-p", "work/projects", "work/within"] {
            fs::create_dir_all(path(made)).unwrap();
        }
        fs::write(path("file"), "").unwrap();
        let main = ClaudeHome::resolve(Some(path("main").as_ref()), None).unwrap();
        let followed = ClaudeDirs::one(main);
        let refused = |values: &[&str]| {
            let values: Vec<_> = values.iter().map(|name| path(name)).collect();
            let set = [path("unplugged").into()];
            let checked = check_directories("claude.other_dirs", &values, None, &followed, &set);
            checked.err().map(|error| error.to_string()).unwrap_or_default()
        };
        assert_eq!(refused(&["work"]), "");
        assert_eq!(refused(&["work", "main"]), "", "to name all of them is no mistake");
        assert_eq!(refused(&[]), "");
        assert_eq!(refused(&["work", "unplugged"]), "", "it is followed already and may come back");
        for (values, why) in [
            (["work", "nowhere"], "nowhere: there is no such folder"),
            (["work", "file"], "file: this is not a folder"),
            (["work", "work/within"], "work/within lies in "),
            (["work", "main/projects/-p"], "main/projects/-p lies in "),
            (["main", "work/projects"], "not `projects` itself"),
        ] {
            assert!(refused(&values).contains(why), "{values:?}: {}", refused(&values));
        }
        let in_toml = [format!("[{:?}]", path("nowhere"))];
        let checked = check_directories("claude.other_dirs", &in_toml, None, &followed, &[]);
        assert!(checked.is_err());
    }

    #[test]
    fn an_engine_elsewhere_is_spoken_to_in_secret() {
        for wrong in ["http://example.com", "example.com", "https://", "ftp://example.com", "https://a b/"] {
            assert!(refused("engine.address", wrong).is_some(), "{wrong}");
        }
        for right in ["https://example.com/v1", "http://127.0.0.1:11434/v1", "http://localhost:8080"] {
            assert_eq!(refused("engine.address", right), None);
        }
    }
}
