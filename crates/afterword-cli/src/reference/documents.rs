//! What the documents say against what the program is: every `afterword …` they name can be typed, every setting and tool they
//! name exists, every message they explain is one of the program's, and every link leads somewhere.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use afterword_app::config::SETTINGS;
use clap::CommandFactory;
use clap::error::ErrorKind;

use crate::arguments::Arguments;

/// A document: where it is below the repository, and its text.
struct Document {
    path: PathBuf,
    text: String,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// The documents that are for users, and those that lead to them.
fn documents() -> Vec<Document> {
    let root = root();
    let mut paths: Vec<PathBuf> =
        ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "CODE_OF_CONDUCT.md", "SECURITY.md"]
            .map(PathBuf::from)
            .into();
    for folder in ["docs", "docs/guide", "docs/guide/reference", ".github"] {
        let files = fs::read_dir(root.join(folder)).unwrap().map(|entry| entry.unwrap().file_name());
        paths.extend(files.map(|name| Path::new(folder).join(name)));
    }
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    paths.sort();
    let read = |path: PathBuf| Document { text: fs::read_to_string(root.join(&path)).unwrap(), path };
    paths.into_iter().map(read).collect()
}

/// The lines of code blocks, and what is in code among the words; a document in two.
#[derive(Default)]
struct Code {
    blocks: Vec<String>,
    inline: Vec<String>,
    /// The words without code blocks, with code in its backticks.
    words: String,
}

fn code(text: &str) -> Code {
    let mut code = Code::default();
    let (mut fenced, mut blank) = (false, true);
    for line in text.lines() {
        let is_fence = line.trim_start().starts_with("```");
        let indented =
            line.starts_with("    ") && (blank || code.blocks.last().is_some_and(|last| last == "\n"));
        if is_fence {
            fenced = !fenced;
        } else if fenced || indented {
            code.blocks.push(line.trim().to_owned());
            // A line of a block may follow.
            code.blocks.push("\n".to_owned());
        } else {
            code.blocks.push(String::new());
            code.words.push_str(line);
            code.words.push('\n');
        }
        blank = line.trim().is_empty();
    }
    code.blocks.retain(|line| !line.trim().is_empty());
    code.inline = code
        .words
        .split("\n\n")
        .flat_map(|part| part.split('`').skip(1).step_by(2))
        .map(|inline| inline.split_whitespace().collect::<Vec<_>>().join(" ").replace("\\|", "|"))
        .collect();
    code
}

/// The arguments of what is typed in a shell, without a comment; none where it is not ours.
fn parse_command(line: &str) -> Option<Vec<String>> {
    let line = line.strip_prefix("$ ").unwrap_or(line);
    let mut arguments = vec![String::new()];
    let mut quote = None;
    for character in line.chars() {
        let last = arguments.last_mut().unwrap();
        match (quote, character) {
            (Some(open), _) if open == character => quote = None,
            (None, '"' | '\'') => quote = Some(character),
            (None, '#') if last.is_empty() => break,
            (None, ' ') => arguments.push(String::new()),
            _ => last.push(character),
        }
    }
    arguments.retain(|argument| !argument.is_empty() && argument != "…");
    (arguments.first()? == "afterword").then_some(arguments)
}

/// Every way to read `pause|resume`.
fn alternatives(arguments: &[String]) -> Vec<Vec<String>> {
    let mut all = vec![Vec::new()];
    for argument in arguments {
        let of: Vec<&str> = if argument.chars().any(char::is_whitespace) {
            vec![argument]
        } else {
            argument.split('|').collect()
        };
        all = all
            .iter()
            .flat_map(|before: &Vec<String>| {
                of.iter().map(|one| {
                    let one = one.trim_end_matches('…').to_owned();
                    before.iter().cloned().chain([one]).collect()
                })
            })
            .collect();
    }
    all
}

