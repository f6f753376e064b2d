//! Passwords in sentences, in the languages people write to a program in: "das Passwort ist …", "密码是…".

use std::ops::Range;
use std::sync::LazyLock;

use regex::{Match, Regex};

use super::scan::Finding;
use super::values;

/// Words for a password; after the English ones only a verb tells, as a colon is the business of `assignments`.
pub(super) const ENGLISH: &[&str] =
    &["password", "Password", "passphrase", "Passphrase", "passcode", "Passcode"];
#[rustfmt::skip]
pub(super) const OTHERS: &[&str] = &[
    "passwort", "Passwort", "kennwort", "Kennwort", "contraseña", "Contraseña", "contrasena",
    "mot de passe", "Mot de passe", "mdp", "senha", "Senha", "пароль", "Пароль", "密码", "密碼", "口令", "パスワード",
    "暗証番号", "비밀번호", "암호", "wachtwoord", "Wachtwoord", "hasło", "Hasło", "heslo", "Heslo", "lösenord",
    "Lösenord", "adgangskode", "salasana", "parola d'ordine", "clave", "şifre", "parolă", "jelszó",
    "Jelszó",
];

/// Words for a user and a password together.
pub(super) const PAIRS: &[&str] =
    &["credentials", "Credentials", "logins", "Zugangsdaten", "identifiants", "credenciales"];

/// Who or what a password is for, between the word and the verb.
const FOR: &str = r"(?:[^\S\n]+(?:for|of|to|on|in|at|für|fuer|vom|von|des|der|zum|zur|im|am|de|del|de la|para|pour|du|da|do|dla|voor|till|для|от|к)[^\S\n]+[^\n:=]{1,60}?|の?)?";
const VALUE: &str = r#"["'`*„“”«»「『‘’(]{0,3}[^\S\n]*(?<value>[^\s"'`„“”«»「」『』‘’，。；）！、]{4,})"#;

static AFTER_ENGLISH: LazyLock<Regex> = LazyLock::new(|| {
    let verb = r"(?:[^\S\n]+(?:is now|is still|is:|is|was|will be|should be|to|=|->|→|–|—|-)|'s|’s|[^\S\n]*\((?:it is|it's|is)?)";
    let named = r"[^\S\n]+(?:for|of|to|on|in|at)[^\S\n]+[^\n:=]{1,60}?:";
    let direct = r"(?:[^\S\n]+)";
    Regex::new(&format!(r"\A(?:{FOR}{verb}|{named}|{direct})[^\S\n]*{VALUE}")).expect("a fixed pattern")
});
/// "use … as the password"
static BEFORE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"(?:^|\s)["'`]?(?<value>[^\s"'`]{6,100})["'`]?[^\S\n]+(?:as|is)[^\S\n]+(?:(?:the|your|my|our|a|its|new|admin|root|default)[^\S\n]+){0,3}\z"#)
        .expect("a fixed pattern")
});
/// "the credentials are anna / …"
static AFTER_PAIRS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(&format!(r#"\A(?:{FOR}[^\S\n]*(?:are|sind|sont|son|:|=))[^\S\n]*["'`(]?[^\s"'`:/|]{{2,60}}["'`]?[^\S\n]*(?:[/|:,]|and|und|with)[^\S\n]*{VALUE}"#))
        .expect("a fixed pattern")
});
static AFTER_OTHERS: LazyLock<Regex> = LazyLock::new(|| {
    let verb = r#"["'`*)]{0,3}[^\S\n]*(?:ist jetzt|ist|lautet|lautete|war|est|es|era|é|to|je|är|er|on|это|是|为|為|は|が|は、|은|는|:|：|=|->|—|–|-)"#;
    Regex::new(&format!(r"\A(?:{FOR}(?:{verb})|)[^\S\n]*{VALUE}")).expect("a fixed pattern")
});

/// Finds the password that a sentence gives after the word for it.
pub(super) fn at(text: &str, word: &Range<usize>) -> Option<Finding> {
    let english = ENGLISH.contains(&&text[word.clone()]);
    if PAIRS.contains(&&text[word.clone()]) {
        return judge(text, word.end, AFTER_PAIRS.captures(&text[word.end..])?.name("value")?, false);
    }
    let inside = text[..word.start]
        .ends_with(|before: char| before.is_ascii_alphanumeric() || matches!(before, '_' | '-' | '.' | '$'));
    if inside {
        return None;
    }
    let pattern = if english { &AFTER_ENGLISH } else { &AFTER_OTHERS };
    let after = pattern.captures(&text[word.end..]).and_then(|captures| captures.name("value"));
    let found = after.and_then(|value| judge(text, word.end, value, english));
    if found.is_some() || !english {
        return found;
    }
    let least = text.floor_char_boundary(word.start.saturating_sub(160));
    judge(text, least, BEFORE.captures(&text[least..word.start])?.name("value")?, true)
}

/// The value as a finding, if it can be a password; it was matched in the text from `offset` on.
fn judge(text: &str, offset: usize, matched: Match<'_>, english: bool) -> Option<Finding> {
    let value = matched.as_str().trim_end_matches(['.', ',', ';', ':', '!', '?', ')', '*', ']', '}']);
    let start = offset + matched.start();
    let range = start..start + value.len();
    let foreign = value.chars().filter(|character| !character.is_ascii()).count();
    let harmless = value.len() < 4
        || !value.starts_with(|first: char| first.is_ascii()) && foreign > 2
        || values::is_stand_in(value)
        || values::is_reference(value)
        || values::is_location(value)
        || values::is_number(value)
        || value.split('-').next().is_some_and(values::is_numbered_word)
        || values::is_version(value)
        || value.contains('=')
        || values::is_expression(value)
        || text[range.end..].starts_with(['(', '[', '{', '=']);
    let digits = value.len() >= 6 && value.bytes().all(|byte| byte.is_ascii_digit());
    let chosen = values::mixes_digits(value) || values::mixes_signs(value) || values::looks_generated(value);
    (!harmless && (chosen || digits && !english)).then(|| Finding::by_name("password", range))
}
