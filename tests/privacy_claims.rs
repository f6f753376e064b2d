//! What the privacy page and `SECURITY.md` say stands, sentence by sentence, in `docs/privacy-claims.md` beside the tests that prove it.

use std::path::Path;

const PRIVACY: &str = "docs/guide/privacy.md";
const SECURITY: &str = "SECURITY.md";
const CLAIMS: &str = "docs/privacy-claims.md";
/// What stands in the place of tests for what claims nothing.
const CLAIMS_NOTHING: &str = "–";

fn text(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("tests/ lies in the repository");
    std::fs::read_to_string(root.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The claims of a document, each with what proves it.
fn claims(of: &str) -> Vec<(String, Vec<String>)> {
    let text = text(CLAIMS);
    let section = text.split(&format!("## {of}\n")).nth(1).expect("a section of the document");
    let section = section.split("\n## ").next().unwrap_or_default();
    let items = section.split("\n- ").skip(1).map(|item| {
        let (claim, proofs) = item.trim_end().split_once("\n  ").expect("proofs below the claim");
        let named = proofs.split('`').skip(1).step_by(2).map(str::to_owned);
        assert!(proofs == CLAIMS_NOTHING || proofs.contains("::"), "{claim}: nothing proves it");
        (claim.to_owned(), named.collect())
    });
    items.collect()
}

/// A text on one line without what only marks it up: bold, items, links.
fn plain(text: &str) -> String {
    // The stars of a glob are no markup.
    let mut plain = text.replace("/**", "/＊");
    for (mark, place) in [
        ("**", ""),
        ("/＊", "/**"),
        ("[", ""),
        ("](sessions.md)", ""),
        ("](engines.md)", ""),
        ("](tasks.md)", ""),
        ("](docs/guide/privacy.md)", ""),
    ] {
        plain = plain.replace(mark, place);
    }
    let lines = plain.lines().filter(|line| !line.starts_with('#'));
    let words: Vec<&str> =
        lines.flat_map(|line| line.strip_prefix("- ").unwrap_or(line).split_whitespace()).collect();
    words.join(" ")
}

#[test]
fn every_sentence_of_the_privacy_page_has_its_proof() {
    let said: Vec<String> = claims(PRIVACY).into_iter().map(|(claim, _)| claim).collect();
    assert_eq!(
        plain(&text(PRIVACY)),
        said.join(" "),
        "{CLAIMS} has each sentence of {PRIVACY}, in its order"
    );
}

#[test]
fn everything_that_is_promised_has_its_proof() {
    let security = text(SECURITY);
    let between = |from: &str, to: &str| {
        let (_, rest) = security.split_once(from).expect("a heading");
        rest.split(to).next().unwrap_or_default().to_owned()
    };
    let against = between("## Against whom", "## What is promised");
    let holds = against.lines().filter(|line| line.starts_with("| ")).skip(1);
    let holds = holds.map(|line| plain(line.split('|').nth(3).expect("a third column")));
    let promised = between("## What is promised", "## What is not");
    let promised: Vec<String> = promised.split("\n- ").skip(1).map(plain).collect();
    let said: Vec<String> = claims(SECURITY).into_iter().map(|(claim, _)| claim).collect();
    assert_eq!(holds.chain(promised).collect::<Vec<_>>(), said);
}

#[test]
fn every_test_that_is_named_is_there() {
    for (claim, proofs) in [PRIVACY, SECURITY].into_iter().flat_map(claims) {
        for proof in proofs {
            let (file, test) = proof.split_once("::").expect("a file and a test");
            let source = text(file);
            let at =
                source.find(&format!("fn {test}(")).unwrap_or_else(|| panic!("{claim}: there is no {proof}"));
            let above: Vec<&str> = source[..at].lines().rev().take(4).collect();
            assert!(above.iter().any(|line| line.contains("test]")), "{proof} is no test");
        }
    }
}

#[test]
fn window_is_allowed_nothing_from_elsewhere() {
    let settings: serde_json::Value = serde_json::from_str(&text("tauri.conf.json")).expect("JSON");
    let policy = settings["app"]["security"]["csp"].as_str().expect("a policy");
    for directive in policy.split(';') {
        let mut words = directive.split_whitespace();
        let name = words.next().unwrap_or_default();
        for source in words {
            let is_own = matches!(source, "'self'" | "'none'" | "data:" | "ipc:" | "http://ipc.localhost")
                || name == "style-src" && source == "'unsafe-inline'";
            assert!(is_own, "{name} allows {source}");
        }
    }
    assert!(policy.starts_with("default-src 'self'"), "what is not named is the window's own");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../src-tauri/capabilities");
    for entry in std::fs::read_dir(folder).expect("capabilities").flatten() {
        let text = std::fs::read_to_string(entry.path()).expect("a capability");
        let capability: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        for permission in capability["permissions"].as_array().expect("permissions") {
            let permission = permission.as_str().expect("a name");
            assert!(
                permission.starts_with("core:event:") || permission == "core:webview:allow-set-webview-zoom",
                "{permission}"
            );
        }
    }
}
