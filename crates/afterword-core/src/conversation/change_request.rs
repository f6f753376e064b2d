//! Whether a person's words ask to change when work runs, or whether it goes on.
//!
//! A guess from the words alone. It changes nothing: it only tells a person that what they asked for was not done. So a wish
//! that is missed costs more than a remark that nobody needed, but a question or a report is no wish. Start at
//! [`asks_for_change`].

use jiff::Timestamp;

use super::schedule::words;

/// Words looked at of one message at most.
const MAX_WORDS: usize = 200;
/// Words of the longest schedule that is looked for.
const MAX_SCHEDULE_WORDS: usize = 9;

/// Words before a wish that are no part of it.
const LEADS: [&str; 24] = [
    "please", "ok", "okay", "so", "now", "then", "and", "but", "no", "yes", "hey", "hi", "claude",
    "actually", "just", "bitte", "nein", "ja", "also", "dann", "und", "aber", "doch", "danke",
];
/// Words behind a schedule that are no part of it.
const TAILS: [&str; 12] = [
    "please",
    "instead",
    "thanks",
    "only",
    "again",
    "then",
    "now",
    "bitte",
    "stattdessen",
    "danke",
    "nur",
    "dann",
];
/// What makes a wish of a question.
const REQUESTS: [&str; 10] = [
    "can you ",
    "could you ",
    "would you ",
    "will you ",
    "can we ",
    "could we ",
    "can it ",
    "kannst du ",
    "könntest du ",
    "können wir ",
];
/// What makes a wish of a sentence that does not begin with what is to be done.
const WISHES: [&str; 34] = [
    "i want",
    "i'd like",
    "i would like",
    "i need",
    "i'd rather",
    "i prefer",
    "let's",
    "let us",
    "you should",
    "you can",
    "it should",
    "should run",
    "instead",
    "rather",
    "from now on",
    "only ",
    "enough",
    "would do",
    "is fine",
    "do it",
    "ich möchte",
    "ich will",
    "ich hätte",
    "ich brauche",
    "lass uns",
    "es soll",
    "du sollst",
    "lieber",
    "stattdessen",
    "ab jetzt",
    "von jetzt an",
    "ab sofort",
    "nur noch",
    "reicht",
];
/// What a wish for another schedule begins with.
const DOINGS: [&str; 52] = [
    "check",
    "look",
    "run",
    "do",
    "make",
    "change",
    "set",
    "switch",
    "move",
    "put",
    "remind",
    "tell",
    "report",
    "send",
    "ask",
    "watch",
    "start",
    "repeat",
    "schedule",
    "reschedule",
    "go",
    "use",
    "let",
    "try",
    "read",
    "post",
    "update",
    "poll",
    "fetch",
    "write",
    "work",
    "wake",
    "postpone",
    "wait",
    "prüfe",
    "prüf",
    "schau",
    "schaue",
    "sieh",
    "mach",
    "mache",
    "stell",
    "stelle",
    "ändere",
    "lauf",
    "erinnere",
    "melde",
    "sag",
    "frag",
    "starte",
    "verschiebe",
    "warte",
];
/// What a wish for one other time has: a day alone may as well be what the work is about.
const ANOTHER_TIME: [&str; 17] = [
    "remind",
    "run",
    "start",
    "reschedule",
    "move",
    "postpone",
    "again",
    "instead",
    "wait",
    "wake",
    "erinnere",
    "wieder",
    "nochmal",
    "verschiebe",
    "starte",
    "warte",
    "stattdessen",
];
/// What work is told to stop or to go on with.
const MOVES: [&str; 19] = [
    "pause",
    "stop",
    "suspend",
    "resume",
    "unpause",
    "archive",
    "close",
    "cancel",
    "end",
    "finish",
    "pausiere",
    "pausier",
    "stoppe",
    "stopp",
    "beende",
    "archiviere",
    "schließe",
    "schliesse",
    "unterbrich",
];
/// What stands for the work itself.
const IT: [&str; 11] =
    ["it", "this", "that", "everything", "yourself", "es", "das", "dies", "alles", "for", "until"];
/// What the work is called, behind an article.
const NAMES: [&str; 16] = [
    "task",
    "work",
    "job",
    "runs",
    "checks",
    "checking",
    "reminders",
    "schedule",
    "watching",
    "monitoring",
    "aufgabe",
    "arbeit",
    "läufe",
    "prüfung",
    "überwachung",
    "erinnerungen",
];
const ARTICLES: [&str; 11] =
    ["the", "this", "that", "all", "your", "die", "den", "das", "diese", "deine", "alle"];

/// Whether a message asks to let work run at other times, or to stop it, close it or let it go on. Times are read in the
/// zone with the name `zone`.
pub fn asks_for_change(message: &str, zone: &str, now: Timestamp) -> bool {
    let lower = message.to_lowercase().replace('’', "'");
    let mut left = MAX_WORDS;
    sentences(&lower).into_iter().any(|(sentence, is_question)| {
        let said: Vec<&str> = sentence.split_whitespace().take(left).collect();
        left -= said.len();
        let said = without_leads(&said);
        let text = format!("{} ", said.join(" "));
        let request = REQUESTS.iter().find(|request| text.starts_with(**request));
        if is_question && request.is_none() {
            return false;
        }
        let skipped = request.map_or(0, |request| request.split_whitespace().count());
        let rest = without_leads(said.get(skipped..).unwrap_or_default());
        moves_the_work(rest) || asks_for_other_times(rest, request.is_some(), zone, now)
    })
}

