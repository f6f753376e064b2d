//! Passwords in sentences, in the languages people write to a program in: "das Passwort ist …", "密码是…".

use std::ops::Range;
use std::sync::LazyLock;

use regex::{Match, Regex};

use super::finding::Finding;
use super::values;

/// Words for a password; after the English ones only a verb tells, as a colon is the business of `assignments`.
pub(super) const ENGLISH: &[&str] =
    &["password", "Password", "passphrase", "Passphrase", "passcode", "Passcode"];
#[rustfmt::skip]
pub(super) const OTHERS: &[&str] = &[
    "passwort", "Passwort", "kennwort", "Kennwort", "contraseña", "Contraseña", "contrasena",
    "mot de passe", "Mot de passe", "mdp", "senha", "Senha", "пароль", "Пароль", "密码", "密碼", "口令", "パスワード",
    "暗証番号", "비밀번호", "암호", "wachtwoord", "Wachtwoord", "hasło", "Hasło", "heslo", "Heslo", "lösenord",
    "Lösenord", "adgangskode", "salasana", "parola d'ordine", "clave", "Clave", "palavra-passe", "Palavra-passe", "şifre", "Şifre", "parolă", "jelszó",
    "Jelszó", "haslo", "Haslo", "parool", "Parool", "passord", "Passord", "lozinka", "Lozinka", "парола", "κωδικός", "mật khẩu", "Mật khẩu",
    "kata sandi", "Kata sandi", "كلمة المرور", "كلمة السر", "סיסמה", "पासवर्ड", "รหัสผ่าน",
];

/// Words for a user and a password together.
pub(super) const PAIRS: &[&str] = &[
    "credentials",
    "Credentials",
    "creds",
    "Creds",
    "logins",
    "Zugangsdaten",
    "identifiants",
    "credenciales",
];

/// Words before a user and a password together that are also said of much else.
pub(super) const LOGINS: &[&str] = &["login", "Login", "log in", "Log in", "account", "Account", "anmelden"];

/// Short words for a password, which only a chosen value makes one.
pub(super) const SHORT: &[&str] = &["pw", "Pw", "PW", "wifi key", "WiFi key", "Wi-Fi key"];

/// Words for something issued.
#[rustfmt::skip]
pub(super) const TOKENS: &[&str] = &[
    "token", "Token", "secret", "Secret", "API key", "api key", "API Key", "Api key", "API-Key", "API-Schlüssel", "secret key", "access key",
    "PAT", "clé API", "clave de API", "chave de API", "APIキー", "API 密钥",
];

/// Who or what a password is for, between the word and the verb.
const FOR: &str = r"(?:[^\S\n]+(?:for|of|to|on|in|at|für|fuer|vom|von|des|der|zum|zur|im|am|de|del|de la|para|pour|du|da|do|dla|voor|till|для|от|к)[^\S\n]+[^\n:=]{1,60}?|の?)?";
/// Whose it is, up to a colon.
const NAMED: &str = r"[^\S\n]+(?:for|of|to|on|in|at|für|pour|para)[^\S\n]+[^\n:=]{1,60}?:";
const VALUE: &str = r#"["'`*„“”«»「『‘’(]{0,3}[^\S\n]*(?<value>[^\s"'`„“”«»「」『』‘’，。；）！、]{4,})"#;

