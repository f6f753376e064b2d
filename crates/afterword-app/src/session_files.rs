//! Which files a session worked on, and whether two folders are one repository by them: a folder that is gone leaves no other trace.

use std::collections::BTreeSet;

use afterword_core::ProjectKey;
use afterword_transcript::event::ToolCall;

/// Files of one session that are kept, at most.
const MOST: usize = 64;
/// Bytes of a path that is kept, at most.
const LONGEST: usize = 200;
/// Tools whose call names one file.
const TOOLS: [&str; 5] = ["Read", "Edit", "Write", "MultiEdit", "NotebookEdit"];
/// How much the files that two folders share must tell. A file two folders down tells 1, each further folder one more, up to 3.
const ENOUGH: usize = 4;
/// The same of folders near each other, whose files are nearly all in the same folders.
const ENOUGH_NEAR: usize = 2;
/// Files that two folders share, at least.
const SHARED: usize = 2;
/// Of the files known of the folder that fewer are known of, the part that is shared, at least: one in this many.
const PART: usize = 4;
/// Words of folders that many repositories have, as frameworks and habit lay them out. A file whose folders have no other word says
/// nothing of whose it is.
const USUAL: &str = "admin android api app apps asset assets auth base bin build cli client cmd code command commands common \
    component components config configs content contents controller controllers core css data db dev doc docs domain e2e en entities \
    environments example examples ext features file files fixture fixtures frontend backend guide guides handler handlers helper \
    helpers home hook hooks i18n icon icons image images img include initializers integration internal ios it java js jobs json \
    kotlin layout layouts lib libs locale locales main mailers media middleware migration migrations mock mocks model models module \
    modules mutation net node org com page pages packages package pkg plugin plugins post posts private public query reducers \
    repositories repository res resource resources route router routes schema schemas script scripts server service services session \
    sessions setup shared site spec specs src static storage store stores story stories style styles support swift system task tasks \
    template templates test tests testdata theme themes tool tools type types ui unit user users util utils v1 v2 values vendor view \
    views web website workflow workflows";

/// The files of a session that tell its repository.
#[derive(Debug)]
pub(crate) struct SessionFiles {
    directory: String,
    files: BTreeSet<String>,
}

impl SessionFiles {
    /// Of a session in a directory.
    pub(crate) fn new(directory: &ProjectKey) -> Self {
        let directory = with_slashes(directory.as_str());
        Self { directory: directory.trim_end_matches('/').to_owned(), files: BTreeSet::new() }
    }

    /// Takes up what a call works on.
    pub(crate) fn push(&mut self, call: &ToolCall) {
        if self.files.len() >= MOST || !TOOLS.contains(&call.name.as_str()) || call.summary.len() > LONGEST {
            return;
        }
        let path = with_slashes(&call.summary);
        let below = path.strip_prefix(&self.directory).and_then(|rest| rest.strip_prefix('/'));
        if let Some(file) = below.filter(|file| path_weight(file) > 0) {
            self.files.insert(file.to_owned());
        }
    }

    /// The files, with `/`.
    pub(crate) fn finish(self) -> Vec<String> {
        self.files.into_iter().collect()
    }
}

/// How sure it is that two folders are one repository, by the files known of each; nothing where it is not. Of folders that are `near`
/// each other one file that tells is enough, where nearly all is in folders that both have.
pub(crate) fn likeness(one: &BTreeSet<String>, other: &BTreeSet<String>, near: bool) -> Option<usize> {
    let shared: Vec<&String> = one.intersection(other).collect();
    let weight: usize = shared.iter().map(|file| path_weight(file)).sum();
    let (fewer, more) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    let is_part = shared.len() >= SHARED && weight >= ENOUGH && shared.len() * PART >= fewer.len();
    let of_more: BTreeSet<&str> = more.iter().filter_map(|file| own_folder(file)).collect();
    let beside = fewer.iter().filter_map(|file| own_folder(file)).filter(|folder| of_more.contains(folder));
    let is_beside = near && weight >= ENOUGH_NEAR && beside.count() * 5 >= fewer.len() * 4;
    (is_part || is_beside).then_some(weight)
}

/// Whether two folders lie below one folder of a person's home.
pub(crate) fn are_near(one: &ProjectKey, other: &ProjectKey) -> bool {
    let (one, other) = (with_slashes(one.as_str()), with_slashes(other.as_str()));
    let common = one.split('/').zip(other.split('/')).take_while(|(one, other)| one == other).count();
    home_of(&one).is_some_and(|home| common > home.split('/').count())
}

/// Whether two folders are in the homes of two people.
pub(crate) fn belong_to_different_people(one: &ProjectKey, other: &ProjectKey) -> bool {
    let (one, other) = (with_slashes(one.as_str()), with_slashes(other.as_str()));
    matches!((home_of(&one), home_of(&other)), (Some(one), Some(other)) if one != other)
}

/// The home that a path is in, where it is in the usual place: `/home/ada`, `/Users/ada`, `C:/Users/ada`.
fn home_of(path: &str) -> Option<&str> {
    let homes = ["/home/", "/Users/"].into_iter().find_map(|homes| Some(path.find(homes)? + homes.len()));
    let start = homes.filter(|start| *start <= "C:/Users/".len())?;
    let length = path[start..].find('/').filter(|length| *length > 0)?;
    Some(&path[..start + length])
}

