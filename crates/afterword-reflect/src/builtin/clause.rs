//! Clauses: what of a message says one thing.
//!
//! People put an errand and a rule into one message, or five rules into a list. A clause is a sentence, an item of a list, or a
//! part of a sentence that begins anew ("…, and from now on …"). Works for scripts with and without spaces.

use std::sync::{LazyLock, OnceLock};

use regex::Regex;

use super::cues;
use super::fragment::goes_on;
use super::words::{is_abbreviation, pattern};

/// Most clauses of one message; what follows is left out, as nobody types so many rules by hand.
const MOST: usize = 60;
/// Shorter parts of a sentence, in characters, are no clause of their own.
const SHORTEST: usize = 4;

/// A part of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clause<'t> {
    /// The words, without the marker of a list.
    pub text: &'t str,
    /// Where they begin in the message, in bytes.
    pub start: usize,
    /// An item of a list.
    pub listed: bool,
    /// A part of a sentence of several clauses.
    pub partial: bool,
    /// A part that begins anew after the one before it: "…, and please …".
    pub joined: bool,
}

/// The clauses of a message, in order. A sentence of several clauses comes first whole, then in its parts.
pub fn clauses(text: &str) -> Vec<Clause<'_>> {
    let mut found = Vec::new();
    for (start, line) in lines(text) {
        let (marker, listed) = marker(line);
        let (start, line) = (start + marker, &line[marker..]);
        for (offset, item) in inline_items(line) {
            let listed = listed || offset > 0 || item.len() < line.len();
            let of_item = sentences(item);
            let apart = set_apart(&of_item);
            for (index, (from, sentence)) in of_item.into_iter().enumerate() {
                if found.len() >= MOST {
                    return found;
                }
                let mut at = start + offset + from;
                if apart.contains(&index) {
                    let mut words = sentence;
                    if index == apart.start {
                        let colon = sentence.find([':', '：']).unwrap_or_default();
                        let colon = colon + sentence[colon..].chars().next().map_or(1, char::len_utf8);
                        push(&mut found, text, at, &sentence[..colon], (listed, false, false));
                        (at, words) = (at + colon, &sentence[colon..]);
                    }
                    push(&mut found, text, at, words, (true, false, false));
                    continue;
                }
                if let Some(items) = enumeration(sentence) {
                    for (index, (item_at, item)) in items.into_iter().enumerate() {
                        push(&mut found, text, at + item_at, item, (index > 0, false, false));
                    }
                    continue;
                }
                // "Three rules for this project: names are English. …" is an announcement and the first of them.
                let first = announced(sentence);
                if first > 0 {
                    push(&mut found, text, at, &sentence[..first], (listed, false, false));
                }
                let (at, sentence) = (at + first, &sentence[first..]);
                push(&mut found, text, at, sentence, (listed, false, false));
                for (part_at, part, joined) in parts(sentence) {
                    push(&mut found, text, at + part_at, part, (listed, true, joined));
                }
            }
        }
    }
    found
}

fn push<'t>(
    found: &mut Vec<Clause<'t>>,
    text: &'t str,
    start: usize,
    words: &str,
    (listed, partial, joined): (bool, bool, bool),
) {
    let lead = words.len() - words.trim_start_matches(is_edge).len();
    let trimmed = words.trim_matches(is_edge);
    if trimmed.chars().any(char::is_alphanumeric) {
        let start = start + lead;
        found.push(Clause { text: &text[start..start + trimmed.len()], start, listed, partial, joined });
    }
}

/// A sentence that announces a list and goes through it: "three rules here: no tabs, one export a file, and dates in UTC". The
/// announcement first, then the items; a short one belongs to the item before it.
fn enumeration(sentence: &str) -> Option<Vec<(usize, &str)>> {
    let (header, colon) = colon(sentence)?;
    let header = &sentence[..header];
    let rest = parts(&sentence[colon..]);
    let goes_through = rest.len() >= 3 || rest.len() == 2 && rest[1].2;
    let short = |text: &str| {
        text.chars().filter(|c| c.is_alphanumeric()).count() < SHORTEST + 1
            && !text.chars().any(super::ngrams::is_unspaced)
    };
    if !goes_through || header.chars().count() > 120 || rest.first().is_some_and(|(_, item, _)| short(item)) {
        return None;
    }
    let mut items = vec![(0, &sentence[..colon])];
    // What stands in brackets is a remark on the item before.
    for (at, item, _) in rest.into_iter().filter(|(_, item, _)| !item.ends_with(')') || item.contains('(')) {
        match items.last_mut() {
            Some((before, words)) if short(item) || goes_on(item) => {
                *words = &sentence[*before..colon + at + item.len()];
            }
            _ => items.push((colon + at, item)),
        }
    }
    Some(items)
}

