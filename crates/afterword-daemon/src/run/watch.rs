//! Watching: the system tells when something below Claude Code's directory or in the spool changes.
//!
//! What it tells is a hint that something is worth looking at; nobody relies on getting every one. Where the system
//! cannot watch (it ran out of watches, or the file system has none), looking again and again takes its place, and
//! [`WatchMode`] says so. Start at [`Watch::new`] and [`PendingChanges::take`].

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use afterword_app::agent_lock::WatchMode;
use afterword_claude_code::dirs::ClaudeDirs;
use afterword_claude_code::discover::is_named_as_transcript;
use afterword_platform::files::resolved_path;
use notify::event::{CreateKind, ModifyKind};
use notify::{ErrorKind, Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};

/// What the system told of since it was last asked.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Changes {
    /// Transcripts that were written, made or removed, as the system names them: without links above `projects`.
    pub(crate) transcripts: HashSet<PathBuf>,
    /// Folders that appeared, named likewise: what was in them before they were watched was not told of.
    pub(crate) folders: HashSet<PathBuf>,
    /// Something arrived in the spool, or the settings were written.
    pub(crate) has_events: bool,
    /// Events were lost: everything has to be looked at.
    pub(crate) everything: bool,
    /// What is watched may be another directory by now.
    pub(crate) watch_again: bool,
}

impl Changes {
    pub(crate) fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Changes on their way from the system's thread to the agent's.
pub(crate) struct PendingChanges {
    changes: Mutex<Changes>,
    failure: Mutex<Option<String>>,
    wake: Box<dyn Fn() + Send + Sync>,
}

impl PendingChanges {
    pub(crate) fn new(wake: impl Fn() + Send + Sync + 'static) -> Arc<Self> {
        Arc::new(Self { changes: Mutex::default(), failure: Mutex::default(), wake: Box::new(wake) })
    }

    /// What changed since the last time.
    pub(crate) fn take(&self) -> Changes {
        std::mem::take(&mut *self.changes.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn take_failure(&self) -> Option<String> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Notes changes; the first one since the last [`PendingChanges::take`] wakes the agent.
    pub(crate) fn note(&self, change: impl FnOnce(&mut Changes)) {
        let mut changes = self.changes.lock().unwrap_or_else(PoisonError::into_inner);
        let was_empty = changes.is_empty();
        change(&mut changes);
        let wake = was_empty && !changes.is_empty();
        drop(changes);
        if wake {
            (self.wake)();
        }
    }

    fn fail(&self, reason: String) {
        *self.failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(reason);
        self.note(|changes| changes.watch_again = true);
    }
}

/// What is watched, as the person and the settings name it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Places {
    /// The `projects` of each of Claude Code's directories.
    projects: Vec<PathBuf>,
    spool: PathBuf,
    settings: PathBuf,
}

impl Places {
    /// As the system names them in its events: without links, so that a directory with two names is told of under one.
    fn resolved(&self) -> Self {
        let settings = self.settings.parent().zip(self.settings.file_name());
        // What stands in the folder counts, be it a link or a file.
        let settings = settings.map(|(folder, name)| resolved_path(folder).join(name));
        Self {
            projects: self.projects.iter().map(|projects| resolved_path(projects)).collect(),
            spool: resolved_path(&self.spool),
            settings: settings.unwrap_or_else(|| self.settings.clone()),
        }
    }

    /// Each of Claude Code's directories or, until it is there, the nearest one above it.
    fn directories(&self) -> Vec<Option<&Path>> {
        let all = self.projects.iter();
        all.map(|projects| projects.ancestors().find(|directory| directory.is_dir())).collect()
    }

    /// Asked of the places as they are named: where a link leads elsewhere now, another directory is in the old one's place.
    fn handles(&self) -> Vec<Option<same_file::Handle>> {
        let handle = |directory: &Path| same_file::Handle::from_path(directory).ok();
        self.directories().into_iter().map(|directory| directory.and_then(handle)).collect()
    }
}

/// A watch on Claude Code's directories, the spool and the settings; ends when dropped.
pub(crate) struct Watch {
    pending: Arc<PendingChanges>,
    places: Places,
    watcher: Option<RecommendedWatcher>,
    /// The directories that are watched, to notice when another has taken the place of one: Claude Code's, or, until one is
    /// there, the nearest one above it.
    directories: Vec<Option<same_file::Handle>>,
    watching: WatchMode,
}

impl Watch {
    /// Begins to watch; what could not be watched is in [`Watch::watching`].
    pub(crate) fn new(
        pending: Arc<PendingChanges>,
        projects: Vec<PathBuf>,
        spool: &Path,
        settings: &Path,
    ) -> Self {
        let places = Places { projects, spool: spool.to_owned(), settings: settings.to_owned() };
        let watching = WatchMode::Waiting;
        let mut watch = Self { pending, places, watcher: None, directories: Vec::new(), watching };
        watch.begin();
        watch
    }