static AFTER_ENGLISH: LazyLock<Regex> = LazyLock::new(|| {
    let verb = r"(?:[^\S\n]+(?:is now|is still|is:|(?:is|was|has been)[^\S\n]+(?:set|changed|reset)[^\S\n]+to|is|was|will be|should be|to|from|ist|lautet|est|es|è|é|=|->|→|–|—|-)|'s|’s|[^\S\n]*\((?:it is|it's|is)?)";
    let bracketed = r"[^\S\n]*[\[(][^\[\]()\n]{1,40}[\])]:";
    let made = r"[^\S\n]+(?:is|was|has been)[^\S\n]+(?:generated|created|assigned)[^\n=]{0,60}?:";
    let direct = r"(?:[^\S\n]+)";
    Regex::new(&format!(r"\A(?:(?:[^\S\n]*\([^()\n]{{1,40}}\))?(?:{made}|{NAMED}|{FOR}{verb}|{bracketed}|{direct}))[^\S\n]*{VALUE}"))
        .expect("a fixed pattern")
});
/// A value alone in the line below: `Initial admin password:⏎ …`.
static BELOW: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"\A[*_`"']{0,3}(?<colon>[^\n:]{0,60}:)?[*_]{0,3}[^\S\n]*\n\s{0,12}[`"']?(?<value>[^\s`"']{6,100})[`"']?[^\S\n]*(?:\n|\z)"#)
        .expect("a fixed pattern")
});
/// "use … as the password"
static BEFORE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"(?:^|\s)["'`]?(?<value>[^\s"'`]{6,100}?)["'`]?(?:[^\S\n]+(?:as|is)|,[^\S\n]+that(?:'s|’s|[^\S\n]+is))[^\S\n]+(?:(?:the|your|my|our|a|its|new|admin|root|default)[^\S\n]+){0,3}\z"#)
        .expect("a fixed pattern")
});
/// "the credentials are anna / …"
static AFTER_PAIRS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(&format!(r#"\A(?:{FOR}[^\S\n]*(?:are|is|sind|sont|son|with|as|mit|:|=))[^\S\n]*["'`(]?[^\s"'`:/|]{{2,60}}["'`]?[^\S\n]*(?:[/|:,]|and|und|with)[^\S\n]*{VALUE}"#))
        .expect("a fixed pattern")
});
/// "anna:… are the credentials"
static BEFORE_PAIRS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"(?:^|\s)["'`]?[\w.@-]{2,60}:(?<value>[^\s"'`/]{6,100})["'`]?[^\S\n]+(?:are|sind)[^\S\n]+(?:(?:the|my|our|your|die)[^\S\n]+)?\z"#)
        .expect("a fixed pattern")
});
static AFTER_SHORT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(&format!(
        r"\A(?:{FOR}[^\S\n]*[:=][^\S\n]*|{FOR}[^\S\n]+(?:is|was|ist|lautet|est|es|->|→|–|-)[^\S\n]+|[^\S\n]+){VALUE}"
    ))
    .expect("a fixed pattern")
});
static AFTER_TOKEN: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(&format!(
        r"\A(?:{NAMED}|{FOR}(?:[^\S\n]+(?:is|was|provided|ist|est|es|é))?[^\S\n]*[:=–—-]?|は)[^\S\n]*{VALUE}"
    ))
    .expect("a fixed pattern")
});
static AFTER_OTHERS: LazyLock<Regex> = LazyLock::new(|| {
    let verb = r#"["'`*)]{0,3}(?:,?[^\S\n]+(?:ist jetzt|ist|is|lautet|lautete|war|est|c'est|c’est|es|era|é|è|to|je|är|er|on|это)[^\S\n]+|[^\S\n]*(?:是|为|為|は|が|は、|은|는|:|：|=|->|—|–|-))"#;
    Regex::new(&format!(r"\A(?:{FOR}(?:{verb})|)[^\S\n]*{VALUE}")).expect("a fixed pattern")
});

/// Finds the secret that a sentence gives after the word for it, or before.
pub(super) fn at(text: &str, word: &Range<usize>) -> Option<Finding> {
    let said = &text[word.clone()];
    if starts_inside_a_word(text, word.start) {
        return None;
    }
    let after = |pattern: &Regex| {
        let captures = pattern.captures(&text[word.end..])?;
        captures.name("value").map(|value| Candidate::new(text, word.end, value))
    };
    let before = |pattern: &Regex| {
        let least = text.floor_char_boundary(word.start.saturating_sub(160));
        let captures = pattern.captures(&text[least..word.start])?;
        captures.name("value").map(|value| Candidate::new(text, least, value))
    };
    if TOKENS.contains(&said) {
        let rule = match said.to_ascii_lowercase() {
            key if key.contains("key") => "key",
            secret if secret == "secret" => "secret",
            _ => "token",
        };
        return after(&AFTER_TOKEN)?.if_issued(rule);
    }
    if SHORT.contains(&said) {
        return after(&AFTER_SHORT)?.if_chosen();
    }
    if PAIRS.contains(&said) {
        return after(&AFTER_PAIRS)
            .and_then(Candidate::if_chosen)
            .or_else(|| before(&BEFORE_PAIRS)?.if_chosen());
    }
    if LOGINS.contains(&said) {
        return after(&AFTER_PAIRS)?.if_mixed();
    }
    if !ENGLISH.contains(&said) {
        return after(&AFTER_OTHERS)?.if_chosen_or_digits();
    }
    after(&AFTER_ENGLISH)
        .and_then(Candidate::if_chosen)
        .or_else(|| below(text, word))
        .or_else(|| before(&BEFORE)?.if_chosen())
}