/// Where the first colon of a sentence begins and ends; the one of "01:30" is none.
fn colon(sentence: &str) -> Option<(usize, usize)> {
    let is_time = |at: usize| {
        let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
        digit(sentence[..at].chars().next_back()) && digit(sentence[at + 1..].chars().next())
    };
    let mut colons = sentence.char_indices().filter(|(_, c)| matches!(c, ':' | '：'));
    colons.find(|(at, c)| *c != ':' || !is_time(*at)).map(|(at, c)| (at, at + c.len_utf8()))
}

/// "Before making changes", "if a test is slow": says when, and nothing without what follows.
pub(super) fn is_condition(part: &str) -> bool {
    static CONDITION: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)^(?:and |so |but |also )?(?:before|after|when|whenever|while|if|once|until|unless|bevor|wenn|sobald|antes de|cuando|si|avant de|quand|quando|se|перед|если|когда)\b",
        )
    });
    CONDITION.is_match(part)
}

/// Which sentences of a line are a list that the first of them announces, its items set apart by semicolons: "raise the limit. House
/// rules: no tabs; dates in UTC; and one export a file."
fn set_apart(line: &[(usize, &str)]) -> std::ops::Range<usize> {
    let ends = |sentence: &str| sentence.trim_end().ends_with([';', '；']);
    let announces = |sentence: &str| {
        sentence.split_once([':', '：']).is_some_and(|(header, rest)| {
            header.chars().count() <= 120 && rest.chars().any(char::is_alphanumeric)
        })
    };
    let first = line.iter().position(|(_, sentence)| ends(sentence) && announces(sentence));
    first.map_or(0..0, |first| {
        let count = line[first..].iter().take_while(|(_, sentence)| ends(sentence)).count();
        first..(first + count + 1).min(line.len())
    })
}

fn is_edge(c: char) -> bool {
    c.is_whitespace() || matches!(c, ',' | ';' | '，' | '、' | '；' | '–' | '—')
}

fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut start = 0;
    text.split_inclusive('\n').map(move |line| {
        let at = start;
        start += line.len();
        (at, line)
    })
}

/// How long the marker of a list item at the start of a line is, and whether there is one.
fn marker(line: &str) -> (usize, bool) {
    static MARKER: OnceLock<Regex> = OnceLock::new();
    let marker = MARKER.get_or_init(|| {
        pattern(r"^\s*(?:[-*•·‣–—・]\s+|・|\(?(?:\d{1,2}|[a-hA-H])[.)）]\s+|\d{1,2}[、）.]\s*|[一二三四五六七八九十]{1,2}[、.．]\s*|[①-⑩]\s*)")
    });
    let found = marker.find(line).filter(|found| !is_in_number(line, found.end()));
    found.map_or((0, false), |found| (found.end(), true))
}

/// "0.81 is fine" begins with a number and not with a marker that ends here.
fn is_in_number(line: &str, end: usize) -> bool {
    line[..end].ends_with('.') && line[end..].starts_with(|c: char| c.is_ascii_digit())
}

