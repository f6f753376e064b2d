//! Passwords in sentences, in the languages people write to a program in: "das Passwort ist …", "密码是…".

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

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

/// Who or what a password is for, between the word and the verb.
const FOR: &str = r"(?:[^\S\n]+(?:for|of|to|on|in|at|für|fuer|vom|von|des|der|zum|zur|im|am|de|del|de la|para|pour|du|da|do|dla|voor|till|для|от|к)[^\S\n]+[^\n:=]{1,60}?|の?)?";
const VALUE: &str = r#"["'`*„“”«»「『‘’(]{0,3}[^\S\n]*(?<value>[^\s"'`„“”«»「」『』‘’，。；）！、]{4,})"#;

static AFTER_ENGLISH: LazyLock<Regex> = LazyLock::new(|| {
    let verb = r"(?:[^\S\n]+(?:is now|is still|is:|is|was|will be|should be|=)|[^\S\n]*\()";
    let named = r"[^\S\n]+(?:for|of|to|on|in|at)[^\S\n]+[^\n:=]{1,60}?:";
    let direct = r"(?:[^\S\n]+)";
    Regex::new(&format!(r"\A(?:{FOR}{verb}|{named}|{direct})[^\S\n]*{VALUE}")).expect("a fixed pattern")
});
static AFTER_OTHERS: LazyLock<Regex> = LazyLock::new(|| {
    let verb = r#"["'`*)]{0,3}[^\S\n]*(?:ist jetzt|ist|lautet|lautete|war|est|es|era|é|to|je|är|er|on|это|是|为|為|は|が|は、|은|는|:|：|=|->|—|–|-)"#;
    Regex::new(&format!(r"\A(?:{FOR}(?:{verb})|)[^\S\n]*{VALUE}")).expect("a fixed pattern")
});

/// Finds the password that a sentence gives after the word for it.
pub(super) fn at(text: &str, word: &Range<usize>) -> Option<Finding> {
    let english = ENGLISH.contains(&&text[word.clone()]);
    let inside = text[..word.start]
        .ends_with(|before: char| before.is_ascii_alphanumeric() || matches!(before, '_' | '-' | '.' | '$'));
    if inside {
        return None;
    }
    let pattern = if english { &AFTER_ENGLISH } else { &AFTER_OTHERS };
    let captures = pattern.captures(&text[word.end..])?;
    let matched = captures.name("value")?;
    let value = matched.as_str().trim_end_matches(['.', ',', ';', ':', '!', '?', ')', '*', ']', '}']);
    let start = word.end + matched.start();
    let range = start..start + value.len();
    let harmless = value.len() < 4
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
