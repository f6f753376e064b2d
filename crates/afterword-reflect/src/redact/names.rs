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
    /// Something issued, if it looks like nothing else: the name fits harmless values too.
    Perhaps(&'static str),
    /// A user and a password in base64, as Docker keeps them.
    UserAndPassword,
    /// A list of words that restores a wallet.
    WordList,
}

impl NameKind {
    pub(super) fn rule(self) -> &'static str {
        match self {
            Self::Password => "password",
            Self::Issued(rule) | Self::Perhaps(rule) => rule,
            Self::UserAndPassword => "credential",
            Self::WordList => "seed-phrase",
        }
    }
}

/// Endings of a word that means a password.
const PASSWORD_WORDS: &[&str] = &["password", "passwd", "passphrase", "passcode", "storepass", "keypass"];

/// Words that make a `key` a secret one. Not: public, primary, foreign, sort, cache, react …
#[rustfmt::skip]
const SECRET_KEY_QUALIFIERS: &[&str] = &[
    "api", "token", "access", "secret", "private", "auth", "encryption", "decryption", "signing", "master",
    "account", "shared", "service", "role", "admin", "license", "deploy", "client", "jwt", "hmac", "aes",
    "subscription", "webhook", "cipher", "symmetric", "session", "app", "apis", "crypto",
];

/// Words that make a `token` a mark in a text, a page or a design.
#[rustfmt::skip]
const PLAIN_TOKEN_QUALIFIERS: &[&str] = &[
    "next", "page", "continuation", "cursor", "eos", "bos", "pad", "unk", "cls", "sep", "mask", "special",
    "stop", "start", "end", "design", "color", "theme", "first", "last", "per", "max", "min", "num",
    "input", "output", "css", "syntax", "lexer", "ast", "prev", "previous", "cancel", "cancellation",
    "public", "sync", "lock", "placeholder", "idempotency", "change", "starting", "lifecycle",
];

/// Services whose `key` is one to them.
#[rustfmt::skip]
const SERVICES: &[&str] = &[
    "openai", "anthropic", "claude", "gemini", "mistral", "cohere", "groq", "openrouter", "replicate", "huggingface",
    "perplexity", "deepseek", "together", "fireworks", "voyage", "jina", "tavily", "serp", "serpapi", "brave", "exa",
    "firecrawl", "pinecone", "weaviate", "qdrant", "deepl", "deepgram", "elevenlabs", "assemblyai", "langsmith",
    "langfuse", "sendgrid", "mailgun", "mailchimp", "mandrill", "postmark", "brevo", "resend", "twilio", "vonage",
    "stripe", "paypal", "braintree", "square", "plaid", "adyen", "mollie", "razorpay", "shopify", "pusher", "ably",
    "maps", "gmaps", "mapbox", "here", "google", "gcp", "azure", "aws", "digitalocean", "linode", "hetzner",
    "cloudflare", "fastly", "algolia", "elastic", "meilisearch", "datadog", "newrelic", "grafana", "honeycomb",
    "sentry", "rollbar", "bugsnag", "logtail", "segment", "mixpanel", "amplitude", "posthog", "launchdarkly",
    "github", "gitlab", "bitbucket", "circleci", "travis", "snyk", "sonar", "codecov", "heroku", "vercel", "netlify",
    "render", "railway", "supabase", "neon", "firebase", "airtable", "notion", "asana", "trello", "jira", "linear",
    "slack", "discord", "telegram", "zoom", "intercom", "zendesk", "hubspot", "salesforce", "twitter", "facebook",
    "linkedin", "youtube", "spotify", "twitch", "steam", "weather", "openweather", "owm", "tmdb", "omdb", "giphy",
    "unsplash", "pexels", "coinbase", "binance", "kraken", "alchemy", "infura", "etherscan", "moralis", "ngrok",
    "wandb", "neptune", "comet", "apify", "rapidapi", "ipinfo", "maxmind", "finnhub", "alphavantage", "polygon",
];

/// Words after the deciding one that do not change it (`SECRET_KEY_BASE`, `client-key-data`).
#[rustfmt::skip]
const TRAILING_WORDS: &[&str] = &[
    "value", "base", "prod", "production", "dev", "develop", "staging", "stage", "live", "old", "new",
    "plain", "plaintext", "raw", "b64", "base64", "data", "ci", "local", "main", "primary", "secondary",
    "backup", "eu", "us", "admin", "root", "test", "sandbox", "rw", "ro", "override",
];

