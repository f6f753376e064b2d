//! Any text: what is taken out lies in it, a planted secret never comes through, and once is enough.
#![no_main]

use afterword_reflect::redact::Redactor;
use libfuzzer_sys::fuzz_target;

/// In the shape of a token, and of nobody.
const PLANTED: &str = concat!("gh", "p_Zq7Rk2Wm9Tx4Lb6Nc8Vd1Hf3Jg5PsYaQeUi");

fuzz_target!(|text: &str| {
    let redactor = Redactor::default();
    let redacted = redactor.redact(text);
    let mut end = 0;
    for removal in &redacted.removed {
        let range = removal.range_in_original.clone();
        assert!(end <= range.start && text.get(range.clone()).is_some());
        end = range.end;
    }
    assert_eq!(redacted.removed.is_empty(), redacted.text == text);
    let again = redactor.redact(&redacted.text);
    assert_eq!(again.text, redacted.text, "redacting again changes nothing");

    let planted = format!("{text}\n{PLANTED}\n{text}");
    assert!(!redactor.redact(&planted).text.contains(PLANTED));
});