/// How much a path below a project's folder tells of whose it is.
fn path_weight(file: &str) -> usize {
    let folders = file.matches('/').count();
    if own_folder(file).is_some() { folders.saturating_sub(1).min(3) } else { 0 }
}

/// The first folder of a path that has a name of its own, with what is before it.
fn own_folder(file: &str) -> Option<&str> {
    let (folders, name) = file.rsplit_once('/')?;
    let is_plain = |folder: &str| !folder.is_empty() && !folder.starts_with('.');
    if !folders.split('/').all(is_plain) || !name.contains('.') || file.chars().any(char::is_control) {
        return None;
    }
    let mut end = 0;
    for folder in folders.split('/') {
        end += folder.len();
        if has_own_word(folder) {
            return Some(&file[..end]);
        }
        end += 1;
    }
    None
}

fn has_own_word(folder: &str) -> bool {
    let words = folder.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() > 1);
    words.map(str::to_lowercase).any(|word| USUAL.split_ascii_whitespace().all(|usual| usual != word))
}

fn with_slashes(path: &str) -> String {
    path.replace('\\', "/")
}

#[cfg(test)]
mod tests {
    use afterword_transcript::event::EntryLocation;

    use super::*;

    fn files(paths: &[&str]) -> BTreeSet<String> {
        paths.iter().map(|path| (*path).to_owned()).collect()
    }

    #[test]
    fn only_what_is_a_repositorys_own_is_kept() {
        let mut worked_on = SessionFiles::new(&ProjectKey::from_cwd(r"C:\code\lathe"));
        let mut call = |tool: &str, path: &str| {
            let place = EntryLocation { line: 1, uuid: String::new(), time: None, sidechain: false };
            let name = tool.to_owned();
            let (id, input, before) = <(String, String, String)>::default();
            worked_on.push(&ToolCall { place, id, name, summary: path.to_owned(), input, before });
        };
        call("Edit", r"C:\code\lathe\crates\spindle\src\feed.rs");
        call("Read", r"C:\code\lathe\crates\spindle\src\feed.rs");
        call("Read", r"C:\code\lathe\src\main.rs");
        call("Read", r"C:\code\lathe\.github\workflows\ci.yml");
        call("Read", r"C:\code\lathework\crates\spindle\src\other.rs");
        call("Read", r"C:\code\lathe\app\models\user.rb");
        call("Bash", r"C:\code\lathe\crates\spindle\src\run.rs");
        assert_eq!(worked_on.finish(), ["crates/spindle/src/feed.rs"]);
    }

    #[test]
    fn folders_are_alike_by_files_that_others_do_not_have() {
        let ours = files(&["crates/spindle/src/feed.rs", "crates/spindle/src/stop.rs", "docs/lathe/x.md"]);
        let copy =
            files(&["crates/spindle/src/feed.rs", "crates/spindle/src/stop.rs", "crates/chuck/src/a.rs"]);
        assert_eq!(likeness(&ours, &copy, false), Some(4));
        let one = files(&["crates/spindle/src/feed.rs"]);
        assert_eq!(likeness(&ours, &one, false), None, "one may be chance");
        assert_eq!(likeness(&ours, &one, true), Some(2));
        let elsewhere =
            files(&["crates/spindle/src/feed.rs", "crates/reel/src/a.rs", "crates/coil/src/a.rs"]);
        assert_eq!(likeness(&ours, &elsewhere, true), None, "most of it is in folders of its own");
        let many: Vec<String> = (0..20).map(|at| format!("crates/mill/src/m{at}.rs")).collect();
        let mut large = files(&many.iter().map(String::as_str).collect::<Vec<_>>());
        large.extend(copy.iter().cloned());
        assert_eq!(likeness(&large, &ours, false), Some(4));
        let mut other_large = large.clone();
        other_large.retain(|file| !file.contains("mill"));
        other_large.extend((0..20).map(|at| format!("crates/drill/src/m{at}.rs")));
        assert_eq!(
            likeness(&large, &other_large, false),
            None,
            "it was a part that both took from elsewhere"
        );
        // Two shops made with one framework.
        let shop = files(&[
            "app/models/user.rb",
            "src/components/ui/button.tsx",
            "app/src/main/res/values/strings.xml",
        ]);
        assert_eq!(likeness(&shop, &shop, true), None);
    }

    #[test]
    fn folders_are_near_below_one_folder_of_a_home() {
        let check = |one: &str, other: &str, near: bool, two: bool| {
            let (one, other) = (ProjectKey::from_cwd(one), ProjectKey::from_cwd(other));
            assert_eq!(
                (are_near(&one, &other), belong_to_different_people(&one, &other)),
                (near, two),
                "{one:?} {other:?}"
            );
        };
        check("/home/ada/src/lathe", "/home/ada/src/fix/lathe", true, false);
        check("/home/ada/lathe", "/home/ada/lathe-2", false, false);
        check(r"C:\Users\Ada\src\lathe", r"C:\Users\Ada\src\lathe-2", true, false);
        check("/home/ada/src/lathe", "/home/bob/src/lathe", false, true);
        check("/srv/lathe", "/srv/lathe-2", false, false);
        check("/srv/lathe", "/home/bob/lathe", false, false);
    }
}
