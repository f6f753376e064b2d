//! Why a lesson was found: the reasons the built-in engine and the commands give, each with its words in a note, and what a note says
//! read back, so that who shows it can say it in another language.
//!
//! Whether a reason holds is decided where it is given. What a model or a person wrote stays in their words.

use serde::Serialize;

/// One reason of a lesson.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
#[serde(tag = "form", rename_all = "kebab-case")]
pub enum Reason {
    /// One that says all by itself.
    Known {
        /// Which.
        reason: KnownReason,
    },
    /// One with a number in it.
    Counted {
        /// Which.
        reason: CountedReason,
        /// The number.
        count: u32,
    },
    /// It was offered in the place of another lesson.
    InPlaceOf {
        /// The other's title.
        title: String,
    },
    /// What a model said of it.
    Model {
        /// Its words.
        words: String,
    },
    /// What somebody else wrote.
    Words {
        /// Their words.
        words: String,
    },
}

/// The words of each reason, in a sentence's middle.
macro_rules! known_reasons {
    ($($name:ident => $words:literal,)+) => {
        /// A reason that says all by itself.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
        #[cfg_attr(feature = "contract", derive(ts_rs::TS))]
        #[serde(rename_all = "kebab-case")]
        #[allow(missing_docs, reason = "each is what its words say")]
        pub enum KnownReason { $($name,)+ }

        impl KnownReason {
            /// Every one.
            pub const ALL: &[Self] = &[$(Self::$name,)+];

            /// Its words, without a full stop.
            pub const fn words(self) -> &'static str {
                match self { $(Self::$name => $words,)+ }
            }
        }
    };
}

known_reasons! {
    HoldsBeyond => "a rule that holds beyond this edit",
    StatedPlainly => "a rule stated plainly",
    AskedToRemember => "you asked to remember it",
    RuledOut => "something is ruled out",
    Decided => "you decided",
    Preferred => "one way is preferred to another",
    Expected => "you said what you expected",
    DesignSettled => "a question of design is settled",
    Objected => "you objected",
    AlreadyThere => "you pointed to what is there already",
    Narrowed => "you narrowed the scope",
    ReasonGiven => "a reason is given",
    OfferChosen => "one of the offered options is chosen",
    ChoiceMade => "a choice is made",
    LeftForLater => "left for later",
    IssueNamed => "an issue or a list is named for it",
    Conceded => "Claude conceded",
    Agreed => "Claude agreed",
    GoodPoint => "Claude called it a good point",
    WillKeep => "Claude said that it will keep to it",
    WorkChanged => "Claude changed its work accordingly",
    AnswersOffer => "it answers what Claude had offered",
    AnswersAsked => "it answers what Claude had asked",
    RejectedCall => "it was the reason for rejecting a call",
    SaidToPlan => "it was said to a plan",
    AnswersQuestion => "it answers a question Claude put",
    FilesAtOnce => "files were changed at once",
    FilesSoon => "files were changed soon after",
    CauseNamed => "Claude names a cause",
    CauseExplained => "Claude explains it",
    CauseConfirmed => "Claude calls it confirmed",
    FailedRightBefore => "something had failed right before",
    FailedBefore => "something had failed before",
    ErrorSpokenOf => "you had spoken of an error",
    SeenSaid => "you had said what you saw",
    ChangeFollowed => "a change followed at once",
    YouAgreed => "you agreed afterwards",
    YouWereContent => "you were content afterwards",
    SmallSigns => "several small signs speak for it together",
    ChangesBefore => "it changes what you said before",
    Filed => "you asked to have it written down for later, and Claude filed it",
    Mended => "a command failed, something was changed, and the same command worked",
    SavedByName => "saved because it was asked for by name",
    WrittenByYou => "written by you",
    SavedByAgent => "saved by an agent at work, without words of yours that ask for it",
    ObservedByAgent => "observed by an agent at work",
}

/// The words of each reason before and after its number.
macro_rules! counted_reasons {
    ($($name:ident => $before:literal, $after:literal;)+) => {
        /// A reason with a number in it.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
        #[cfg_attr(feature = "contract", derive(ts_rs::TS))]
        #[serde(rename_all = "kebab-case")]
        #[allow(missing_docs, reason = "each is what its words say")]
        pub enum CountedReason { $($name,)+ }

        impl CountedReason {
            /// Every one.
            pub const ALL: &[Self] = &[$(Self::$name,)+];

            /// Its words with the number, without a full stop.
            pub fn words(self, count: impl std::fmt::Display) -> String {
                let (before, after) = self.around();
                format!("{before}{count}{after}")
            }

            const fn around(self) -> (&'static str, &'static str) {
                match self { $(Self::$name => ($before, $after),)+ }
            }
        }
    };
}

counted_reasons! {
    Sessions => "asked for in ", " sessions of this project";
    Times => "asked for ", " times in this session";
    EarlierSessions => "came up in ", " earlier sessions of this project too";
    SameError => "the same error came ", " times";
    MendedAfter => "a command failed ", " times, something was changed, and the same command worked";
    Messages => "over ", " messages";
}

const IN_PLACE_OF: &str = "offered in the place of \"";
const MODEL: &str = "The model: ";
/// What stands between two reasons, or behind the last.
const ENDS: [&str; 3] = ["; ", ". ", "."];

impl Reason {
    /// Its words, without a full stop.
    pub fn words(&self) -> String {
        match self {
            Self::Known { reason } => reason.words().to_owned(),
            Self::Counted { reason, count } => reason.words(count),
            Self::InPlaceOf { title } => format!("{IN_PLACE_OF}{title}\""),
            Self::Model { words } => format!("{MODEL}{words}"),
            Self::Words { words } => words.clone(),
        }
    }