    pub(crate) fn watching(&self) -> &WatchMode {
        &self.watching
    }

    /// Watches anew where the watch failed or another directory has taken the watched one's place. Says whether it did.
    pub(crate) fn restart_if_needed(&mut self) -> bool {
        if let Some(reason) = self.pending.take_failure() {
            self.watcher = None;
            self.directories.clear();
            self.watching = WatchMode::Polling { reason };
            return true;
        }
        if matches!(self.watching, WatchMode::Polling { .. }) || self.places.handles() == self.directories {
            return false;
        }
        self.begin();
        true
    }

    fn begin(&mut self) {
        // The old one is gone before the new one counts against the system's limits.
        self.watcher = None;
        self.directories = self.places.handles();
        let places = self.places.resolved();
        let handler = {
            let (pending, places) = (Arc::clone(&self.pending), places.clone());
            move |event: notify::Result<Event>| on_fs_event(&pending, &places, event)
        };
        let begun = notify::recommended_watcher(handler).and_then(|mut watcher| {
            let directories = places.directories().into_iter().zip(&places.projects);
            let (mut there, mut above) = (Vec::new(), Vec::new());
            for (nearest, projects) in
                directories.filter_map(|(nearest, projects)| Some((nearest?, projects)))
            {
                if nearest == projects { there.push(nearest) } else { above.push(nearest) }
            }
            // One that is watched whole is not watched again for another's sake: the second call would take the place of the first.
            above.retain(|nearest| !there.contains(nearest));
            for directory in &above {
                watcher.watch(directory, RecursiveMode::NonRecursive)?;
            }
            for directory in &there {
                watcher.watch(directory, RecursiveMode::Recursive)?;
            }
            watcher.watch(&places.spool, RecursiveMode::NonRecursive)?;
            // The folder, as an editor puts another file in the settings' place. Without it they are looked at in time.
            if let Some(folder) = places.settings.parent().filter(|folder| folder.is_dir()) {
                watcher.watch(folder, RecursiveMode::NonRecursive)?;
            }
            Ok((watcher, !there.is_empty()))
        });
        match begun {
            Ok((watcher, there)) => {
                self.watcher = Some(watcher);
                self.watching = if there { WatchMode::Events } else { WatchMode::Waiting };
            }
            Err(error) => self.watching = WatchMode::Polling { reason: reason(&error) },
        }
        // What appeared before the system was asked is told of by nobody.
        if self.places.handles() != self.directories {
            self.pending.note(|changes| changes.watch_again = true);
        }
    }
}

fn reason(error: &notify::Error) -> String {
    match error.kind {
        ErrorKind::MaxFilesWatch => "the system's limit of watched directories is reached".to_owned(),
        _ => error.to_string(),
    }
}

/// Sorts what the system told. Runs on the watcher's own thread, so it looks at nothing but names.
fn on_fs_event(pending: &PendingChanges, places: &Places, event: notify::Result<Event>) {
    let event = match event {
        Ok(event) => event,
        Err(error) if matches!(error.kind, ErrorKind::MaxFilesWatch) => return pending.fail(reason(&error)),
        Err(_) => return pending.note(|changes| changes.everything = true),
    };
    if event.need_rescan() {
        return pending.note(|changes| changes.everything = true);
    }
    // Reading is no change; it is what we do ourselves.
    if matches!(event.kind, EventKind::Access(_)) {
        return;
    }
    pending.note(|changes| {
        for path in &event.paths {
            sort(changes, places, event.kind, path);
        }
    });
}

fn sort(changes: &mut Changes, places: &Places, kind: EventKind, path: &Path) {
    let removed = matches!(kind, EventKind::Remove(_));
    if path.parent() == Some(places.spool.as_path()) {
        changes.has_events |= !removed;
    } else if path == places.settings {
        changes.has_events = true;
    } else if places.projects.iter().any(|projects| projects.starts_with(path)) {
        changes.watch_again = true;
    } else if places.projects.iter().any(|projects| path.starts_with(projects)) {
        if is_named_as_transcript(path) {
            changes.transcripts.insert(path.to_owned());
        } else if matches!(kind, EventKind::Create(CreateKind::File) | EventKind::Modify(ModifyKind::Data(_)))
        {
            // Some other file of the client's.
        } else if removed {
            changes.everything = true;
        } else if matches!(kind, EventKind::Create(_) | EventKind::Modify(ModifyKind::Name(_))) {
            changes.folders.insert(path.to_owned());
        }
    }
}

/// Transcripts the system told of, as a rescan names them: the system knows no links, and a rescan names what it finds as its directory
/// is followed.
pub(super) fn as_followed(claude: &ClaudeDirs, told: impl Iterator<Item = PathBuf>) -> HashSet<PathBuf> {
    // The same file is often told of again and again.
    let told: HashSet<PathBuf> = told.collect();
    told.iter().filter_map(|path| claude.followed_path(path)).collect()
}

/// Transcripts in a folder that just appeared, and in folders below it.
pub(crate) fn transcripts_below(folder: &Path) -> Vec<PathBuf> {
    /// A project's folder holds sessions' folders, and those their sub-agents'.
    const DEEPEST: usize = 5;
    let mut found = Vec::new();
    let mut open = vec![(folder.to_owned(), 0)];
    while let Some((folder, depth)) = open.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for entry in entries.flatten() {
            let path = entry.path();
            match entry.file_type() {
                Ok(kind) if kind.is_dir() && depth < DEEPEST => open.push((path, depth + 1)),
                Ok(kind) if kind.is_file() && is_named_as_transcript(&path) => {
                    found.push(path);
                }
                _ => {}
            }
        }
    }
    found
}

/// How long after a folder appeared it is looked into: at once, and again when the system is sure to watch it.
pub(crate) const FOLDER_LOOKS: [Duration; 2] = [Duration::from_millis(30), Duration::from_millis(500)];

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use notify::event::{AccessKind, DataChange, RemoveKind, RenameMode};

