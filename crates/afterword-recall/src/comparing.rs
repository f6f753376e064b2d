//! How close two lessons are in meaning, whichever words they use: for comparing what was learned with what is known.
//!
//! Unlike a search, nothing here depends on what else is in the index: the same two texts are always as close.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use crate::model::EmbeddingModel;
use crate::polarity::Polarity;
use crate::stop_words::is_stop_word;

/// Characters of a text that are asked what it is for and against.
const MOST_CHARS: usize = 4_000;
/// How close two lessons are that say the same: a note collects the other's evidence. Chosen on `pairs/lessons.txt` and
/// checked on real lessons (`docs/quality.md`, "Comparing").
pub const SAME: f32 = 0.75;
/// How close a lesson is to a rejected one that it is kept away for, or to one that it may contradict. Lower than
/// [`SAME`]: what is kept away is listed and can be brought back, and a contradiction is only offered.
pub const CLOSE: f32 = 0.65;

/// What a text means, as far as the model can tell.
#[derive(Debug, Clone, PartialEq)]
pub struct Meaning {
    vector: Option<Vec<f32>>,
    text: String,
    /// What it is for and against: read when it is first asked, for most texts are close to nothing.
    polarity: OnceCell<Polarity>,
    /// Neighbouring letters, of a text in a script that the model does not know.
    letters: Option<BTreeSet<[char; 2]>>,
}

/// How two lessons stand to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    /// They say the same.
    Same,
    /// They are about the same, and may say the same.
    Close,
    /// They are about the same and pull in opposite directions.
    Opposed,
    /// They have nothing to do with each other.
    Apart,
}

impl Meaning {
    /// What `text` means.
    pub fn of(model: &EmbeddingModel, text: &str) -> Self {
        let vector = model.vector(&model.informative_tokens(&model.tokens(text)), |_| 1.0);
        let text: String = text.chars().take(MOST_CHARS).collect();
        let letters = is_of_other_script(&text).then(|| pairs_of_letters(&text));
        Self { vector, letters, text, polarity: OnceCell::new() }
    }

    /// How close this is to another text, from 0 to 1; the same both ways. Texts without a known word are close to
    /// nothing. The model knows Latin letters only: two texts in another script are as close as they share neighbouring letters.
    pub fn closeness(&self, other: &Self) -> f32 {
        if let (Some(one), Some(other)) = (&self.letters, &other.letters) {
            return share(one, other);
        }
        if self.letters.is_some() || other.letters.is_some() {
            return 0.0;
        }
        match (&self.vector, &other.vector) {
            (Some(one), Some(other)) => {
                one.iter().zip(other).map(|(one, other)| one * other).sum::<f32>().clamp(0.0, 1.0)
            }
            _ => 0.0,
        }
    }

    /// Whether one is for what the other is against.
    pub fn opposes(&self, other: &Self) -> bool {
        self.polarity().opposes(other.polarity())
    }

    fn polarity(&self) -> &Polarity {
        self.polarity.get_or_init(|| Polarity::of(&self.text))
    }

    /// The same text as another model reads it.
    pub(crate) fn vector_of(&self, model: &EmbeddingModel) -> Option<Vec<f32>> {
        Self::of(model, &self.text).vector
    }

    /// How this stands to another text.
    pub fn relation(&self, other: &Self) -> Relation {
        match self.closeness(other) {
            close if close < CLOSE => Relation::Apart,
            _ if self.opposes(other) => Relation::Opposed,
            close if close < SAME => Relation::Close,
            _ => Relation::Same,
        }
    }
}

/// Whether two texts say the same, in whatever words; without a model only in the same.
pub fn says_the_same(model: Option<&EmbeddingModel>, one: &str, other: &str) -> bool {
    let (one, other) = (one.to_lowercase(), other.to_lowercase());
    let same = |model| Meaning::of(model, &one).relation(&Meaning::of(model, &other)) == Relation::Same;
    one == other || model.is_some_and(same)
}

/// How close the words come in which two texts differ: "yarn" in the one and "pnpm" in the other are things of a kind, so that one may
/// stand where the other stood. 0 to 1, the closest two; 0 where the one says nothing that the other does not.
pub fn rivalry(model: &EmbeddingModel, one: &str, other: &str) -> f32 {
    let (ones, others) = (informative_words(one), informative_words(other));
    let own = |words: &BTreeSet<String>, less: &BTreeSet<String>| -> Vec<Vec<f32>> {
        let differing = words.iter().filter(|word| !less.iter().any(|known| is_form_of(word, known)));
        differing.filter_map(|word| model.vector(&model.tokens(word), |_| 1.0)).collect()
    };
    let (ones, others) = (own(&ones, &others), own(&others, &ones));
    let closeness = |one: &Vec<f32>, other: &Vec<f32>| one.iter().zip(other).map(|(a, b)| a * b).sum::<f32>();
    let pairs = ones.iter().flat_map(|one| others.iter().map(move |other| closeness(one, other)));
    pairs.fold(0.0, f32::max).clamp(0.0, 1.0)
}

/// Words that are compared one by one, of each text.
const MOST_WORDS: usize = 24;

fn informative_words(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '\'')));
    let words = words.map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase());
    words
        .filter(|word| word.chars().count() > 2 && !is_stop_word(word))
        .filter(|word| !word.starts_with(|c: char| c.is_ascii_digit()))
        .take(MOST_WORDS)
        .collect()
}

/// "commit" and "commits".
fn is_form_of(one: &str, other: &str) -> bool {
    const STEM: usize = 5;
    one == other || one.chars().take(STEM).eq(other.chars().take(STEM)) && one.chars().count() >= STEM
}

/// Whether most letters of a text are of a script that the model does not know.
fn is_of_other_script(text: &str) -> bool {
    let letters = text.chars().filter(|c| c.is_alphabetic());
    let (known, other): (Vec<char>, Vec<char>) = letters.partition(|c| u32::from(*c) < LATIN_ENDS);
    // One such letter tells as much as two or three of ours.
    other.len() * 3 > known.len()
}

/// From here on letters are not Latin.
const LATIN_ENDS: u32 = 0x250;

fn pairs_of_letters(text: &str) -> BTreeSet<[char; 2]> {
    let letters: Vec<char> = text.to_lowercase().chars().filter(|c| c.is_alphanumeric()).collect();
    letters.array_windows().copied().collect()
}

/// Dice's coefficient: twice what two sets share, of all that both have.
#[expect(clippy::cast_precision_loss, reason = "texts are short")]
fn share(one: &BTreeSet<[char; 2]>, other: &BTreeSet<[char; 2]>) -> f32 {
    let all = (one.len() + other.len()).max(1) as f32;
    2.0 * one.intersection(other).count() as f32 / all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_in_a_script_the_model_does_not_know_are_told_apart() {
        let model = EmbeddingModel::embedded().unwrap();
        let relation = |one, other| Meaning::of(&model, one).relation(&Meaning::of(&model, other));
        assert_eq!(relation("提交之前一定要先跑测试", "变量名一律不要用拼音"), Relation::Apart);
        assert_eq!(relation("Отступы всегда табами", "Никогда не трогай настройки линтера"), Relation::Apart);
        assert_eq!(relation("提交之前一定要先跑测试", "提交之前一定要先跑测试!"), Relation::Same);
        assert_eq!(relation("提交之前一定要先跑测试", "Run the tests before every commit"), Relation::Apart);
    }
}
