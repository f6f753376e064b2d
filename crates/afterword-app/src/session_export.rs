//! A session as a document to keep or to give away: markdown, or a page that needs nothing else. Every secret is taken out.
//!
//! The person's words and those of tools are text; the model's are markdown, as it writes it. Start at [`export_session`].

use std::fmt::Write as _;

use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::reading::SessionReading;
use crate::rows::{Row, Voice};
use crate::{App, Error, reading};

/// How the page looks, on paper too.
const STYLE: &str = include_str!("session_export.css");

/// The form of the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportForm {
    /// Markdown.
    Markdown,
    /// One HTML file.
    Html,
}

impl ExportForm {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Markdown, Self::Html];

    /// The word on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Markdown => "markdown",
            Self::Html => "html",
        }
    }

    /// What files of it end with.
    pub fn ending(self) -> &'static str {
        match self {
            Self::Markdown => "md",
            Self::Html => "html",
        }
    }
}

/// The document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionDocument {
    /// A name for its file.
    pub name: String,
    /// Its text.
    pub text: String,
    /// Secrets that were taken out.
    pub redacted: usize,
}

/// Writes a session down, by its id, the start of it, or its transcript's path; also one of which only a copy is left.
///
/// # Errors
/// As [`crate::reading::read_session`].
pub fn export_session(
    app: &App,
    argument: &str,
    form: ExportForm,
    zone: &TimeZone,
) -> Result<SessionDocument, Error> {
    let session = reading::read_whole(app, argument, "")?;
    let mut parts = vec![(String::new(), session)];
    let subagents = std::mem::take(&mut parts[0].1.subagents);
    for subagent in subagents {
        let of_agent = reading::read_whole(app, &parts[0].1.session.clone(), &subagent.agent)?;
        parts.push((subagent.agent, of_agent));
    }
    let text = match form {
        ExportForm::Markdown => markdown(&parts, zone),
        ExportForm::Html => page(&parts, zone),
    };
    let session = &parts[0].1;
    let day = session.started.map_or_else(String::new, |at| day(at, zone) + "-");
    let name = format!("{day}{}.{}", file_name(&title(session)), form.ending());
    Ok(SessionDocument { name, text, redacted: parts.iter().map(|(_, part)| part.redacted).sum() })
}

fn title(session: &SessionReading) -> String {
    let first_words = || {
        let row = session.rows.iter().find(|row| row.voice == Voice::User && !row.text.is_empty())?;
        Some(afterword_vault::plain::one_line(&row.text, 80))
    };
    session.title.clone().or_else(first_words).unwrap_or_else(|| session.session.clone())
}

/// A name that every file system takes.
fn file_name(title: &str) -> String {
    let mut name = String::new();
    for c in title.chars().take(60) {
        if c.is_alphanumeric() {
            name.extend(c.to_lowercase());
        } else if !name.is_empty() && !name.ends_with('-') {
            name.push('-');
        }
    }
    let name = name.trim_end_matches('-');
    if name.is_empty() { "session".to_owned() } else { name.to_owned() }
}

fn day(at: Timestamp, zone: &TimeZone) -> String {
    at.to_zoned(zone.clone()).strftime("%Y-%m-%d").to_string()
}

fn minute(at: Option<Timestamp>, zone: &TimeZone) -> String {
    at.map(|at| at.to_zoned(zone.clone()).strftime("%Y-%m-%d %H:%M").to_string()).unwrap_or_default()
}

/// Facts that stand above a session.
fn facts(session: &SessionReading, zone: &TimeZone) -> Vec<(&'static str, String)> {
    let mut facts = vec![("Session", session.session.clone())];
    if let Some(directory) = &session.directory {
        facts.push(("Directory", directory.clone()));
    }
    facts.push(("Started", minute(session.started, zone)));
    facts.push(("Last active", minute(session.last_activity, zone)));
    facts.retain(|(_, value)| !value.is_empty());
    facts
}

