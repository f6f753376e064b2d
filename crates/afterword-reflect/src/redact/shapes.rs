//! Forms with a place of their own for a secret, each found by a word in it: `echo … | sudo -S`, `IDENTIFIED BY '…'`,
//! `auth=("anna", "…")`, `ConvertTo-SecureString "…"`.
//!
//! Owns forms that neither a name beside the value nor the options of a command give away. A row is a fact of a
//! language, a tool or a file; how much its value must look like a secret is said in the row.

use std::ops::Range;
use std::sync::{LazyLock, OnceLock};

use regex::Regex;

use super::finding::Finding;
use super::names;
use super::values;
use super::views;

/// Where the secret stands, seen from the word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    After,
    /// In the same line.
    Before,
}
use Side::{After, Before};

/// How much the value must look like a secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Strength {
    /// Nothing else can stand there.
    Any,
    /// It mixes digits or signs with letters, or was made by a generator.
    Chosen,
    /// It was made by a generator.
    Generated,
}
use Strength::{Any, Chosen, Generated};

/// A word, where the secret stands from it, and how it must look.
type Row = (&'static str, Side, Strength, &'static str);

/// A literal in the code of most languages, after at most a wrapper.
macro_rules! literal {
    () => {
        r#"(?:Some\(|b|u|r|N|@)?["'`](?<secret>[^"'`\n\\]{3,200})["'`]"#
    };
}

/// What a command printed and nothing else, below its line; `$line` is how that goes on.
macro_rules! below {
    ($line:literal) => {
        concat!(r"\A", $line, r"[^\n]{0,200}\n(?<secret>[^\s]{6,300})[ \t]*(?:\n|\z)")
    };
}

