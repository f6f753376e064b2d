//! The reference of the guide, written from what the program is: its commands, its settings, and the tools it serves over MCP.
//!
//! Each page is text made from one list ([`Arguments`], `SETTINGS`, the server's tools), so that it cannot differ from the program.
//! `tests/cli/reference.rs` compares the pages in `docs/guide/reference` with these.

mod commands;
#[cfg(test)]
mod documents;
#[cfg(test)]
mod figures;
mod settings;
mod tools;

use clap::CommandFactory;

use crate::arguments::Arguments;

/// A page of the reference: its file's name and its text.
pub(crate) type Page = (&'static str, String);

/// Every page.
pub(crate) fn pages() -> Vec<Page> {
    let mut root = Arguments::command();
    root.build();
    vec![
        ("commands.md", commands::page(&root)),
        ("settings.md", settings::page()),
        ("tools.md", tools::page()),
    ]
}

/// How each page begins.
fn beginning(title: &str) -> String {
    format!(
        "# {title}\n\n<!-- Written by the program itself (CONTRIBUTING.md, \"Documents\"); changes made here are lost. -->\n\n"
    )
}

/// A text with what markdown would take for markup written out, except in code.
fn escape_markdown(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut code = false;
    for character in text.trim().chars() {
        code ^= character == '`';
        match character {
            '\n' => out.push(' '),
            // A bar ends the cell of a table also in code.
            '|' => out.push_str("\\|"),
            '*' | '_' | '<' | '[' if !code => {
                out.push('\\');
                out.push(character);
            }
            _ => out.push(character),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::escape_markdown;

    #[test]
    fn markup_is_written_out_but_not_in_code() {
        assert_eq!(escape_markdown("all of *these* in `a_b*|c`"), "all of \\*these\\* in `a_b*\\|c`");
    }
}