/// Words after the deciding one that make an environment variable something else (`TOKEN_LIMIT`, `PASSWORD_FILE`).
/// Whatever else follows there says where the secret is used (`GITHUB_TOKEN_CI`).
#[rustfmt::skip]
const HARMLESS_ENDINGS: &[&str] = &[
    "id", "ids", "uid", "name", "names", "file", "files", "filename", "path", "paths", "dir", "directory",
    "folder", "url", "uri", "urls", "endpoint", "host", "hostname", "port", "address", "type", "kind",
    "class", "length", "len", "size", "bits", "bytes", "limit", "limits", "count", "max", "min", "budget",
    "quota", "ttl", "expiry", "expires", "expire", "expiration", "lifetime", "timeout", "age", "interval",
    "duration", "rotation", "days", "hours", "minutes", "seconds", "secs", "ms", "at", "date", "time",
    "policy", "arn", "version", "algorithm", "alg", "algo", "cipher", "format", "encoding", "charset",
    "regex", "pattern", "prefix", "suffix", "header", "headers", "field", "param", "parameter", "label",
    "hint", "title", "text", "message", "description", "placeholder", "prompt", "column", "index", "table",
    "schema", "env", "var", "variable", "enabled", "disabled", "required", "optional", "fingerprint",
    "checksum", "digest", "sha", "sha1", "sha256", "md5", "provider", "store", "storage", "manager",
    "vault", "service", "server", "issuer", "audience", "scope", "scopes", "role", "roles", "realm",
    "region", "zone", "status", "state", "usage", "user", "username", "email", "mail", "owner", "ref",
    "reference", "location", "source", "template", "rules", "strength", "reset", "page", "link", "help",
    "error", "errors", "mode", "method", "cost", "price", "total", "ratio", "rate", "per", "used", "left",
    "event", "code", "codes", "binding", "map", "generator", "factory", "handler", "cmd", "command",
    "helper", "script", "program", "app", "cache", "pool", "salt", "rounds", "iterations", "delimiter",
    "separator", "symbol", "symbols", "pair",
];

/// Words before `key` that make it a place in a table, a file or a page.
#[rustfmt::skip]
const PLAIN_KEY_QUALIFIERS: &[&str] = &[
    "public", "publishable", "primary", "foreign", "cache", "sort", "partition", "anon", "index", "row",
    "column", "idempotency", "dedup", "dedupe", "deduplication", "unique", "composite", "natural",
    "surrogate", "object", "storage", "routing", "lookup", "group", "map", "dict", "hash", "host", "image",
    "file", "issue", "project", "translation", "message", "event", "query", "content", "node", "item",
    "tree", "react", "list", "menu", "hot", "shortcut", "arrow", "enter", "escape", "tab", "shift", "ctrl",
    "alt", "meta", "function", "modifier", "press", "parent", "child", "base", "document", "doc", "entity",
    "record", "redis", "s3", "bucket", "blob", "sync", "lock", "config", "setting", "settings", "option",
    "param", "header", "json", "yaml", "metadata", "label", "tag", "dns", "answer", "current", "next",
    "prev", "last", "first", "new", "old", "any", "each", "same", "lesson", "session", "state", "build",
    "version", "commit", "topic", "site", "recaptcha", "sitemap", "key",
];

/// Words at the end of a name beside which a long value is an id or a check sum.
#[rustfmt::skip]
const HARMLESS_BEFORE: &[&str] = &[
    "id", "ids", "uuid", "guid", "sha", "sha1", "sha256", "commit", "hash", "checksum", "digest", "rev",
    "revision", "version", "etag", "fingerprint", "project", "name", "build", "release", "integrity", "ref",
    "tag", "branch", "url", "path", "file", "image", "model", "slug", "workspace", "team", "channel",
    "public", "publishable", "at",
];

