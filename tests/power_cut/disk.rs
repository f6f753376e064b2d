//! A disk that can lose its power: what is on it, and how much of that would be there after a cut.
//!
//! Only what was flushed is sure to stay: the bytes of a file with the file, the names in a folder with the folder. A new file
//! is not there before its folder was flushed, a new folder not before the one above it. What was not flushed is lost, or
//! some of it is there all the same: the changes of names until some moment, as a journal has them, and any pages of a file.
//! A rename is there whole or not at all, also between folders; no program could guard against less.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::SystemTime;

pub(crate) const ROOT: u64 = 1;
const PAGE: usize = 4096;

/// Numbers that look random; the seed is printed, so that a failure can be made again.
#[derive(Debug, Clone)]
pub(crate) struct Chance(pub(crate) u64);

impl Chance {
    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }
}

/// What becomes of what was not flushed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Loss {
    Everything,
    Some,
}

type Names = BTreeMap<OsString, u64>;
/// Names that change together, as a rename's two do, each with its folder.
pub(crate) type Change = Vec<(u64, OsString, Option<u64>)>;

#[derive(Debug, Clone)]
pub(crate) enum Content {
    File { bytes: Arc<Vec<u8>>, flushed: Arc<Vec<u8>> },
    Folder { names: Names, flushed: Names },
    Link(PathBuf),
}

#[derive(Debug, Clone)]
pub(crate) struct Node {
    pub(crate) content: Content,
    pub(crate) mode: u16,
    pub(crate) modified: SystemTime,
}

#[derive(Debug, Clone)]
pub(crate) struct Disk {
    nodes: BTreeMap<u64, Node>,
    /// Changes of names that were not flushed, in their order.
    journal: Vec<Change>,
    next: u64,
}

impl Content {
    pub(crate) fn file() -> Self {
        Self::File { bytes: Arc::default(), flushed: Arc::default() }
    }

    pub(crate) fn folder() -> Self {
        Self::Folder { names: Names::new(), flushed: Names::new() }
    }
}

impl Disk {
    pub(crate) fn new() -> Self {
        let root = Node { content: Content::folder(), mode: 0o755, modified: SystemTime::now() };
        Self { nodes: BTreeMap::from([(ROOT, root)]), journal: Vec::new(), next: ROOT + 1 }
    }

    pub(crate) fn node(&self, number: u64) -> Option<&Node> {
        self.nodes.get(&number)
    }

    pub(crate) fn node_mut(&mut self, number: u64) -> Option<&mut Node> {
        self.nodes.get_mut(&number)
    }

    pub(crate) fn names(&self, folder: u64) -> Option<&Names> {
        match &self.nodes.get(&folder)?.content {
            Content::Folder { names, .. } => Some(names),
            _ => None,
        }
    }

    pub(crate) fn find(&self, folder: u64, name: &OsStr) -> Option<u64> {
        self.names(folder)?.get(name).copied()
    }

    /// Makes something new under a name; it is on the disk once the folder is flushed.
    pub(crate) fn make(&mut self, folder: u64, name: &OsStr, content: Content, mode: u16) -> u64 {
        let number = self.next;
        self.next += 1;
        self.nodes.insert(number, Node { content, mode, modified: SystemTime::now() });
        self.change(vec![(folder, name.to_owned(), Some(number))]);
        number
    }

    /// Changes names at once.
    pub(crate) fn change(&mut self, change: Change) {
        for (folder, name, number) in &change {
            let Some(node) = self.nodes.get_mut(folder) else { continue };
            node.modified = SystemTime::now();
            if let Content::Folder { names, .. } = &mut node.content {
                set(names, name, *number);
            }
        }
        self.journal.push(change);
    }

    pub(crate) fn flush(&mut self, number: u64) {
        match self.nodes.get_mut(&number).map(|node| &mut node.content) {
            Some(Content::File { bytes, flushed }) => *flushed = Arc::clone(bytes),
            Some(Content::Folder { .. }) => self.flush_names(number),
            _ => {}
        }
    }

    /// With what changed in a folder goes what changed together with it, and what changed there before.
    fn flush_names(&mut self, folder: u64) {
        let mut folders = BTreeSet::from([folder]);
        let mut later = Vec::new();
        let mut flushed = Vec::new();
        while let Some(change) = self.journal.pop() {
            if change.iter().any(|(folder, ..)| folders.contains(folder)) {
                folders.extend(change.iter().map(|(folder, ..)| *folder));
                flushed.push(change);
            } else {
                later.push(change);
            }
        }
        later.reverse();
        self.journal = later;
        flushed.iter().rev().for_each(|change| self.write_down(change));
    }

    fn write_down(&mut self, change: &Change) {
        for (folder, name, number) in change {
            if let Some(Content::Folder { flushed, .. }) =
                self.nodes.get_mut(folder).map(|node| &mut node.content)
            {
                set(flushed, name, *number);
            }
        }
    }

