//! The line by which a person goes on with a session: Claude Code finds it from the directory it began in.

use std::path::Path;

use afterword_core::SessionId;

use crate::home::CONFIG_DIR_VARIABLE;

/// The client's own line, for a shell that is in the session's directory.
pub fn resume_command(session: &SessionId) -> String {
    format!("claude --resume {session}")
}

/// The same for a shell that is anywhere: it goes to the session's directory first, and names the directory of Claude Code where another
/// than the usual one has the session. `None` where that one cannot be written down.
pub fn resume_line(session: &SessionId, directory: &str, claude: Option<&Path>) -> Option<String> {
    let claude = match claude {
        Some(root) => Some(root.to_str()?),
        None => None,
    };
    let command = resume_command(session);
    Some(if cfg!(windows) {
        let quoted = |path: &str| path.replace('"', "");
        let variable = claude.map(|root| format!("set \"{CONFIG_DIR_VARIABLE}={}\" && ", quoted(root)));
        format!("cd /d \"{}\" && {}{command}", quoted(directory), variable.unwrap_or_default())
    } else {
        let quoted = |path: &str| path.replace('\'', "'\\''");
        let variable = claude.map(|root| format!("{CONFIG_DIR_VARIABLE}='{}' ", quoted(root)));
        format!("cd '{}' && {}{command}", quoted(directory), variable.unwrap_or_default())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(not(windows))]
    fn line_goes_to_the_directory_and_quotes_it() {
        let session = SessionId::parse("5f0a").unwrap();
        let check = |directory: &str, claude: Option<&str>, expected: &str| {
            assert_eq!(resume_line(&session, directory, claude.map(Path::new)).as_deref(), Some(expected));
        };
        check("/home/ada/shop", None, "cd '/home/ada/shop' && claude --resume 5f0a");
        check("/it's", None, "cd '/it'\\''s' && claude --resume 5f0a");
        check("/a", Some("/b"), "cd '/a' && CLAUDE_CONFIG_DIR='/b' claude --resume 5f0a");
    }
}