/// Judges a name; hyphens, underscores and camel case part its words.
pub(super) fn judge(name: &str) -> Option<NameKind> {
    let mut words = split(name);
    if let [.., last_but_two, last_but_one, last] = &words[..]
        && [last_but_two, last_but_one, last] == ["do", "not", "commit"]
    {
        words.truncate(words.len() - 3);
    }
    // A service, and no new thing.
    if let Some(at) = words.windows(2).position(|pair| pair == ["new", "relic"]) {
        words.splice(at..at + 2, ["newrelic".to_owned()]);
    }
    let environment = is_environment_name(name);
    loop {
        if let Some(kind) = judge_words(name, &words, environment) {
            return kind;
        }
        let last = words.pop()?;
        let passes = TRAILING_WORDS.contains(&last.as_str())
            || last.bytes().all(|byte| byte.is_ascii_digit())
            || environment && last.len() > 1 && !HARMLESS_ENDINGS.contains(&last.as_str());
        if !passes || words.is_empty() {
            return None;
        }
    }
}

/// Tells whether the name before a value (with the signs between) says that it is an id or a check sum.
pub(super) fn before_is_harmless(before: &str) -> bool {
    let signs = |character: char| !character.is_ascii_alphanumeric();
    let name = before.trim_end_matches(signs);
    let length = name
        .bytes()
        .rev()
        .take(80)
        .take_while(|byte| byte.is_ascii_alphanumeric() || b"_-.".contains(byte))
        .count();
    split(&name[name.len() - length..]).last().is_some_and(|word| HARMLESS_BEFORE.contains(&word.as_str()))
}

/// Judges by the last word: `None` where it decides nothing, `Some(None)` where it decides that there is no secret.
fn judge_words(name: &str, words: &[String], environment: bool) -> Option<Option<NameKind>> {
    let (last, before) = words.split_last()?;
    let last = last.trim_end_matches(|character: char| character.is_ascii_digit());
    let qualifier = before.last().map_or("", String::as_str);
    let qualified = |known: &[&str]| before.iter().any(|word| known.contains(&word.as_str()));
    let unless = |harmless: bool, kind: NameKind| Some((!harmless).then_some(kind));

    if PASSWORD_WORDS.iter().any(|noun| last.ends_with(noun))
        || ["pwd", "pass", "pw", "pswd", "passwort", "kennwort", "senha", "mdp", "requirepass", "masterauth"]
            .contains(&last)
        || last.len() <= 8 && ["pwd", "rootpw", "bindpw"].iter().any(|noun| last.ends_with(noun))
        || last == "psk"
        || last == "string" && qualifier == "secret"
    {
        return unless(qualifier == "no", NameKind::Password);
    }
    if last.ends_with("secret") {
        return Some(Some(NameKind::Issued("secret")));
    }
    if last.ends_with("token") {
        return unless(qualified(PLAIN_TOKEN_QUALIFIERS), NameKind::Issued("token"));
    }
    if last == "key" && qualified(&["secret"]) && qualified(&["access"]) {
        return Some(Some(NameKind::Issued("aws-secret-key")));
    }
    let joined = [
        "apikey",
        "secretkey",
        "accesskey",
        "privatekey",
        "authkey",
        "accountkey",
        "masterkey",
        "storagekey",
    ];
    if joined.iter().any(|noun| last.ends_with(noun))
        || last == "key" && SECRET_KEY_QUALIFIERS.contains(&qualifier)
    {
        return unless(qualified(&["public", "publishable"]), NameKind::Issued("key"));
    }
    // `STRIPE_KEY` and `stripe_key` surely, `tower_key` perhaps.
    if last == "key" && !qualifier.is_empty() {
        let kind = if environment || qualified(SERVICES) {
            NameKind::Issued("key")
        } else {
            NameKind::Perhaps("key")
        };
        let known = environment && qualified(SERVICES) && qualifier == "storage";
        return unless(qualified(PLAIN_KEY_QUALIFIERS) && !known, kind);
    }
    match last {
        "credential" | "credentials" | "creds" => Some(Some(NameKind::Issued("credential"))),
        "mnemonic" => Some(Some(NameKind::WordList)),
        "phrase" if ["seed", "recovery"].contains(&qualifier) => Some(Some(NameKind::WordList)),
        "auth" if name.starts_with('_') => Some(Some(NameKind::Issued("credential"))),
        "auth" | "basicauth" if before.is_empty() || ["basic", "user", "registry"].contains(&qualifier) => {
            Some(Some(NameKind::UserAndPassword))
        }
        "salt" | "pepper" if environment => Some(Some(NameKind::Perhaps("secret"))),
        "phpsessid" | "jsessionid" => Some(Some(NameKind::Issued("cookie"))),
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
