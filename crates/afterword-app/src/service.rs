//! Starting the agent with the user's session: a systemd user unit, a launchd agent, or an entry in the registry's Run key.
//!
//! Planning is pure and the same on every system, so that each form is tested on all of them; only applying a plan asks
//! the system for anything. It never needs more rights than the user has. Start at [`plan`].

use std::path::Path;
use std::process::Stdio;

use afterword_claude_code::home::CONFIG_DIR_VARIABLE;
use afterword_claude_code::install::{Change, Direction};
use afterword_platform::IS_FOR_DEVELOPMENT;
use afterword_platform::command::background_command;

use crate::error::InstallError;
use crate::{App, Error};

/// The unit's name, the agent's label and the entry's name.
const UNIT: &str = if IS_FOR_DEVELOPMENT { "afterword-dev.service" } else { "afterword.service" };
const LABEL: &str = if IS_FOR_DEVELOPMENT { "app.afterword.agent-dev" } else { "app.afterword.agent" };
const ENTRY: &str = if IS_FOR_DEVELOPMENT { "Afterword-dev" } else { "Afterword" };

/// What starts programs with the user's session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum System {
    Systemd,
    Launchd,
    Registry,
}

/// What would change, and what is run for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServicePlan {
    /// The file, where one changes.
    pub change: Option<Change>,
    /// Run before the file is changed, in their order; one that fails does not matter.
    pub before: Vec<Vec<String>>,
    /// Run after it, in their order.
    pub after: Vec<Vec<String>>,
}

/// What the service is made of.
struct ServiceDefinition<'a> {
    program: &'a str,
    /// Variables it needs: those that say where everything is.
    variables: Vec<(&'static str, String)>,
}

/// Plans to start `program` (as `afterword run`) with the user's session, or no longer to; changes nothing.
///
/// # Errors
/// [`Error::NotUnicode`], [`Error::NoHome`], and [`Error::Io`].
pub fn plan(app: &App, direction: Direction, program: &Path) -> Result<ServicePlan, Error> {
    let text = |path: &Path| {
        path.to_str().map(str::to_owned).ok_or_else(|| Error::NotUnicode { path: path.to_owned() })
    };
    let environment = &app.environment;
    let places = [
        ("AFTERWORD_HOME", &environment.afterword_home),
        (CONFIG_DIR_VARIABLE, &environment.claude_config_dir),
    ];
    let mut variables = Vec::new();
    for (name, place) in places {
        if let Some(place) = place {
            variables.push((name, text(&environment.working_directory.join(place))?));
        }
    }
    let program = text(program)?;
    let made = ServiceDefinition { program: &program, variables };
    let home = environment.home.as_deref().ok_or(Error::NoHome)?;
    let settings = directories::BaseDirs::new().map(|dirs| dirs.config_dir().to_owned());
    let system = if cfg!(windows) {
        System::Registry
    } else if cfg!(target_os = "macos") {
        System::Launchd
    } else {
        System::Systemd
    };
    let file = match system {
        System::Systemd => Some((
            settings.unwrap_or_else(|| home.join(".config")).join("systemd/user").join(UNIT),
            unit(&made),
        )),
        System::Launchd => {
            Some((home.join("Library/LaunchAgents").join(format!("{LABEL}.plist")), property_list(&made)))
        }
        System::Registry => None,
    };
    let change = file.map(|(path, text)| Change::of_own_file(path, text, direction)).transpose()?.flatten();
    let path = change.as_ref().map(|change| change.path.to_string_lossy().into_owned());
    let (before, after) = commands(system, direction, path.as_deref(), &made);
    let nothing = system != System::Registry && change.is_none();
    Ok(ServicePlan {
        before: if nothing { Vec::new() } else { before },
        after: if nothing { Vec::new() } else { after },
        change,
    })
}

impl ServicePlan {
    /// Nothing would change.
    pub fn is_empty(&self) -> bool {
        self.change.is_none() && self.before.is_empty() && self.after.is_empty()
    }

    /// Changes the file and runs the commands.
    ///
    /// # Errors
    /// [`Error::ClaudeCode`] for a file that was changed meanwhile or cannot be written, and [`InstallError::CommandFailed`] for a
    /// command that failed after the file was changed.
    pub fn apply(&self) -> Result<(), Error> {
        if let Some(change) = &self.change {
            change.must_be_current()?;
        }
        for command in &self.before {
            // It stops what may not be running.
            let _ = run(command);
        }
        if let Some(change) = &self.change {
            change.write()?;
        }
        self.after.iter().try_for_each(|command| run(command))
    }
}