fn starts_inside_a_word(text: &str, at: usize) -> bool {
    text[..at]
        .ends_with(|before: char| before.is_ascii_alphanumeric() || matches!(before, '_' | '-' | '.' | '$'))
}

/// The value alone in a line below the word, where that ends its line with a colon or stands alone in it.
fn below(text: &str, word: &Range<usize>) -> Option<Finding> {
    let captures = BELOW.captures(&text[word.end..])?;
    let own_line = &text[super::views::line_start(text, word.start, 80)..word.start];
    if captures.name("colon").is_none() && !own_line.chars().all(|sign| " \t*_#>-`".contains(sign)) {
        return None;
    }
    Candidate::new(text, word.end, captures.name("value")?).if_mixed()
}

/// What may be a secret in a sentence.
struct Candidate<'t> {
    value: &'t str,
    range: Range<usize>,
    harmless: bool,
}

impl<'t> Candidate<'t> {
    /// Takes what was matched in the text from `offset` on, without the sentence's signs after it.
    fn new(text: &'t str, offset: usize, matched: Match<'t>) -> Self {
        let value = matched.as_str().trim_end_matches(['.', ',', ';', ':', '!', '?', ')', '*', ']', '}']);
        let start = offset + matched.start();
        let range = start..start + value.len();
        let foreign = value.chars().filter(|character| !character.is_ascii()).count();
        let harmless = value.len() < 4
            || !value.starts_with(|first: char| first.is_ascii()) && foreign > 2
            || foreign * 2 > value.chars().count()
            || values::is_stand_in(value)
            || values::is_reference(value)
            || values::is_location(value)
            || values::is_number(value)
            || value.split('-').next().is_some_and(values::is_numbered_word)
            || values::is_version(value)
            || value.eq_ignore_ascii_case("1password")
            || value.contains('=') && !value.ends_with('=')
            || values::is_expression(value)
            || text[range.end..].starts_with(['(', '[', '{', '=']);
        Self { value, range, harmless }
    }

    fn is_chosen(&self) -> bool {
        let value = self.value;
        values::mixes_digits(value) || values::mixes_signs(value) || values::looks_generated(value)
    }

    fn when(self, rule: &'static str, secret: bool) -> Option<Finding> {
        (secret && !self.harmless).then(|| Finding::by_name(rule, self.range))
    }

    fn if_chosen(self) -> Option<Finding> {
        let chosen = self.is_chosen();
        self.when("password", chosen)
    }

    /// Digits alone are a password, too, where nothing but one is called so.
    fn if_chosen_or_digits(self) -> Option<Finding> {
        let digits = self.value.len() >= 6 && self.value.bytes().all(|byte| byte.is_ascii_digit());
        let chosen = self.is_chosen() || digits;
        self.when("password", chosen)
    }

    /// For places where much else stands: two cases and digits, a sign inside, or made by a generator.
    fn if_mixed(self) -> Option<Finding> {
        let any = |kind: fn(&u8) -> bool| self.value.bytes().any(|byte| kind(&byte));
        let cases = any(u8::is_ascii_uppercase) && any(u8::is_ascii_lowercase);
        let mixed = values::mixes_digits(self.value) && cases
            || values::mixes_signs(self.value)
            || values::looks_generated(self.value);
        self.when("password", mixed)
    }

    fn if_issued(self, rule: &'static str) -> Option<Finding> {
        let hexadecimal = self.value.len() >= 32 && self.value.bytes().all(|byte| byte.is_ascii_hexdigit());
        let issued = values::is_surely_issued(self.value) || hexadecimal;
        self.when(rule, issued)
    }
}
