//! Importing: what Claude Code remembers by itself, rules in `CLAUDE.md`, notes of other tools.
//!
//! Rules a person wrote are saved; what a program wrote, and notes nobody asked to be lessons, wait for review.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use afterword_claude_code::home::{is_memory_index, memory_of};
use afterword_core::Kind;
use afterword_platform::files::open_regular_file;
use afterword_vault::import::{self, Importable};
use afterword_vault::{Outcome, Plan, Reason, Subject};
use jiff::Zoned;
use serde::Serialize;

use crate::vault_session::{VaultSession, written_before};
use crate::{App, Error, naming};

/// The largest file that is read, in bytes.
const MAX_BYTES: u64 = 256 * 1024;
/// The most files that are read from a folder of notes.
const MAX_FILES: usize = 5_000;
/// How deep a folder of notes is followed.
const MAX_DEPTH: usize = 8;

/// Where to import from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ImportSource {
    /// What Claude Code wrote down by itself: `projects/*/memory/*.md` in its directory
    /// (code.claude.com/docs/en/memory, "Auto memory").
    ClaudeMemory,
    /// Files of instructions: `CLAUDE.md`, or files of `.claude/rules/`.
    Rules {
        /// The files.
        files: Vec<PathBuf>,
        /// The project they belong to; `None` where they hold everywhere.
        project: Option<String>,
    },
    /// A folder of notes that another tool wrote.
    Notes {
        /// The folder.
        folder: PathBuf,
        /// The project they belong to.
        project: Option<String>,
    },
}

/// What an import would do, or did.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
pub struct ImportPlan {
    /// Notes that are new.
    pub new: Vec<ImportedNote>,
    /// What is in the vault already.
    pub known: usize,
    /// What a person deleted before.
    pub deleted: usize,
    /// Files that could not be read, and why.
    pub problems: Vec<String>,
    /// Notes that could not be written, and why.
    pub refused: Vec<String>,
    #[serde(skip)]
    found: Vec<Importable>,
    /// The notes that are wanted, below the vault's root; all of them where nobody chose.
    #[serde(skip)]
    chosen: Option<HashSet<String>>,
}

/// One note that is new.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
pub struct ImportedNote {
    /// Its title.
    pub title: String,
    /// What sort of lesson.
    pub kind: Kind,
    /// The note, below the vault's root.
    pub path: String,
    /// It waits for review.
    pub waits: bool,
}

/// Plans an import; changes nothing.
///
/// # Errors
/// [`VaultSetupError::NotChosen`](crate::error::VaultSetupError::NotChosen), [`Error::Vault`] or [`Error::Store`], or what reading a named file said.
pub fn plan_import(app: &App, source: &ImportSource, now: &Zoned) -> Result<ImportPlan, Error> {
    let mut problems = Vec::new();
    let found = match source {
        ImportSource::ClaudeMemory => memory(app, &mut problems)?,
        ImportSource::Rules { files, project } => {
            let mut found = Vec::new();
            for file in files {
                let text = read(file)?;
                found.extend(import::parse_rules(&text, &display_name(file), project.as_deref()));
            }
            found
        }
        ImportSource::Notes { folder, project } => {
            let mut files = Vec::new();
            markdown_below(folder, 0, &mut files)?;
            if files.len() >= MAX_FILES {
                problems.push(format!("{}: only {MAX_FILES} files of it were read", folder.display()));
            }
            leave_own_notes(app, folder, &mut files)?;
            let of = |file: &PathBuf| note(file, folder, project.as_deref(), &mut problems);
            files.iter().filter_map(of).collect()
        }
    };
    let redaction = app.redaction();
    let clean = |found: Importable| Importable {
        title: redaction.text(&found.title),
        body: redaction.text(&found.body),
        ..found
    };
    let mut imported =
        ImportPlan { found: found.into_iter().map(clean).collect(), problems, ..ImportPlan::default() };
    let plan = import_plan(app, &imported.found, now)?;
    imported.count(&plan);
    Ok(imported)
}