fn run(command: &[String]) -> Result<(), Error> {
    let command_line = command.join(" ");
    let Some((program, arguments)) = command.split_first() else { return Ok(()) };
    let output = background_command(program).args(arguments).stdin(Stdio::null()).output();
    let problem = match output {
        Ok(output) if output.status.success() => return Ok(()),
        Ok(output) => String::from_utf8_lossy(&output.stderr).trim().to_owned(),
        Err(error) => error.to_string(),
    };
    Err(InstallError::CommandFailed { command: command_line, problem }.into())
}

fn commands(
    system: System,
    direction: Direction,
    file: Option<&str>,
    made: &ServiceDefinition<'_>,
) -> (Vec<Vec<String>>, Vec<Vec<String>>) {
    let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let with_file = |text: &str| {
        let mut words = words(text);
        words.extend(file.map(str::to_owned));
        words
    };
    const RUN_KEY: &str = r"HKCU\Software\Microsoft\Windows\CurrentVersion\Run";
    let entry = |verb: &str, rest: &[&str]| {
        let mut words = vec!["reg".to_owned(), verb.to_owned(), RUN_KEY.to_owned()];
        words.extend(["/v", ENTRY].iter().chain(rest).map(|word| (*word).to_owned()));
        words.push("/f".to_owned());
        words
    };
    match (system, direction) {
        (System::Systemd, Direction::Install) => {
            let start = words(&format!("systemctl --user enable --now {UNIT}"));
            (Vec::new(), vec![words("systemctl --user daemon-reload"), start])
        }
        (System::Systemd, Direction::Uninstall) => {
            let stop = words(&format!("systemctl --user disable --now {UNIT}"));
            (vec![stop], vec![words("systemctl --user daemon-reload")])
        }
        (System::Launchd, Direction::Install) => {
            (vec![with_file("launchctl unload")], vec![with_file("launchctl load -w")])
        }
        (System::Launchd, Direction::Uninstall) => (vec![with_file("launchctl unload -w")], Vec::new()),
        (System::Registry, Direction::Install) => {
            (Vec::new(), vec![entry("add", &["/t", "REG_SZ", "/d", &windows_command(made)])])
        }
        (System::Registry, Direction::Uninstall) => (Vec::new(), vec![entry("delete", &[])]),
    }
}

/// systemd.service(5), systemd.syntax(7): quoted words, `%` and `$` doubled where they would mean something.
fn unit(made: &ServiceDefinition<'_>) -> String {
    let quoted = |text: &str| {
        let escaped = text.replace('\\', "\\\\").replace('"', "\\\"").replace('%', "%%");
        format!("\"{escaped}\"")
    };
    let variables: String = made
        .variables
        .iter()
        .map(|(name, value)| format!("Environment={}\n", quoted(&format!("{name}={value}"))))
        .collect();
    let program = quoted(&made.program.replace('$', "$$"));
    format!(
        "[Unit]\nDescription=Afterword follows Claude Code sessions and reflects on them\n\n\
        [Service]\nExecStart={program} run\n{variables}Restart=on-failure\nRestartSec=10\nNice=5\n\n\
        [Install]\nWantedBy=default.target\n"
    )
}

/// launchd.plist(5).
fn property_list(made: &ServiceDefinition<'_>) -> String {
    let escaped = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let variables: String = made
        .variables
        .iter()
        .map(|(name, value)| format!("    <key>{name}</key>\n    <string>{}</string>\n", escaped(value)))
        .collect();
    let variables = match variables.is_empty() {
        true => variables,
        false => format!("  <key>EnvironmentVariables</key>\n  <dict>\n{variables}  </dict>\n"),
    };
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
        <!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">\n\
        <plist version=\"1.0\">\n<dict>\n  <key>Label</key>\n  <string>{LABEL}</string>\n  <key>ProgramArguments</key>\n  \
        <array>\n    <string>{}</string>\n    <string>run</string>\n  </array>\n{variables}  \
        <key>RunAtLoad</key>\n  <true/>\n  <key>KeepAlive</key>\n  <dict>\n    <key>SuccessfulExit</key>\n    \
        <false/>\n  </dict>\n  <key>ProcessType</key>\n  <string>Background</string>\n</dict>\n</plist>\n",
        escaped(made.program)
    )
}