    /// What is on the disk if the power fails now.
    pub(crate) fn after_cut(&self, loss: Loss, chance: &mut Chance) -> Self {
        let mut cut = self.clone();
        if loss == Loss::Some {
            let some = usize::try_from(chance.below(cut.journal.len() as u64 + 1)).unwrap_or(0);
            let journal = std::mem::take(&mut cut.journal);
            journal[..some].iter().for_each(|change| cut.write_down(change));
        }
        cut.journal.clear();
        let mut open = vec![ROOT];
        let mut seen = BTreeSet::from([ROOT]);
        while let Some(number) = open.pop() {
            match cut.nodes.get_mut(&number).map(|node| &mut node.content) {
                Some(Content::File { bytes, flushed }) => {
                    if loss == Loss::Some {
                        *flushed = some_pages(flushed, bytes, chance);
                    }
                    *bytes = Arc::clone(flushed);
                }
                Some(Content::Folder { names, flushed }) => {
                    names.clone_from(flushed);
                    open.extend(names.values().filter(|number| seen.insert(**number)));
                }
                _ => {}
            }
        }
        cut.nodes.retain(|number, _| seen.contains(number));
        cut
    }
}

fn set(names: &mut Names, name: &OsStr, number: Option<u64>) {
    match number {
        Some(number) => names.insert(name.to_owned(), number),
        None => names.remove(name),
    };
}

/// A file of which the disk had written some pages when the power failed.
fn some_pages(flushed: &Arc<Vec<u8>>, bytes: &Arc<Vec<u8>>, chance: &mut Chance) -> Arc<Vec<u8>> {
    if Arc::ptr_eq(flushed, bytes) {
        return Arc::clone(bytes);
    }
    match chance.below(4) {
        0 => return Arc::clone(flushed),
        1 => return Arc::clone(bytes),
        _ => {}
    }
    let mut mixed = if chance.below(2) == 0 { bytes.to_vec() } else { flushed.to_vec() };
    for from in (0..mixed.len()).step_by(PAGE) {
        let until = mixed.len().min(from + PAGE);
        let source = if chance.below(2) == 0 { bytes } else { flushed };
        for (at, byte) in (from..until).zip(&mut mixed[from..until]) {
            *byte = source.get(at).copied().unwrap_or(0);
        }
    }
    Arc::new(mixed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(disk: &mut Disk, number: u64, text: &str) {
        if let Content::File { bytes, .. } = &mut disk.node_mut(number).unwrap().content {
            *bytes = Arc::new(text.as_bytes().to_vec());
        }
    }

    fn text(disk: &Disk, name: &str) -> Option<String> {
        let node = disk.node(disk.find(ROOT, OsStr::new(name))?)?;
        let Content::File { bytes, .. } = &node.content else { return None };
        Some(String::from_utf8(bytes.to_vec()).unwrap())
    }

    fn cut(disk: &Disk) -> Disk {
        disk.after_cut(Loss::Everything, &mut Chance(7))
    }

    #[test]
    fn only_what_was_flushed_is_sure_to_stay() {
        let mut disk = Disk::new();
        let file = disk.make(ROOT, OsStr::new("a"), Content::file(), 0o600);
        write(&mut disk, file, "one");
        disk.flush(file);
        assert_eq!(text(&cut(&disk), "a"), None, "its name was not flushed");
        disk.flush(ROOT);
        assert_eq!(text(&cut(&disk), "a").as_deref(), Some("one"));
        write(&mut disk, file, "two");
        assert_eq!(text(&cut(&disk), "a").as_deref(), Some("one"));
        disk.flush(file);
        disk.change(vec![(ROOT, OsString::from("b"), Some(file)), (ROOT, OsString::from("a"), None)]);
        let after = cut(&disk);
        assert_eq!((text(&after, "a").as_deref(), text(&after, "b")), (Some("two"), None));
        disk.flush(ROOT);
        assert_eq!(text(&cut(&disk), "b").as_deref(), Some("two"));
    }

    #[test]
    fn rename_between_folders_is_there_whole_or_not_at_all() {
        let mut disk = Disk::new();
        let one = disk.make(ROOT, OsStr::new("one"), Content::folder(), 0o700);
        let two = disk.make(ROOT, OsStr::new("two"), Content::folder(), 0o700);
        let file = disk.make(one, OsStr::new("a"), Content::file(), 0o600);
        disk.flush(ROOT);
        disk.flush(one);
        let new = || OsString::from("b");
        disk.change(vec![(one, OsString::from("a"), None), (two, new(), Some(file))]);
        let places = |disk: &Disk| (disk.find(one, OsStr::new("a")), disk.find(two, &new()));
        assert_eq!(places(&cut(&disk)), (Some(file), None));
        disk.make(two, OsStr::new("later"), Content::file(), 0o600);
        disk.flush(one);
        assert_eq!(places(&cut(&disk)), (None, Some(file)));
        assert_eq!(cut(&disk).find(two, OsStr::new("later")), None, "that changed after it");
    }

    #[test]
    fn some_of_what_was_not_flushed_may_be_there_in_its_order() {
        let mut disk = Disk::new();
        disk.make(ROOT, OsStr::new("a"), Content::file(), 0o600);
        disk.make(ROOT, OsStr::new("b"), Content::file(), 0o600);
        let mut chance = Chance(9);
        let kept: BTreeSet<_> = (0..100)
            .map(|_| {
                let after = disk.after_cut(Loss::Some, &mut chance);
                (text(&after, "a").is_some(), text(&after, "b").is_some())
            })
            .collect();
        assert_eq!(kept, BTreeSet::from([(false, false), (true, false), (true, true)]));
    }
}