fn speaker(row: &Row) -> String {
    let who = match row.voice {
        Voice::User if row.sidechain => "Task",
        Voice::Agent if row.sidechain => "Sub-agent",
        Voice::User => "You",
        Voice::Agent => "Claude",
        Voice::Call => "Tool",
        Voice::Trouble | Voice::Client => "",
    };
    [who, row.what].iter().filter(|word| !word.is_empty()).copied().collect::<Vec<_>>().join(" ")
}

fn markdown(parts: &[(String, SessionReading)], zone: &TimeZone) -> String {
    let mut text = String::new();
    for (agent, session) in parts {
        // Writing to a text cannot fail.
        let _ = match agent.is_empty() {
            true => writeln!(text, "# {}\n", title(session)),
            false => writeln!(text, "\n## Sub-agent {agent}\n"),
        };
        if agent.is_empty() {
            for (name, value) in facts(session, zone) {
                let _ = writeln!(text, "- {name}: `{value}`");
            }
        }
        for row in &session.rows {
            let at = minute(row.time, zone);
            match row.voice {
                Voice::User | Voice::Agent => {
                    let _ = writeln!(text, "\n**{}** · {at}\n", speaker(row));
                    // Writing to a text cannot fail.
                    let _ = match row.voice {
                        Voice::User if !row.text.is_empty() => writeln!(text, "{}", quote(&row.text)),
                        _ => writeln!(text, "{}", row.text),
                    };
                }
                _ => {
                    let _ = writeln!(text, "\n{} · {at}\n\n{}", speaker(row), fence(&row.text));
                }
            }
        }
    }
    text
}

fn quote(text: &str) -> String {
    text.lines().map(|line| format!("> {line}").trim_end().to_owned()).collect::<Vec<_>>().join("\n")
}

/// A code block whose fence is longer than any in it.
fn fence(text: &str) -> String {
    if text.is_empty() {
        return String::new();
    }
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}\n{text}\n{fence}")
}

fn page(parts: &[(String, SessionReading)], zone: &TimeZone) -> String {
    let name = escape(&parts.first().map(|(_, session)| title(session)).unwrap_or_default());
    let mut body = String::new();
    for (agent, session) in parts {
        // Writing to a text cannot fail.
        let _ = match agent.is_empty() {
            true => writeln!(body, "<h1>{name}</h1>"),
            false => writeln!(body, "<h2>Sub-agent {}</h2>", escape(agent)),
        };
        if agent.is_empty() {
            body.push_str("<dl>\n");
            for (name, value) in facts(session, zone) {
                let _ = writeln!(body, "<dt>{name}</dt><dd>{}</dd>", escape(&value));
            }
            body.push_str("</dl>\n");
        }
        for row in &session.rows {
            let (who, at) = (escape(&speaker(row)), minute(row.time, zone));
            // Writing to a text cannot fail.
            let _ = match row.voice {
                Voice::User => {
                    writeln!(
                        body,
                        "<section class=\"user\"><h3>{who} <time>{at}</time></h3><p class=\"text\">{}</p></section>",
                        escape(&row.text)
                    )
                }
                Voice::Agent => {
                    let html = afterword_vault::html::render_html(&row.text);
                    writeln!(body, "<section><h3>{who} <time>{at}</time></h3>{html}</section>")
                }
                _ => {
                    let first = escape(&afterword_vault::plain::one_line(&row.text, 100));
                    writeln!(
                        body,
                        "<details><summary>{who} {first} <time>{at}</time></summary><pre>{}</pre></details>",
                        escape(&row.text)
                    )
                }
            };
        }
    }
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{name}</title>\n<style>\n{STYLE}</style>\n</head>\n\
         <body>\n{body}</body>\n</html>\n"
    )
}

fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            _ => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_are_fit_for_any_system() {
        assert_eq!(file_name("Fix: the /login\\ page?"), "fix-the-login-page");
        assert_eq!(file_name("…"), "session");
        assert_eq!(file_name("数据库 locks"), "数据库-locks");
    }

    #[test]
    fn code_is_fenced_whatever_it_holds() {
        assert_eq!(fence("a"), "```\na\n```");
        assert_eq!(fence("a ```` b"), "`````\na ```` b\n`````");
        assert_eq!(quote("a\n\nb"), "> a\n>\n> b");
    }
}
