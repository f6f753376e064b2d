//! What the numbers of two rules count: "at most 400 lines in a file" says nothing of how long a line is.

use std::sync::LazyLock;

use regex::Regex;

use super::cues;
use super::swap::is_said_of_any;
use super::words::pattern;

/// Words for the same measure, by their first letters.
const MEASURES: [&[&str]; 8] = [
    &["col", "colum", "char", "chara", "zeich", "spalt", "colon", "carac", "симво", "wide", "lette"],
    &[
        "s",
        "ms",
        "sec",
        "secon",
        "sekun",
        "segun",
        "секун",
        "min",
        "minut",
        "hour",
        "stund",
        "heure",
        "hora",
        "day",
        "tag",
        "tage",
        "tagen",
        "jour",
        "día",
        "week",
        "woche",
        "month",
        "year",
    ],
    &["kb", "mb", "gb", "byte", "kib", "mib", "gib"],
    &["perce", "proze", "%"],
    &["px", "pixel"],
    &["v", "volt", "mv"],
    &["time", "mal", "fois", "vez", "veces", "раз", "retry", "retri", "attem", "try", "tries"],
    &["line", "zeile", "ligne", "línea", "linea", "linha", "строк"],
];
/// Numbers that are written out.
const WRITTEN: [&str; 17] = [
    "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "twelve", "fifteen", "twenty",
    "thirty", "forty", "fifty", "sixty", "hundred",
];
/// What they are.
const VALUES: [u32; 17] = [2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 30, 40, 50, 60, 100];
/// What rules of any kind are about.
const ANYWHERE: [&str; 26] = [
    "app", "servi", "job", "syste", "new", "proje", "most", "least", "max", "agora", "parti", "sempr",
    "siemp", "ahora", "adela", "jetzt", "immer", "sofor", "toujo", "désor", "maint", "usa", "use", "são",
    "son", "sind",
];
/// After a number: what has so many of it follows.
const EACH: [&str; 4] = ["per", "pro", "par", "por"];
/// Letters of a word that are compared.
const STEM: usize = 5;

/// A number with what stands around it.
#[derive(Debug, Default)]
struct Quantity {
    /// The word after it, where that tells what is counted.
    unit: Option<String>,
    /// The word before it, where that names what has it: "port 3000".
    label: Option<String>,
    /// The telling words of its clause, in order; a gap is an empty one.
    words: Vec<String>,
    /// Those of the whole text.
    around: Vec<String>,
}

impl Quantity {
    /// The words that tell what has the number.
    fn subjects(&self, words: &[String]) -> Vec<String> {
        let tells = |word: &&String| {
            !word.is_empty()
                && Some(*word) != self.unit.as_ref()
                && !is_measure(word)
                && !ANYWHERE.contains(&word.as_str())
        };
        words.iter().filter(tells).cloned().collect()
    }
}

/// "Make that 12", "90 it is then", "a tray may hold up to thirty": words that set a number in the place of another.
pub(super) fn sets_another(text: &str) -> bool {
    static SETS: LazyLock<Regex> = LazyLock::new(|| {
        pattern(concat!(
            r"(?i)\b(?:let['’]?s|we) (?:go|move|switch) (?:up |down )?(?:to|with|for) N\b|\b(?:let['’]?s )?(?:make|call|say) (?:that|it) (?:[\w-]+ ){0,2}?N\b|\bN\S*(?: [\w%]+)? it is\b|\b(?:so |and |ok(?:ay)?,? )?(?:it['’]?s|that['’]?s|we['’]?re (?:at|down to|up to)|goes up to|goes down to) (?:[\w-]+ ){0,2}?N\S*(?: [\w/%]+)? (?:now|then|from now|from here|instead)\b",
            r"|\bwe['’]?re (?:down|up) to N\b|\b(?:may|can) (?:now )?(?:have|go|be|hold|take|run|last|weigh|use)(?: up)? (?:to |at most )?N\b|\b(?:new|raise|raised|lower|lowered|loosen\w*|up|down)(?: the| my| our)? (?:limit|bar|cap|threshold|maximum|minimum|max|min|ceiling|floor|target|tolerance)\b|\b(?:limit|bar|cap|threshold|maximum|minimum|ceiling|tolerance) (?:is|goes|moves) (?:now |up to |down to |to |at )*N\b",
        ))
    });
    SETS.is_match(&numbered(text))
}