/// Carries out an import: what is in the vault by now is not written again.
///
/// # Errors
/// As [`plan_import`].
pub fn import(app: &App, planned: &ImportPlan, now: &Zoned) -> Result<ImportPlan, Error> {
    let session = VaultSession::begin(app)?;
    let mut plan = import::plan_import(&session.index, &planned.found, &session.written_before()?, now);
    if let Some(chosen) = &planned.chosen {
        plan.actions.retain(|action| chosen.contains(action.path.as_str()));
        // What was left out was never there, and can be imported another time.
        let keys: HashSet<_> = plan.actions.iter().flat_map(|action| &action.keys).collect();
        plan.records.retain(|record| keys.contains(&record.key));
    }
    let applied = session.commit(&plan, &HashMap::new(), now.timestamp())?;
    let mut imported = ImportPlan { problems: planned.problems.clone(), ..ImportPlan::default() };
    imported.count(&plan);
    for done in applied.done {
        let problem = match done.outcome {
            Outcome::Written { .. } | Outcome::AlreadyThere { .. } => continue,
            Outcome::ChangedMeanwhile => "its name was taken meanwhile; import again".to_owned(),
            Outcome::Failed(error) => error.to_string(),
        };
        imported.new.retain(|note| note.path != done.path.as_str());
        imported.refused.push(format!("{}: {problem}", done.path));
    }
    Ok(imported)
}

fn import_plan(app: &App, found: &[Importable], now: &Zoned) -> Result<Plan, Error> {
    let vault = app.open_vault()?;
    let root = vault.root().to_string_lossy();
    let known = match app.existing_store()? {
        Some(store) => written_before(&store, &root)?,
        None => HashMap::new(),
    };
    Ok(import::plan_import(&vault.scan()?, found, &known, now))
}

fn memory(app: &App, problems: &mut Vec<String>) -> Result<Vec<Importable>, Error> {
    let names = project_folders(app)?;
    let mut found = Vec::new();
    let projects = app.claude().projects();
    for folder in projects.iter().flat_map(|projects| folders(projects, problems)).collect::<Vec<_>>() {
        let memory = memory_of(&folder);
        let mut files = Vec::new();
        if memory.is_dir() {
            markdown_below(&memory, 0, &mut files)?;
        }
        let own = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        // The folder's name cannot be turned back into a path; transcripts in it tell the project.
        let project = names.get(&folder).cloned().unwrap_or(own);
        for file in files {
            if is_memory_index(&file) {
                match read(&file) {
                    Ok(text) => {
                        let rules =
                            import::parse_rules(&without_index(&text), &display_name(&file), Some(&project));
                        found.extend(rules.into_iter().map(|rule| Importable { waits: true, ..rule }));
                    }
                    Err(error) => problems.push(error.chain()),
                }
            } else {
                found.extend(note(&file, &memory, Some(&project), problems));
            }
        }
    }
    Ok(found)
}

/// What people call the project of each folder with transcripts that were read.
fn project_folders(app: &App) -> Result<HashMap<PathBuf, String>, Error> {
    let Some(store) = app.existing_store()? else { return Ok(HashMap::new()) };
    let names = naming::named_folders(app, &store)?;
    let files = store.sessions().all_by_path()?;
    let of = |(path, known): (&PathBuf, &afterword_store::ReflectedFile)| {
        let project = known.project.as_ref()?;
        let name = names.get(project).cloned().unwrap_or_else(|| project.name().to_owned());
        Some((path.parent()?.to_owned(), name))
    };
    Ok(files.iter().filter_map(of).collect())
}

impl ImportPlan {
    /// The same with only these of its new notes, below the vault's root.
    #[must_use]
    pub fn with_only(mut self, paths: impl IntoIterator<Item = String>) -> Self {
        let chosen: HashSet<String> = paths.into_iter().collect();
        self.new.retain(|note| chosen.contains(&note.path));
        self.chosen = Some(chosen);
        self
    }