    /// Reads the reasons of a note, as one line of text. What is none of those known here stays as it is written.
    pub fn read(said: &str) -> Vec<Self> {
        let mut rest = without_confidence(said.trim());
        let mut reasons = Vec::new();
        while !rest.is_empty() {
            if let Some(words) = rest.strip_prefix(MODEL) {
                reasons.push(Self::Model { words: words.to_owned() });
                break;
            }
            let Some((reason, behind)) = Self::first(rest) else {
                // A model's words come after ours.
                let end = rest.find(&format!(" {MODEL}")).unwrap_or(rest.len());
                reasons.push(Self::Words { words: rest[..end].trim().to_owned() });
                rest = rest[end..].trim_start();
                continue;
            };
            reasons.push(reason);
            rest = behind;
        }
        reasons
    }

    /// The reason that a text begins with, and what follows it.
    fn first(text: &str) -> Option<(Self, &str)> {
        let known = KnownReason::ALL.iter().find_map(|reason| {
            let rest = ended(after_words(text, reason.words())?)?;
            Some((Self::Known { reason: *reason }, rest))
        });
        let counted = || {
            CountedReason::ALL.iter().find_map(|reason| {
                let (before, after) = reason.around();
                let rest = after_words(text, before)?;
                let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
                let count = rest[..digits].parse().ok()?;
                Some((Self::Counted { reason: *reason, count }, ended(rest[digits..].strip_prefix(after)?)?))
            })
        };
        let in_place_of = || {
            let rest = after_words(text, IN_PLACE_OF)?;
            let end = rest.rfind('"')?;
            Some((Self::InPlaceOf { title: rest[..end].to_owned() }, ended(&rest[end + 1..])?))
        };
        known.or_else(counted).or_else(in_place_of)
    }
}

/// What follows these words, whose first letter may be a capital.
fn after_words<'t>(text: &'t str, words: &str) -> Option<&'t str> {
    let head = text.get(..words.len())?;
    let is_said = head.get(..1)?.eq_ignore_ascii_case(words.get(..1)?) && head.get(1..) == words.get(1..);
    is_said.then(|| &text[words.len()..])
}

/// What follows the end of a reason; nothing where it goes on in other words.
fn ended(rest: &str) -> Option<&str> {
    if rest.is_empty() {
        return Some(rest);
    }
    let over = rest.strip_prefix(", ").filter(|rest| rest.starts_with(CountedReason::Messages.around().0));
    over.or_else(|| ENDS.iter().find_map(|end| rest.strip_prefix(end)).map(str::trim_start))
}

/// The reasons without the sentence on the confidence, which stands behind them.
fn without_confidence(said: &str) -> &str {
    ["High", "Medium", "Low"]
        .iter()
        .find_map(|level| said.strip_suffix(" confidence.")?.strip_suffix(level))
        .map_or(said, str::trim_end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(reason: KnownReason) -> Reason {
        Reason::Known { reason }
    }

    /// As the engine joins them and a note has them.
    fn as_in_a_note(reasons: &[Reason], between: &str) -> String {
        let words: Vec<String> = reasons.iter().map(Reason::words).collect();
        let joined = words.join(between);
        format!("{}{}. Medium confidence.", joined[..1].to_uppercase(), &joined[1..])
    }

    #[test]
    fn every_reason_is_read_as_it_is_written() {
        let mut all: Vec<Reason> = KnownReason::ALL.iter().map(|reason| known(*reason)).collect();
        all.extend(CountedReason::ALL.iter().map(|reason| Reason::Counted { reason: *reason, count: 12 }));
        all.push(Reason::InPlaceOf { title: "Use \"tabs\"; never spaces".to_owned() });
        for reason in &all {
            let alone = std::slice::from_ref(reason);
            assert_eq!(Reason::read(&as_in_a_note(alone, "")), alone);
            let beside = [known(KnownReason::Objected), reason.clone()];
            for between in ["; ", ". "] {
                assert_eq!(Reason::read(&as_in_a_note(&beside, between)), beside);
            }
        }
    }

    #[test]
    fn the_engines_line_is_read_reason_by_reason() {
        assert_eq!(
            Reason::read(
                "Asked for in 3 sessions of this project. You objected; Claude changed its work accordingly, over 2 messages. \
                 The model: You said so twice; it matters. High confidence."
            ),
            [
                Reason::Counted { reason: CountedReason::Sessions, count: 3 },
                known(KnownReason::Objected),
                known(KnownReason::WorkChanged),
                Reason::Counted { reason: CountedReason::Messages, count: 2 },
                Reason::Model { words: "You said so twice; it matters.".to_owned() },
            ]
        );
    }

    #[test]
    fn other_words_stay_as_they_are() {
        let words = |words: &str| Reason::Words { words: words.to_owned() };
        let and = "You decided, and it stays.";
        assert_eq!(Reason::read(and), [words(and)]);
        assert_eq!(Reason::read("You decided on Monday. Low confidence."), [words("You decided on Monday.")]);
        assert_eq!(
            Reason::read("asked for 99999999999999 times in this session"),
            [words("asked for 99999999999999 times in this session")]
        );
        assert_eq!(Reason::read("Ähnlich wie sonst"), [words("Ähnlich wie sonst")]);
        assert_eq!(Reason::read("High confidence."), []);
        assert_eq!(Reason::read(""), []);
    }
}