/// Whether two rules count the same by another number, each in digits or written out: "one lid" after "two lids".
pub(super) fn counts_other(newer: &str, older: &str) -> bool {
    static COUNT: LazyLock<Regex> = LazyLock::new(|| {
        pattern(&format!(r"(?i)\b(?P<n>\d+|one|{})(?: |-)(?P<unit>[a-zäöüéèçñ]{{3,}})", WRITTEN.join("|")))
    });
    const NO_UNIT: [&str; 24] = [
        "thing", "time", "way", "day", "week", "month", "year", "more", "other", "else", "last", "first",
        "for", "and", "per", "that", "with", "from", "the", "every", "file", "place", "person", "each",
    ];
    let counts = |text: &str| -> Vec<(u32, String)> {
        let number = |word: &str| {
            let word = word.to_lowercase();
            let written = WRITTEN.iter().position(|known| *known == word);
            word.parse().ok().or(if word == "one" { Some(1) } else { written.map(|at| VALUES[at]) })
        };
        let found = COUNT.captures_iter(text);
        let count = |one: regex::Captures<'_>| {
            let unit = one["unit"].to_lowercase().trim_end_matches('s').to_owned();
            (!NO_UNIT.contains(&unit.as_str())).then_some((number(&one["n"])?, unit))
        };
        found.filter_map(count).collect()
    };
    let ones = counts(newer);
    if ones.is_empty() {
        return false;
    }
    let others = counts(older);
    ones.iter().any(|(count, unit)| others.iter().any(|(other, same)| unit == same && count != other))
        && !ones.iter().any(|one| others.contains(one))
}

/// Whether the newer text gives another number to a key that both write: "width: 30" after "width: 20".
pub(super) fn sets_the_key_anew(newer: &str, older: &str) -> bool {
    static KEYED: LazyLock<Regex> =
        LazyLock::new(|| pattern(r"(?i)(?P<key>[a-z][\w.-]*)(?:: ?| ?= ?)`?(?P<value>\d[\w.]*)"));
    let keyed = |text: &str| -> Vec<(String, String)> {
        let of = |found: regex::Captures<'_>| (found["key"].to_lowercase(), found["value"].to_lowercase());
        KEYED.captures_iter(text).map(of).collect()
    };
    let others = keyed(older);
    !others.is_empty()
        && keyed(newer)
            .iter()
            .any(|(key, value)| others.iter().any(|(other, old)| key == other && value != old))
}

/// Whether a text has a number, in digits or written out.
pub(super) fn has_number(text: &str) -> bool {
    numbered(text).split(|c: char| !c.is_alphanumeric()).any(|word| word == "N")
}

/// A text in which every number is an "N".
fn numbered(text: &str) -> String {
    static NUMBER: LazyLock<Regex> =
        LazyLock::new(|| pattern(&format!(r"(?i)\b(?:\d+(?:[.,:]\d+)*|half an?|{})\b", WRITTEN.join("|"))));
    NUMBER.replace_all(text, "N").into_owned()
}

/// Whether the numbers of two rules may be of the same thing. In doubt they are.
pub(super) fn counts_the_same(newer: &str, older: &str) -> bool {
    if [newer, older].iter().any(|text| text.chars().any(super::ngrams::is_unspaced)) {
        let (ones, others) = (signs(newer), signs(older));
        return ones.is_empty() || others.is_empty() || ones.iter().any(|one| others.contains(one));
    }
    let (newer, older) = (quantities(newer), quantities(older));
    newer.is_empty() || older.is_empty() || newer.iter().any(|one| older.iter().any(|other| same(one, other)))
}

fn same(newer: &Quantity, older: &Quantity) -> bool {
    match (&newer.unit, &older.unit) {
        (Some(one), Some(other)) if measure(one) != measure(other) => return false,
        (None, None) => match (&newer.label, &older.label) {
            (Some(one), Some(other)) if one != other => return false,
            _ => {}
        },
        _ => {}
    }
    let (ones, others) = (newer.subjects(&newer.around), older.subjects(&older.around));
    // "Break at 130": the number alone points back to the rule.
    let named = newer.unit.is_some() && !newer.subjects(&newer.words).is_empty() && !others.is_empty();
    if named && !ones.iter().any(|word| others.contains(word)) {
        return false;
    }
    let shared: Vec<&String> = ones.iter().filter(|word| others.contains(word)).collect();
    !shared.iter().any(|word| {
        let beside = |quantity: &Quantity, step: isize| {
            let at = quantity.words.iter().position(|known| known == *word)?;
            let beside = quantity.words.get(at.checked_add_signed(step)?)?;
            (!beside.is_empty() && !is_measure(beside)).then(|| beside.clone())
        };
        // "Commit titles" and "commit bodies", "the dev server" and "the mock server".
        [-1, 1].into_iter().any(|step| match (beside(newer, step), beside(older, step)) {
            (Some(one), Some(other)) => one != other && !others.contains(&one) && !ones.contains(&other),
            _ => false,
        })
    })
}

fn measure(unit: &str) -> Result<usize, &str> {
    MEASURES.iter().position(|forms| forms.contains(&unit)).ok_or(unit)
}

