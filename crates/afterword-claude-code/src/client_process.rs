//! Which process above a hook is the client of its session.
//!
//! A client may die while its hook runs. The hook then has another parent: the first process, or one that takes over what others leave.
//! None of them is a client, as they outlive every session. Start at [`ClientProcess::of_hook`].

use afterword_platform::process::{self, ProcessIdentity, RunningProcess};

/// So far up is looked; the client itself starts a hook directly or through a shell or two.
const HIGHEST: usize = 16;
/// So far up the client is looked for.
const NEAREST: usize = 6;
/// Programs that only start others.
const STARTERS: [&str; 14] = [
    "sh",
    "bash",
    "dash",
    "zsh",
    "fish",
    "ksh",
    "busybox",
    "env",
    "cmd",
    "powershell",
    "pwsh",
    "conhost",
    "sudo",
    "timeout",
];

/// What a hook knows of the client that started it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ClientProcess {
    /// It runs.
    Runs {
        /// Which it is.
        client: ProcessIdentity,
        /// Those above it, the nearest first.
        above: Vec<ProcessIdentity>,
    },
    /// It has ended since it started the hook.
    Gone,
    /// It cannot be told from others.
    Unknown,
}

impl ClientProcess {
    /// The client that started this process.
    pub(crate) fn of_hook() -> Self {
        let ancestors = process::ancestors(HIGHEST);
        // In this order: while the client still listens, every one above is who started the one below it.
        Self::among(ancestors, process::is_output_open())
    }

    /// The nearest that is not merely there to start others. `is_heard` says whether somebody still reads what the hook says, which its
    /// client does for as long as it lives.
    fn among(ancestors: Vec<RunningProcess>, is_heard: Option<bool>) -> Self {
        if is_heard == Some(false) {
            return Self::Gone;
        }
        let is_whole = ancestors.len() < HIGHEST;
        let mut left = ancestors.into_iter().enumerate().skip_while(|(_, one)| is_starter(one));
        match left.next() {
            // A client that is the first process of its container is never found gone from in there.
            Some((_, one)) if one.is_first() && !one.is_reaper() => Self::Unknown,
            Some((_, one)) if one.is_first() || one.is_reaper() => match is_heard {
                Some(_) => Self::Unknown,
                None => Self::Gone,
            },
            Some((place, one)) if place < NEAREST => {
                Self::Runs { client: one.identity, above: left.map(|(_, one)| one.identity).collect() }
            }
            // On Windows nobody takes over what others leave: who stands above nobody has lost its parent.
            None if is_whole && cfg!(windows) => Self::Gone,
            Some(_) | None => Self::Unknown,
        }
    }
}

/// Whether a process is merely there to start others.
fn is_starter(process: &RunningProcess) -> bool {
    let name = process.name.strip_suffix(".exe").unwrap_or(&process.name);
    !process.is_first() && STARTERS.iter().any(|starter| name.eq_ignore_ascii_case(starter))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn process(pid: u32, name: &str) -> RunningProcess {
        let identity = ProcessIdentity { pid, started: pid.to_string() };
        RunningProcess { identity, parent: None, name: name.to_owned() }
    }

    fn among(names: &[(u32, &str)], is_heard: Option<bool>) -> ClientProcess {
        ClientProcess::among(names.iter().map(|(pid, name)| process(*pid, name)).collect(), is_heard)
    }

    fn client(found: &ClientProcess) -> Option<u32> {
        match found {
            ClientProcess::Runs { client, .. } => Some(client.pid),
            ClientProcess::Gone | ClientProcess::Unknown => None,
        }
    }

    #[test]
    fn client_is_the_nearest_that_does_more_than_start_others() {
        let found = among(
            &[(90, "sh"), (80, "claude"), (70, "zsh"), (60, "tmux: server"), (1, "systemd")],
            Some(true),
        );
        let ClientProcess::Runs { client, above } = found else { panic!("{found:?}") };
        assert_eq!(client.pid, 80);
        assert_eq!(above.iter().map(|one| one.pid).collect::<Vec<_>>(), [70, 60, 1]);
        assert_eq!(client_of(&[(80, "node"), (1, "tini")]), Some(80), "a container");
        assert_eq!(
            client_of(&[(80, "claude"), (50, "systemd"), (1, "systemd")]),
            Some(80),
            "a user's service"
        );
        assert_eq!(client_of(&[(80, "claude")]), Some(80), "entered from outside of its container");
    }

    fn client_of(names: &[(u32, &str)]) -> Option<u32> {
        client(&among(names, Some(true)))
    }

    #[test]
    fn whoever_takes_over_what_a_client_leaves_is_no_client() {
        let reapers = [
            &[(1, "systemd")][..],
            &[(1, "launchd")],
            &[(50, "systemd"), (1, "systemd")],
            &[(90, "sh"), (50, "systemd"), (1, "systemd")],
            &[(9, "Relay(10)"), (8, "SessionLeader"), (1, "init(Debian)")],
            &[(1, "tini")],
            &[(1, "bash")],
            &[(1, "node")],
        ];
        for names in reapers {
            assert_eq!(client_of(names), None, "{names:?}");
            assert_eq!(among(names, Some(false)), ClientProcess::Gone, "{names:?}");
            assert_eq!(client(&among(names, None)), None, "{names:?}");
        }
        // Nobody hears the hook any more: whoever stands above it, under whatever name, has taken it over.
        for names in [&[(40, "some-supervisor"), (1, "init")][..], &[(40, "claude")], &[]] {
            assert_eq!(among(names, Some(false)), ClientProcess::Gone, "{names:?}");
        }
    }

    #[test]
    fn client_that_cannot_be_told_from_others_is_unknown_and_not_gone() {
        for name in ["claude", "node", "bash"] {
            assert_eq!(
                among(&[(1, name)], Some(true)),
                ClientProcess::Unknown,
                "{name}: it may be the first process"
            );
            assert_eq!(among(&[(1, name)], None), ClientProcess::Unknown, "{name}");
        }
        assert_eq!(among(&[(1, "systemd")], None), ClientProcess::Gone);
        let shells: Vec<_> = (2..40).map(|pid| (pid, "sh")).collect();
        assert_eq!(among(&shells, Some(true)), ClientProcess::Unknown);
        assert_eq!(among(&shells, None), ClientProcess::Unknown);
    }
}
