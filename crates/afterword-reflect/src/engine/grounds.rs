//! Whether a wording rests on what was said: by the beginnings of words the two have in common, and by what they negate.
//!
//! A model may be told what to write by text in the session, and small models turn rules into their opposite.

use std::collections::BTreeSet;

use afterword_core::{Candidate, Evidence, Kind, Role};

use super::line::Line;

/// One word in so many of a title has to stand in what was quoted, of a body, and of a title that is saved unasked in the
/// person's own words.
pub(super) const TITLE: usize = 3;
pub(super) const BODY: usize = 4;
const OUTRIGHT: usize = 2;
/// So many messages before and after what is quoted are of its exchange.
const BESIDE: usize = 2;
/// Longer messages of the person, in bytes, hold so many words that half a title is found in them by chance.
const MESSAGE: usize = 400;
/// Shorter words say nothing of what a text is about; of longer ones only so many letters count, for their endings.
const STEM: usize = 4;

/// Words that something rests on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct SupportingWords(BTreeSet<String>);

impl SupportingWords {
    /// All that is quoted, what stands around it in its lines, and what the person picked with it.
    pub(super) fn of(evidence: &[Evidence], lines: &[Line]) -> Self {
        let mut grounds = Self::of_evidence(evidence.iter(), lines);
        for piece in evidence {
            let whole = lines.iter().filter(|line| line.number == piece.line && line.role == piece.role);
            whole.for_each(|line| grounds.0.extend(stems_of(&line.text)));
        }
        grounds
    }

    /// The words of a text.
    pub(super) fn of_text(text: &str) -> Self {
        Self(stems_of(text).into_iter().collect())
    }

    /// The same, and the words of a text.
    pub(super) fn with_words(mut self, text: &str) -> Self {
        self.0.extend(stems_of(text));
        self
    }

    /// The same, and what the person and the agent said right before and after what is quoted.
    pub(super) fn with_exchange(mut self, evidence: &[Evidence], lines: &[Line]) -> Self {
        let spoken: Vec<&Line> = lines.iter().filter(|line| line.role != Role::Tool).collect();
        for (at, line) in spoken.iter().enumerate() {
            if evidence.iter().any(|piece| piece.line == line.number) {
                let beside = &spoken[at.saturating_sub(BESIDE)..spoken.len().min(at + BESIDE + 1)];
                beside.iter().for_each(|line| self.0.extend(stems_of(&line.text)));
            }
        }
        self
    }

    /// All that was said and done.
    pub(super) fn of_lines(lines: &[Line]) -> Self {
        Self(lines.iter().flat_map(|line| stems_of(&line.text)).collect())
    }

    /// All that the person said.
    pub(super) fn of_words(lines: &[Line]) -> Self {
        let said = lines.iter().filter(|line| line.role == Role::User);
        Self(said.flat_map(|line| stems_of(&line.text).into_iter().chain(stems_of(&line.chosen))).collect())
    }

    /// What the rules found: what they quote, and how they put it.
    pub(super) fn of_found(candidate: &Candidate) -> Self {
        let mut grounds = Self::of_evidence(candidate.evidence.iter(), &[]);
        grounds.0.extend(stems_of(&candidate.title));
        grounds
    }

    /// The person's part of it.
    pub(super) fn of_person(evidence: &[Evidence], lines: &[Line]) -> Self {
        Self::of_evidence(evidence.iter().filter(|piece| piece.role == Role::User), lines)
    }

    /// What the person worded of it, with the message it stands in: an option they took is in the agent's words.
    pub(super) fn of_own_messages(evidence: &[Evidence], lines: &[Line]) -> Self {
        let is_option = |piece: &&Evidence| {
            let of = lines.iter().filter(|line| line.number == piece.line && line.role == Role::User);
            of.into_iter().any(|line| line.chosen.contains(&line.text))
        };
        let own: Vec<&Evidence> =
            evidence.iter().filter(|piece| piece.role == Role::User && !is_option(piece)).collect();
        let mut words = Self::of_evidence(own.iter().copied(), &[]);
        for line in lines.iter().filter(|line| line.role == Role::User && line.text.len() <= MESSAGE) {
            if own.iter().any(|piece| piece.line == line.number) {
                words.0.extend(stems_of(&line.text));
            }
        }
        words
    }

