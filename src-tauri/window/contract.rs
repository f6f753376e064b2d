//! The contract with the page as TypeScript: what each command takes and answers, and the shapes of both. It is made of the types
//! of the commands themselves; the test fails where the committed file differs.

use std::any::TypeId;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use afterword_app::EngineName;
use tauri::AppHandle;
use ts_rs::{Config, TS, TypeVisitor};

use super::commands::{self, About, Answer};
use crate::exchange::ProgressView;
use crate::failure::Failure;

const FILE: &str = "ui/src/platform/contract.ts";
const UPDATE: &str = "UPDATE=1 cargo test -p afterword-desktop --features contract --lib contract";

/// With `UPDATE=1` in the environment the file in the repository is written anew.
#[test]
fn contract_of_the_page_is_that_of_the_commands() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(FILE);
    let text = contract();
    if std::env::var_os("UPDATE").is_some_and(|value| value == "1") {
        std::fs::write(&file, &text).unwrap();
    }
    let current = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(current == text, "{FILE} is not current: {UPDATE}");
}

/// Their names are written by themselves, not by serde.
#[test]
fn engines_are_called_what_the_contract_calls_them() {
    let words = EngineName::ALL.map(|engine| serde_json::to_string(&engine).unwrap());
    assert_eq!(EngineName::inline(&Config::new()), words.join(" | "));
}

fn contract() -> String {
    let mut shapes = Shapes { config: Config::new().with_large_int("number"), by_name: BTreeMap::new() };
    let mut names = argument_names();
    let mut lines = String::new();
    macro_rules! signatures {
        ($($command:path,)*) => {
            $({
                let name = stringify!($command).rsplit("::").next().unwrap().trim();
                let names = names.remove(name).unwrap_or_else(|| panic!("{name} is no command"));
                let Signature { takes, answers } = $command.signature(&mut shapes);
                assert_eq!(names.len(), takes.len(), "{name}: {names:?} are {takes:?}");
                let arguments: Vec<_> =
                    names.iter().zip(takes).map(|(name, takes)| format!("{name}: {takes}")).collect();
                let request =
                    if arguments.is_empty() { String::new() } else { format!("{{ {} }}", arguments.join(", ")) };
                writeln!(lines, "  {name}: {{ request: [{request}], answer: {answers} }},").unwrap();
            })*
        };
    }
    commands!(signatures);
    assert!(names.is_empty(), "no page can ask for {names:?}");
    shapes.add::<Failure>();
    shapes.add::<ProgressView>();

    let mut text = format!("// Made of the types of the program; changes made here are lost.\n// {UPDATE}\n");
    write!(text, "\n/** What the page may ask: each command with its arguments and its answer. */\n")
        .unwrap();
    write!(text, "export type Commands = {{\n{lines}}};\n").unwrap();
    for (_, declaration) in shapes.by_name.values() {
        write!(text, "\n{}\n", laid_out(&declaration.replace("`None`", "`null`"))).unwrap();
    }
    text
}

/// The declarations of every type that a command takes or answers with.
struct Shapes {
    config: Config,
    by_name: BTreeMap<String, (TypeId, String)>,
}

impl Shapes {
    /// Adds a type and all that it is made of; gives its name.
    fn add<T: TS + 'static>(&mut self) -> String {
        self.visit::<T>();
        T::visit_generics(self);
        T::name(&self.config)
    }
}

impl TypeVisitor for Shapes {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        // Only types that were derived have a place of their own.
        if T::output_path().is_none() {
            return;
        }
        let (name, id) = (T::ident(&self.config), TypeId::of::<T>());
        match self.by_name.get(&name) {
            Some((known, _)) => assert_eq!(*known, id, "two types are called {name}"),
            None => {
                let docs = T::docs().unwrap_or_default();
                self.by_name.insert(name, (id, format!("{docs}export {}", T::decl(&self.config))));
                T::visit_dependencies(self);
            }
        }
    }
}

/// What a command takes and answers, in TypeScript.
struct Signature {
    takes: Vec<String>,
    answers: String,
}

/// A command, told by the form of its function.
trait Command<Form> {
    fn signature(self, shapes: &mut Shapes) -> Signature;
}

/// What the function of a command returns.
trait Returned {
    fn answer(shapes: &mut Shapes) -> String;
}

impl<T: TS + 'static> Returned for Answer<T> {
    fn answer(shapes: &mut Shapes) -> String {
        if TypeId::of::<T>() == TypeId::of::<()>() { "void".to_owned() } else { shapes.add::<T>() }
    }
}

