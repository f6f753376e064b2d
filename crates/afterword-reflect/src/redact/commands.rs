//! Passwords given to commands as arguments: `curl -u user:password`, `docker login -p …`, `echo … | sudo -S`.
//!
//! A command line is read to its end, over lines that a backslash continues. Which argument of which command is a
//! password is data ([`COMMANDS`]).

use std::ops::Range;

use super::finding::Finding;
use super::headers;
use super::values;

/// What of an argument is a password.
#[derive(Debug, Clone, Copy)]
enum Part {
    Whole,
    /// Behind the sign: `user:password`.
    After(char),
}
use Part::{After, Whole};

/// One command: its names, a word it must be followed by, and its options with a password.
struct Command {
    names: &'static [&'static str],
    subcommand: Option<&'static str>,
    options: &'static [(&'static str, Part)],
}

const fn command(
    names: &'static [&'static str],
    subcommand: Option<&'static str>,
    options: &'static [(&'static str, Part)],
) -> Command {
    Command { names, subcommand, options }
}

/// Long options that name a password (`--password`) need no row: `assignments` reads them after any command.
#[rustfmt::skip]
const COMMANDS: &[Command] = &[
    command(&["curl", "curl.exe"], None, &[("-u", After(':')), ("--user", After(':')), ("--proxy-user", After(':')), ("-U", After(':')), ("--pass", Whole)]),
    command(&["wget"], None, &[("--user", After(':'))]),
    command(&["http", "xh"], None, &[("-a", After(':')), ("--auth", After(':'))]),
    command(&["docker", "podman", "nerdctl", "helm", "oras", "crane", "buildah", "skopeo"], Some("login"), &[("-p", Whole)]),
    command(&["skopeo", "podman", "buildah"], None, &[("--creds", After(':')), ("--src-creds", After(':')), ("--dest-creds", After(':'))]),
    command(&["az", "oc", "cf", "twine", "gcloud", "snowsql", "vault", "ibmcloud", "acr"], Some("login"), &[("-p", Whole)]),
    command(&["redis-cli", "valkey-cli", "keydb-cli"], None, &[("-a", Whole), ("--pass", Whole)]),
    command(&["sqlcmd", "bcp", "osql"], None, &[("-P", Whole)]),
    command(&["mongo", "mongosh", "mongodump", "mongorestore", "mongoexport", "mongoimport"], None, &[("-p", Whole)]),
    command(&["mysql", "mysqldump", "mysqladmin", "mysqlimport", "mariadb", "mariadb-dump", "mysqlsh"], None, &[("-p", Whole)]),
    command(&["ldapsearch", "ldapadd", "ldapmodify", "ldapdelete", "ldapwhoami", "ldappasswd"], None, &[("-w", Whole)]),
    command(&["sshpass"], None, &[("-p", Whole)]),
    command(&["smbclient", "rpcclient", "smbget"], None, &[("-U", After('%')), ("--user", After('%'))]),
    command(&["zip", "unzip"], None, &[("-P", Whole)]),
    command(&["7z", "7za", "7zz", "unrar", "rar"], None, &[("-p", Whole)]),
    command(&["keytool", "jarsigner"], None, &[("-storepass", Whole), ("-keypass", Whole), ("-srcstorepass", Whole), ("-deststorepass", Whole)]),
    command(&["openssl"], None, &[("-passin", After(':')), ("-passout", After(':')), ("-pass", After(':')), ("-k", Whole), ("-K", Whole)]),
    command(&["cqlsh", "clickhouse-client", "influx", "rabbitmqadmin", "twine", "ncftp", "xfreerdp", "rdesktop", "nxc", "crackmapexec", "evil-winrm", "hydra"], None, &[("-p", Whole), ("/p:", Whole)]),
    command(&["lftp"], None, &[("-u", After(','))]),
    command(&["az"], Some("sql"), &[("-p", Whole)]),
    command(&["az"], Some("mysql"), &[("-p", Whole)]),
    command(&["az"], Some("postgres"), &[("-p", Whole)]),
    command(&["supabase"], None, &[("-p", Whole)]),
    command(&["schtasks", "schtasks.exe"], None, &[("/rp", Whole), ("/p", Whole)]),
    command(&["plink", "pscp", "psftp", "putty"], None, &[("-pw", Whole)]),
    command(&["psexec"], None, &[("-p", Whole)]),
    command(&["ipmitool"], None, &[("-P", Whole)]),
    command(&["snmpwalk", "snmpget"], None, &[("-A", Whole), ("-X", Whole), ("-c", Whole)]),
    command(&["gh"], Some("secret"), &[("-b", Whole), ("--body", Whole)]),
    command(&["mosquitto_pub", "mosquitto_sub"], None, &[("-P", Whole)]),
    command(&["gpg"], None, &[("--passphrase", Whole)]),
    command(&["ssh-keygen"], None, &[("-N", Whole), ("-P", Whole)]),
    command(&["ngrok", "wandb", "snyk", "doctl", "vault", "heroku", "railway", "infracost", "flyctl", "fly", "pulumi", "cargo", "npm", "gh", "glab", "tailscale", "cloudflared", "sentry-cli", "vercel", "netlify", "hf", "huggingface-cli", "circleci", "akamai", "linode-cli"], None, &[]),
];