    use super::*;

    fn places() -> Places {
        Places {
            projects: vec!["/c/projects".into(), "/d/projects".into()],
            spool: "/s/spool".into(),
            settings: "/s/config.toml".into(),
        }
    }

    fn changes(kind: EventKind, path: &str) -> Changes {
        let pending = PendingChanges::new(|| ());
        on_fs_event(&pending, &places(), Ok(Event::new(kind).add_path(path.into())));
        pending.take()
    }

    #[test]
    fn events_are_sorted_by_what_they_are_worth() {
        let written = EventKind::Modify(ModifyKind::Data(DataChange::Any));
        let made = EventKind::Create(CreateKind::Any);
        let removed = EventKind::Remove(RemoveKind::Any);
        let of = |paths: &[&str]| paths.iter().map(PathBuf::from).collect::<HashSet<_>>();
        let transcripts = |paths| Changes { transcripts: of(paths), ..Changes::default() };
        let folders = |paths| Changes { folders: of(paths), ..Changes::default() };
        let check = |kind, path, expected| assert_eq!(changes(kind, path), expected, "{kind:?} {path}");
        check(written, "/c/projects/-a/5f.jsonl", transcripts(&["/c/projects/-a/5f.jsonl"]));
        check(removed, "/c/projects/-a/5f.jsonl", transcripts(&["/c/projects/-a/5f.jsonl"]));
        check(written, "/d/projects/-a/5f.jsonl", transcripts(&["/d/projects/-a/5f.jsonl"]));
        check(made, "/d", Changes { watch_again: true, ..Changes::default() });
        check(made, "/c/projects/-a", folders(&["/c/projects/-a"]));
        let renamed = EventKind::Modify(ModifyKind::Name(RenameMode::To));
        check(renamed, "/c/projects/-b", folders(&["/c/projects/-b"]));
        check(removed, "/c/projects/-a", Changes { everything: true, ..Changes::default() });
        check(removed, "/c/projects", Changes { watch_again: true, ..Changes::default() });
        check(made, "/c", Changes { watch_again: true, ..Changes::default() });
        check(renamed, "/s/spool/1-2-3.json", Changes { has_events: true, ..Changes::default() });
        check(renamed, "/s/config.toml", Changes { has_events: true, ..Changes::default() });
        check(removed, "/s/spool/1-2-3.json", Changes::default());
        check(EventKind::Access(AccessKind::Any), "/c/projects/-a/5f.jsonl", Changes::default());
        check(written, "/c/projects/-a/memory/notes.md", Changes::default());
        check(made, "/elsewhere", Changes::default());
    }

