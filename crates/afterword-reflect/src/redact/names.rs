//! Judges by its name whether a variable, property, flag or header holds a secret.
//!
//! The last word decides: `client_secret` does, `secret_name`, `max_tokens` and `token_budget` do not.

/// What a name promises.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NameKind {
    /// Something a person may have chosen, so also short and readable.
    Password,
    /// Something issued or generated.
    Issued(&'static str),
    /// A list of words that restores a wallet.
    WordList,
}

impl NameKind {
    pub(super) fn rule(self) -> &'static str {
        match self {
            Self::Password => "password",
            Self::Issued(rule) => rule,
            Self::WordList => "seed-phrase",
        }
    }
}

/// Words that make a `key` a secret one. Not: public, primary, foreign, sort, cache, react …
const SECRET_KEY_QUALIFIERS: &[&str] = &[
    "api",
    "access",
    "secret",
    "private",
    "auth",
    "encryption",
    "decryption",
    "signing",
    "master",
    "account",
    "shared",
    "service",
    "role",
    "admin",
    "license",
    "deploy",
    "client",
    "jwt",
    "hmac",
    "aes",
    "subscription",
    "webhook",
    "cipher",
    "symmetric",
    "session",
    "app",
    "apis",
    "crypto",
];

/// Words that make a `token` a mark in a text, a page or a design.
const PLAIN_TOKEN_QUALIFIERS: &[&str] = &[
    "next",
    "page",
    "continuation",
    "cursor",
    "eos",
    "bos",
    "pad",
    "unk",
    "cls",
    "sep",
    "mask",
    "special",
    "stop",
    "start",
    "end",
    "design",
    "color",
    "theme",
    "first",
    "last",
    "per",
    "max",
    "min",
    "num",
    "input",
    "output",
    "css",
    "syntax",
    "lexer",
    "ast",
    "prev",
    "previous",
    "cancel",
    "cancellation",
    "public",
    "sync",
    "lock",
    "placeholder",
];

/// Words after the deciding one that do not change it (`SECRET_KEY_BASE`, `DB_PASSWORD_PROD`).
const TRAILING_WORDS: &[&str] = &[
    "value",
    "base",
    "prod",
    "production",
    "dev",
    "staging",
    "live",
    "old",
    "new",
    "plain",
    "plaintext",
    "raw",
    "b64",
    "base64",
];

/// Judges a name; hyphens, underscores and camel case part its words.
pub(super) fn judge(name: &str) -> Option<NameKind> {
    let mut words = split(name);
    while words.len() > 1
        && words.last().is_some_and(|word| {
            TRAILING_WORDS.contains(&word.as_str()) || word.bytes().all(|byte| byte.is_ascii_digit())
        })
    {
        words.pop();
    }
    let last = words.pop()?;
    let last = last.trim_end_matches(|character: char| character.is_ascii_digit());
    let qualifier = words.last().map_or("", String::as_str);
    let qualified = |known: &[&str]| words.iter().any(|word| known.contains(&word.as_str()));

    if ["password", "passwd", "passphrase", "passcode"].iter().any(|noun| last.ends_with(noun))
        || ["pwd", "pass"].contains(&last)
        || last.len() <= 8 && last.ends_with("pwd")
    {
        return (qualifier != "no").then_some(NameKind::Password);
    }
    if last.ends_with("secret") {
        return Some(NameKind::Issued("secret"));
    }
    if last.ends_with("token") {
        return (!qualified(PLAIN_TOKEN_QUALIFIERS)).then_some(NameKind::Issued("token"));
    }
    if last == "key" && words.iter().any(|word| word == "secret") && words.iter().any(|word| word == "access")
    {
        return Some(NameKind::Issued("aws-secret-key"));
    }
    let joined = ["apikey", "secretkey", "accesskey", "privatekey", "authkey", "accountkey", "masterkey"];
    if joined.iter().any(|noun| last.ends_with(noun))
        || last == "key" && SECRET_KEY_QUALIFIERS.contains(&qualifier)
    {
        return (!qualified(&["public", "publishable"])).then_some(NameKind::Issued("key"));
    }
    // `STRIPE_KEY`, `ENCODING_KEY`: only in the spelling of an environment variable.
    if last == "key" && !qualifier.is_empty() && is_environment_name(name) {
        let plain = [
            "public",
            "publishable",
            "primary",
            "foreign",
            "cache",
            "sort",
            "partition",
            "anon",
            "index",
            "row",
            "column",
        ];
        return (!qualified(&plain)).then_some(NameKind::Issued("key"));
    }
    match last {
        "credential" | "credentials" => Some(NameKind::Issued("credential")),
        "mnemonic" => Some(NameKind::WordList),
        "phrase" if ["seed", "recovery"].contains(&qualifier) => Some(NameKind::WordList),
        "auth" if name.starts_with('_') => Some(NameKind::Issued("credential")),
        "phpsessid" | "jsessionid" => Some(NameKind::Issued("cookie")),
        _ => None,
    }
}

/// Tells whether a name is spelled like an environment variable.
pub(super) fn is_environment_name(name: &str) -> bool {
    name.bytes().any(|byte| byte.is_ascii_uppercase())
        && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
}

fn split(name: &str) -> Vec<String> {
    let bytes = name.as_bytes();
    let mut words = vec![String::new()];
    for (index, byte) in bytes.iter().enumerate() {
        let starts_word = byte.is_ascii_uppercase()
            && index > 0
            && (bytes[index - 1].is_ascii_lowercase()
                || bytes[index - 1].is_ascii_digit()
                || bytes.get(index + 1).is_some_and(u8::is_ascii_lowercase));
        if starts_word || !byte.is_ascii_alphanumeric() {
            words.push(String::new());
        }
        if byte.is_ascii_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.push(byte.to_ascii_lowercase().into());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}