    fn count(&mut self, plan: &Plan) {
        self.new = plan
            .actions
            .iter()
            .filter_map(|action| match &action.subject {
                Subject::Lesson { kind, title, destination } => Some(ImportedNote {
                    title: title.clone(),
                    kind: *kind,
                    path: action.path.to_string(),
                    waits: *destination != afterword_core::Destination::Saved,
                }),
                _ => None,
            })
            .collect();
        self.deleted = plan.kept.iter().filter(|kept| kept.reason == Reason::Deleted).count();
        self.known = plan.kept.len() - self.deleted;
    }
}

/// `MEMORY.md` without the lines that only lead to files beside it: those are imported themselves.
fn without_index(text: &str) -> String {
    let leads = |line: &str| line.trim_start().starts_with("- [") && line.contains(".md)");
    text.lines().filter(|line| !leads(line)).map(|line| format!("{line}\n")).collect()
}

fn note(file: &Path, folder: &Path, project: Option<&str>, problems: &mut Vec<String>) -> Option<Importable> {
    let name = file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    match read(file) {
        Ok(text) => {
            let shown = file.strip_prefix(folder.parent().unwrap_or(folder)).unwrap_or(file);
            import::parse_whole_note(&text, &name, &shown.to_string_lossy(), project)
        }
        Err(error) => {
            problems.push(error.chain());
            None
        }
    }
}

fn read(path: &Path) -> Result<String, Error> {
    let error = |source| Error::Io { path: path.to_owned(), action: "read the file", source };
    // A person may name a link; what it leads to is opened without waiting for anybody who writes there.
    let file = path.canonicalize().and_then(|path| open_regular_file(&path)).map_err(error)?;
    let mut bytes = Vec::new();
    // Files of the system are as long as one goes on reading, whatever length they tell.
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(error)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(error(io::Error::other("it is too large to be notes")));
    }
    String::from_utf8(bytes).map_err(|_| error(io::Error::other("it is no text in UTF-8")))
}

fn folders(path: &Path, problems: &mut Vec<String>) -> Vec<PathBuf> {
    let entries = match fs::read_dir(path).and_then(Iterator::collect::<io::Result<Vec<_>>>) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Vec::new(),
        Err(error) => {
            problems.push(format!("{}: {error}", path.display()));
            return Vec::new();
        }
    };
    let mut folders: Vec<_> = entries.iter().map(fs::DirEntry::path).filter(|path| path.is_dir()).collect();
    folders.sort();
    folders
}

fn markdown_below(folder: &Path, depth: usize, files: &mut Vec<PathBuf>) -> Result<(), Error> {
    let error = |source| Error::Io { path: folder.to_owned(), action: "read the folder", source };
    let entries = fs::read_dir(folder).and_then(Iterator::collect::<io::Result<Vec<_>>>);
    let mut entries = entries.map_err(error)?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        if entry.file_name().as_encoded_bytes().starts_with(b".") || files.len() >= MAX_FILES {
            continue;
        }
        let path = entry.path();
        match entry.file_type() {
            Ok(kind) if kind.is_dir() && depth < MAX_DEPTH => markdown_below(&path, depth + 1, files)?,
            Ok(kind) if kind.is_file() && path.extension().is_some_and(|extension| extension == "md") => {
                files.push(path);
            }
            _ => {}
        }
    }
    Ok(())
}

/// Takes out what lies in Afterword's own folder: its notes are no new ones.
fn leave_own_notes(app: &App, folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), Error> {
    let own = app.open_vault()?.root().join("Afterword");
    let (Ok(own), Ok(real)) = (own.canonicalize(), folder.canonicalize()) else { return Ok(()) };
    // Below the folder no link is followed.
    files.retain(|file| !real.join(file.strip_prefix(folder).unwrap_or(file)).starts_with(&own));
    Ok(())
}

/// A file as its note names it: no path of this machine travels with the vault.
fn display_name(file: &Path) -> String {
    let name = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
    match (file.parent().and_then(name), name(file)) {
        (Some(folder), Some(file)) => format!("{folder}/{file}"),
        (None, file) => file.unwrap_or_default(),
        (Some(folder), None) => folder,
    }
}