/// The items of a list within a line: `1) no malloc 2) no recursion`, `(a) … (b) …`, `1. … 2. …`.
pub(super) fn inline_items(line: &str) -> Vec<(usize, &str)> {
    static ITEM: OnceLock<Regex> = OnceLock::new();
    let item = ITEM.get_or_init(|| pattern(r"(?:^|[\s:：;；,，。.])(\(?([1-9]|[a-h])[.)）、])\s*"));
    let mut starts: Vec<(usize, usize)> = Vec::new();
    let mut expected: Option<char> = None;
    for found in item.captures_iter(line) {
        let (Some(mark), Some(label)) = (found.get(1), found.get(2).and_then(|l| l.as_str().chars().next()))
        else {
            continue;
        };
        if is_in_number(line, found.get(0).map_or(0, |all| all.end())) {
            continue;
        }
        if matches!(label, '1' | 'a') || expected == Some(label) {
            if matches!(label, '1' | 'a') {
                starts.clear();
            }
            starts.push((mark.start(), found.get(0).map_or(mark.end(), |all| all.end())));
            expected = char::from_u32(u32::from(label) + 1);
        }
    }
    if starts.len() < 2 {
        return vec![(0, line)];
    }
    let mut items = Vec::new();
    if starts[0].0 > 0 {
        items.push((0, &line[..starts[0].0]));
    }
    for (index, (_, from)) in starts.iter().enumerate() {
        let to = starts.get(index + 1).map_or(line.len(), |next| next.0);
        if from < &to {
            items.push((*from, &line[*from..to]));
        }
    }
    items
}

/// The sentences of a line with where they begin; full stops of every script end one.
pub fn sentences(line: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut rest = line.char_indices().peekable();
    while let Some((at, c)) = rest.next() {
        // "'Fixed …', like the others" leaves something out.
        let left_out = c == '…'
            && rest.peek().is_some_and(|(_, next)| matches!(next, '\'' | '’' | '"' | '”' | '`' | ',' | '»'));
        let full = !left_out && matches!(c, '。' | '！' | '？' | '；' | '\u{ff0e}' | '…');
        let mut end = at + c.len_utf8();
        // "Careful :) no lids on warm jars".
        let smiles = matches!(c, ':' | ';')
            && line[..at].ends_with(char::is_whitespace)
            && [") ", "-) ", "D ", "( "].iter().any(|mouth| line[end..].starts_with(mouth));
        let ends = if smiles {
            end += line[end..].find(' ').unwrap_or_default();
            while rest.peek().is_some_and(|(next, _)| *next < end) {
                rest.next();
            }
            true
        } else if full {
            while let Some((next, c)) = rest.peek().copied()
                && matches!(c, '。' | '！' | '？' | '）' | '」' | '”' | '…')
            {
                end = next + c.len_utf8();
                rest.next();
            }
            true
        } else if matches!(c, '.' | '!' | '?' | ';') {
            while let Some((next, c)) = rest.peek().copied()
                && matches!(c, '.' | '!' | '?' | ')' | '"' | '\'')
            {
                end = next + c.len_utf8();
                rest.next();
            }
            // "JOIN ... ON" leaves something out.
            let leaves_out = c == '.' && end > at + 1 && line[..at].ends_with(char::is_whitespace);
            // "CSSの!important" is a name.
            let unspaced = line[..at].chars().next_back().is_some_and(super::ngrams::is_unspaced)
                && rest.peek().is_none_or(|(_, next)| !next.is_ascii_alphanumeric());
            let breaks =
                // "8.–" is a price.
                unspaced
                    || rest.peek().is_none_or(|(_, next)| {
                        next.is_whitespace() || !next.is_ascii() && !matches!(next, '–' | '—' | '’')
                    });
            breaks && !leaves_out && !(c == '.' && is_abbreviation(&line[start..at]))
        } else {
            false
        };
        if ends {
            found.push((start, &line[start..end]));
            start = end;
        }
    }
    if start < line.len() {
        found.push((start, &line[start..]));
    }
    found
}