    fn of_evidence<'e>(evidence: impl Iterator<Item = &'e Evidence>, lines: &[Line]) -> Self {
        let mut stems = BTreeSet::new();
        for piece in evidence {
            stems.extend(stems_of(&piece.quote));
            if piece.role == Role::User {
                let picked = lines.iter().filter(|line| line.number == piece.line && line.role == Role::User);
                picked.for_each(|line| stems.extend(stems_of(&line.chosen)));
            }
        }
        Self(stems)
    }

    /// Whether one word in `of` at least is among them.
    pub(super) fn carry(&self, wording: &str, of: usize) -> bool {
        let stems = stems_of(wording);
        let known = stems.iter().filter(|stem| self.0.contains(*stem)).count();
        known > 0 && known * of >= stems.len()
    }

    /// Whether the person's words say as much outright: half of the title stands there, and nothing is turned round.
    pub(super) fn state_directly(&self, title: &str) -> bool {
        self.carry(title, OUTRIGHT)
    }

    /// They have a word in common.
    pub(super) fn touch(&self, wording: &str) -> bool {
        stems_of(wording).iter().any(|stem| self.0.contains(stem))
    }
}

fn stems_of(text: &str) -> Vec<String> {
    let mut stems = Vec::new();
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        let letters: Vec<char> = word.to_lowercase().chars().collect();
        if letters.iter().any(|c| is_unspaced(*c)) {
            stems.extend(letters.windows(2).map(|pair| pair.iter().collect::<String>()));
        } else if letters.len() >= STEM {
            stems.push(letters[..STEM].iter().collect());
        }
    }
    stems
}

/// Of a script that puts no blanks between words.
fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}')
}

/// Words that turn what follows them into its opposite.
const NEGATORS: [&str; 22] = [
    "not", "no", "never", "don't", "dont", "doesn't", "without", "avoid", "stop", "nicht", "nie", "kein",
    "keine", "pas", "jamais", "sin", "nunca", "nao", "não", "не", "never,", "cannot",
];

/// Words that rule something out, or say that it is not there, without standing before it.
const RULING_OUT: [&str; 13] = [
    "instead", "rather", "remove", "nothing", "none", "nobody", "neither", "missing", "lacks", "lacked",
    "lacking", "absent", "unset",
];

/// So many words after a negation are what it rules out.
const RULED_OUT: usize = 4;

fn is_negator(word: &str) -> bool {
    NEGATORS.contains(&word)
}

/// A word by which a sentence says that something is not so.
fn says_not(word: &str) -> bool {
    is_negator(word) || RULING_OUT.contains(&word) || word.ends_with("n't")
}

/// Whether the title of a lesson says the opposite of what it rests on. What a fix says the agent explained: "it reads
/// the scale, not the map" rules nothing out.
pub(super) fn is_opposite(title: &str, kind: Kind, evidence: &[Evidence]) -> bool {
    let quotes = |is_wanted: fn(&Evidence) -> bool| {
        evidence.iter().filter(move |piece| is_wanted(piece)).map(|piece| piece.quote.as_str())
    };
    let own = |piece: &Evidence| piece.role == Role::User;
    match kind {
        Kind::Fix => rules_out(title, quotes(own)) || forbids_unsaid(title, quotes(|_| true)),
        _ => is_reversed(title, quotes(own)),
    }
}

/// Whether a title says the opposite of what was said: it does what the person ruled out, or rules out what nobody did.
pub(super) fn is_reversed<'q>(title: &str, quotes: impl Iterator<Item = &'q str> + Clone) -> bool {
    rules_out(title, quotes.clone()) || forbids_unsaid(title, quotes)
}