    #[cfg(unix)]
    #[test]
    fn places_below_links_are_known_by_the_names_that_the_system_uses() {
        let home = tempfile::tempdir().unwrap();
        let path = |name: &str| home.path().join(name);
        std::fs::create_dir_all(path("real/claude/projects")).unwrap();
        std::os::unix::fs::symlink(path("real"), path("link")).unwrap();
        let named = Places {
            projects: vec![path("link/claude/projects"), path("link/later/projects")],
            spool: path("link/spool"),
            settings: path("link/config.toml"),
        };
        let pending = PendingChanges::new(|| ());
        let changes = |name: &str| {
            let event = Event::new(EventKind::Create(CreateKind::Any)).add_path(path("real").join(name));
            on_fs_event(&pending, &named.resolved(), Ok(event));
            pending.take()
        };
        let transcript = "claude/projects/-a/5f.jsonl";
        assert_eq!(changes(transcript).transcripts, HashSet::from([path("real").join(transcript)]));
        assert!(changes("later").watch_again);
        assert!(changes("spool/1.json").has_events);
        assert!(changes("config.toml").has_events);
    }

    #[test]
    fn first_change_wakes_and_those_behind_it_ride_along() {
        let woken = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&woken);
        let pending = PendingChanges::new(move || {
            counter.fetch_add(1, Ordering::Relaxed);
        });
        let write = |path: &str| {
            let kind = EventKind::Modify(ModifyKind::Data(DataChange::Any));
            on_fs_event(&pending, &places(), Ok(Event::new(kind).add_path(path.into())));
        };
        write("/c/projects/-a/1.jsonl");
        write("/c/projects/-a/2.jsonl");
        write("/c/projects/-a/1.jsonl");
        write("/elsewhere");
        assert_eq!(woken.load(Ordering::Relaxed), 1);
        assert_eq!(pending.take().transcripts.len(), 2);
        write("/c/projects/-a/1.jsonl");
        assert_eq!(woken.load(Ordering::Relaxed), 2);
    }

    #[test]
    fn running_out_of_watches_is_a_reason_to_poll() {
        let home = tempfile::tempdir().unwrap();
        let pending = PendingChanges::new(|| ());
        let (projects, settings) = (home.path().join("projects"), home.path().join("config.toml"));
        let mut watch = Watch::new(Arc::clone(&pending), vec![projects.clone()], home.path(), &settings);
        assert_eq!(*watch.watching(), WatchMode::Waiting);
        on_fs_event(&pending, &places(), Err(notify::Error::new(ErrorKind::MaxFilesWatch)));
        assert!(pending.take().watch_again);
        assert!(watch.restart_if_needed());
        let reason = "the system's limit of watched directories is reached".to_owned();
        assert_eq!(*watch.watching(), WatchMode::Polling { reason });
        assert!(!watch.restart_if_needed(), "once is enough");
    }

    #[test]
    fn a_directory_made_step_by_step_is_watched_without_waiting() {
        let home = tempfile::tempdir().unwrap();
        let (spool, claude) = (home.path().join("spool"), home.path().join(".claude"));
        std::fs::create_dir(&spool).unwrap();
        let (wake, woken) = std::sync::mpsc::channel();
        let pending = PendingChanges::new(move || wake.send(()).unwrap());
        let projects = claude.join("projects");
        let mut watch = Watch::new(
            Arc::clone(&pending),
            vec![projects.clone()],
            &spool,
            &home.path().join("state/config.toml"),
        );
        for directory in [&claude, &projects] {
            assert_eq!(*watch.watching(), WatchMode::Waiting);
            std::fs::create_dir(directory).unwrap();
            woken.recv_timeout(Duration::from_secs(60)).unwrap();
            assert!(pending.take().watch_again);
            assert!(watch.restart_if_needed(), "{}", directory.display());
        }
        assert_eq!(*watch.watching(), WatchMode::Events);
        let transcript = projects.join("1.jsonl");
        std::fs::write(&transcript, "{}").unwrap();
        woken.recv_timeout(Duration::from_secs(60)).unwrap();
        assert!(pending.take().transcripts.contains(&transcript));
    }
}