/// The sentences of a text, and whether each is a question.
fn sentences(text: &str) -> Vec<(&str, bool)> {
    let mut found = Vec::new();
    let mut start = 0;
    for (at, mark) in text.char_indices() {
        let end = at + mark.len_utf8();
        let is_last = text[end..].chars().next().is_none_or(char::is_whitespace);
        let after_number = text[start..at].ends_with(|c: char| c.is_ascii_digit());
        let ends = match mark {
            '\n' | ';' => true,
            '!' | '?' => is_last,
            '.' => is_last && !after_number,
            _ => false,
        };
        if ends {
            found.push((&text[start..at], mark == '?'));
            start = end;
        }
    }
    found.push((&text[start..], false));
    found
}

fn without_leads<'w>(said: &'w [&'w str]) -> &'w [&'w str] {
    let leads = said.iter().take_while(|word| LEADS.contains(&bare(word))).count();
    said.get(leads..).unwrap_or_default()
}

fn bare(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric() && c != '\'')
}

/// "Pause it", "stop the task", "archive".
fn moves_the_work(said: &[&str]) -> bool {
    let word = |at: usize| said.get(at).map(|word| bare(word)).filter(|word| !TAILS.contains(word));
    let Some(verb) = word(0) else { return false };
    if verb == "run" {
        let once = ["it", "once", "this", "now"];
        return said.iter().any(|word| bare(word) == "now")
            && said.get(1).is_some_and(|word| once.contains(&bare(word)));
    }
    if !MOVES.contains(&verb) {
        return false;
    }
    match (word(1), word(2)) {
        (None, _) => true,
        (Some(article), Some(name)) if ARTICLES.contains(&article) => NAMES.contains(&name),
        (Some(thing), _) => IT.contains(&thing) || NAMES.contains(&thing),
    }
}

/// "Check every hour instead", "every hour please", "remind me tomorrow at 9".
fn asks_for_other_times(said: &[&str], is_request: bool, zone: &str, now: Timestamp) -> bool {
    let text = format!("{} ", said.join(" "));
    let begins = said.first().is_some_and(|word| DOINGS.contains(&bare(word)));
    let is_wish = is_request || begins || WISHES.iter().any(|wish| text.contains(wish));
    let another = said.iter().any(|word| ANOTHER_TIME.contains(&bare(word)));
    let tail = said.iter().rev().take_while(|word| TAILS.contains(&bare(word))).count();
    let end = said.len() - tail;
    (0..end).any(|from| {
        (from + 1..=end.min(from + MAX_SCHEDULE_WORDS)).rev().any(|to| {
            let Some(part) = said.get(from..to) else { return false };
            if part.first().is_some_and(|word| ["the", "a", "der", "die", "das", "den"].contains(word)) {
                return false;
            }
            let part = part.join(" ");
            let part = part.trim_matches(|c: char| matches!(c, ',' | '"' | '`' | '\'' | '“' | '”' | '„'));
            let Ok(schedule) = words::parse(part, zone, now) else { return false };
            let is_all = from == 0 && to == end;
            // "The daily report" is none; "make it daily" is.
            let stands_free = to - from > 1 || to == end;
            let repeats = schedule.repeats() && stands_free && (is_wish || is_all);
            repeats || (schedule != super::Schedule::Immediate && another && is_wish && to - from > 1)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asks(message: &str) -> bool {
        let now = "2026-11-23T10:00:00Z".parse().unwrap();
        asks_for_change(message, "Europe/Berlin", now)
    }

    #[test]
    fn wishes_are_told_from_what_is_only_said() {
        for wish in [
            "check every hour instead",
            "Check the build every hour instead, please.",
            "Every hour please",
            "Please run every weekday at 9.",
            "Could you look every two hours?",
            "Thanks for the report. From now on every monday at 8 is enough.",
            "make it daily",
            "I'd rather have it every 3 days.",
            "Remind me tomorrow at 9.",
            "check again in 10 minutes",
            "pause it",
            "Pause.",
            "ok, stop the task for now",
            "please archive this",
            "Can you pause until Monday?",
            "run it now",
            "Prüfe ab jetzt jede Stunde.",
            "Kannst du jeden Montag um 9 Uhr laufen?",
            "Pausiere die Aufgabe bitte.",
        ] {
            assert!(asks(wish), "{wish}");
        }
        for other in [
            "how is it going?",
            "How many mails come in every day?",
            "The build breaks every day at 9.",
            "Send the daily report to the team.",
            "What did you find on Monday?",
            "Read the mail of Monday morning.",
            "Stop the dev server before you build.",
            "Why did it stop?",
            "Archive the old mails.",
            "you may spend more",
            "Thanks!",
            "",
        ] {
            assert!(!asks(other), "{other}");
        }
    }
}
