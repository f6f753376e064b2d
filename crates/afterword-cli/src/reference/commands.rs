//! The page of the commands.

use std::fmt::Write as _;

use clap::{Arg, ArgAction, Command};

use super::{beginning, escape_markdown};

const ABOUT: &str = "`--help` after a command prints the same. With `--json` data is printed as JSON. \
    Data goes to stdout, everything else to stderr. The exit code is 0 for done, 1 for something you can mend, 2 for wrong usage.\n\n";

/// The page; `root` has been built.
pub(super) fn page(root: &Command) -> String {
    let mut text = beginning("Commands") + ABOUT + "| command | what it does |\n|---|---|\n";
    for command in visible(root) {
        let name = command.get_name();
        // Writing to a String cannot fail.
        let _ = writeln!(text, "| [`{name}`](#afterword-{name}) | {} |", summary(command));
    }
    for command in visible(root) {
        describe(command, 2, &mut text);
    }
    text
}

fn describe(command: &Command, depth: usize, text: &mut String) {
    let name = command.get_bin_name().unwrap_or_else(|| command.get_name());
    let _ = write!(text, "\n{} {name}\n\n{}.\n\n", "#".repeat(depth), summary(command));
    for line in usage(command) {
        let _ = writeln!(text, "    {line}");
    }
    let arguments: Vec<_> = command.get_arguments().filter(|argument| is_own(argument)).collect();
    if !arguments.is_empty() {
        text.push_str("\n| | |\n|---|---|\n");
        for argument in arguments {
            let _ =
                writeln!(text, "| `{}` | {} |", escape_markdown(&form(argument)), description_of(argument));
        }
    }
    for command in visible(command) {
        describe(command, depth + 1, text);
    }
}

fn visible(command: &Command) -> impl Iterator<Item = &Command> {
    command.get_subcommands().filter(|command| !command.is_hide_set())
}

fn summary(command: &Command) -> String {
    escape_markdown(&command.get_about().map(ToString::to_string).unwrap_or_default())
}

fn usage(command: &Command) -> Vec<String> {
    let usage = command.clone().render_usage().to_string();
    let lines = usage.trim_start_matches("Usage:").lines().map(|line| line.trim().to_owned());
    lines.filter(|line| !line.is_empty()).collect()
}

/// Not the options that every command has.
fn is_own(argument: &Arg) -> bool {
    let help = matches!(argument.get_action(), ArgAction::Help | ArgAction::HelpShort | ArgAction::Version);
    !argument.is_hide_set() && !help && argument.get_id() != "json"
}

/// How it is typed.
fn form(argument: &Arg) -> String {
    let names = argument.get_value_names().unwrap_or_default();
    let mut value = names.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    if argument.is_positional() {
        let many = argument.get_num_args().is_some_and(|number| number.max_values() > 1)
            || matches!(argument.get_action(), ArgAction::Append);
        if many {
            value.push('…');
        }
        return value;
    }
    let mut form = argument.get_short().map(|short| format!("-{short}, ")).unwrap_or_default();
    let _ = write!(form, "--{}", argument.get_long().unwrap_or_default());
    if argument.get_action().takes_values() {
        let _ = write!(form, " {value}");
    }
    form
}

fn description_of(argument: &Arg) -> String {
    let mut text = escape_markdown(&argument.get_help().map(ToString::to_string).unwrap_or_default());
    if !argument.get_action().takes_values() {
        return text;
    }
    let values = argument.get_possible_values();
    let values: Vec<_> = values.iter().filter(|value| !value.is_hide_set()).collect();
    if !values.is_empty() {
        let named = |value: &&clap::builder::PossibleValue| {
            let about = value.get_help().map(|help| format!(" ({})", escape_markdown(&help.to_string())));
            format!("`{}`{}", value.get_name(), about.unwrap_or_default())
        };
        let _ = write!(text, ": {}", values.iter().map(named).collect::<Vec<_>>().join(", "));
    }
    let defaults: Vec<_> =
        argument.get_default_values().iter().map(|value| value.to_string_lossy()).collect();
    if defaults.iter().any(|value| !value.is_empty()) {
        let _ = write!(text, " \\[default: `{}`]", defaults.join(" "));
    }
    text
}
