//! Changing the file: the user's comments and order stay, and the write is all or nothing.

use std::path::Path;

use afterword_platform::files::{create_private_directory, replace_file};
use toml_edit::{Array, DocumentMut, Item, Table, Value, value};

use super::keys::{Setting, SettingType};
use crate::Error;
use crate::error::{ConfigError, SettingProblem};

/// The file's text with `setting` changed; with no values the setting is taken out.
pub(super) fn set(path: &Path, text: &str, setting: &Setting, values: &[String]) -> Result<String, Error> {
    let mut document: DocumentMut = text.parse().map_err(|error: toml_edit::TomlError| {
        Error::Config(ConfigError::Unusable {
            path: path.to_owned(),
            line: 1 + error.span().map_or(0, |span| text[..span.start.min(text.len())].matches('\n').count()),
            key: String::new(),
            problem: SettingProblem::Syntax { detail: error.message().trim().to_owned() }.into(),
            advice: None,
        })
    })?;
    let (section, leaf) = setting.key.split_once('.').unwrap_or(("", setting.key));
    if values.is_empty() {
        if let Some(table) = document.get_mut(section).and_then(Item::as_table_like_mut) {
            table.remove(leaf);
        }
        return Ok(document.to_string());
    }
    let new = parse_values(setting, values)?;
    let present =
        document.get(section).and_then(Item::as_table_like).is_some_and(|table| table.contains_key(leaf));
    if !present && let Some(changed) = below_its_comment(text, section, leaf, &new) {
        return Ok(changed);
    }
    let not_a_section = || ConfigError::BadValue {
        key: setting.key.to_owned(),
        problem: SettingProblem::SectionTaken { section: section.to_owned() }.into(),
    };
    let item = document.entry(section).or_insert_with(|| Item::Table(Table::new()));
    let table = item.as_table_like_mut().ok_or_else(not_a_section)?;
    match table.get_mut(leaf).and_then(Item::as_value_mut) {
        Some(old) => {
            let decor = old.decor().clone();
            *old = new;
            *old.decor_mut() = decor;
        }
        None => drop(table.insert(leaf, value(new))),
    }
    Ok(document.to_string())
}

/// One value that is itself a TOML list is taken as the list.
fn written_as_list(values: &[String]) -> Option<Array> {
    let [one] = values else { return None };
    one.parse::<Value>().ok()?.as_array().cloned()
}

/// The items that the values of a list stand for.
pub(super) fn listed(values: &[String]) -> Vec<String> {
    match written_as_list(values) {
        Some(array) => array.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        None => values.to_vec(),
    }
}

fn parse_values(setting: &Setting, values: &[String]) -> Result<Value, Error> {
    let is_list = matches!(
        setting.shape,
        SettingType::Paths | SettingType::Globs | SettingType::Patterns | SettingType::Folders
    );
    if is_list {
        if let Some(array) = written_as_list(values) {
            return Ok(Value::Array(array));
        }
        return Ok(Value::Array(values.iter().map(String::as_str).collect::<Array>()));
    }
    let is_bare = matches!(
        setting.shape,
        SettingType::Minutes
            | SettingType::Days
            | SettingType::Switch
            | SettingType::Dollars
            | SettingType::Count
    );
    match values {
        // What is no number and no truth value goes in as a text, and is refused where all values are read.
        [one] if is_bare => Ok(one.parse().unwrap_or_else(|_| Value::from(one.as_str()))),
        [one] => Ok(Value::from(one.as_str())),
        _ => Err(ConfigError::BadValue {
            key: setting.key.to_owned(),
            problem: SettingProblem::NotOneValue.into(),
        }
        .into()),
    }
}

/// Puts the setting on the line after the commented default that the written file explains it with. `None` where
/// there is no such comment in its section.
fn below_its_comment(text: &str, section: &str, leaf: &str, new: &Value) -> Option<String> {
    let (header, comment) = (format!("[{section}]"), format!("# {leaf} = "));
    let mut inside = false;
    let mut end = 0;
    for line in text.split_inclusive('\n') {
        end += line.len();
        if line.starts_with('[') {
            inside = line.trim_end() == header;
        } else if inside && line.starts_with(&comment) {
            let break_before = if line.ends_with('\n') { "" } else { "\n" };
            let setting = format!("{break_before}{leaf} = {}\n", new.to_string().trim());
            return Some([&text[..end], &setting, &text[end..]].concat());
        }
    }
    None
}

/// Writes the file as a whole or not at all. A new one is for the user alone, of one that is there the mode stays; a link stays a
/// link (dotfiles are often linked).
pub(super) fn write(path: &Path, text: &str) -> Result<(), Error> {
    let error = |action| move |source| Error::Io { path: path.to_owned(), action, source };
    let directory = path.parent().unwrap_or(Path::new("."));
    create_private_directory(directory).map_err(error("make the directory of the configuration"))?;
    replace_file(path, text.as_bytes()).map_err(error("write the configuration"))
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    #[test]
    fn mode_stays_and_a_link_whose_file_is_gone_stays_a_link() {
        let home = tempfile::tempdir().unwrap();
        let (path, linked) = (home.path().join("config.toml"), home.path().join("dotfile.toml"));
        symlink("dotfile.toml", &path).unwrap();
        write(&path, "# one\n").unwrap();
        assert!(fs::symlink_metadata(&path).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&linked).unwrap(), "# one\n");
        fs::set_permissions(&linked, fs::Permissions::from_mode(0o640)).unwrap();
        write(&path, "# two\n").unwrap();
        assert_eq!(fs::read_to_string(&linked).unwrap(), "# two\n");
        assert_eq!(fs::metadata(&linked).unwrap().permissions().mode() & 0o777, 0o640);
    }
}
