//! Goes on with a session in a terminal: the person's own where the environment names one, else one that is there.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use afterword_app::reading::resume_command;
use afterword_core::SessionId;

use crate::desktop_error::DesktopError;
use crate::failure::Failure;

/// A terminal that is there for so long has opened.
const OPENED: Duration = Duration::from_secs(1);
const LOOK: Duration = Duration::from_millis(50);

/// Opens a terminal in `directory` and goes on with the session there.
pub(crate) fn resume_in_terminal(session: &SessionId, directory: &Path) -> Result<(), Failure> {
    if !directory.is_dir() {
        return Err(DesktopError::gone(directory).into());
    }
    let mut command = terminal(session, directory).ok_or(DesktopError::NoTerminal)?;
    let name = PathBuf::from(command.get_program()).display().to_string();
    let failed = |detail| DesktopError::TerminalFailed { name: name.clone(), detail };
    let mut child = command.spawn().map_err(|error| failed(error.to_string()))?;
    match early_failure(&mut child) {
        Some(error) => Err(failed(error).into()),
        None => {
            // Some terminals stay as long as their window; nobody has to wait for them.
            std::thread::spawn(move || child.wait());
            Ok(())
        }
    }
}

/// Why a terminal ended before anybody could see it; nothing where it did not, or handed its work to one that was open.
fn early_failure(child: &mut Child) -> Option<String> {
    let began = Instant::now();
    while began.elapsed() < OPENED {
        match child.try_wait() {
            Ok(Some(status)) if status.success() => return None,
            Ok(Some(status)) => return Some(status.to_string()),
            Ok(None) => std::thread::sleep(LOOK),
            Err(error) => return Some(error.to_string()),
        }
    }
    None
}

/// What is typed.
fn line(session: &SessionId) -> String {
    resume_command(session)
}

#[cfg(target_os = "linux")]
fn terminal(session: &SessionId, directory: &Path) -> Option<Command> {
    let named = std::env::var_os("TERMINAL").filter(|name| !name.is_empty());
    let shell = std::env::var("SHELL").unwrap_or_default();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let find =
        |name: &str| std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file());
    let [program, arguments @ ..] = &linux_terminal(named, find, &shell, session)?[..] else { return None };
    let mut command = Command::new(program);
    command.args(arguments).current_dir(directory);
    // It outlives the window that opened it.
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    Some(command)
}

/// Terminals, and what stands between each and the command that it runs.
#[cfg(target_os = "linux")]
const TERMINALS: [(&str, &[&str]); 14] = [
    ("xdg-terminal-exec", &[]),
    ("x-terminal-emulator", &["-e"]),
    ("ptyxis", &["--"]),
    ("gnome-terminal", &["--"]),
    ("kgx", &["--"]),
    ("konsole", &["-e"]),
    ("xfce4-terminal", &["-x"]),
    ("mate-terminal", &["-x"]),
    ("kitty", &[]),
    ("ghostty", &["-e"]),
    ("alacritty", &["-e"]),
    ("wezterm", &["start", "--"]),
    ("foot", &[]),
    ("xterm", &["-e"]),
];

/// The terminal's program and its arguments: the one that is named, else the first of those known that is found.
#[cfg(target_os = "linux")]
fn linux_terminal(
    named: Option<OsString>,
    find: impl Fn(&str) -> Option<PathBuf>,
    shell: &str,
    session: &SessionId,
) -> Option<Vec<OsString>> {
    let known = || TERMINALS.iter().find_map(|(name, before)| Some((find(name)?.into_os_string(), *before)));
    let (program, before) = match named {
        Some(program) => {
            let name = Path::new(&program).file_name().and_then(|name| name.to_str()).unwrap_or_default();
            let before =
                TERMINALS.iter().find(|(known, _)| *known == name).map_or(&["-e"][..], |(_, before)| before);
            (program, before)
        }
        None => known()?,
    };
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+".contains(c);
    let shell = if shell.starts_with('/') && shell.chars().all(is_plain) { shell } else { "/bin/sh" };
    // As a login shell it knows where the client is; the shell stays, so that what the client said last can be read.
    let typed = format!("{}; exec {shell}", line(session));
    let command = [shell, "-l", "-i", "-c", &typed];
    Some([program].into_iter().chain(before.iter().chain(&command).map(OsString::from)).collect())
}

#[cfg(target_os = "macos")]
#[expect(clippy::unnecessary_wraps, reason = "on Linux there may be none")]
fn terminal(session: &SessionId, directory: &Path) -> Option<Command> {
    let directory = directory.to_string_lossy().replace('\'', "'\\''");
    let typed = format!("cd '{directory}' && {}", line(session));
    let typed = typed.replace('\\', "\\\\").replace('"', "\\\"");
    let mut command = Command::new("osascript");
    command.args(["-e", &format!("tell application \"Terminal\" to do script \"{typed}\"")]);
    command.args(["-e", "tell application \"Terminal\" to activate"]);
    Some(command)
}

#[cfg(windows)]
#[expect(clippy::unnecessary_wraps, reason = "on Linux there may be none")]
fn terminal(session: &SessionId, directory: &Path) -> Option<Command> {
    use std::os::windows::process::CommandExt;
    /// Of Windows' process creation flags.
    const CREATE_NEW_CONSOLE: u32 = 0x10;
    let mut command = Command::new("cmd");
    command.args(["/k", &line(session)]).current_dir(directory).creation_flags(CREATE_NEW_CONSOLE);
    Some(command)
}

#[cfg(target_os = "linux")]
#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "9ec243be-6281-4ecd-9803-cd7c5795abc5";

    #[track_caller]
    fn check(named: Option<&str>, there: &[&str], shell: &str, expected: Option<&[&str]>) {
        let session = SessionId::parse(ID).expect("the id of a session");
        let find = |name: &str| there.contains(&name).then(|| PathBuf::from(name));
        let found = linux_terminal(named.map(OsString::from), find, shell, &session);
        assert_eq!(found, expected.map(|words| words.iter().map(OsString::from).collect()));
    }

    #[test]
    fn terminal_that_is_named_comes_before_those_that_are_there() {
        let typed = format!("claude --resume {ID}; exec /bin/zsh");
        let bash = format!("claude --resume {ID}; exec /bin/sh");
        let zsh = ["/bin/zsh", "-l", "-i", "-c", &typed];
        let with = |before: &[&'static str]| [before, &zsh].concat();
        check(Some("/usr/bin/konsole"), &["xterm"], "/bin/zsh", Some(&with(&["/usr/bin/konsole", "-e"])));
        check(Some("mine"), &[], "/bin/zsh", Some(&with(&["mine", "-e"])));
        check(None, &["xterm", "gnome-terminal"], "/bin/zsh", Some(&with(&["gnome-terminal", "--"])));
        check(None, &["kitty"], "a b", Some(&["kitty", "/bin/sh", "-l", "-i", "-c", &bash]));
        check(None, &[], "/bin/zsh", None);
    }
}