#[rustfmt::skip]
const ROWS: &[Row] = &[
    // Commands that print a secret by itself, in the line below
    ("pass show ", After, Chosen, below!("")),
    ("op read ", After, Chosen, below!("")),
    ("secrets versions access", After, Chosen, below!("")),
    ("keyvault secret show", After, Chosen, below!("")),
    ("get-secret-value", After, Chosen, below!("[^\\n]{0,200}--output text")),
    ("kv get -field", After, Chosen, below!("")),
    ("find-generic-password", After, Chosen, below!("")),
    ("bw get password", After, Chosen, below!("")),
    ("jsonpath=", After, Chosen, below!("[^\\n]{0,160}(?i:passw|secret|token|key)[^\\n]{0,60}base64 (?:-d|--decode|-D)")),
    ("config:get ", After, Chosen, below!("(?<name>[A-Za-z0-9_]{2,80})")),
    ("printenv ", After, Chosen, below!("(?<name>[A-Za-z0-9_]{2,80})")),
    // Handed to a command
    ("sudo", Before, Any, r#"(?:echo|printf)[ \t]+(?:-[a-z]+[ \t]+)?(?:'%s\\n'[ \t]+)?["']?(?<secret>[^\s"'|$<]{3,})["']?[ \t]*\|[ \t]*\z"#),
    ("chpasswd", Before, Any, r#"(?:echo|printf)[ \t]+["']?[^\s"':]{1,80}:(?<secret>[^\s"'|]{3,})["']?[ \t]*\|[ \t]*(?:sudo[ \t]+)?\z"#),
    ("--password-stdin", Before, Any, r#"(?:echo|printf)[ \t]+(?:-n[ \t]+)?["']?(?<secret>[^\s"'|$<]{3,})["']?[ \t]*\|[^|\n]{1,120}\z"#),
    ("--with-token", Before, Any, r#"(?:echo|printf)[ \t]+(?:-n[ \t]+)?["']?(?<secret>[^\s"'|$<]{3,})["']?[ \t]*\|[^|\n]{1,120}\z"#),
    ("/dev/stdin", Before, Chosen, r#"(?:echo|printf)[ \t]+(?:-n[ \t]+)?["']?(?<secret>[^\s"'|$<]{3,})["']?[ \t]*\|[^|\n]{0,160}(?i:secret|passw|token|key)[^|\n]{0,60}\z"#),
    ("docker secret create", Before, Any, r#"(?:echo|printf)[ \t]+(?:-n[ \t]+)?["']?(?<secret>[^\s"'|$<]{3,})["']?[ \t]*\|[ \t]*\z"#),
    ("passwd --stdin", Before, Any, r#"(?:echo|printf)[ \t]+(?:-n[ \t]+)?["']?(?<secret>[^\s"'|$<]{3,})["']?[ \t]*\|[ \t]*(?:sudo[ \t]+)?\z"#),
    ("--password-command", After, Any, r#"\A[= \t]["']echo[ \t]+(?<secret>[^\s"'$]{3,})["']"#),
    ("<<<", After, Any, r#"\A[ \t]*["']?(?<secret>[^\s"'|$<]{3,})"#),
    ("<(echo ", After, Any, r#"\A(?:-n[ \t]+)?["']?(?<secret>[^\s"'|$<)]{3,})"#),
    ("send ", After, Any, r#"\A["'](?<secret>[^\s"'\\]{6,})\\r["']"#),
    // Arguments whose place alone tells
    ("net user", After, Chosen, r#"\A[ \t]+[^\s/]{1,60}[ \t]+["']?(?<secret>[^\s"'/*][^\s"']{3,})"#),
    ("/password:", After, Chosen, r#"\A["']?(?<secret>[^\s"']{3,})"#),
    (" on >", After, Chosen, r"\A(?<secret>[^\s]{3,})"),
    ("--plaintext ", After, Chosen, r#"\A["']?(?<secret>[^\s"']{3,})"#),
    ("mosquitto_passwd -b", After, Any, r#"\A[ \t]+[^\s]{1,200}[ \t]+[^\s]{1,80}[ \t]+["']?(?<secret>[^\s"']{3,})"#),
    ("| base64", Before, Chosen, r#"(?:echo|printf)[ \t]+(?:-n[ \t]+)?["']?[A-Za-z0-9_.@-]{1,60}:(?<secret>[^\s"'|$<]{6,})["']?[ \t]*\z"#),
    ("net use", After, Any, r#"\A[^\n]{0,200}?/user:[^\s]{1,80}[ \t]+["']?(?<secret>[^\s"'/*]{3,})"#),
    ("htpasswd", After, Any, r#"\A[ \t]+-[a-zA-Z]*b[a-zA-Z]*[ \t]+(?:[^\s]{1,200}[ \t]+)?[^\s]{1,80}[ \t]+["']?(?<secret>[^\s"']{3,})"#),
    ("add_user", After, Any, r#"\A[ \t]+[^\s]{1,80}[ \t]+["']?(?<secret>[^\s"']{3,})"#),
    ("change_password", After, Any, r#"\A[ \t]+[^\s]{1,80}[ \t]+["']?(?<secret>[^\s"']{3,})"#),
    ("useradd", After, Chosen, r#"\A[^\n|;&]{0,200}?[ \t]-p[ \t]+["']?(?<secret>[^\s"']{3,})"#),
    ("usermod", After, Chosen, r#"\A[^\n|;&]{0,200}?[ \t]-p[ \t]+["']?(?<secret>[^\s"']{3,})"#),
    ("mkpasswd", After, Chosen, r#"\A(?:[ \t]+-{1,2}[a-zA-Z-]+(?:[= \t](?:sha-?[0-9]+|md5|bcrypt[-a-z]*|yescrypt|des|[0-9]+))?)*[ \t]+["']?(?<secret>[^\s"'-][^\s"']{3,})[^\S\n]*(?:\n|\z|[|;&])"#),
    ("put-parameter", After, Chosen, r#"\A[^\n|;]{0,200}?(?:SecureString|(?i:passw|secret|token|key))[^\n|;]{0,200}?--value[ =]["']?(?<secret>[^\s"']{3,})"#),
    ("--secret-string", After, Chosen, r#"\A[ =]["']?(?<secret>[^\s"'{}]{3,})"#),
    ("keyvault secret set", After, Chosen, r#"\A[^\n|;]{0,200}?--value[ =]["']?(?<secret>[^\s"']{3,})"#),
    ("user-secrets set", After, Chosen, r#"\A[ \t]+["']?[^\s"']{0,80}(?i:passw|secret|token|key|pwd)[^\s"']{0,20}["']?[ \t]+["']?(?<secret>[^\s"']{3,})"#),
    ("--secret ", After, Chosen, r#"\A[A-Za-z0-9:_.-]{2,80}[ \t]+["']?(?<secret>[^\s"']{3,})"#),
    ("rclone config", After, Chosen, r#"\A[^\n|;]{0,200}?[ \t](?:pass|password)[ =]["']?(?<secret>[^\s"']{3,})"#),
    ("etcdctl", After, Chosen, r#"\A[^\n|;]{0,120}?--user[ =][^\s:]{1,60}:(?<secret>[^\s"']{3,})"#),
    ("nuget push", After, Generated, r#"\A[^\n|;]{0,200}?[ \t](?:-k|--api-key|-ApiKey)[ \t]+["']?(?<secret>[^\s"']{16,})"#),
    ("bearer -a", After, Generated, r#"\A[ \t]+["']?(?<secret>[^\s"']{8,})"#),
    ("encrypt_string ", After, Chosen, r#"\A(?:--[a-z-]+[= ][^\s]+[ \t]+)*["'](?<secret>[^"'\n]{3,200})["']"#),
    ("wpa_passphrase ", After, Any, r#"\A["']?[^\s"']{1,32}["']?[ \t]+["']?(?<secret>[^\s"'<|]{8,63})"#),
    ("AUTH ", After, Chosen, r#"\A(?:[A-Za-z0-9_.-]{1,60}[ \t]+)?(?<secret>[^\s"']{6,200})[ \t]*(?:\n|\z)"#),
    ("etcdctl put", After, Chosen, r#"\A[ \t]+[^\s]{0,120}(?i:passw|secret|token|key|pwd)[^\s]{0,40}[ \t]+["']?(?<secret>[^\s"'|;&]{3,})"#),
    ("secret_id=", After, Generated, r#"\A["']?(?<secret>[^\s"']{16,})"#),
    ("user ", After, Chosen, r#"\A["']?[^\s"']{2,40}["']?,?[ \t]+(?:pass|pw|pwd)[ \t:]+["']?(?<secret>[^\s"'$<]{6,})"#),
    ("mc alias set", After, Any, r#"\A[ \t]+[^\s]{1,60}[ \t]+[^\s]{4,200}[ \t]+["']?[^\s"']{1,120}["']?[ \t]+["']?(?<secret>[^\s"'|;&]{3,})"#),
    ("<<EOF", After, Any, r#"\A[ \t]*\n[ \t]*(?<secret>[^\s$]{3,})[ \t]*\n[ \t]*EOF"#),
    ("<<'EOF'", After, Any, r#"\A[ \t]*\n[ \t]*(?<secret>[^\s$]{3,})[ \t]*\n[ \t]*EOF"#),
    ("Secret Access Key [", After, Any, r#"\A[^\]\n]{0,40}\]:[ \t]*(?<secret>[A-Za-z0-9/+]{30,})"#),
    ("influx", After, Chosen, r#"\A[^\n|;]{0,160}?[ \t]-password[ \t]+["']?(?<secret>[^\s"']{3,})"#),
    // Databases
    ("IDENTIFIED", After, Any, r#"\A[ \t]+(?:WITH[ \t]+[A-Za-z0-9_']{1,40}[ \t]+)?BY[ \t]+(?:PASSWORD[ \t]+)?["'\\]{0,3}(?<secret>[^\s"'\\;]{3,})"#),
    ("identified", After, Any, r#"\A[ \t]+(?:with[ \t]+[A-Za-z0-9_']{1,40}[ \t]+)?by[ \t]+(?:password[ \t]+)?["'\\]{0,3}(?<secret>[^\s"'\\;]{3,})"#),
    ("SET PASSWORD", After, Any, r#"\A[ \t]+FOR[ \t]+["'`]?[^\s"'`=]{1,60}["'`]?(?:@["'`]?[^\s"'`=]{1,60}["'`]?)?[ \t]*=[ \t]*(?:PASSWORD\()?["'](?<secret>[^"'\n]{3,})["']"#),
    ("sqlplus", After, Any, r#"\A(?:[ \t]+-[A-Za-z]+)*[ \t]+["']?[A-Za-z0-9_$#]{1,40}/["\\]{0,2}(?<secret>[^\s"'@\\]{3,})["\\]{0,2}(?:@|\s|\z)"#),
    ("userid=", After, Any, r#"\A["']?[A-Za-z0-9_$#]{1,40}/["\\]{0,2}(?<secret>[^\s"'@\\]{3,})["\\]{0,2}@"#),
    ("USERID=", After, Any, r#"\A["']?[A-Za-z0-9_$#]{1,40}/["\\]{0,2}(?<secret>[^\s"'@\\]{3,})["\\]{0,2}@"#),
    ("connect ", After, Chosen, r#"\A[A-Za-z0-9_$#]{1,40}/["]?(?<secret>[^\s"'@/]{3,})["]?@[A-Za-z0-9_./:-]+"#),
    ("CONNECT ", After, Chosen, r#"\A[A-Za-z0-9_$#]{1,40}/["]?(?<secret>[^\s"'@/]{3,})["]?@[A-Za-z0-9_./:-]+"#),
    ("PRAGMA key", After, Any, r#"\A[ \t]*=[ \t]*["'](?<secret>[^"'\n]{3,200})["']"#),
    ("PRAGMA rekey", After, Any, r#"\A[ \t]*=[ \t]*["'](?<secret>[^"'\n]{3,200})["']"#),
    ("pragma key", After, Any, r#"\A[ \t]*=[ \t]*["'](?<secret>[^"'\n]{3,200})["']"#),
    ("PWD={", After, Chosen, r#"\A(?<secret>[A-Za-z0-9_]*[^A-Za-z0-9_}\n"'.(\[${ ][^}\n"'(\[${ ]*)\}"#),
    ("jdbc:oracle:", After, Any, r#"\A(?:thin|oci8?):[A-Za-z0-9_$#]{1,40}/["]?(?<secret>[^\s"'@]{3,})["]?@"#),
    ("@tcp(", Before, Any, r#"[A-Za-z0-9_.-]{1,64}:(?<secret>[^\s"'`/]{3,128})\z"#),
    ("@unix(", Before, Any, r#"[A-Za-z0-9_.-]{1,64}:(?<secret>[^\s"'`/]{3,128})\z"#),
    // Code
    ("auth=(", After, Chosen, concat!(r#"\A["'][^"'\n]{1,80}["'],[ \t]*"#, literal!())),
    ("auth = (", After, Chosen, concat!(r#"\A["'][^"'\n]{1,80}["'],[ \t]*"#, literal!())),
    ("BasicAuth(", After, Chosen, concat!(r#"\A["'][^"'\n]{1,80}["'],[ \t]*"#, literal!())),
    ("basic_auth(", After, Chosen, concat!(r#"\A["'][^"'\n]{1,80}["'],[ \t]*"#, literal!())),
    ("basic_auth ", After, Chosen, concat!(r#"\A["'][^"'\n]{1,80}["'],[ \t]*"#, literal!())),
    (".login(", After, Chosen, concat!(r#"\A[^,\n()]{1,100},[ \t]*"#, literal!())),
    (".auth(", After, Chosen, concat!(r#"\A(?:["'][^"'\n]{1,80}["'],[ \t]*)?"#, literal!())),
    ("CURLOPT_USERPWD", After, Chosen, r#"\A[ \t]*(?:=>|,)[ \t]*["'][^"'\n:]{1,80}:(?<secret>[^"'\n]{3,})["']"#),
    ("getConnection(", After, Chosen, concat!(r#"\A[^,\n()]{1,200},[ \t]*["'][^"'\n]{1,80}["'],[ \t]*"#, literal!())),
    ("SecureString ", After, Chosen, concat!(r#"\A(?:-String[ \t]+)?"#, literal!())),
    ("jwt.sign(", After, Chosen, concat!(r#"\A(?:\{[^{}\n]{0,200}\}|[A-Za-z_.]{1,60}),[ \t]*"#, literal!())),
    ("jwt.verify(", After, Chosen, concat!(r#"\A[A-Za-z_.]{1,60},[ \t]*"#, literal!())),
    ("jwt.encode(", After, Chosen, concat!(r#"\A(?:\{[^{}\n]{0,200}\}|[A-Za-z_.]{1,60}),[ \t]*"#, literal!())),
    ("jwt.decode(", After, Chosen, concat!(r#"\A[A-Za-z_.]{1,60},[ \t]*"#, literal!())),
    ("hmac.new(", After, Chosen, concat!(r#"\A"#, literal!())),
    ("JWT.encode(", After, Chosen, concat!(r#"\A(?:\{[^{}\n]{0,200}\}|[A-Za-z_.]{1,60}),[ \t]*"#, literal!())),
    ("JWT.decode(", After, Chosen, concat!(r#"\A[A-Za-z_.]{1,60},[ \t]*"#, literal!())),
    ("Fernet(", After, Generated, concat!(r#"\A"#, literal!())),
    ("createCipheriv(", After, Generated, r#"\A["'][a-z0-9-]{2,30}["'],[ \t]*(?:Buffer\.from\()?["'`](?<secret>[^"'`\n]{8,200})["'`]"#),
    ("createDecipheriv(", After, Generated, r#"\A["'][a-z0-9-]{2,30}["'],[ \t]*(?:Buffer\.from\()?["'`](?<secret>[^"'`\n]{8,200})["'`]"#),
    ("mysqli_connect(", After, Chosen, concat!(r#"\A[^,\n()]{1,100},[ \t]*[^,\n()]{1,100},[ \t]*"#, literal!())),
    ("new mysqli(", After, Chosen, concat!(r#"\A[^,\n()]{1,100},[ \t]*[^,\n()]{1,100},[ \t]*"#, literal!())),
    ("new PDO(", After, Chosen, concat!(r#"\A["'][^"'\n]{1,200}["'],[ \t]*[^,\n()]{1,100},[ \t]*"#, literal!())),
    ("WiFi.begin(", After, Chosen, concat!(r#"\A["'][^"'\n]{1,40}["'],[ \t]*"#, literal!())),
    ("createHmac(", After, Chosen, concat!(r#"\A["'][a-z0-9-]{2,20}["'],[ \t]*"#, literal!())),
    ("session({", After, Chosen, concat!(r#"\A[^{}\n]{0,120}\bsecret:[ \t]*"#, literal!())),
    // Forms of a page that a test fills in
    (".fill(", Before, Chosen, r#"(?i:passw)[^\n]{0,30}\z"#),
    (".type(", Before, Chosen, r#"(?i:passw)[^\n]{0,30}\z"#),
    (".send_keys(", Before, Chosen, r#"(?i:passw)[^\n]{0,30}\z"#),
    (".sendKeys(", Before, Chosen, r#"(?i:passw)[^\n]{0,30}\z"#),
    (".fill('#password", After, Chosen, concat!(r#"\A["'],[ \t]*"#, literal!())),
    (".fill(\"#password", After, Chosen, concat!(r#"\A["'],[ \t]*"#, literal!())),
    (".type('#password", After, Chosen, concat!(r#"\A["'],[ \t]*"#, literal!())),
    // Files of settings
    ("variable \"", After, Chosen, r#"\A(?<name>[A-Za-z0-9_]{2,80})"[ \t]*\{[^}]{0,300}?\bdefault[ \t]*=[ \t]*"(?<secret>[^"\n]{3,200})""#),
    ("snmp-server community ", After, Any, r#"\A(?<secret>[^\s]{3,80})"#),
    ("enable secret ", After, Chosen, r#"\A(?:[0-9][ \t]+)?(?<secret>[^\s]{3,200})"#),
    ("enable password ", After, Chosen, r#"\A(?:[0-9][ \t]+)?(?<secret>[^\s]{3,200})"#),
    ("psk=\"", After, Any, r#"\A(?<secret>[^"\n]{8,63})""#),
    ("psk=", After, Any, r#"\A(?<secret>[^\s"'<$]{8,64})"#),
    ("bindpw ", After, Chosen, r#"\A(?<secret>[^\s"']{3,80})[ \t]*(?:\n|\z)"#),
    ("rootpw ", After, Chosen, r#"\A(?<secret>[^\s"']{3,200})[ \t]*(?:\n|\z)"#),
    ("auth_pass ", After, Chosen, r#"\A(?<secret>[^\s"']{3,80})[ \t]*(?:\n|\z)"#),
];

/// The pattern of a row, made when its word is met for the first time: few of them are, and to make them all takes a fifth of a second.
fn pattern(row: usize) -> &'static Regex {
    static PATTERNS: [OnceLock<Regex>; ROWS.len()] = [const { OnceLock::new() }; ROWS.len()];
    PATTERNS[row].get_or_init(|| Regex::new(ROWS[row].3).expect("a fixed pattern"))
}

/// The words that start a look.
pub(super) static TRIGGERS: LazyLock<Vec<&'static str>> =
    LazyLock::new(|| ROWS.iter().map(|(word, ..)| *word).collect());

/// Finds the secret of one of the forms.
pub(super) fn at(text: &str, trigger: &Range<usize>) -> Option<Finding> {
    let word = &text[trigger.clone()];
    let row = ROWS.iter().position(|(known, ..)| *known == word)?;
    let (_, side, look, _) = ROWS[row];
    if !fits(text, trigger, word) {
        return None;
    }
    let (offset, part) = match side {
        After => (trigger.end, &text[trigger.end..]),
        Before => {
            let least = text.floor_char_boundary(trigger.start.saturating_sub(400));
            let start = text[least..trigger.start].rfind('\n').map_or(least, |at| least + at + 1);
            (start, &text[start..trigger.start])
        }
    };
    let captures = pattern(row).captures(part)?;
    if captures.name("name").is_some_and(|name| names::judge(name.as_str()).is_none()) {
        return None;
    }
    let range = match captures.name("secret") {
        Some(secret) => offset + secret.start()..offset + secret.end(),
        // What stands before only says what is filled in.
        None => {
            let literal = LITERAL.captures(&text[trigger.end..])?.name("secret")?;
            trigger.end + literal.start()..trigger.end + literal.end()
        }
    };
    accepts(&text[range.clone()], word, look).then(|| Finding::new("password", range))
}

static LITERAL: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(concat!(r"\A", literal!())).expect("a fixed pattern"));

/// Tells whether a form's word stands where the form has it.
fn fits(text: &str, trigger: &Range<usize>, word: &str) -> bool {
    let line = &text[views::line_start(text, trigger.start, 300)..trigger.start];
    let rest = &text[trigger.end..text.floor_char_boundary(text.len().min(trigger.end + 200))];
    let rest = rest.lines().next().unwrap_or_default();
    match word {
        "identified" => {
            let line = line.to_ascii_lowercase();
            ["create ", "alter ", "grant ", "user "].iter().any(|verb| line.contains(verb))
        }
        "sudo" => rest.trim_start().starts_with('-'),
        "<<<" | "<(echo " => {
            let asks =
                ["sudo", "passw", "token", "secret", "su ", "cryptsetup", "openssl", "login", "gpg", " -S"];
            let around = format!("{line} {rest}").to_lowercase();
            asks.iter().any(|word| around.contains(&word.to_lowercase()))
        }
        "--secret " => line.contains("config set"),
        "psk=" | "psk=\"" => line.trim().is_empty() || line.ends_with(['_', '.']),
        // At a prompt, which may name the server.
        "AUTH " => line.trim_matches([' ', '\t', '>', '$', '#']).is_empty() || line.ends_with("> "),
        "pass show " => line.trim_matches([' ', '\t', '>', '$', '#', '%']).is_empty(),
        " on >" => line.trim_start().starts_with("user ") || line.contains("setuser"),
        "secret_id=" => line.contains("approle"),
        "connect " | "CONNECT " => line.trim().is_empty() || line.trim_end().ends_with("SQL>"),
        "<<EOF" | "<<'EOF'" => {
            ["sudo -S", "-stdin", "passwd --stdin", "cryptsetup"].iter().any(|word| line.contains(word))
        }
        "bindpw " | "rootpw " | "auth_pass " => line.trim().is_empty(),
        _ => true,
    }
}

fn accepts(value: &str, word: &str, look: Strength) -> bool {
    let harmless = values::is_filler(value)
        || word == "mkpasswd" && (value.starts_with("sha") || value == "md5crypt")
        || values::is_reference(value)
        || value.starts_with(['<', '[', '{', '('])
        // A variable; a hash of crypt(3) has more of its signs.
        || value.starts_with('$') && value.matches('$').count() < 3
        || (look != Any || word.eq_ignore_ascii_case("identified")) && values::is_stand_in(value);
    let looks = match look {
        Any => true,
        Chosen => values::mixes_digits(value) || values::mixes_signs(value) || values::looks_generated(value),
        Generated => values::looks_generated(value) || values::is_uuid(value),
    };
    !harmless && looks && (look == Any || !values::is_location(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_a_pattern() {
        (0..ROWS.len()).for_each(|row| assert_eq!(pattern(row).as_str(), ROWS[row].3));
    }
}
