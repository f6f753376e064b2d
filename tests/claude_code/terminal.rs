//! A person at a terminal: the client in tmux, keys typed, the screen read.

use std::path::Path;
use std::process::Command;

use crate::machine::Machine;

pub(crate) struct Terminal<'a> {
    machine: &'a Machine,
    socket: String,
}

impl<'a> Terminal<'a> {
    /// Starts the client in a folder and waits until it can be typed to. `None` where there is no tmux, which is said.
    pub(crate) fn open(machine: &'a Machine, folder: &Path, arguments: &[&str]) -> Option<Self> {
        if Command::new("tmux").arg("-V").output().is_err() {
            println!("skipped: there is no tmux");
            return None;
        }
        machine.onboard(folder);
        let terminal = Self { machine, socket: format!("aw-{}-{}", std::process::id(), machine.stub.port()) };
        let assignments: Vec<String> =
            machine.environment().into_iter().map(|(name, value)| format!("{name}={value}")).collect();
        let mut command = terminal.tmux();
        command.args(["new-session", "-d", "-s", "client", "-x", "150", "-y", "50", "-c"]).arg(folder);
        command.args(["env", "-i"]).args(assignments).arg(&machine.client).args(arguments);
        assert!(command.status().unwrap().success());
        machine.until("the client shows its prompt", || {
            let screen = terminal.screen();
            let is_ready = ["for shortcuts", "shift+tab to cycle"].iter().any(|hint| screen.contains(hint));
            (screen.contains('❯') && is_ready).then_some(())
        });
        Some(terminal)
    }

    fn tmux(&self) -> Command {
        let mut command = Command::new("tmux");
        command.env_remove("TMUX").args(["-L", &self.socket, "-f", "/dev/null"]);
        command
    }

    pub(crate) fn screen(&self) -> String {
        let output = self.tmux().args(["capture-pane", "-pt", "client"]).output().unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// Types a line and sends it.
    pub(crate) fn send(&self, words: &str) {
        assert!(self.tmux().args(["send-keys", "-t", "client", "-l", words]).status().unwrap().success());
        self.machine.until("the line is typed", || self.screen().contains(words).then_some(()));
        assert!(self.tmux().args(["send-keys", "-t", "client", "Enter"]).status().unwrap().success());
    }
}

impl Drop for Terminal<'_> {
    fn drop(&mut self) {
        let _ = self.tmux().arg("kill-server").output();
    }
}
