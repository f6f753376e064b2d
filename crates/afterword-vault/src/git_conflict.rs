//! Conflicts that git marks inside a file (git-merge, "How conflicts are presented").

/// The versions of a file that git could not merge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ConflictSides {
    /// What stood here before the merge.
    pub(crate) ours: String,
    /// What both sides started from, where git was told to show it (`merge.conflictStyle` diff3 or zdiff3).
    pub(crate) base: Option<String>,
    /// What came in.
    pub(crate) theirs: String,
}

#[derive(Clone, Copy, PartialEq)]
enum Part {
    Both,
    Ours,
    Base,
    Theirs,
}

/// Takes the versions of a file apart; `None` for a file without conflict markers, or with markers that do not fit
/// together (a text about git has such).
pub(crate) fn parse_conflict(text: &str) -> Option<ConflictSides> {
    if !text.contains("<<<<<<< ") {
        return None;
    }
    let (mut ours, mut base, mut theirs) = (String::new(), String::new(), String::new());
    let (mut part, mut conflicts, mut has_base) = (Part::Both, 0, false);
    for line in text.split_inclusive('\n') {
        let marker = line.trim_end_matches(['\r', '\n']);
        part = match (part, marker) {
            (Part::Both, _) if is_marker(marker, "<<<<<<<") => Part::Ours,
            (Part::Ours, _) if is_marker(marker, "|||||||") => {
                has_base = true;
                Part::Base
            }
            (Part::Ours | Part::Base, "=======") => Part::Theirs,
            (Part::Theirs, _) if is_marker(marker, ">>>>>>>") => {
                conflicts += 1;
                Part::Both
            }
            _ => {
                if matches!(part, Part::Both | Part::Ours) {
                    ours.push_str(line);
                }
                if matches!(part, Part::Both | Part::Base) {
                    base.push_str(line);
                }
                if matches!(part, Part::Both | Part::Theirs) {
                    theirs.push_str(line);
                }
                part
            }
        };
    }
    let whole = part == Part::Both && conflicts > 0;
    whole.then(|| ConflictSides { ours, base: has_base.then_some(base), theirs })
}

fn is_marker(line: &str, sign: &str) -> bool {
    line.strip_prefix(sign).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_taken_apart() {
        let text = "a\n<<<<<<< HEAD\nours\n||||||| 1234567\nbase\n=======\ntheirs\n>>>>>>> other\nb\n";
        let sides = parse_conflict(text).unwrap();
        assert_eq!(sides.ours, "a\nours\nb\n");
        assert_eq!(sides.base.as_deref(), Some("a\nbase\nb\n"));
        assert_eq!(sides.theirs, "a\ntheirs\nb\n");
    }

    #[test]
    fn texts_about_git_are_no_conflicts() {
        for text in [
            "a <<<<<<< HEAD\n=======\n>>>>>>> x\n",
            "<<<<<<< HEAD\nno end\n",
            "=======\n",
            "<<<<<<< HEAD\n>>>>>>> x\n",
        ] {
            assert_eq!(parse_conflict(text), None, "{text}");
        }
    }
}