/// The parts of a sentence that begin anew, where there are two or more.
fn parts(sentence: &str) -> Vec<(usize, &str, bool)> {
    static BREAK: OnceLock<Regex> = OnceLock::new();
    let breaks = BREAK.get_or_init(|| {
        pattern(
            r"(?i)(?:[,，、]\s*|\s+[-–—]+\s+|\s*——\s*)(?:(?:and|but|also|oh|btw|plus|und|aber|y|pero|además|et|mais|e|mas|и|но|а|ещё|еще)\b|另外|而且|并且|还有|それと|あと|그리고)[\s,，、]*|\s+(?:and|but)\s+(?:also\s+)?(?P<keep>(?:please|pls|never|always|don'?t|do not|from now|make sure|remember|no|keep in mind|next time|in future|in general|if|when|whenever|before|after)\b)|[,，、：]\s*(?:\s|\b)|:\s+|\s+[-–—]+\s+|\s*——\s*|[，、]|(?:^|\s+)\(",
        )
    });
    let mut found = Vec::new();
    let (mut start, mut joined) = (0, false);
    for gap in breaks.captures_iter(sentence) {
        let Some(all) = gap.get(0) else { continue };
        if all.start() > start {
            found.push((start, &sentence[start..all.start()], joined));
        }
        joined = all.as_str().chars().any(char::is_alphanumeric) || all.as_str().contains(['–', '—']);
        start = gap.name("keep").map_or(all.end(), |keep| keep.start());
        if let Some(word) = ends_something(all.as_str(), &sentence[all.end()..]) {
            start = all.start() + word;
        }
    }
    if start == 0 {
        return Vec::new();
    }
    if start < sentence.len() {
        found.push((start, &sentence[start..], joined));
    }
    found.retain(|(_, part, _)| part.chars().filter(|c| c.is_alphanumeric()).count() >= SHORTEST);
    if found.len() < 2 && found.first().is_none_or(|(_, part, _)| part.len() * 10 > sentence.len() * 9) {
        found.clear();
    }
    found
}

/// Where the French "plus" of "plus besoin" begins between two parts: it says that something ends, and joins nothing.
fn ends_something(gap: &str, after: &str) -> Option<usize> {
    const ENDS: [&str; 5] = ["besoin", "de ", "d'", "d’", "jamais"];
    let joins = gap.trim_matches(|c: char| !c.is_alphanumeric());
    let after = after.to_lowercase();
    let ends = joins.eq_ignore_ascii_case("plus") && ENDS.iter().any(|word| after.starts_with(word));
    ends.then(|| gap.find(joins)).flatten()
}

/// Beginnings of a short sentence that only narrows the one before, or says how far it goes: "no deploys on a friday. only hotfixes".
const NARROWS: [&str; 34] = [
    "only ",
    "just the ",
    "except ",
    "unless ",
    "apart from ",
    "every time",
    "each time,",
    "always, ",
    "no exception",
    "without exception",
    "also on ",
    "also in ",
    "also for ",
    "even on ",
    "even in ",
    "even for ",
    "even if ",
    "even when ",
    "if it ",
    "if its ",
    "if it's ",
    "if that ",
    "if that's ",
    "if this ",
    "if they ",
    "nur ",
    "außer ",
    "solo ",
    "excepto ",
    "salvo ",
    "sauf ",
    "seulement ",
    "somente ",
    "только ",
];
/// How long such a sentence is at most, in bytes.
const NARROW: usize = 60;

/// Whether words only narrow what was said before them, or say how far it goes.
pub(super) fn narrows(text: &str) -> bool {
    let lower = text.to_lowercase();
    text.len() <= NARROW && !text.ends_with('?') && NARROWS.iter().any(|start| lower.starts_with(start))
}

/// How long the announcement of rules is that a sentence begins with, in bytes; nothing where it goes on with none.
fn announced(sentence: &str) -> usize {
    let end = colon(sentence).map(|(_, end)| end);
    let goes_on = |end: &usize| sentence[*end..].split_whitespace().count() >= 3;
    end.filter(goes_on).filter(|end| announces_rules(&sentence[..*end])).unwrap_or(0)
}

