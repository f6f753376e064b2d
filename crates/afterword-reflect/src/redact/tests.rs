//! What is removed, what stays, and what holds for any text.

mod corpus;
mod issued;
mod kept;
mod removed;

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::formats::FORMATS;
use super::{KnownSecrets, MARK, RedactError, Redacted, Redactor};
use kept::KEPT;
use removed::REMOVED;

/// Fills a row's `{a36}` forms with made-up characters and drops its `·`.
fn made_up(row: &str) -> String {
    made_up_from(row, 0x2545_f491_4f6c_dd1d)
}

fn made_up_from(row: &str, mut state: u64) -> String {
    let mut next = move |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let mut out = String::new();
    let mut rest = row;
    while let Some(open) = rest.find('{') {
        out.push_str(&rest[..open]);
        rest = &rest[open..];
        let form = rest.find('}').and_then(|close| {
            let alphabet: &[u8] = match rest.as_bytes()[1] {
                b'a' => b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
                b'b' => b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz",
                b'c' => b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
                b'h' | b'i' => b"0123456789abcdef",
                b'n' => b"0123456789",
                b'u' => b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
                b'w' => b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_",
                _ => return None,
            };
            Some((close, alphabet, rest[2..close].parse::<usize>().ok()?))
        });
        let Some((close, alphabet, length)) = form else {
            out.push('{');
            rest = &rest[1..];
            continue;
        };
        let uuid = rest.as_bytes()[1] == b'i';
        for place in 0..if uuid { 36 } else { length } {
            if uuid && matches!(place, 8 | 13 | 18 | 23) {
                out.push('-');
            } else {
                out.push(alphabet[next(alphabet.len())].into());
            }
        }
        rest = &rest[close + 1..];
    }
    out.push_str(rest);
    out.replace('·', "")
}

/// Puts the marks in place of what was removed: the removals must tell the whole story.
fn rebuilt(text: &str, redacted: &Redacted<'_>) -> String {
    let mut out = String::new();
    let mut copied = 0;
    for removal in &redacted.removed {
        let range = &removal.range_in_original;
        assert!(copied <= range.start && range.start < range.end, "{redacted:?}");
        out.push_str(&text[copied..range.start]);
        out.push_str(&format!("{MARK}{}]", removal.rule));
        copied = range.end;
    }
    out.push_str(&text[copied..]);
    out
}

#[test]
fn secrets_are_removed_and_named() {
    let redactor = Redactor::default();
    let mut wrong = Vec::new();
    for (rule, row) in REMOVED {
        let row = made_up(row);
        let (before, rest) = row.split_once('‹').expect("a row marks its secret");
        let (secret, after) = rest.split_once('›').expect("a row marks its secret");
        let text = format!("{before}{secret}{after}");
        let expected = format!("{before}{MARK}{rule}]{after}");
        let redacted = redactor.redact(&text);
        if redacted.text != expected {
            wrong.push(format!("{rule}\n   text: {text}\n    got: {}", redacted.text));
        }
        assert_eq!(rebuilt(&text, &redacted), redacted.text);
        assert_eq!(redactor.redact(&redacted.text).text, redacted.text, "twice is once");
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), REMOVED.len(), wrong.join("\n"));
}

#[test]
fn what_holds_no_secret_stays() {
    let redactor = Redactor::default();
    let wrong: Vec<_> = KEPT
        .iter()
        .map(|text| redactor.redact(text).text)
        .zip(KEPT)
        .filter(|(got, text)| got != *text)
        .collect();
    assert!(wrong.is_empty(), "{} of {}: {wrong:#?}", wrong.len(), KEPT.len());
}

