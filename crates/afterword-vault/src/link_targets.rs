//! Which notes are linked to from what people write: wikilinks and markdown links in every note of the vault, generated
//! blocks aside.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::block;
use crate::error::VaultError;
use crate::path::VaultPath;
use crate::walk;

/// The largest file that is looked into, in bytes.
const MAX_BYTES: u64 = 8 * 1024 * 1024;

/// Names of notes that something links to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LinkTargets {
    names: BTreeSet<String>,
}

impl LinkTargets {
    /// Whether a link leads to the note. Links are matched by the file's name alone, as Obsidian does, so a note that
    /// shares its name with another counts as linked, too.
    pub fn has(&self, path: &VaultPath) -> bool {
        self.names.contains(&name_of(path.name()))
    }

    /// Reads all notes of the vault at `root`; one that cannot be read links to nothing.
    pub(crate) fn read(root: &Path) -> Result<Self, VaultError> {
        let mut targets = Self::default();
        for found in walk::walk(root)?.files.iter().filter(|found| found.stamp.size <= MAX_BYTES) {
            if let Ok(text) = fs::read_to_string(&found.on_disk) {
                targets.add_links(&text);
            }
        }
        Ok(targets)
    }

    fn add_links(&mut self, text: &str) {
        let mut is_generated = false;
        for line in text.lines() {
            match block::parse_marker(line) {
                Some(block::Marker::Begin) => is_generated = true,
                Some(block::Marker::End) => is_generated = false,
                None if is_generated => {}
                None => {
                    self.add_links_between(line, "[[", "]]");
                    self.add_links_between(line, "](", ")");
                }
            }
        }
    }

    fn add_links_between(&mut self, line: &str, open: &str, close: &str) {
        for part in line.split(open).skip(1) {
            if let Some((target, _)) = part.split_once(close) {
                self.names.insert(name_of(target));
            }
        }
    }
}

/// A link's last part, without the heading it leads to, what it is shown as and `.md`; in lower case.
fn name_of(target: &str) -> String {
    let target = target.split(['|', '#']).next().unwrap_or_default();
    // A table needs its pipes escaped.
    let target = target.trim().trim_matches(['<', '>', '\\']).replace("%20", " ");
    let name = target.rsplit('/').next().unwrap_or_default().trim().to_lowercase();
    name.strip_suffix(".md").map(str::to_owned).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_of_people_count_and_those_of_generated_blocks_do_not() {
        let mut targets = LinkTargets::default();
        targets.add_links(
            "---\nup: \"[[Afterword/Fixes/one|One]]\"\n---\nSee [[Two#why]], [three](../Fixes/three.md) and \\[[four\\|x]].\n\
             %% afterword:begin overview 0 %%\n- [[five]]\n%% afterword:end %%\n[[six]]\n",
        );
        let has = |name: &str| targets.has(&VaultPath::parse(&format!("Afterword/Fixes/{name}.md")).unwrap());
        let linked: Vec<_> =
            ["one", "two", "three", "four", "five", "six"].into_iter().filter(|name| has(name)).collect();
        assert_eq!(linked, ["one", "two", "three", "four", "six"]);
    }
}