/// The words of a text, in small letters.
fn words_of(text: &str) -> Vec<String> {
    let text = text.to_lowercase().replace('’', "'");
    text.split(|c: char| !(c.is_alphanumeric() || c == '\''))
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

/// Whether a text says of something that it is not so.
pub(super) fn negates(text: &str) -> bool {
    words_of(text).iter().any(|word| says_not(word))
}

/// Whether a title does what somebody ruled out.
fn rules_out<'q>(title: &str, quotes: impl Iterator<Item = &'q str>) -> bool {
    let stems = stems_of(title);
    let title = words_of(title);
    // "Remove", "missing" and "nothing" in a title do not take back what the person ruled out.
    let turns =
        |word: &str| is_negator(word) || word.ends_with("n't") || ["instead", "rather"].contains(&word);
    if title.iter().any(|word| turns(word)) {
        return false;
    }
    // "Without an address" tells that it is missing.
    let lacks = title.iter().any(|word| says_not(word));
    let is_ruled_out = |clause: &[String], at: usize| {
        let word = clause[at].as_str();
        // "Why not …" and "can we not …" ask for it, and "that's not the …" corrects what was said.
        let asks = at == 1 && clause[0] == "why" && (word == "not" || word.ends_with("n't"))
            || at >= 2 && word == "not" && is_asked(&clause[at - 2], &clause[at - 1]);
        let corrects = at == 1 && ["that's", "thats"].contains(&clause[0].as_str());
        // "Take the dark oil and not the light one": a title that takes it may name the other.
        let before = stems_of(&clause[at.saturating_sub(RULED_OUT + 1)..at].join(" "));
        let shared = before.iter().filter(|stem| stems.contains(stem)).count();
        let says_first = at >= 1 && clause[at - 1] == "and" && shared > 0 && shared * 2 >= before.len();
        let says_nothing = says_first || word == "no" || word == "stop" || lacks && word == "without";
        if asks || corrects || says_nothing || !is_negator(word) {
            return false;
        }
        let after = clause.iter().skip(at + 1).take(RULED_OUT).map(String::as_str);
        // A title with some other "the" in it has nothing in common with what is ruled out.
        let what: Vec<&str> = after.skip_while(|word| ["a", "an", "the"].contains(word)).collect();
        let is_next = what.first().is_some_and(|next| title.iter().any(|word| word == next));
        let ruled_out = stems_of(&what.join(" "));
        if ruled_out.is_empty() {
            return is_next && what.iter().all(|short| title.iter().any(|word| word == short));
        }
        let common = ruled_out.iter().filter(|stem| stems.contains(stem)).count();
        is_next && common * 2 >= ruled_out.len()
    };
    quotes.flat_map(clauses).map(words_of).any(|clause| (0..clause.len()).any(|at| is_ruled_out(&clause, at)))
}

/// Whether a title forbids something, and nothing that was said does.
fn forbids_unsaid<'q>(title: &str, mut quotes: impl Iterator<Item = &'q str>) -> bool {
    let title = words_of(title);
    let forbids = title
        .iter()
        .any(|word| ["never", "don't", "dont", "nie", "jamais", "nunca"].contains(&word.as_str()))
        || title.windows(2).any(|pair| pair[0] == "do" && pair[1] == "not");
    // "Do we need this twice?" rules out as well.
    let negates = |quote: &str| {
        quote.contains('?')
            || clauses(quote)
                .map(words_of)
                .any(|clause| objects(&clause) || clause.iter().any(|word| says_not(word)))
    };
    forbids && !quotes.any(negates)
}

/// "Can we", "could you": with a "not" behind it, it asks for what follows.
fn is_asked(verb: &str, who: &str) -> bool {
    ["can", "could", "should", "would", "do", "did", "does"].contains(&verb)
        && ["we", "you", "i", "it", "they"].contains(&who)
}

/// Whether a clause holds against somebody what they did: "you've called it done too early" asks for the opposite.
fn objects(clause: &[String]) -> bool {
    clause.windows(2).any(|pair| {
        let did = ["keep", "kept", "did", "were", "forgot", "again", "just"].contains(&pair[1].as_str());
        pair[0] == "you've" || pair[0] == "youve" || pair[0] == "you" && did
    })
}

