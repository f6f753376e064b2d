//! A lesson in the person's editor: the title on the first line, the text below.

use std::io::{self, Write};
use std::process::Command;

use afterword_app::review::{EditedWords, ReviewItem};

/// Lets the person edit a lesson; `None` where they changed nothing or left nothing.
///
/// The editor is `$VISUAL`, else `$EDITOR`, else the system's own, started by the shell as git does, so that the
/// variable may hold arguments.
pub(super) fn edit_in_editor(item: &ReviewItem) -> io::Result<Option<EditedWords>> {
    let before = format!("{}\n\n{}\n", item.title, item.body);
    let mut file = tempfile::Builder::new().prefix("afterword-").suffix(".md").tempfile()?;
    file.write_all(before.as_bytes())?;
    let path = file.into_temp_path();
    let status = editor(&path).status()?;
    if !status.success() {
        return Err(io::Error::other(format!("the editor ended with {status}")));
    }
    let after = std::fs::read_to_string(&path)?;
    Ok(parse_edit(&before, &after))
}

fn parse_edit(before: &str, after: &str) -> Option<EditedWords> {
    let after = after.trim();
    if after.is_empty() || after == before.trim() {
        return None;
    }
    let (title, body) = after.split_once('\n').unwrap_or((after, after));
    let title = title.trim().trim_start_matches('#').trim();
    Some(EditedWords { title: Some(title.to_owned()), body: Some(body.trim().to_owned()) })
}

fn editor(path: &std::path::Path) -> Command {
    let named = ["VISUAL", "EDITOR"].into_iter().find_map(|name| std::env::var(name).ok());
    let named = named.filter(|named| !named.trim().is_empty());
    if cfg!(windows) {
        let mut words = named.as_deref().unwrap_or("notepad").split_whitespace().map(str::to_owned);
        let mut command = Command::new(words.next().unwrap_or_default());
        command.args(words).arg(path);
        return command;
    }
    let mut command = Command::new("sh");
    let line = format!("{} \"$1\"", named.as_deref().unwrap_or("vi"));
    command.args(["-c", &line, "afterword"]).arg(path);
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_line_is_the_title() {
        let check = |after: &str, expected: Option<(&str, &str)>| {
            let words = parse_edit("Old\n\nold text\n", after);
            let words = words.map(|words| (words.title.unwrap(), words.body.unwrap()));
            assert_eq!(words, expected.map(|(title, body)| (title.to_owned(), body.to_owned())));
        };
        check("# New\n\nnew text\n- item\n", Some(("New", "new text\n- item")));
        check("Only a title\n", Some(("Only a title", "Only a title")));
        check("Old\n\nold text", None);
        check("  \n", None);
    }
}
