//! Passwords given to commands as arguments: `curl -u user:password`, `sshpass -p …`, `mysql -p…`.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::scan::Finding;
use super::values;

static CURL: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"\A[^\n|;]{0,300}?[ \t](?:-u|--user|--proxy-user)[ =]?["']?[^\s:"'$<]{1,80}:(?<password>[^\s"'\\]{3,})"#)
        .expect("a fixed pattern")
});
static SSHPASS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"\A[ \t]+-p[ \t]*["']?(?<password>[^\s"'\\]{3,})"#).expect("a fixed pattern")
});
static MYSQL: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"\A(?:dump|admin|import)?[ \t][^\n|;]{0,200}?[ \t]-p["']?(?<password>[^\s"'\\:]{4,})"#)
        .expect("a fixed pattern")
});

/// Finds the password on the command line that a command's name starts.
pub(super) fn at(text: &str, word: Range<usize>) -> Option<Finding> {
    let pattern = match &text[word.clone()] {
        "curl" => &*CURL,
        "sshpass" => &*SSHPASS,
        _ => &*MYSQL,
    };
    let inside_word = text[..word.start]
        .ends_with(|before: char| before.is_ascii_alphanumeric() || matches!(before, '_' | '.'));
    if inside_word {
        return None;
    }
    let password = pattern.captures(&text[word.end..])?.name("password")?;
    let value = password.as_str();
    let port = value.bytes().all(|byte| byte.is_ascii_digit());
    if port
        || values::is_filler(value)
        || values::is_reference(value)
        || value.starts_with(['<', '[', '{', '$'])
    {
        return None;
    }
    Some(Finding::new("password", word.end + password.start()..word.end + password.end()))
}
