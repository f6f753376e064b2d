//! One pass over a text: every trigger is found by a single automaton, and only around a trigger is anything parsed.
//!
//! Each parser looks at a bounded or once-only stretch, so the whole pass is linear in the text.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, Input, MatchKind};

use super::automaton::WordAutomaton;
use super::finding::Finding;
use super::formats::{self, FORMATS, Format};
use super::{
    addresses, assignments, blocks, commands, gitleaks, headers, keys_in_json, private_keys, prose, shapes,
    wallets,
};

#[derive(Debug, Clone, Copy)]
enum Action {
    Format(usize),
    Name,
    KeyBlock,
    Address,
    Authorization,
    Bearer,
    Cookie,
    Command,
    Shape,
    Prose,
    Kubernetes,
    PasswordFile,
    JsonWebKey,
}

/// Words that may start or end the name of a secret, in the three spellings that occur.
const NAME_WORDS: &[&str] = &[
    "pass",
    "Pass",
    "PASS",
    "pwd",
    "Pwd",
    "PWD",
    "secret",
    "Secret",
    "SECRET",
    "token",
    "Token",
    "TOKEN",
    "key",
    "Key",
    "KEY",
    "credential",
    "Credential",
    "CREDENTIAL",
    "mnemonic",
    "Mnemonic",
    "MNEMONIC",
    "seed",
    "Seed",
    "SEED",
    "SESSID",
    "JSESSIONID",
    "auth",
    "Auth",
    "AUTH",
    "creds",
    "Creds",
    "CREDS",
    "_pw",
    "_PW",
    "SALT",
    "PEPPER",
    "psk",
    "PSK",
    "wort",
    "senha",
    "mdp",
];

const OTHER_TRIGGERS: &[(Action, &[&str])] = &[
    (Action::KeyBlock, &["-----BEGIN", "-----END", "Private-Lines:"]),
    (Action::KeyBlock, private_keys::BARE_HEADS),
    (Action::Address, &["://"]),
    (
        Action::Authorization,
        &[
            "authorization",
            "Authorization",
            "AUTHORIZATION",
            "WWW-Authenticate",
            "Www-Authenticate",
            "www-authenticate",
        ],
    ),
    (Action::Bearer, &["bearer", "Bearer", "BEARER"]),
    (Action::Cookie, &["cookie", "Cookie", "COOKIE"]),
    (Action::Command, commands::TRIGGERS),
    (Action::Prose, prose::ENGLISH),
    (Action::Prose, prose::PAIRS),
    (Action::Prose, prose::OTHERS),
    (Action::Prose, prose::LOGINS),
    (Action::Prose, prose::SHORT),
    (Action::Prose, prose::TOKENS),
    (
        Action::Kubernetes,
        &[
            "kind: Secret",
            "kind: \"Secret\"",
            "kind: 'Secret'",
            "kind: secret",
            "kind: \"secret\"",
            "\"kind\": \"Secret\"",
            "\"kind\":\"Secret\"",
        ],
    ),
    (Action::PasswordFile, &[":5432:", ":5433:", ":6432:", ":*:"]),
    (Action::JsonWebKey, &["\"kty\"", "\\\"kty\\\""]),
];

struct Scanner {
    triggers: WordAutomaton,
    /// For each trigger what to do, and with how many of its first bytes: `key-` is also `key`.
    actions: Vec<Vec<(Action, usize)>>,
    formats: Vec<Format>,
}

static SCANNER: LazyLock<Scanner> = LazyLock::new(|| {
    let formats = FORMATS.iter().enumerate().map(|(index, row)| (Action::Format(index), row.triggers));
    let others = OTHER_TRIGGERS.iter().copied();
    let words: Vec<(&str, Action)> = formats
        .chain([(Action::Name, NAME_WORDS)])
        .chain(others)
        .chain([(Action::Shape, shapes::TRIGGERS.as_slice())])
        .flat_map(|(action, words)| words.iter().map(move |word| (*word, action)))
        .collect();
    let actions = actions_of(&words);
    let mut builder = AhoCorasick::builder();
    // Leftmost matching is near twice as fast as overlapping, and `built_in` asks again from the next byte.
    builder.match_kind(MatchKind::LeftmostLongest);
    Scanner {
        triggers: WordAutomaton::new(builder, words.iter().map(|(word, _)| (*word).to_owned()).collect()),
        actions,
        formats: FORMATS.iter().map(Format::new).collect(),
    }
});

/// For each trigger what to do where it stands: what it says itself, and what the triggers that it begins with say.
fn actions_of(words: &[(&str, Action)]) -> Vec<Vec<(Action, usize)>> {
    let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
    for (place, (word, _)) in words.iter().enumerate() {
        places.entry(word).or_default().push(place);
    }
    let heads = |word: &str| {
        let ends = (1..=word.len()).filter(|end| word.is_char_boundary(*end));
        let mut heads: Vec<usize> =
            ends.filter_map(|end| places.get(&word[..end])).flatten().copied().collect();
        // In the order of the table, which decides what is read first.
        heads.sort_unstable();
        heads
    };
    let action = |place: usize| words.get(place).map(|(head, action)| (*action, head.len()));
    words.iter().map(|(word, _)| heads(word).into_iter().filter_map(action).collect()).collect()
}