fn is_measure(word: &str) -> bool {
    measure(word).is_ok()
}

/// The numbers of a text, each with the words of its clause.
fn quantities(text: &str) -> Vec<Quantity> {
    let lower = text.to_lowercase();
    let ends = |c: char| matches!(c, ',' | ';' | ':' | '(' | ')' | '，' | '。' | '、' | '；' | '\n');
    let mut found: Vec<Quantity> = lower.split(ends).flat_map(of_clause).collect();
    let around: Vec<String> = lower.split(ends).flat_map(|clause| telling_words(&tokens(clause))).collect();
    found.iter_mut().for_each(|quantity| quantity.around.clone_from(&around));
    found
}

fn telling_words(tokens: &[String]) -> Vec<String> {
    tokens.iter().map(|word| telling(word).unwrap_or_default()).collect()
}

fn tokens(clause: &str) -> Vec<String> {
    let spaced = spaced(clause).replace('%', " % ");
    let words = spaced.split(|c: char| !(c.is_alphanumeric() || matches!(c, '\'' | '’' | '%' | '.')));
    let words = words.map(|word| word.trim_matches(['\'', '’', '.'])).filter(|word| !word.is_empty());
    words.map(str::to_owned).collect()
}

fn is_number(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit()) || WRITTEN.contains(&word)
}

fn of_clause(clause: &str) -> Vec<Quantity> {
    let all = tokens(clause);
    let words = telling_words(&all);
    let found = all.iter().enumerate().filter(|(_, word)| is_number(word));
    let quantity = |(at, _): (usize, &String)| Quantity {
        unit: words.get(at + 1).filter(|word| !word.is_empty()).cloned(),
        label: at.checked_sub(1).and_then(|at| words.get(at)).filter(|word| !word.is_empty()).cloned(),
        words: words.clone(),
        around: Vec::new(),
    };
    found.map(quantity).collect()
}

/// The sign after each number, where words are not set apart: "8 秒".
fn signs(text: &str) -> Vec<char> {
    let ends = text.char_indices().filter(|(_, c)| c.is_ascii_digit()).map(|(at, _)| at + 1);
    let after = ends.filter_map(|end| text[end..].trim_start().chars().next());
    after.filter(|c| c.is_alphabetic()).collect()
}

/// A number and what is written on to it apart: "5mb".
fn spaced(clause: &str) -> String {
    let mut apart = String::with_capacity(clause.len() + 8);
    let mut before = ' ';
    for c in clause.chars() {
        if c.is_alphabetic() && before.is_ascii_digit() {
            apart.push(' ');
        }
        apart.push(c);
        before = c;
    }
    apart
}

fn telling(word: &str) -> Option<String> {
    let plain: String = word.chars().filter(|c| c.is_alphanumeric() || *c == '%').collect();
    let plain =
        plain.strip_suffix('s').filter(|one| one.chars().count() > 2).map_or(plain.clone(), str::to_owned);
    let short = plain.chars().count() < 2 && plain != "%";
    let common = [word, &plain].iter().any(|word| cues::is_common(word) || is_said_of_any(word));
    let common = common || EACH.contains(&word);
    let measures = is_measure(&plain);
    let stem: String = plain.chars().take(STEM).collect();
    (!is_number(&plain) && !short && (measures || !common)).then_some(stem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(older: &str, newer: &str, expected: bool) {
        assert_eq!(counts_the_same(newer, older), expected, "{older} | {newer}");
    }

    #[test]
    fn another_number_for_the_same_thing() {
        check("Requests give up after 8 seconds", "after 20 seconds from now on", true);
        check("At most 40 columns in a table of the manual", "tables may have 60 columns from today", true);
        check("The staging proxy listens on port 7000", "the staging proxy is on 7100 now", true);
        check("Sweeps run with fold 3", "run sweeps with folds 0 to 4", true);
        check("Lights at 60%", "the lights go to 35 percent now", true);
        check("swift lines end at 95 columns", "so break at 115 from now on", true);
        check("请求超时设成 8 秒", "请求超时改成 20 秒", true);
    }

    #[test]
    fn numbers_of_other_things() {
        check("At most 40 columns in a table", "at most 12 rows in a table from now on", false);
        check("Letter heads are 30 characters", "letter feet are 50 characters from now on", false);
        check("The audit log is kept for 90 days", "drafts stay for 30 days", false);
        check("Ask at most three times", "wait five seconds before you ask again, from now on", false);
        check("Covers are always 90 px wide in the app", "buttons are always 30 px wide in the app", false);
        check("Build with gcc 12", "test with valgrind 3 from now on", false);
        check("请求超时设成 8 秒", "每个模块最多 20 行", false);
    }
}