#[test]
fn every_format_has_an_example() {
    let shown: BTreeSet<_> = REMOVED.iter().map(|(rule, _)| *rule).collect();
    let missing: Vec<_> = FORMATS.iter().map(|row| row.rule).filter(|rule| !shown.contains(rule)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn text_without_a_secret_is_borrowed() {
    let redacted = Redactor::default().redact("a plain line about tokens");
    assert!(matches!(redacted.text, std::borrow::Cow::Borrowed(_)));
    assert!(redacted.removed.is_empty());
}

#[test]
fn several_secrets_in_one_text_each_have_their_place() {
    let text = made_up("one gh·p_{a36} two\nDB_PASSWORD=hunter2\nthree postgres://a:b@c/d");
    let redacted = Redactor::default().redact(&text);
    let rules: Vec<_> = redacted.removed.iter().map(|removal| removal.rule).collect();
    assert_eq!(rules, ["github-token", "password", "url-password"]);
    assert_eq!(&text[redacted.removed[1].range_in_original.clone()], "hunter2");
    assert_eq!(rebuilt(&text, &redacted), redacted.text);
}

#[test]
fn what_only_stands_free_after_a_first_pass_is_still_placed_in_the_original() {
    // The user's pattern takes a word away, and the token glued to it becomes visible.
    let redactor = Redactor::new(&["GLUE".to_owned()]).unwrap();
    let text = made_up("ä GLUEAK·IA{u16} and GLUE again");
    let redacted = redactor.redact(&text);
    assert_eq!(redacted.text, "ä [redacted: custom][redacted: aws-access-key] and [redacted: custom] again");
    assert_eq!(rebuilt(&text, &redacted), redacted.text);
}

#[test]
fn a_users_pattern_removes_its_group_or_its_match() {
    let redactor = Redactor::new(&[r"ticket (\d+)".to_owned(), r"ACME-[A-Z]+".to_owned()]).unwrap();
    let redacted = redactor.redact("ticket 4711 of ACME-NORTH");
    assert_eq!(redacted.text, "ticket [redacted: custom] of [redacted: custom]");
}

#[test]
fn a_users_pattern_never_eats_a_replacement() {
    let redactor =
        Redactor::new(&["redacted".to_owned(), "[a-z]+: [a-z]+".to_owned(), "".to_owned()]).unwrap();
    let once = redactor.redact("see note: hunter").text.into_owned();
    assert_eq!(once, "see [redacted: custom]");
    assert_eq!(redactor.redact(&once).text, once);
}

#[test]
fn a_users_pattern_that_is_none_is_named() {
    let error = Redactor::new(&["ok".to_owned(), "(".to_owned()]).unwrap_err();
    let RedactError::Pattern { index, pattern, .. } = &error;
    assert_eq!((*index, pattern.as_str()), (1, "("));
    assert!(
        Redactor::new(&["(a{500}){500}".to_owned()]).is_err(),
        "a pattern that compiles to something huge"
    );
}

#[test]
fn dense_secrets_are_all_found() {
    let redactor = Redactor::default();
    let lines: String = (0..500).map(|line| format!("SERVICE_{line}_PASSWORD=hunter{line}x\n")).collect();
    assert_eq!(redactor.redact(&lines).removed.len(), 500);
    let query: String =
        (0..200).map(|_| "https://example.com/a/rather/long/path?with=parameters ".to_owned()).collect();
    assert_eq!(redactor.redact(&format!("{query}DB_PASSWORD=hunter2 {query}")).removed.len(), 1);
}

#[test]
fn what_is_nested_too_deep_to_be_read_is_removed() {
    let redactor = Redactor::default();
    let secret = made_up("{a40}");
    let nested = [
        ("session_token=", secret.clone()),
        ("\\\"api_key\\\": ", format!("\\\"{secret}\\\"")),
        ("https://a:b", format!("https://u:{secret}@host.example.com/")),
        ("cookie: sid=a;", format!("sid={secret}")),
        ("curl -u a ", format!("curl -u anna:{secret} x")),
    ];
    for (opening, last) in &nested {
        for depth in [1, 8, 17, 40, 200, 300, 4000] {
            let text = format!("\"{}{last}\" then the rest\n", opening.repeat(depth));
            let redacted = redactor.redact(&text);
            assert!(!redacted.text.contains(&secret), "{opening} {depth} times: {redacted:?}");
            assert_eq!(rebuilt(&text, &redacted), redacted.text);
        }
    }
    let text = format!("{}{secret}", "session_token=".repeat(4000));
    let unread = redactor.redact(&text).removed.into_iter().any(|removal| removal.rule == "unread");
    assert!(unread, "what was not read to its end is called so");
}

#[test]
fn what_keeps_showing_secrets_pass_after_pass_is_removed() {
    // Every letter before a replacement is one, so each pass uncovers the next.
    let redactor = Redactor::new(&[r"([a-z])\[".to_owned()]).unwrap();
    for letters in [3, 7, 8, 9, 30, 400] {
        let text = format!("kept\n{}[\nkept", "s".repeat(letters));
        let redacted = redactor.redact(&text);
        assert!(!redacted.text.contains("s["), "{letters}: {}", redacted.text);
        assert_eq!(rebuilt(&text, &redacted), redacted.text);
        assert!(redacted.text.starts_with("kept\n"), "{}", redacted.text);
    }
}

#[test]
fn no_value_is_too_long_to_be_removed_to_its_end() {
    let redactor = Redactor::default();
    for length in [300, 4000, 4096, 4097, 9000, 200_000] {
        let value = made_up(&format!("{{a{length}}}"));
        for text in [
            format!("SESSION_TOKEN={value}\n"),
            format!("\"session_token\": \"{value}\","),
            format!("https://u:{value}@h/"),
        ] {
            let redacted = redactor.redact(&text);
            assert!(!redacted.text.contains(&value[value.len() - 20..]), "{length}: the end stays");
            assert!(!redacted.text.contains(&value[..20]), "{length}: the beginning stays");
        }
    }
}

#[test]
fn a_value_one_text_gives_away_is_removed_from_every_text_of_the_session() {
    let redactor = Redactor::default();
    let token = made_up("{a32}");
    let texts = [
        format!("GET /v1/{token}/items"),
        format!("API_TOKEN={token}"),
        "it was blau3Ziege then".to_owned(),
        "the password is blau3Ziege".to_owned(),
    ];
    let mut known = KnownSecrets::default();
    for text in &texts {
        redactor.learn(text, &mut known);
    }
    for text in &texts {
        let redacted = redactor.redact_with(text, &mut known);
        assert!(
            !redacted.text.contains(&token) && !redacted.text.contains("blau3Ziege"),
            "{}",
            redacted.text
        );
        assert_eq!(rebuilt(text, &redacted), redacted.text);
    }
    assert_eq!(redactor.redact(&texts[0]).text, texts[0], "another session does not know it");
    let shown = format!("{known:?}");
    assert!(!shown.contains(&token) && !shown.contains("Ziege"), "{shown}");
}

#[test]
fn a_word_that_served_as_a_password_stays_a_word_elsewhere() {
    let redactor = Redactor::default();
    for (text, expected) in [
        ("DB_PASSWORD=development\nNODE_ENV=development", "development"),
        ("amqp://guest:guest@localhost then the guest left", "the guest left"),
        ("redis://:postgres@cache\nthe postgres image", "the postgres image"),
        ("DB_PASSWORD=hunter2\nhunter21 and myhunter2x stay", "hunter21 and myhunter2x stay"),
        ("DB_PASSWORD=1234567890\ncounted 1234567890", "counted 1234567890"),
    ] {
        let redacted = redactor.redact(text).text;
        assert!(redacted.ends_with(expected), "{redacted}");
    }
}

/// Pieces that meet each other in bad ways: triggers, signs, quotes, half tokens, other scripts.
fn piece() -> impl Strategy<Value = String> {
    let known = [
        "password",
        "PASSWORD=",
        "token: ",
        "\"api_key\": \"",
        "Authorization: ",
        "Bearer ",
        "Cookie: ",
        "sid=",
        "://",
        "postgres://u:",
        "@host/",
        "-----BEGIN PRIVATE KEY-----\n",
        "-----END PRIVATE KEY-----",
        "eyJ",
        "sk-ant-",
        "AKIA",
        "ghp_",
        "sig=",
        "Q~",
        ":AA",
        ".abcdef.",
        "=",
        ":",
        " ",
        "\n",
        "\\n",
        "\\\"",
        "\"",
        "'",
        "`",
        "<",
        ">",
        "{",
        "}",
        "$",
        "%",
        "&",
        ";",
        "[redacted: password]",
        "[redacted: ",
        "]",
        "ß",
        "→",
        "🙂",
        "\u{0}",
        "\u{1b}[32m",
        "curl -u a:",
        "mysql -p",
        "--password ",
        "is ",
        "…",
        "IDENTIFIED BY '",
        "| password |",
        "<password>",
        "</password>",
        "name: DB_PASSWORD\n",
        "value: ",
        "password: |\n  ",
        "<<< ",
        "echo x | sudo -S",
        "密码是",
        "kind: Secret\ndata:\n  a: ",
        "machine a.b login c password ",
        "(name, password) VALUES ('a', '",
        "\"kty\": \"d\": \"",
        "datadog = \"",
        "Authorization: Digest a=",
        "set -x API_TOKEN ",
        ":5432:a:b:",
        "u:p@tcp(",
        "credentials are a / ",
    ];
    prop_oneof![
        4 => prop::sample::select(known.to_vec()).prop_map(str::to_owned),
        2 => "[A-Za-z0-9]{1,40}",
        1 => "[A-Za-z0-9+/=_.-]{16,90}",
        1 => "\\PC{0,12}",
    ]
}

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(piece(), 0..24).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn redacting_twice_is_redacting_once(text in text()) {
        let redactor = Redactor::default();
        let once = redactor.redact(&text);
        prop_assert_eq!(rebuilt(&text, &once), once.text.as_ref());
        let twice = redactor.redact(&once.text);
        prop_assert_eq!(&twice.text, &once.text);
        prop_assert!(twice.removed.is_empty());
    }

    #[test]
    fn users_patterns_keep_it_so(text in text(), pattern in "[a-zA-Z=.]{1,4}[+*]?|\\[a-z\\]+") {
        let Ok(redactor) = Redactor::new(&[pattern]) else { return Ok(()) };
        let once = redactor.redact(&text);
        prop_assert_eq!(rebuilt(&text, &once), once.text.as_ref());
    }

    #[test]
    fn names_survive(
        name in prop::sample::select(vec!["DB_PASSWORD", "api_key", "clientSecret", "X-Api-Key", "AWS_SECRET_ACCESS_KEY", "private_key", "access_token", "_authToken"]),
        sign in prop::sample::select(vec!["=", ": ", " = ", "\": \"", "=\"", " := '"]),
        value in "[A-Za-z0-9+/]{20,60}",
        end in prop::sample::select(vec!["", "\"", "'", "\n"]),
    ) {
        let text = format!("set {name}{sign}{value}{end} now");
        let redacted = Redactor::default().redact(&text);
        prop_assert!(redacted.text.contains(name), "{}", redacted.text);
        prop_assert!(redacted.text.ends_with(" now"), "{}", redacted.text);
    }
}