/// "Two rules for this project", "a few things about style", "nits that apply to the whole repository": says that rules follow.
pub(super) fn announces_rules(text: &str) -> bool {
    static COUNTED: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)^(?:[\w' ]{0,25}\b)?(?:two|three|four|five|some|few|couple of|house|our|my|team|general|zwei|drei|vier|paar|deux|trois|quelques|dos|tres|unas|duas|três|algumas|две|три|несколько)\s+(?:\w+\s+)?(?:things|stuff|rules|conventions|principles|guidelines|preferences|remarks|notes|nits|dinge|regeln|konventionen|anmerkungen|choses|règles|remarques|cosas|reglas|convenciones|observaciones|coisas|regras|convenções|observações|вещи|правила|замечания)\b[^.!?。]{0,90}[.:：。!]?$|[两三四几][条个](?:规矩|规则|约定|事)|ルールを|규칙",
        )
    });
    static HOLDS: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)^(?:[\w' ]{0,25}\b)?(?:rules|conventions|guidelines|nits|notes|remarks|points|habits|basics) (?:that|which) (?:apply|hold|count|go|matter|are valid)\b[^.!?]{0,90}[.:!]?$|^[\w', ]{0,40}\b(?:valid|counts|holds|goes) for (?:all|every|any)\b[^.!?]{0,90}[.:!]?$",
        )
    });
    // "Some more, keep them in mind for the whole book:".
    static IN_MIND: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)\b(?:keep|bear|have) (?:them|these|this|those) in mind (?:for|in|with|whenever|when) (?:all|every\w*|any\w*|(?:the |our |my )?(?:whole|entire) (?:thesis|book|project|repo\w*|code ?base|app|game|site|course|paper|docs?|documentation|series)|(?:the )?future|you)\b[^.!?:]{0,60}[:：]$",
        )
    });
    // "Two things: the button is broken. …" announces work.
    static THINGS: LazyLock<Regex> =
        LazyLock::new(|| pattern(r"(?i)\b(?:things|stuff|notes|dinge|choses|cosas|coisas|вещи)\b"));
    static IN_GENERAL: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)\b(?:general|about|in (?:this|our|my)|for (?:all|every|any|everything|anything|(?:the )?future)|you (?:couldn't|could not|should|need to) know|you'll do more|(?:i (?:have )?|i've )(?:noticed|saw|seen)|to (?:remember|keep in mind)|from now)\b",
        )
    });
    text.chars().count() <= 110
        && (COUNTED.is_match(text.trim()) && (!THINGS.is_match(text) || IN_GENERAL.is_match(text))
            || HOLDS.is_match(text.trim())
            || IN_MIND.is_match(text.trim()))
        && (!cues::present(text, cues::language_of(text)).has("later") || is_for_the_future(text))
}

/// "Parking two things for the next version: …": what follows is put off.
pub(super) fn puts_a_list_off(header: &str) -> bool {
    static PUTS_OFF: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)^(?:\w+[.!,] )*(?:i'm |i am |let'?s |we )?park(?:ing|ed)? (?:two|three|four|some|these|those|a few|a couple|the following|\d)\b[^.!?]*:$|^(?:some |a few |two |three )?ideas? for (?:later|someday|some day|the next|version|v\d)\b[^.!?]*:$|^(?:the |our |my )?(?:wish ?list|backlog)\b[^.!?]*:$",
        )
    });
    PUTS_OFF.is_match(header.trim_end())
}