/// The words that start a look at a command line, each command's first name among them.
#[rustfmt::skip]
pub(super) const TRIGGERS: &[&str] = &[
    "keydb-cli", "az sql", "az mysql", "az postgres", "supabase", "schtasks", "plink", "pscp", "psftp", "putty",
    "unzip", "nxc", "hydra", "rabbitmq", "acr login", "ncftp", "ssh-keygen", "ngrok", "wandb login", "snyk auth", "doctl auth",
    "heroku auth", "railway login", "infracost auth", "flyctl auth", "fly auth", "pulumi login", "cargo login", "npm login", "gh auth",
    "glab auth", "tailscale up", "cloudflared ", "sentry-cli login", "vercel login", "netlify login", "hf auth", "huggingface-cli login", "circleci setup",
    "curl", "wget", "http ", "xh ", "docker", "podman", "nerdctl", "helm", "oras", "crane", "buildah",
    "skopeo", "az login", "oc login", "cf login", "twine", "gcloud", "snowsql", "vault login", "ibmcloud",
    "redis-cli", "valkey-cli", "sqlcmd", "bcp", "osql", "mongo", "mysql", "mariadb", "ldap", "sshpass",
    "smbclient", "rpcclient", "smbget", "zip", "7z", "unrar", "rar ", "keytool", "jarsigner", "openssl",
    "cqlsh", "clickhouse-client", "influx", "rabbitmqadmin", "xfreerdp", "rdesktop", "crackmapexec",
    "evil-winrm", "lftp", "psexec", "ipmitool", "snmp", "gh secret", "mosquitto_", "gpg",
];

/// What the examples of a manual have for a user and a password: `user:pass`, `test:test`.
#[rustfmt::skip]
const PLACEHOLDERS: &[&str] = &[
    "user", "username", "login", "name", "test", "pass", "password", "passwd", "pwd", "token", "secret", "xxx", "yyy",
    "foo", "bar", "changeme", "changeit", "myuser", "mypassword",
];

/// One argument of a command line.
struct Argument {
    /// Where it stands, without its quotes.
    range: Range<usize>,
    quoted: bool,
}

