//! How much of a corpus of our own is found, category by category, and how much that holds no secret stays whole.

use serde::Deserialize;

use super::super::Redactor;
use super::made_up_from;

#[derive(Deserialize)]
struct Corpus {
    category: Vec<Category>,
    lookalikes: Vec<Category>,
}

#[derive(Deserialize)]
struct Category {
    name: String,
    rows: Vec<String>,
    /// Another floor than [`FLOOR`].
    floor: Option<f64>,
}

/// The share of secrets of which no half may be left, in each category: what was once found stays found.
const FLOOR: f64 = 1.0;
/// No category may have a lower floor than this.
const LEAST_FLOOR: f64 = 0.9;
/// The share of texts without a secret that may come back changed, over all categories.
const MOST_MISTAKES: f64 = 0.01;
/// Each row is filled this often with other characters.
const FILLINGS: u64 = 3;

fn corpus() -> Corpus {
    toml::from_str(include_str!("corpus.toml")).unwrap()
}

fn fillings(row: &str) -> impl Iterator<Item = String> {
    (1..=FILLINGS).map(move |filling| made_up_from(row, filling.wrapping_mul(0x9e37_79b9_7f4a_7c15)))
}

/// Tells whether the text still shows the secret or a half of it.
pub(super) fn shows(text: &str, secret: &str) -> bool {
    let middle = secret.ceil_char_boundary(secret.len() / 2);
    let halves = if secret.len() < 12 { vec![secret] } else { vec![&secret[..middle], &secret[middle..]] };
    halves.iter().any(|half| text.contains(half))
}

#[test]
fn secrets_leave_no_trace_in_any_category() {
    let redactor = Redactor::default();
    let mut below = Vec::new();
    for category in corpus().category {
        let (mut all, mut gone, mut left) = (0, 0, Vec::new());
        for row in &category.rows {
            for row in fillings(row) {
                let (before, rest) = row.split_once('‹').expect("a row marks its secret");
                let (secret, after) = rest.split_once('›').expect("a row marks its secret");
                let redacted = redactor.redact(&format!("{before}{secret}{after}")).text.into_owned();
                all += 1;
                if shows(&redacted, secret) {
                    left.push(redacted);
                } else {
                    gone += 1;
                }
            }
        }
        println!("{:24} {gone} of {all}", category.name);
        if f64::from(gone) < category.floor.unwrap_or(FLOOR) * f64::from(all) {
            below.push(format!("{}: {gone} of {all}", category.name));
        }
        for text in left {
            println!("   {text:?}");
        }
    }
    assert!(below.is_empty(), "{below:#?}");
}

#[test]
fn lookalikes_stay_whole() {
    let redactor = Redactor::default();
    let (mut all, mut changed) = (0, Vec::new());
    for category in corpus().lookalikes {
        for text in category.rows.iter().flat_map(|row| fillings(row)) {
            let redacted = redactor.redact(&text).text.into_owned();
            all += 1;
            if redacted != text {
                changed.push(format!("{}: {redacted:?}", category.name));
            }
        }
    }
    for line in &changed {
        println!("   {line}");
    }
    assert!(
        changed.len() as f64 <= MOST_MISTAKES * f64::from(all),
        "{} of {all}: {changed:#?}",
        changed.len()
    );
}

#[test]
fn the_corpus_is_large_enough_to_tell() {
    let corpus = corpus();
    assert!(corpus.category.iter().all(|category| category.rows.len() >= 4));
    assert!(corpus.category.iter().all(|category| category.floor.unwrap_or(FLOOR) >= LEAST_FLOOR));
    assert!(corpus.lookalikes.iter().map(|category| category.rows.len()).sum::<usize>() >= 150);
}