/// "For the future: …" announces rules, not something put off.
pub(super) fn is_for_the_future(header: &str) -> bool {
    static FUTURE: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)\b(?:for (?:the )?future|for the next (?:ones|time)|next time|für die zukunft|pour l['’]avenir|para (?:el|o) futuro|на будущее)\b|今后|以后|今後|앞으로",
        )
    });
    header.chars().count() <= 40 && FUTURE.is_match(header)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let whole: Vec<&str> =
            clauses(text).into_iter().filter(|clause| !clause.partial).map(|clause| clause.text).collect();
        assert_eq!(whole, expected);
    }

    #[test]
    fn a_condition_that_points_back_narrows_the_sentence_before_it() {
        for text in ["only hotfixes", "if it is there, say so and stop", "If that's broken, ask me first."] {
            assert!(narrows(text), "{text}");
        }
        assert!(!narrows("If a test is slow, mark it"));
    }

    #[test]
    fn what_only_says_how_far_something_goes_belongs_to_the_part_before_it() {
        for part in
            ["nothing else", "from now on", "no exceptions.", "never on Sundays", "ab sofort", "siempre"]
        {
            assert!(goes_on(part), "{part}");
        }
        for part in ["nothing else works", "from now on use chalk", "always wash the brushes"] {
            assert!(!goes_on(part), "{part}");
        }
        let announced =
            clauses("The shop opens late: a sale means a receipt with a stamp, nothing else, from now on");
        let last = announced.last().map(|clause| clause.text);
        assert_eq!(last, Some("a sale means a receipt with a stamp, nothing else, from now on"));
    }

    #[test]
    fn sentences_and_items_are_clauses() {
        check("Fix the menu. Never use tabs!", &["Fix the menu.", "Never use tabs!"]);
        check("Rules:\n- no tabs\n- no globals", &["Rules:", "no tabs", "no globals"]);
        check("two things: 1) no tabs 2) no globals", &["two things:", "no tabs", "no globals"]);
        check(
            "our rules: no tabs, one export a file, and dates in UTC",
            &["our rules:", "no tabs", "one export a file", "dates in UTC"],
        );
        check("用空格缩进。不要用制表符！", &["用空格缩进。", "不要用制表符！"]);
        check("Use v1.2 of e.g. serde. ok", &["Use v1.2 of e.g. serde.", "ok"]);
        check("fares such as 8.– and 12.— too", &["fares such as 8.– and 12.— too"]);
        check("write CASE ... END in full. ok", &["write CASE ... END in full.", "ok"]);
        check("Well... no", &["Well...", "no"]);
        check(
            "bake only at night, 01:00 to 04:00, and in pairs",
            &["bake only at night, 01:00 to 04:00, and in pairs"],
        );
        check(
            "for labels: print on paper, never on foil, and glue by hand",
            &["for labels:", "print on paper, never on foil", "glue by hand"],
        );
        check("0.7 is too low, 1.5 is fine. 2.5 is a lot", &["0.7 is too low, 1.5 is fine.", "2.5 is a lot"]);
    }

    #[test]
    fn a_sentence_of_several_clauses_comes_in_its_parts_too() {
        let found = clauses("rename the button, and from now on no icons without a label");
        let parts: Vec<&str> =
            found.iter().filter(|clause| clause.partial).map(|clause| clause.text).collect();
        assert_eq!(parts, ["rename the button", "from now on no icons without a label"]);
        assert!(clauses("just one thing").iter().all(|clause| !clause.partial));
    }

    #[test]
    fn word_that_ends_something_is_no_joint() {
        let parts = |text: &'static str| -> Vec<&str> {
            clauses(text).into_iter().filter(|clause| clause.partial).map(|clause| clause.text).collect()
        };
        let french = parts("tu peux pousser sans demander, plus besoin de mon avis");
        assert!(french.contains(&"plus besoin de mon avis"), "{french:?}");
        let english = parts("always run the linter, plus add a test for each fix");
        assert!(english.contains(&"add a test for each fix"), "{english:?}");
    }

    #[test]
    fn an_announced_list_is_its_items() {
        check(
            "House rules: no tabs; dates in UTC; and one export a file. Thanks",
            &["House rules:", "no tabs", "dates in UTC", "and one export a file.", "Thanks"],
        );
        check(
            "Raise the limit to 2. House rules: no tabs; dates in UTC",
            &["Raise the limit to 2.", "House rules:", "no tabs", "dates in UTC"],
        );
        check(
            "说几条规矩:缩进用空格;提交之前先跑检查。",
            &["说几条规矩:", "缩进用空格", "提交之前先跑检查。"],
        );
        check(
            "Remember: texts in the catalogue, no shouting (my mistake), and never AM/PM, only 24",
            &["Remember:", "texts in the catalogue", "no shouting", "never AM/PM", "only 24"],
        );
    }

    #[test]
    fn clauses_know_where_they_stand() {
        let text = "ja — bitte. \n1. Immer `cargo fmt`, nie von Hand\n(a) größer (b) kleiner";
        for clause in clauses(text) {
            assert_eq!(&text[clause.start..clause.start + clause.text.len()], clause.text);
        }
    }

    #[test]
    fn list_of_what_is_parked_is_put_off() {
        assert!(puts_a_list_off("Parking three things for version two:"));
        assert!(!puts_a_list_off("Three things about the parking lot map:"));
        assert!(!puts_a_list_off("Remember for later sessions:"));
        assert!(!puts_a_list_off("Rules for version 2:"));
        assert!(!puts_a_list_off("Any ideas for how to fix these:"));
    }

    #[test]
    fn what_is_to_be_kept_in_mind_for_all_work_announces_rules() {
        assert!(announces_rules("some more, keep them in mind for the whole book:"));
        assert!(!announces_rules("some findings, keep them in mind for the rewrite:"));
    }
}