/// Finds the passwords on the command line that a command's name begins, and tells how far it was read.
pub(super) fn at(text: &str, trigger: &Range<usize>) -> (Vec<Finding>, usize) {
    let mut findings = Vec::new();
    let starts = !text[..trigger.start].ends_with(|before: char| {
        before.is_ascii_alphanumeric() || matches!(before, '_' | '.' | '-' | '@' | '+' | '=' | '<')
    });
    let name_length = text[trigger.start..]
        .bytes()
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'))
        .count();
    let name = &text[trigger.start..trigger.start + name_length];
    let rows: Vec<&Command> = COMMANDS.iter().filter(|row| row.names.contains(&name)).collect();
    let parted =
        matches!(text.as_bytes().get(trigger.start + name_length), Some(b' ' | b'\t' | b'"' | b'\'' | b'\\'));
    if !starts || !parted || rows.is_empty() {
        return (findings, trigger.end);
    }
    let (arguments, read_to) = arguments(text, trigger.start + name_length);
    for row in rows {
        if row.options.is_empty() {
            // Commands that take a token as an argument.
            let tokens = arguments.iter().map(|argument| argument.range.clone()).filter(|range| {
                let value = &text[range.clone()];
                values::is_uuid(value)
                    || values::is_surely_issued(value)
                    || value.len() >= 32 && values::looks_generated(value) && !values::is_location(value)
            });
            findings.extend(tokens.map(|range| Finding::new("token", range)));
            continue;
        }
        let word =
            |argument: &Argument| row.subcommand.is_some_and(|word| text[argument.range.clone()] == *word);
        if row.subcommand.is_some() && !arguments.iter().take(4).any(word) {
            continue;
        }
        for (index, argument) in arguments.iter().enumerate() {
            let written = &text[argument.range.clone()];
            if name == "curl" && written == "-b" {
                findings.extend(headers::cookies(text, argument.range.clone()).0);
            }
            for (option, part) in row.options {
                let value = if written == *option {
                    // `mysql -p shop` asks for the password and opens `shop`.
                    if name.starts_with("my")
                        || name.starts_with("maria")
                        || name.starts_with('7')
                        || name.ends_with("rar")
                    {
                        None
                    } else {
                        arguments
                            .get(index + 1)
                            .map(|next| (next.range.clone(), next.quoted))
                            .filter(|(_, quoted)| *quoted || !argument.quoted)
                    }
                } else {
                    written
                        .strip_prefix(option)
                        .and_then(|rest| {
                            if option.starts_with("--") {
                                rest.strip_prefix('=')
                            } else {
                                Some(rest.trim_start_matches(['"', '\'']))
                            }
                        })
                        .filter(|_| !argument.quoted && (option.len() <= 3 || option.starts_with("--")))
                        .map(|rest| (argument.range.end - rest.len()..argument.range.end, false))
                };
                findings.extend(value.and_then(|(value, _)| password(text, value, *part)));
            }
        }
    }
    (findings, read_to)
}

/// The password in an argument.
fn password(text: &str, range: Range<usize>, part: Part) -> Option<Finding> {
    let argument = &text[range.clone()];
    let start = match part {
        Whole => range.start,
        After(sign) => {
            let at = argument.find(sign)?;
            let named = |part: &str| {
                let part = part.trim_matches(['"', '\'', ':', '{', '}', '`']);
                part.contains(['$', '<', '{']) || !values::looks_generated(part)
            };
            let written =
                argument[..at].starts_with(['$', '<', '{']) && argument[at..].contains(['$', '<', '{']);
            if written && named(&argument[at..]) {
                return None;
            }
            range.start + at + sign.len_utf8()
        }
    };
    let value = text[start..range.end].trim_end_matches(['"', '\'', '`', ')', '\\']);
    // `"user":"password"`
    let unquoted = value.trim_start_matches(['"', '\'']);
    let start = start + value.len() - unquoted.len();
    let value = unquoted;
    // A key given as the user, with no password: `-u "sk_…:"`.
    let user = &text[range.start..start.saturating_sub(1).max(range.start)];
    let is_key = values::is_surely_issued(user)
        || values::mixes_digits(user) && values::mixes_signs(user) && !user.contains('@');
    if value.is_empty() && matches!(part, After(':')) && is_key {
        return Some(Finding::new("password", range.start..start - 1));
    }
    let port = value.bytes().all(|byte| byte.is_ascii_digit()) && value.len() < 6;
    let source = matches!(part, After(':'))
        && ["env", "file", "fd", "stdin"].contains(&&argument[..start - 1 - range.start]);
    let user = argument.split(':').next().unwrap_or_default();
    let manual = matches!(part, After(':'))
        && (PLACEHOLDERS.contains(&value) && PLACEHOLDERS.contains(&user) || user.starts_with(['<', '[']));
    // Braces around what no name looks like, behind a quoted user: `"{user}":"{…}"`.
    let inner = value.strip_prefix('{').and_then(|inner| inner.strip_suffix('}'));
    let braced = inner.is_some_and(|inner| {
        values::is_surely_issued(inner) || {
            values::looks_generated(inner) && values::mixes_digits(inner) && !values::is_uuid(inner)
        }
    });
    if braced {
        return Some(Finding::new("password", start..start + value.len()));
    }
    let harmless = value.len() < 3
        || manual
        || port
        || source
        || value.starts_with(['<', '[', '{', '$', '-', '/', '%', '(', ')', ',', ']'])
        || values::is_filler(value)
        || values::is_reference(value)
        || value.contains("://")
        || matches!(part, Whole) && values::is_version(value);
    (!harmless).then(|| Finding::new("password", start..start + value.len()))
}