/// `conhost --headless` keeps the console of a console program out of sight. The Run key has no place for variables, so
/// they are set by the command interpreter.
fn windows_command(made: &ServiceDefinition<'_>) -> String {
    if made.variables.is_empty() {
        return format!("conhost.exe --headless \"{}\" run", made.program);
    }
    let set: String =
        made.variables.iter().map(|(name, value)| format!("set \"{name}={value}\" && ")).collect();
    format!("conhost.exe --headless cmd.exe /d /s /c \"{set}\"{}\" run\"", made.program)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn definition(program: &str) -> ServiceDefinition<'_> {
        ServiceDefinition {
            program,
            variables: vec![("AFTERWORD_HOME", "/home/ada/50% \"of\" it".to_owned())],
        }
    }

    #[test]
    fn unit_quotes_what_systemd_would_take_apart() {
        let text = unit(&definition("/opt/my apps/a$b/afterword"));
        assert!(text.contains("ExecStart=\"/opt/my apps/a$$b/afterword\" run\n"), "{text}");
        assert!(text.contains("Environment=\"AFTERWORD_HOME=/home/ada/50%% \\\"of\\\" it\"\n"), "{text}");
        assert!(text.ends_with("[Install]\nWantedBy=default.target\n"));
    }

    #[test]
    fn property_list_is_well_formed() {
        let text = property_list(&definition("/Applications/A & B/<x>/afterword"));
        assert!(text.contains("<string>/Applications/A &amp; B/&lt;x&gt;/afterword</string>"), "{text}");
        for name in ["dict", "array", "plist", "string", "key"] {
            let count = |tag: String| text.matches(&tag).count();
            let opened = count(format!("<{name}>")) + count(format!("<{name} version"));
            assert_eq!(opened, count(format!("</{name}>")), "{name} in {text}");
        }
    }

    #[test]
    fn agent_and_app_are_of_one_family() {
        let settings = include_str!("../../../tauri.conf.json");
        let settings: serde_json::Value = serde_json::from_str(settings).unwrap();
        let family = |name: &str| name.rsplit_once('.').unwrap().0.to_owned();
        assert_eq!(family(LABEL), family(settings["identifier"].as_str().unwrap()));
    }

    #[test]
    fn windows_command_shows_no_console() {
        let plain = ServiceDefinition { program: r"C:\Program Files\afterword.exe", variables: Vec::new() };
        let command = windows_command(&plain);
        assert_eq!(command, r#"conhost.exe --headless "C:\Program Files\afterword.exe" run"#);
        let (_, after) = commands(System::Registry, Direction::Install, None, &plain);
        assert_eq!(after[0].last().map(String::as_str), Some("/f"));
        assert!(after[0].contains(&command));
    }

    #[test]
    fn every_system_stops_what_it_takes_out() {
        let check = |system, expected: String| {
            let (before, after) = commands(system, Direction::Uninstall, Some("FILE"), &definition("x"));
            let all: Vec<_> = before.iter().chain(&after).map(|words| words.join(" ")).collect();
            assert!(all.join("; ").contains(&expected), "{all:?}");
        };
        check(System::Systemd, format!("systemctl --user disable --now {UNIT}"));
        check(System::Launchd, "launchctl unload -w FILE".to_owned());
        let delete = r"reg delete HKCU\Software\Microsoft\Windows\CurrentVersion\Run /v";
        check(System::Registry, format!("{delete} {ENTRY} /f"));
    }

    #[test]
    fn service_of_a_build_for_development_is_its_own() {
        for name in [UNIT, LABEL, ENTRY] {
            assert_eq!(name.contains("-dev"), IS_FOR_DEVELOPMENT, "{name}");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn systemd_itself_accepts_the_unit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(UNIT);
        std::fs::write(&path, unit(&definition("/bin/true"))).unwrap();
        let verified =
            std::process::Command::new("systemd-analyze").args(["--user", "verify"]).arg(&path).output();
        // Where there is no systemd there is nobody to ask.
        let Ok(verified) = verified else { return };
        let said = String::from_utf8_lossy(&verified.stderr);
        assert!(!said.contains(UNIT) || said.contains("Failed to"), "{said}");
    }
}
