//! Checks for folders and files that a lesson names as people say them: "hands off third_party". What a word names is seen on the
//! project's own disk.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::check::Check;
use super::clause::{Clause, Word, clauses};

/// Entries of a project that are looked at, and how deep.
const MOST_ENTRIES: usize = 4000;
const DEPTH: usize = 3;
/// Folders that no lesson is about, and that hold very much.
const PASSED_OVER: [&str; 5] = ["node_modules", "target", ".git", ".venv", "__pycache__"];
/// Words before a thing that is not to be changed.
const FORBIDS: [&str; 26] = [
    "hands off",
    "keep your hands off",
    "stay out of",
    "keep out of",
    "leave alone",
    "never touch",
    "don't touch",
    "dont touch",
    "do not touch",
    "never edit",
    "don't edit",
    "do not edit",
    "never change",
    "don't change",
    "do not change",
    "never modify",
    "don't modify",
    "do not modify",
    "never write to",
    "don't write to",
    "do not write to",
    "never write into",
    "don't write into",
    "never overwrite",
    "don't overwrite",
    "do not overwrite",
];
/// Words behind a thing that is not to be changed.
const LEFT_ALONE: [&str; 10] = [
    "is vendored",
    "are vendored",
    "is off limits",
    "are off limits",
    "is off-limits",
    "are off-limits",
    "is generated",
    "are generated",
    "alone",
    "is read-only",
];
/// Words between those and the name.
const BETWEEN: [&str; 17] = [
    "the",
    "a",
    "an",
    "any",
    "of",
    "in",
    "to",
    "our",
    "your",
    "files",
    "file",
    "anything",
    "everything",
    "under",
    "inside",
    "folder",
    "directory",
];

/// The checks that a lesson asks for by naming folders and files of a project that lies in `directories`.
pub(super) fn propose(title: &str, words: &str, directories: &[String]) -> Vec<Check> {
    let all: Vec<Clause> =
        clauses(title).into_iter().chain(words.lines().flat_map(clauses)).take(40).collect();
    if !all.iter().any(|clause| forbidden_names(clause).next().is_some()) {
        return Vec::new();
    }
    let entries = entries_of(directories);
    let mut never: Vec<String> = Vec::new();
    for name in all.iter().filter(|clause| !clause.is_conditional()).flat_map(forbidden_names) {
        let known = entries.get(&name.trim_matches('/').to_lowercase());
        never.extend(known.filter(|pattern| !never.contains(pattern)).cloned());
    }
    never.truncate(8);
    let check = (!never.is_empty()).then_some(Check::Path { never, except: Vec::new() });
    // Read again, so that nothing is proposed that could not be read from a note.
    check.and_then(|check| Check::parse(&check.to_string()).ok()).into_iter().collect()
}

/// The words of a clause that may name what is not to be changed.
fn forbidden_names(clause: &Clause) -> impl Iterator<Item = &str> {
    let named = |word: &Word| !matches!(word, Word::Plain(word) if BETWEEN.contains(&word.as_str()));
    let after = clause.after_any(&FORBIDS, 0).map(|at| {
        let from =
            (at..clause.words.len()).find(|at| named(&clause.words[*at])).unwrap_or(clause.words.len());
        // "…, src and docs".
        let to = (from..clause.words.len()).take_while(|at| named(&clause.words[*at]));
        to.collect::<Vec<_>>()
    });
    let before = LEFT_ALONE.iter().find_map(|phrase| {
        let end = clause.after(phrase, 0)?;
        let start = end - phrase.split(' ').count();
        (0..start).rev().find(|at| named(&clause.words[*at]))
    });
    let at = after.unwrap_or_default().into_iter().take(6).chain(before);
    at.filter_map(move |at| clause.words.get(at)).map(|word| match word {
        Word::Plain(word) | Word::Quoted(word) => word.as_str(),
    })
}

/// Patterns for a project's folders and files by their names, and their paths, in lower case. A name that several have is none.
fn entries_of(directories: &[String]) -> BTreeMap<String, String> {
    let mut entries: BTreeMap<String, Option<String>> = BTreeMap::new();
    let mut left = MOST_ENTRIES;
    for directory in directories {
        list_entries(Path::new(directory), "", DEPTH, &mut left, &mut entries);
    }
    entries.into_iter().filter_map(|(name, pattern)| Some((name, pattern?))).collect()
}

fn list_entries(
    folder: &Path,
    below: &str,
    depth: usize,
    left: &mut usize,
    entries: &mut BTreeMap<String, Option<String>>,
) {
    let Ok(children) = fs::read_dir(folder) else { return };
    let mut children: Vec<_> = children.flatten().collect();
    children.sort_by_key(std::fs::DirEntry::file_name);
    for child in children {
        let Some(name) = child.file_name().to_str().map(str::to_owned) else { continue };
        let is_folder = child.file_type().is_ok_and(|kind| kind.is_dir());
        if *left == 0 || PASSED_OVER.contains(&name.as_str()) || name.contains(['`', '*', '?', '[', '{']) {
            continue;
        }
        *left -= 1;
        let path = format!("{below}{name}");
        let pattern = if is_folder { format!("{path}/**") } else { path.clone() };
        for key in [name.to_lowercase(), path.to_lowercase()] {
            let known = entries.entry(key).or_insert_with(|| Some(pattern.clone()));
            if known.as_ref().is_some_and(|known| *known != pattern) {
                *known = None;
            }
        }
        if is_folder && depth > 1 {
            list_entries(&child.path(), &format!("{path}/"), depth - 1, left, entries);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_lesson_names_is_a_folder_or_file_of_the_project() {
        let home = tempfile::tempdir().unwrap();
        for folder in ["third_party/zlib", "src/gen", "docs", "a/same", "b/same", "node_modules/left"] {
            fs::create_dir_all(home.path().join(folder)).unwrap();
        }
        fs::write(home.path().join("Schema.sql"), "").unwrap();
        let directories = [home.path().to_str().unwrap().to_owned()];
        let check = |title: &str, expected: &[&str]| {
            let lines: Vec<String> =
                propose(title, "It is so.", &directories).iter().map(Check::to_string).collect();
            assert_eq!(lines, expected, "{title}");
        };
        check("Hands off third_party", &["never write to `third_party/**`"]);
        check("Never touch anything in the gen folder", &["never write to `src/gen/**`"]);
        check("third_party is vendored, do not edit it", &["never write to `third_party/**`"]);
        check("Leave docs alone", &["never write to `docs/**`"]);
        check("Don't edit schema.sql", &["never write to `Schema.sql`"]);
        check("Never touch `src/gen` or docs", &["never write to `src/gen/**` or `docs/**`"]);
        check("Never touch same", &[]);
        check("Never touch left", &[]);
        check("Never touch the build", &[]);
        check("Never touch third_party without asking me", &[]);
        check("Look at third_party first", &[]);
    }
}