/// What a negation does not reach across.
fn clauses(text: &str) -> impl Iterator<Item = &str> {
    text.split([',', ';', '\n', '(', ')', '?', '!']).flat_map(|part| part.split(". "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_turned_into_its_opposite_is_seen() {
        let turned = |title: &str, quote: &str| is_reversed(title, std::iter::once(quote));
        assert!(turned("Use a fixed sleep in tests", "never use a fixed sleep"));
        assert!(turned("Never wait for the element", "always wait for the element"));
        assert!(!turned(
            "Wait for a condition, never use a fixed sleep",
            "never use a fixed sleep, wait for a condition"
        ));
        let one = "take the dark oil and not the light wax";
        assert!(!turned("Of light wax and dark oil, take the dark oil", one));
        assert!(turned("Varnish with light wax", one));
        assert!(!turned("A primer keeps paint on cracked walls", "that was not a crack fault"));
        assert!(turned("Report the crack fault", "that was not a crack fault"));
        assert!(turned("Use npm", "use pnpm and not npm"));
        assert!(!turned("Add a new migration file", "never edit a migration that is merged, add a new one"));
        assert!(!turned("Do not squash", "no, please don’t squash branches"));
        assert!(!turned("Use pnpm", "no, use pnpm"));
        assert!(!turned("Do not write the header twice", "do we write the header twice now?"));
        assert!(turned("Push to main", "never push directly to main"));
        assert!(turned("Edit migrations in place", "don't edit a migration that is merged"));
    }

    #[test]
    fn a_word_of_what_is_ruled_out_in_passing_turns_nothing() {
        let turned = |title: &str, quote: &str| is_reversed(title, std::iter::once(quote));
        assert!(!turned(
            "Take the short parser in the importer",
            "Why not take the short parser of last week?"
        ));
        assert!(!turned("Why not is no title: use the parser", "why don't we use the parser"));
        assert!(!turned(
            "Chairs are painted by room",
            "and paint the chairs (varnish not paint the door), by room"
        ));
        assert!(!turned(
            "The mail went to one list only because its address was missing from the draft",
            "Without address, the second list wasn't asked"
        ));
        assert!(turned("Remove old migrations after a release", "never remove old migrations"));
        assert!(turned("Push to main on Fridays", "it broke, that's why never push to main on Fridays"));
        assert!(!turned("Do not cache the token", "the token shouldn't be cached"));
        assert!(!turned("The cache isn't cleared on a restart", "not cleared on a restart"));
    }

    #[test]
    fn what_somebody_is_reproached_with_is_not_asked_for() {
        let turned = |title: &str, quote: &str| is_reversed(title, std::iter::once(quote));
        let title = "Don't call the release done before it is out";
        assert!(!turned(title, "you've called the release done a few times"));
        assert!(!turned(title, "hm, and you keep calling it done"));
        assert!(turned("Don't call the release done", "you can call the release done"));
        assert!(turned("Never call before noon", "always call before noon, you know why"));
        assert!(!turned("Get the port off the payload", "can we not get the port off the payload?"));
        let named = "The list of ports lies in ports.toml";
        assert!(!turned(named, "that's not the list of ports, it lies in ports.toml"));
        assert!(turned("Take the list of ports", "do not take the list of ports"));
    }

    #[test]
    fn what_explains_a_failure_rules_nothing_out_for_its_fix() {
        let piece =
            |role, quote: &str| Evidence { uuid: "u".to_owned(), line: 1, role, quote: quote.to_owned() };
        let title = "The plate stays empty when the plotter gets a map with a scale: send the scale alone";
        let explained = [piece(Role::Assistant, "The plotter reads the scale, not a map with a scale")];
        assert!(!is_opposite(title, Kind::Fix, &explained));
        assert!(
            is_reversed(title, explained.iter().map(|piece| piece.quote.as_str())),
            "it is no proof either"
        );
        let ordered = [piece(Role::User, "not a map with a scale, please")];
        assert!(is_opposite(title, Kind::Fix, &ordered));
        assert!(is_opposite(
            "Never send the scale",
            Kind::Fix,
            &[piece(Role::Assistant, "Send the scale alone")]
        ));
        assert!(!is_opposite(
            "Show the big one",
            Kind::Preference,
            &[piece(Role::User, "not the end of it")]
        ));
    }

    #[test]
    fn words_are_alike_by_their_beginnings_or_by_pairs_of_signs() {
        assert_eq!(stems_of("Formatting of a file"), ["form", "file"]);
        assert_eq!(stems_of("テスト"), ["テス", "スト"]);
    }
}