/// The arguments of a command line up to its end, a pipe or the next command; quotes part as a shell's do.
fn arguments(text: &str, from: usize) -> (Vec<Argument>, usize) {
    let bytes = text.as_bytes();
    let mut arguments: Vec<Argument> = Vec::new();
    // A list of strings in a program: `["redis-cli", "-a", "…"]`.
    let listed = matches!(&bytes[from..], [b'"' | b'\'', b',', ..]);
    let mut at = from + usize::from(listed);
    loop {
        // Blanks, and line ends that a backslash takes back.
        loop {
            match &bytes[at..] {
                [b' ' | b'\t', ..] => at += 1,
                [b',', ..] if listed => at += 1,
                [b'\\', b'\n', ..] => at += 2,
                [b'\\', b'\r', b'\n', ..] => at += 3,
                // In a string literal: `\\n` and `\n`.
                [b'\\', b'\\', b'n', ..] => at += 3,
                [b'^' | b'`', b'\n', ..] => at += 2,
                _ => break,
            }
        }
        match &bytes[at..] {
            [] | [b'\n' | b'\r' | b'|' | b';' | b'&' | b'`' | b')', ..] | [b'\\', b'n', ..] => {
                return (arguments, at);
            }
            _ => {}
        }
        let escaped = bytes[at] == b'\\' && matches!(bytes.get(at + 1), Some(b'"' | b'\''));
        let open = at + usize::from(escaped);
        if matches!(bytes[open], b'"' | b'\'') {
            let close = text[open + 1..]
                .find([char::from(bytes[open]), '\n'])
                .map_or(text.len(), |length| open + 1 + length);
            let end =
                if escaped && close > open + 1 && bytes[close - 1] == b'\\' { close - 1 } else { close };
            // A shell joins what follows a quotation without a blank: `"user":"password"`.
            if bytes.get(close + 1) == Some(&b':') && !listed && !escaped {
                let rest = text[close + 1..].bytes().take_while(|byte| !byte.is_ascii_whitespace()).count();
                arguments.push(Argument { range: open + 1..close + 1 + rest, quoted: false });
                at = close + 1 + rest;
                continue;
            }
            arguments.push(Argument { range: open + 1..end, quoted: true });
            at = if bytes.get(close) == Some(&b'\n') { close } else { text.len().min(close + 1) };
            continue;
        }
        let mut end = at;
        let mut quote = 0;
        while let Some(byte) = bytes.get(end) {
            match *byte {
                b'\n' | b'\r' => break,
                byte if quote != 0 && byte == quote => quote = 0,
                _ if quote != 0 => {}
                b'"' | b'\'' if end > at && closes(&bytes[end + 1..], *byte) => quote = *byte,
                b' ' | b'\t' | b'|' | b';' | b'`' | b'"' | b'\'' => break,
                b'\\' if matches!(bytes.get(end + 1), Some(b'n' | b'\n' | b'"')) => break,
                _ => {}
            }
            end += 1;
        }
        if end == at {
            return (arguments, at);
        }
        arguments.push(Argument { range: at..end, quoted: false });
        at = end;
    }
}

/// Tells whether a quote that opens inside an argument closes soon, in its line.
fn closes(rest: &[u8], quote: u8) -> bool {
    rest.iter().take(300).take_while(|byte| **byte != b'\n').any(|byte| *byte == quote)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_is_looked_for() {
        for command in COMMANDS {
            for name in command.names {
                let line = match command.subcommand {
                    Some(word) => format!("{name} {word} x"),
                    None => format!("{name} login auth up setup "),
                };
                let seen =
                    TRIGGERS.iter().any(|trigger| line.starts_with(trigger)) || command.options.is_empty();
                assert!(seen, "{line}");
            }
        }
    }
}