/// Why it cannot be typed. What is left out, and a value in capitals that stands for others, is no reason.
fn rejection(arguments: &[String]) -> Option<String> {
    let error = Arguments::command().try_get_matches_from(arguments).err()?;
    let stands_for_others =
        |text: &str| arguments.iter().any(|one| text.contains(one.as_str()) && *one == one.to_uppercase());
    match error.kind() {
        ErrorKind::DisplayHelp
        | ErrorKind::DisplayVersion
        | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
        | ErrorKind::MissingRequiredArgument
        | ErrorKind::MissingSubcommand => None,
        ErrorKind::InvalidValue | ErrorKind::ValueValidation if stands_for_others(&error.to_string()) => None,
        _ => Some(error.to_string().lines().next().unwrap_or_default().to_owned()),
    }
}

#[test]
fn commands_that_are_named_can_be_typed() {
    let (mut wrong, mut looked_at) = (Vec::new(), 0);
    for document in documents() {
        let code = code(&document.text);
        // What the program itself writes shows how it is typed, not what is typed.
        let reference = document.path.starts_with("docs/guide/reference");
        for line in code.blocks.iter().filter(|_| !reference).chain(&code.inline) {
            for arguments in parse_command(line).iter().flat_map(|arguments| alternatives(arguments)) {
                looked_at += 1;
                if arguments.len() > 1
                    && let Some(why) = rejection(&arguments)
                {
                    wrong.push(format!("{}: `{line}`: {why}", document.path.display()));
                }
            }
        }
    }
    assert!(looked_at > 100, "only {looked_at} commands are named");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_command_is_named_in_the_guide() {
    let mut named = BTreeSet::new();
    for document in documents().iter().filter(|document| !document.path.starts_with("docs/guide/reference")) {
        let code = code(&document.text);
        let lines = code.blocks.iter().chain(&code.inline);
        named.extend(
            lines
                .filter_map(|line| parse_command(line)?.get(1).cloned())
                .flat_map(|name| alternatives(&[name]).into_iter().flatten().collect::<Vec<_>>()),
        );
    }
    let command = Arguments::command();
    let shown = command.get_subcommands().filter(|command| !command.is_hide_set());
    let missing: Vec<_> = shown.map(clap::Command::get_name).filter(|name| !named.contains(*name)).collect();
    assert!(missing.is_empty(), "named nowhere: {}", missing.join(", "));
}

#[test]
fn settings_that_are_named_exist_and_have_that_default() {
    let sections: BTreeSet<_> = SETTINGS.iter().filter_map(|setting| setting.key.split('.').next()).collect();
    let (mut wrong, mut looked_at) = (Vec::new(), 0);
    for document in documents() {
        let code = code(&document.text);
        let parts: Vec<_> = code.words.split('`').collect();
        for (at, name) in parts.iter().enumerate().skip(1).step_by(2) {
            let name = name.split([' ', '=']).next().unwrap_or_default();
            let Some((section, leaf)) = name.split_once('.') else { continue };
            let is_name = leaf.chars().all(|character| character.is_ascii_lowercase() || character == '_');
            if !sections.contains(section) || !is_name || leaf == "rs" || leaf == "md" {
                continue;
            }
            looked_at += 1;
            let Some(setting) = afterword_app::config::keys::setting(name) else {
                wrong.push(format!("{}: there is no setting `{name}`", document.path.display()));
                continue;
            };
            // As in "`budget.daily_usd` (5.0)".
            let after = parts.get(at + 1).and_then(|words| words.strip_prefix(" ("));
            let value = after.and_then(|words| words.split([')', ';', ',']).next()?.parse::<f64>().ok());
            if let (Some(value), Ok(default)) = (value, setting.default.parse::<f64>())
                && (value - default).abs() > f64::EPSILON
            {
                wrong.push(format!("{}: `{name}` is {default}, not {value}", document.path.display()));
            }
        }
    }
    assert!(looked_at > 30, "only {looked_at} settings are named");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn tools_that_are_named_exist() {
    let tools: BTreeSet<_> = afterword_mcp::surface::tools().into_iter().map(|tool| tool.name).collect();
    let is_tool = |name: &&String| {
        let (group, leaf) = name.split_once('_').unwrap_or_default();
        let named = leaf.chars().all(|character| character.is_ascii_lowercase());
        !leaf.is_empty() && named && ["memory", "review", "task", "reflection", "reflect"].contains(&group)
    };
    let mut wrong = Vec::new();
    for document in documents() {
        let code = code(&document.text);
        for name in code.inline.iter().filter(is_tool).filter(|name| !tools.contains(*name)) {
            wrong.push(format!("{}: there is no tool `{name}`", document.path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The part of an address that leads to this heading, as GitHub and mdBook make it.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().to_lowercase();
    let kept =
        kept.chars().filter(|character| character.is_alphanumeric() || matches!(character, ' ' | '-' | '_'));
    kept.map(|character| if character == ' ' { '-' } else { character }).collect()
}

fn anchors(text: &str) -> BTreeSet<String> {
    let mut fenced = false;
    let mut all = BTreeSet::new();
    for line in text.lines() {
        fenced ^= line.starts_with("```");
        let depth = line.bytes().take_while(|byte| *byte == b'#').count();
        if !fenced && (1..=6).contains(&depth) && line[depth..].starts_with(' ') {
            all.insert(anchor(&line[depth..]));
        }
    }
    all
}

/// Where the links and pictures of a document lead.
fn links(text: &str) -> Vec<String> {
    let words = code(text).words;
    let plain: String = words.split('`').step_by(2).collect::<Vec<_>>().join("`");
    let mut links: Vec<String> = Vec::new();
    for (before, after) in [("](", ')'), ("src=\"", '"'), ("srcset=\"", '"'), ("href=\"", '"')] {
        links.extend(
            plain.split(before).skip(1).filter_map(|rest| rest.split(after).next()).map(str::to_owned),
        );
    }
    links
}

#[test]
fn links_lead_somewhere() {
    let root = root();
    let (mut wrong, mut looked_at) = (Vec::new(), 0);
    for document in documents() {
        for link in links(&document.text) {
            if link.contains("://") || link.starts_with("mailto:") {
                continue;
            }
            looked_at += 1;
            let (path, heading) = link.split_once('#').unwrap_or((&link, ""));
            let folder = document.path.parent().unwrap_or(Path::new(""));
            let target =
                if path.is_empty() { root.join(&document.path) } else { root.join(folder).join(path) };
            let is_there = target.exists();
            let has_heading =
                || fs::read_to_string(&target).is_ok_and(|text| anchors(&text).contains(heading));
            if !is_there || (!heading.is_empty() && !has_heading()) {
                wrong.push(format!("{}: {link}", document.path.display()));
            }
        }
    }
    assert!(looked_at > 50, "only {looked_at} links");
    assert!(wrong.is_empty(), "leads nowhere:\n{}", wrong.join("\n"));
}

/// The lines of the program's own source, without tests.
fn source_lines(folder: &Path) -> Vec<String> {
    let mut lines = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        if name == "tests" || name.ends_with("_tests") || name == "documents" {
            continue;
        }
        if path.is_dir() {
            lines.extend(source_lines(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            let is_program = |line: &&str| !line.starts_with("mod tests {");
            lines.extend(text.lines().take_while(is_program).map(str::to_owned));
        }
    }
    lines
}

/// Whether a line of source holds a message, in which `…` stands for what differs.
fn holds_message(line: &str, message: &str) -> bool {
    let Some((before, mut rest)) = line.split_once('"') else { return false };
    let mut parts = message.split('…').map(str::trim).filter(|part| !part.is_empty());
    !before.contains("//")
        && parts.all(|part| match rest.split_once(part) {
            Some((_, after)) => {
                rest = after;
                true
            }
            None => false,
        })
}

#[test]
fn messages_that_are_explained_are_those_of_the_program() {
    let root = root();
    let crates = fs::read_dir(root.join("crates")).unwrap().map(|entry| entry.unwrap().path().join("src"));
    let lines: Vec<_> = crates.flat_map(|folder| source_lines(&folder)).collect();
    let guide = fs::read_to_string(root.join("docs/guide/trouble.md")).unwrap();
    let (_, table) = guide.split_once("## By message").unwrap();
    let first_cells = table.lines().filter_map(|line| line.strip_prefix('|')?.split('|').next());
    let messages: Vec<_> = first_cells.flat_map(|cell| cell.split('`').skip(1).step_by(2)).collect();
    assert!(messages.len() > 9, "only {messages:?}");
    let is_missing = |message: &&&str| !lines.iter().any(|line| holds_message(line, message));
    let missing: Vec<_> = messages.iter().filter(is_missing).collect();
    assert!(missing.is_empty(), "said by no part of the program: {missing:?}");
}

#[test]
fn message_is_looked_for_in_what_the_program_says_alone() {
    let line = r#"    #[error("`{argument}` is the name of {count} notes")]"#;
    assert!(holds_message(line, "… is the name of … notes"));
    assert!(!holds_message(line, "… is the name of … sessions"));
    assert!(!holds_message(line, "notes … is the name of"));
    assert!(!holds_message("    // It says \"no model is set\".", "no model is set"));
    assert!(!holds_message("/// Says that no model is set.", "no model is set"));
}

#[test]
fn documents_that_workflows_name_exist() {
    let root = root();
    let mut wrong = Vec::new();
    for entry in fs::read_dir(root.join(".github/workflows")).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        let comments = text.lines().filter_map(|line| line.trim_start().strip_prefix('#'));
        for word in comments.flat_map(str::split_whitespace) {
            let word = word.trim_matches(|character: char| !character.is_alphanumeric());
            if word.ends_with(".md") && !root.join(word).is_file() {
                wrong.push(format!("{}: {word}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn scripts_that_are_named_exist() {
    let root = root();
    let mut wrong = Vec::new();
    for document in documents() {
        let code = code(&document.text);
        for line in code.blocks.iter().chain(&code.inline).filter(|line| line.starts_with("scripts/")) {
            let name = line.split_whitespace().next().unwrap_or_default();
            if !root.join(name).is_file() {
                wrong.push(format!("{}: {name}", document.path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn no_document_is_half_merged() {
    for document in documents() {
        let marks = ["<<<<<<< ", ">>>>>>> ", "======="];
        let left = document.text.lines().find(|line| marks.iter().any(|mark| line.starts_with(mark)));
        assert_eq!(left, None, "{}", document.path.display());
    }
}

#[test]
fn every_page_of_the_guide_is_in_its_contents() {
    let summary = links(&fs::read_to_string(root().join("docs/SUMMARY.md")).unwrap());
    let contents = links(&fs::read_to_string(root().join("docs/guide/README.md")).unwrap());
    for document in documents().iter().filter(|document| document.path.starts_with("docs/guide")) {
        let below = document.path.strip_prefix("docs").unwrap().to_string_lossy().replace('\\', "/");
        assert!(summary.contains(&below), "docs/SUMMARY.md lacks {below}");
        let name = below.trim_start_matches("guide/").to_owned();
        assert!(name == "README.md" || contents.contains(&name), "docs/guide/README.md lacks {name}");
    }
}

#[test]
fn what_is_typed_is_read_as_a_shell_does() {
    let words = |line: &str| parse_command(line).unwrap_or_default().join("/");
    assert_eq!(
        words("afterword task new \"two words\" --here   # what it does"),
        "afterword/task/new/two words/--here"
    );
    assert_eq!(words("cargo install afterword"), "");
    assert_eq!(
        alternatives(&["pause|resume".to_owned(), "ID…".to_owned()]),
        [["pause", "ID"], ["resume", "ID"]]
    );
}

#[test]
fn a_command_that_does_not_exist_is_refused() {
    let refused = |line: &str| rejection(&parse_command(line).unwrap()).is_some();
    assert!(refused("afterword mine --all"));
    assert!(refused("afterword reflect --everything"));
    assert!(!refused("afterword forget session"));
    assert!(!refused("afterword completions SHELL"));
    assert!(refused("afterword completions tcsh"));
}