macro_rules! returned {
    ($($type:ty),*) => { $(impl Returned for $type {
        fn answer(shapes: &mut Shapes) -> String {
            Answer::<$type>::answer(shapes)
        }
    })* };
}
returned!((), About, String);

macro_rules! command {
    ($form:ident, $($app:ident,)? [$($argument:ident),*]) => {
        impl<C, R, $($argument),*> Command<(Now, $form, fn($($argument),*) -> R)> for C
        where C: Fn($($app,)? $($argument),*) -> R, R: Returned, $($argument: TS + 'static),* {
            fn signature(self, shapes: &mut Shapes) -> Signature {
                Signature { takes: vec![$(shapes.add::<$argument>()),*], answers: R::answer(shapes) }
            }
        }

        impl<C, F, $($argument),*> Command<(Later, $form, fn($($argument),*) -> F)> for C
        where C: Fn($($app,)? $($argument),*) -> F, F: Future<Output: Returned>, $($argument: TS + 'static),* {
            fn signature(self, shapes: &mut Shapes) -> Signature {
                Signature { takes: vec![$(shapes.add::<$argument>()),*], answers: F::Output::answer(shapes) }
            }
        }
    };
}

/// The forms of a command's function: it answers at once or later, and gets the app or does not.
struct Now;
struct Later;
struct WithApp;
struct Alone;

command!(Alone, []);
command!(Alone, [A]);
command!(WithApp, AppHandle, []);
command!(WithApp, AppHandle, [A]);
command!(WithApp, AppHandle, [A, B]);
command!(WithApp, AppHandle, [A, B, D]);
command!(WithApp, AppHandle, [A, B, D, E]);

/// The names of each command's arguments as the page says them. A function's type does not tell them, so they are read from its source.
fn argument_names() -> BTreeMap<String, Vec<String>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src-tauri/window/commands");
    let mut commands = BTreeMap::new();
    for file in std::fs::read_dir(folder).unwrap() {
        let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
        for command in text.split("#[tauri::command]").skip(1) {
            let (_, command) = command.split_once("fn ").unwrap();
            let (name, rest) = command.split_once('(').unwrap();
            let (arguments, _) = rest.split_once(')').unwrap();
            let arguments = arguments.split(',').filter_map(|argument| argument.split_once(": "));
            let names =
                arguments.filter(|(_, of)| of.trim() != "AppHandle").map(|(name, _)| camel_case(name));
            commands.insert(name.to_owned(), names.collect());
        }
    }
    commands
}

/// `daily_usd` as Tauri takes it: `dailyUsd`.
fn camel_case(name: &str) -> String {
    let mut words = name.trim().split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |name, word| name + &word[..1].to_uppercase() + &word[1..])
}

/// A declaration with a line for each field.
fn laid_out(declaration: &str) -> String {
    let mut out = String::new();
    let mut rest = declaration;
    // The brackets that are open; only braces begin lines.
    let mut open = Vec::new();
    while let Some(first) = rest.chars().next() {
        let indent = "\n".to_owned() + &"  ".repeat(open.iter().filter(|bracket| **bracket == '{').count());
        let length = match first {
            '/' => rest.find("*/").map_or(rest.len(), |end| end + 2),
            '"' => rest[1..].find('"').map_or(rest.len(), |end| end + 2),
            '{' if rest.starts_with("{ [") => rest.find('}').map_or(rest.len(), |end| end + 1),
            _ => first.len_utf8(),
        };
        let (part, after) = rest.split_at(length);
        rest = after;
        let begins_line = open.last() == Some(&'{') && out.ends_with(['{', ',', '/']) || out.ends_with("*/");
        match first {
            _ if first.is_whitespace() && (begins_line || out.is_empty()) => {}
            '/' => {
                if begins_line || out.ends_with('{') {
                    out.push_str(&indent);
                }
                let lines: Vec<_> = part.lines().map(str::trim).collect();
                match lines[..] {
                    ["/**", only, "*/"] => {
                        let _ = write!(out, "/** {} */", only.trim_start_matches('*').trim());
                    }
                    _ => out.push_str(&lines.join(&format!("{indent} "))),
                }
            }
            '}' => {
                open.pop();
                out.truncate(out.trim_end().len());
                let indent =
                    "\n".to_owned() + &"  ".repeat(open.iter().filter(|bracket| **bracket == '{').count());
                out.push_str(&indent);
                out.push('}');
            }
            _ => {
                if begins_line {
                    out.push_str(&indent);
                }
                out.push_str(part);
                match first {
                    '{' if length == 1 => open.push('{'),
                    '<' | '[' | '(' => open.push(first),
                    '>' | ']' | ')' => drop(open.pop()),
                    _ => {}
                }
            }
        }
    }
    out
}
