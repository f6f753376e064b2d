//! Schedules in German words: put into the English ones that mean the same, or left alone.
//!
//! A word that is not known leaves all of it as it was typed, so that the error names it and nothing is guessed.

/// The text in English words, where every word of it is German, a number, a date or a time zone.
pub(super) fn translate_to_english(text: &str) -> Option<String> {
    let tokens: Vec<&str> = text
        .split(|c: char| c.is_whitespace() || matches!(c, ',' | ';'))
        .filter(|token| !token.is_empty())
        .collect();
    let lower: Vec<String> = tokens.iter().map(|token| token.trim_end_matches('.').to_lowercase()).collect();
    if !lower.iter().any(|token| is_german(token)) {
        return None;
    }
    let mut words: Vec<String> = Vec::new();
    let mut at = 0;
    while let Some(token) = lower.get(at) {
        let next = lower.get(at + 1).map(String::as_str).unwrap_or_default();
        at += 1;
        match token.as_str() {
            // "9 Uhr 15", and not "9 Uhr, 15. Januar".
            "uhr"
                if is_number(next)
                    && lower.get(at + 1).is_none_or(|word| translate_day_or_month(word).is_none()) =>
            {
                let hour = words.pop().filter(|hour| is_number(hour))?;
                words.push(format!("{hour}:{next:0>2}"));
                at += 1;
            }
            "uhr" => {}
            "halbe" | "halben" if next == "stunde" => {
                add_duration(&mut words, "half hour", "half an hour");
                at += 1;
            }
            "viertelstunde" => add_duration(&mut words, "quarter hour", "15 minutes"),
            // "jeden Morgen", "heute Morgen", "Montag Morgen"; else it is tomorrow.
            "morgen" => {
                let before = words.last().map(String::as_str).unwrap_or_default();
                let is_part_of_day = before == "every" || before.ends_with("day");
                words.push(if is_part_of_day { "morning" } else { "tomorrow" }.to_owned());
            }
            // "am 15." is a day of the month, and "am 15. Januar" a date.
            token
                if is_number(token)
                    && is_ordinal(tokens[at - 1], &words)
                    && translate_day_or_month(next).is_none() =>
            {
                words.push(format!("{token}th"));
            }
            // A date, a time or a time zone, as it was typed.
            token if token.starts_with(|c: char| c.is_ascii_digit()) || token.contains('/') => {
                words.push(tokens[at - 1].to_owned());
            }
            token => words.push(translate_word(token)?.to_owned()),
        }
    }
    Some(words.join(" "))
}

/// A stretch of time that repeats, or that something is due in: "jede halbe Stunde", "in einer halben Stunde".
fn add_duration(words: &mut Vec<String>, repeats: &str, once: &str) {
    if words.last().is_some_and(|last| last == "a") {
        words.pop();
    }
    let again = words.last().is_some_and(|last| last == "every");
    words.push(if again { repeats } else { once }.to_owned());
}

/// A number with a full stop that stands behind "on", "the" or another such number: elsewhere the stop ends a sentence.
fn is_ordinal(token: &str, before: &[String]) -> bool {
    let before: Vec<&str> = before.iter().rev().take(2).map(String::as_str).collect();
    let is_day = matches!(before[..], ["on" | "the", ..]);
    let is_next = matches!(before[..], ["and", first] if first.ends_with("th"));
    token.ends_with('.') && (is_day || is_next)
}

fn is_number(word: &str) -> bool {
    (1..=2).contains(&word.len()) && word.chars().all(|c| c.is_ascii_digit())
}

/// Words that are no English ones, too: only with one of them a text is German.
fn is_german(word: &str) -> bool {
    const ALSO_ENGLISH: [&str; 8] = ["in", "am", "an", "april", "august", "september", "november", "utc"];
    let of_its_own = matches!(word, "uhr" | "halbe" | "halben" | "viertelstunde" | "morgen");
    of_its_own || (!ALSO_ENGLISH.contains(&word) && self::translate_word(word).is_some())
}

fn translate_word(german: &str) -> Option<&'static str> {
    Some(match german {
        "um" => "at",
        "am" | "an" => "on",
        "in" => "in",
        "der" | "die" | "das" | "den" | "dem" => "the",
        "ein" | "eine" | "einer" | "einem" | "einen" => "a",
        "und" => "and",
        "zwischen" => "between",
        "von" => "from",
        "bis" => "to",
        "jeden" | "jede" | "jedes" | "jeder" | "jedem" | "alle" => "every",
        "zweiten" | "zweite" | "zweites" => "other",
        "dritten" | "dritte" | "drittes" => "third",
        "vierten" | "vierte" | "viertes" => "fourth",
        "ab" => "starting",
        "nächsten" | "nächste" | "nächster" | "nächstes" | "kommenden" | "kommende" => "next",
        "jetzt" | "sofort" => "now",
        "heute" => "today",
        "früh" => "morning",
        "mittag" | "mittags" => "noon",
        "nachmittag" | "nachmittags" => "afternoon",
        "abend" | "abends" => "evening",
        "nacht" | "nachts" => "night",
        "mitternacht" => "midnight",
        "stündlich" => "hourly",
        "täglich" => "daily",
        "wöchentlich" => "weekly",
        "monatlich" => "monthly",
        "minute" | "minuten" => "minutes",
        "stunde" | "stunden" => "hours",
        "tag" | "tage" | "tagen" => "days",
        "woche" | "wochen" => "weeks",
        "monat" | "monate" | "monaten" => "months",
        "werktag" | "werktage" | "werktagen" | "werktags" | "wochentags" => "weekdays",
        "wochenende" | "wochenenden" => "weekends",
        "utc" => "utc",
        _ => return translate_number(german).or_else(|| translate_day_or_month(german)),
    })
}

fn translate_number(german: &str) -> Option<&'static str> {
    const NUMBERS: [&str; 11] =
        ["zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn", "elf", "zwölf"];
    const DIGITS: [&str; 11] = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"];
    NUMBERS.iter().position(|number| *number == german).and_then(|at| DIGITS.get(at).copied())
}

fn translate_day_or_month(german: &str) -> Option<&'static str> {
    Some(match german {
        "montag" => "monday",
        "dienstag" => "tuesday",
        "mittwoch" => "wednesday",
        "donnerstag" => "thursday",
        "freitag" => "friday",
        "samstag" | "sonnabend" => "saturday",
        "sonntag" => "sunday",
        "montags" => "mondays",
        "dienstags" => "tuesdays",
        "mittwochs" => "wednesdays",
        "donnerstags" => "thursdays",
        "freitags" => "fridays",
        "samstags" | "sonnabends" => "saturdays",
        "sonntags" => "sundays",
        "januar" => "january",
        "februar" => "february",
        "märz" => "march",
        "april" => "april",
        "mai" => "may",
        "juni" => "june",
        "juli" => "july",
        "august" => "august",
        "september" => "september",
        "oktober" => "october",
        "november" => "november",
        "dezember" => "december",
        _ => return None,
    })
}