/// Bounds the work on hostile text, where every trigger starts a long stretch that the next ones read again.
///
/// What is not read any more is removed: see [`Nesting::admits`].
#[derive(Debug, Default)]
struct Nesting {
    read_to: usize,
    depth: usize,
}

impl Nesting {
    /// A stretch this short may be read as often as it is met.
    const SHORT: usize = 256;
    /// How many triggers inside one long stretch are followed.
    const DEEPEST: usize = 64;

    /// Tells whether what begins here is to be read; past the limit, the rest of the stretch becomes a finding.
    fn admits(&mut self, at: usize, findings: &mut Vec<Finding>) -> bool {
        self.depth = if at < self.read_to { self.depth + 1 } else { 0 };
        if self.depth == Self::DEEPEST + 1 {
            findings.push(Finding::new(UNREAD, at..self.read_to));
        }
        self.depth <= Self::DEEPEST
    }

    fn read(&mut self, from: usize, to: usize) {
        if to.saturating_sub(from) > Self::SHORT {
            if to > self.read_to && self.depth > Self::DEEPEST {
                self.depth = 0;
            }
            self.read_to = self.read_to.max(to);
        }
    }
}

/// The kind of what was removed without being read to its end.
pub(super) const UNREAD: &str = "unread";

/// What is read with a bound, each kind of stretch for itself.
#[derive(Debug, Default)]
struct Bounds {
    names: Nesting,
    addresses: Nesting,
    cookies: Nesting,
    commands: Nesting,
    documents: Nesting,
    headers: Nesting,
}

/// Finds every secret the built-in rules know; findings may overlap and come in no order.
pub(crate) fn built_in(text: &str) -> Vec<Finding> {
    let scanner = &*SCANNER;
    let mut findings = Vec::new();
    let mut bounds = Bounds::default();
    let mut format_end = 0;
    let mut name_end = 0;
    let mut next = 0;
    let triggers = scanner.triggers.for_text(text.len());
    while let Some(hit) = triggers.find(Input::new(text).span(next..text.len())) {
        next = hit.start() + 1;
        for (action, length) in &scanner.actions[hit.pattern().as_usize()] {
            let at = hit.start()..hit.start() + length;
            match *action {
                // Inside a token or a name that was just read there is nothing left to find.
                Action::Format(_) if at.start < format_end => {}
                Action::Name if at.start < name_end => {}
                Action::Format(index) => {
                    if let Some(finding) = scanner.formats[index].at(text, at) {
                        format_end = finding.range.end;
                        findings.push(finding);
                    }
                }
                Action::Name => name_end = name_end.max(bounds.name(text, at, &mut findings)),
                action => bounds.act(action, text, at, &mut findings),
            }
        }
    }
    formats::discord_bot_tokens(text, &mut findings);
    gitleaks::find(text, &mut findings);
    wallets::phrases(text, &mut findings);
    wallets::keys(text, &mut findings);
    private_keys::bare_lines(text, &mut findings);
    findings
}

impl Bounds {
    /// Reads the assignment to a name and returns where the name ends.
    fn name(&mut self, text: &str, at: Range<usize>, findings: &mut Vec<Finding>) -> usize {
        let from = at.end;
        if !self.names.admits(at.start, findings) {
            return from;
        }
        let assignment = assignments::at(text, at);
        self.names.read(from, assignment.read_to);
        findings.extend(assignment.secrets);
        assignment.name_end
    }

    fn act(&mut self, action: Action, text: &str, at: Range<usize>, findings: &mut Vec<Finding>) {
        let from = at.end;
        match action {
            Action::Address => {
                if self.addresses.admits(at.start, findings) {
                    let (secret, read_to) = addresses::at(text, at);
                    self.addresses.read(from, read_to);
                    findings.extend(secret);
                }
            }
            Action::Cookie => {
                if self.cookies.admits(at.start, findings) {
                    let (secrets, read_to) = headers::cookies(text, at);
                    self.cookies.read(from, read_to);
                    findings.extend(secrets);
                }
            }
            Action::Command => {
                if self.commands.admits(at.start, findings) {
                    let (secrets, read_to) = commands::at(text, &at);
                    self.commands.read(from, read_to);
                    findings.extend(secrets);
                }
            }
            Action::Kubernetes => {
                if self.documents.admits(at.start, findings) {
                    let (secrets, read_to) = blocks::kubernetes(text, &at);
                    self.documents.read(from, read_to);
                    findings.extend(secrets);
                }
            }
            Action::KeyBlock => findings.extend(private_keys::at(text, at)),
            Action::Authorization => {
                if self.headers.admits(at.start, findings) {
                    let (secret, read_to) = headers::authorization(text, at);
                    self.headers.read(from, read_to);
                    findings.extend(secret);
                }
            }
            Action::Bearer => findings.extend(headers::bearer(text, at)),
            Action::Shape => findings.extend(shapes::at(text, &at)),
            Action::Prose => findings.extend(prose::at(text, &at)),
            Action::PasswordFile => findings.extend(blocks::password_file(text, &at)),
            Action::JsonWebKey => {
                if self.documents.admits(at.start, findings) {
                    let read_to = keys_in_json::at(text, &at, findings);
                    self.documents.read(from, read_to);
                }
            }
            Action::Format(_) | Action::Name => {}
        }
    }
}
