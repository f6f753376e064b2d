//! A message read clause by clause: what each does, by the models of `act`.

use std::cmp::Reverse;
use std::sync::LazyLock;

use regex::Regex;

use super::act::{Act, Circumstances, row};
use super::clause::{
    Clause, announces_rules, clauses, is_condition, is_for_the_future, narrows, puts_a_list_off,
};
use super::cues;
use super::extent::means_all;
use super::fragment::{belongs_to_before, goes_on, is_subject};
use super::language::Language;
use super::models::Models;
use super::moment::Moment;
use super::ngrams::is_at_most;
use super::outright::{self, Form};
use super::passing::{tells_of_one_thing, tells_of_the_past};
use super::promise::{kept_by, promises};
use super::words::pattern;

/// How likely an item of a list is a rule, at least: of one that is announced as rules, and of one where the other items are.
const ANNOUNCED: f32 = 0.9;
pub(super) const LISTED: f32 = 0.7;
/// How likely each part of a sentence does something, at least, to stand by itself.
const EACH: f32 = 0.5;
/// Most words of a part that only introduces the others, and how likely a part that only gives a reason does something itself, at most.
const INTRODUCTION: usize = 4;
const REASON: f32 = 0.25;
/// Families of cues that say by themselves that a piece of a sentence tells what to do.
const OF_RULES: [&str; 10] = [
    "always",
    "from_now",
    "we_habit",
    "ask_first",
    "prefer",
    "must",
    "forbid",
    "instead",
    "condition",
    "order",
];

/// "Also later ones", "for later pages too".
static LATER_ONES: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:later|future) (?:ones|[a-z]{2,}s)\b|\b(?:what|whatever|everything|all) (?:we|you|i) [\w ]{2,20} in (?:the )?future\b",
    )
});

/// A clause of a message with what it does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ReadClause {
    /// Where it begins in the person's own words, in bytes.
    pub start: usize,
    /// How long it is, in bytes.
    pub length: usize,
    /// An item of a list.
    pub listed: bool,
    /// A part of a sentence of several clauses.
    pub partial: bool,
    /// A part that begins anew after the one before it.
    pub joined: bool,
    /// What it does.
    pub act: Act,
    /// How likely it changes a rule that was said before, whichever that is: 0 to 1.
    pub changes: f32,
    /// How likely it was a rule before a promise of the agent's pointed to it.
    pub before_promise: Option<f32>,
}

impl ReadClause {
    /// Its words, out of those of the message.
    pub fn text<'t>(&self, own: &'t str) -> &'t str {
        own.get(self.start..self.start + self.length).unwrap_or_default()
    }

    /// How likely it is a rule whatever the agent promised: a text that the agent read may have led it to promise anything.
    pub(super) fn rule_unpromised(&self) -> f32 {
        self.before_promise.unwrap_or(self.act.rule)
    }

    /// Whether all of another clause is in this one.
    pub(super) fn holds(&self, other: &Self) -> bool {
        self.start <= other.start && other.start + other.length <= self.start + self.length
    }
}

/// A message read clause by clause.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Reading {
    /// The clauses in order; a sentence of several comes first whole, then in its parts.
    pub clauses: Vec<ReadClause>,
    /// The language, by its place in [`super::cues::LANGUAGES`].
    pub language: usize,
}

impl Reading {
    /// Reads a message.
    pub fn of(moment: &Moment, language: &'static Language, models: &Models) -> Self {
        let all = clauses(&moment.own);
        let circumstances = Circumstances::of(moment);
        let read = |(index, clause): (usize, &Clause<'_>)| {
            let row = row(&all, index, &circumstances, language);
            let [changes] = models.changes.likely(&row);
            let act = models.clauses.act(&row);
            let stated = outright::stated(Form::of(clause, &moment.own), circumstances.language);
            (as_stated(act, stated), stated, changes)
        };
        let alone: Vec<(Act, f32, f32)> = all.iter().enumerate().map(read).collect();
        let by_words: Vec<Act> = alone.iter().map(|(act, ..)| *act).collect();
        let beside = models.context.acts(&all, &by_words, circumstances.language);
        let clauses =
            all.iter().zip(&alone).zip(beside).map(|((clause, (_, stated, changes)), act)| ReadClause {
                start: clause.start,
                length: clause.text.len(),
                listed: clause.listed,
                partial: clause.partial,
                joined: clause.joined,
                act: as_stated(act, *stated),
                changes: *changes,
                before_promise: None,
            });
        let mut reading = Self { clauses: clauses.collect(), language: circumstances.language };
        let before = moment.before.as_ref().map(|said| said.text.as_str()).unwrap_or_default();
        reading.put_off_by_an_afterthought(&moment.own);
        reading.share_over_lists(&moment.own, asks_for_rules(before));
        reading.share_over_fragments(&moment.own);
        reading.share_over_announced(&moment.own);
        reading.share_backwards(&moment.own);
        reading.share_among_rules(&moment.own, moment.index > 0);
        let reply = moment.reply.as_ref().map(|reply| reply.text.as_str()).unwrap_or_default();
        // A session's first words are its task.
        if moment.index > 0 {
            reading.believe_promise(&moment.own, &promises(reply));
        }
        reading
    }

    /// The sentence that a clause is, or is a part of; none where it spans several.
    pub(super) fn sentence_of(&self, clause: &ReadClause) -> Option<&ReadClause> {
        self.clauses.iter().find(|other| !other.partial && other.holds(clause))
    }

    /// The same, and the clause itself where it spans several.
    pub(super) fn sentence_with<'a>(&'a self, clause: &'a ReadClause) -> &'a ReadClause {
        self.sentence_of(clause).unwrap_or(clause)
    }

    /// The first sentence or item that begins at a place or behind it, in bytes.
    pub(super) fn sentence_from(&self, place: usize) -> Option<&ReadClause> {
        self.clauses.iter().find(|other| !other.partial && other.start >= place)
    }

    /// The most that any clause does of each.
    pub fn most(&self) -> Act {
        let most =
            |of: fn(&Act) -> f32| self.clauses.iter().map(|clause| of(&clause.act)).fold(0.0, f32::max);
        Act { rule: most(|act| act.rule), lasting: most(|act| act.lasting), idea: most(|act| act.idea) }
    }

    /// The sentences and items that do something, by `score`, at least `bar`. Where only a part of a sentence does, that part and what
    /// follows of the sentence; where several parts begin anew and do each for itself, each.
    pub fn sentences(&self, own: &str, score: impl Fn(&Act) -> f32, bar: f32) -> Vec<ReadClause> {
        let mut found = Vec::new();
        for (index, sentence) in self.clauses.iter().enumerate().filter(|(_, clause)| !clause.partial) {
            let parts = self.parts_of(index);
            let whole = score(&sentence.act);
            // What begins anew, each with what follows of it.
            let mut anew: Vec<(ReadClause, f32)> = Vec::new();
            for part in parts {
                match anew.last_mut() {
                    Some((last, best)) if !part.joined || belongs_to_before(part.text(own)) => {
                        last.length = part.start + part.length - last.start;
                        *best = best.max(score(&part.act));
                    }
                    _ => anew.push((*part, score(&part.act))),
                }
            }
            if let Some(each) = self.each_by_itself(index, own, &score) {
                found.extend(each);
                continue;
            }
            let telling: Vec<ReadClause> =
                anew.iter().filter(|(_, best)| *best >= bar).map(|(part, _)| *part).collect();
            let first = telling.first().is_some_and(|part| part.start == sentence.start);
            if telling.len() >= 2 || telling.len() == 1 && !first && anew[0].1 < bar {
                found.extend(telling);
            } else if whole >= bar {
                found.push(*sentence);
            } else if let Some(part) = self.parts_of(index).find(|part| score(&part.act) >= bar) {
                let mut part = *part;
                part.length = sentence.start + sentence.length - part.start;
                found.push(part);
            }
        }
        found
    }

    /// The parts of the sentence at a place, which stand right behind it.
    fn parts_of(&self, index: usize) -> impl Iterator<Item = &ReadClause> {
        let sentence = self.clauses[index];
        self.clauses[index + 1..].iter().take_while(move |part| part.partial && sentence.holds(part))
    }

    /// "In general, answer in English, keep it short and never use tables, they're a pain": the parts of a sentence of which each does
    /// something for itself, with the reasons that follow them and without what only introduces them; nothing where it is one thing.
    fn each_by_itself(
        &self,
        index: usize,
        own: &str,
        score: impl Fn(&Act) -> f32,
    ) -> Option<Vec<ReadClause>> {
        let parts = || self.parts_of(index);
        // In other languages the models take a piece of a rule for one; what is a rule by itself says so.
        let leans = |part: &ReadClause| {
            self.language != 0 && !cues::present(part.text(own), self.language).has_any(&OF_RULES)
        };
        let mut each: Vec<ReadClause> = Vec::new();
        for part in parts() {
            let text = part.text(own);
            let says = score(&part.act);
            match each.last_mut() {
                // "Before making changes, pull, build, and run the tests": steps of one rule.
                None if is_condition(text) => return None,
                None if self.introduces(text, says) || leans(part) && is_at_most(2, text) => {} // "Passt, nur: …"
                None if leans(part) => return None,
                Some(_) if leans(part) => {}
                // "…, never in AM/PM, only 24 hours"
                Some(last)
                    if !part.joined && (narrows(text) || says < REASON)
                        || goes_on(text)
                        || belongs_to_before(text)
                        || is_subject(last.text(own)) =>
                {
                    last.length = part.start + part.length - last.start;
                }
                _ if says < EACH => return None,
                _ => each.push(*part),
            }
        }
        let all_do = || parts().count() >= 3 && parts().all(|part| score(&part.act) >= EACH);
        (each.len() >= 3 || !each.is_empty() && all_do()).then_some(each)
    }

    /// "In general", "for the future", "two things for this repository": what only comes before the rules.
    fn introduces(&self, text: &str, says: f32) -> bool {
        let is_short = is_at_most(INTRODUCTION, text);
        is_short && (says < EACH || cues::present(text, self.language).has("from_now"))
            || announces_rules(text)
    }

    /// "A survey at the end of the chat, also for later": the last words of a sentence put all of it off.
    fn put_off_by_an_afterthought(&mut self, own: &str) {
        for at in 0..self.clauses.len() {
            let sentence = self.clauses[at];
            let parts = || self.parts_of(at);
            let Some(last) = parts().last().filter(|_| !sentence.partial) else { continue };
            let text = last.text(own);
            let is_known = parts().chain([&sentence]).any(|clause| clause.act.idea >= 1.0 - PUT_OFF);
            if is_known || text.split_whitespace().count() > AFTERTHOUGHT {
                continue;
            }
            let cues = cues::present(text, self.language);
            // "All of them, also later ones" says how far something goes.
            let includes_later_ones = LATER_ONES.is_match(text);
            if cues.has("later") && !cues.has("withdraw") && !includes_later_ones {
                let act = &mut self.clauses[at].act;
                act.idea = act.idea.max(PUT_OFF);
                act.rule = act.rule.min(1.0 - PUT_OFF);
            }
        }
    }

    /// Lets the items of a list share what they are: a list that is announced as rules, or half of whose items are, is one of rules.
    fn share_over_lists(&mut self, own: &str, asked: bool) {
        let mut index = 0;
        while index < self.clauses.len() {
            if !self.clauses[index].listed {
                index += 1;
                continue;
            }
            let end = (index..self.clauses.len())
                .find(|at| !self.clauses[*at].listed)
                .unwrap_or(self.clauses.len());
            let items: Vec<usize> = (index..end).filter(|at| !self.clauses[*at].partial).collect();
            let header = self.clauses[..index].iter().rev().find(|clause| !clause.partial).copied();
            let announced = header.is_some_and(|header| {
                let text = header.text(own);
                let cues = cues::present(text, self.language);
                let for_good = cues.has_any(&["from_now", "remember", "rules"]) || is_for_the_future(text);
                text.trim_end().ends_with([':', '：'])
                    && (asked
                        || for_good
                        || header.act.rule >= 0.5
                        || cues.has_any(&["we_habit", "always", "here"]))
                    && (for_good || !cues.has("once"))
                    && !steps(&items, &self.clauses, own)
            });
            let is_put_off = header.map(|header| header.text(own)).is_some_and(|text| {
                let rules = ["from_now", "remember", "rules", "we_habit", "order", "always", "here"];
                puts_a_list_off(text) && !cues::present(text, self.language).has_any(&rules)
            });
            if !announced && is_put_off {
                for at in &items {
                    let act = &mut self.clauses[*at].act;
                    *act = Act { rule: 0.0, lasting: 0.0, idea: act.idea.max(PUT_OFF) };
                }
                index = end;
                continue;
            }
            let ruled: Vec<usize> =
                items.iter().copied().filter(|at| self.clauses[*at].act.rule >= 0.5).collect();
            let put_off = header.is_some_and(|header| {
                let text = header.text(own);
                let cues = cues::present(text, self.language);
                text.ends_with([':', '：'])
                    && !["question", " has ", " have "].iter().any(|word| text.contains(word))
                    && (cues.has("later") || !cues.has_any(&["from_now", "remember", "rules"]))
                    && !is_for_the_future(text)
                    && 2 * ruled.len() <= items.len()
                    && (header.act.idea >= 0.4 || cues.has("later") && !cues.has("order"))
            });
            if put_off {
                for at in &items {
                    self.clauses[*at].act.idea = self.clauses[*at].act.idea.max(LISTED);
                    self.clauses[*at].act.rule = 0.0;
                }
            }
            // "Clean up the data: drop the empty rows, …" is an order of several steps.
            let ordered = header.is_some_and(|header| {
                let start = header.text(own).split_whitespace().take(2).collect::<Vec<_>>().join(" ");
                cues::present(&start, self.language).has("order")
            });
            // "Write the guide: short sentences, in all our docs, …": an item that says it lasts is no step of the work.
            let lasts = ruled.iter().any(|at| {
                let cues = cues::present(self.clauses[*at].text(own), self.language);
                cues.has_any(&["here", "we_habit", "from_now", "always"]) && !cues.has("once")
            });
            // "A few things:" tells nothing of them; "I tried these on the server:" does.
            let introduced = header.is_some_and(|header| {
                let text = header.text(own);
                text.ends_with([':', '：']) && text.split_whitespace().count() > HEADER
            });
            if items.len() >= 2
                && !put_off
                && (announced
                    || (!ordered || lasts)
                        && !introduced
                        && 2 * ruled.len() >= items.len()
                        && ruled.len() >= 2)
            {
                let least = if announced { ANNOUNCED } else { LISTED };
                for at in items {
                    let act = &mut self.clauses[at].act;
                    act.rule = act.rule.max(least);
                    act.lasting = act.lasting.max(least);
                }
            }
            index = end;
        }
    }
}

/// What a clause does whose form makes it a rule as likely as `stated`.
fn as_stated(mut act: Act, stated: f32) -> Act {
    act.rule = act.rule.max(stated);
    act.lasting = act.lasting.max(stated);
    if stated >= outright::STATED {
        act.idea = act.idea.min(1.0 - stated);
    }
    act
}

/// Most words of a sentence that is one of several terse ones.
const TERSE: usize = 8;
/// Most words of a sentence that announces rules.
const HEADER: usize = 5;

impl Reading {
    /// Lets terse sentences in a row share what they are: "pnpm, never npm. vitest, never jest. that goes for all of it".
    fn share_over_fragments(&mut self, own: &str) {
        let whole: Vec<usize> = (0..self.clauses.len()).filter(|at| !self.clauses[*at].partial).collect();
        let is_terse = |at: &usize| {
            let clause = &self.clauses[*at];
            let text = clause.text(own);
            !clause.listed && !text.ends_with(['?', '？']) && text.split_whitespace().count() <= TERSE
        };
        let runs = whole.chunk_by(|one, other| is_terse(one) == is_terse(other));
        let runs: Vec<&[usize]> = runs.filter(|run| run.len() >= 3 && is_terse(&run[0])).collect();
        for run in runs {
            // "Two rules. …. …."
            let first = self.clauses[run[0]].text(own);
            if first.split_whitespace().count() <= HEADER && cues::present(first, self.language).has("rules")
            {
                for at in &run[1..] {
                    let act = &mut self.clauses[*at].act;
                    act.rule = act.rule.max(LISTED);
                    act.lasting = act.lasting.max(LISTED);
                }
                continue;
            }
            let ruled = run.iter().filter(|at| self.clauses[**at].act.rule >= 0.5).count();
            if ruled < 2 || 2 * ruled < run.len() {
                continue;
            }
            for at in run {
                let cues = cues::present(self.clauses[*at].text(own), self.language);
                let act = &mut self.clauses[*at].act;
                if cues.has_any(&["always", "forbid", "instead", "prefer"]) {
                    act.rule = act.rule.max(LISTED);
                    act.lasting = act.lasting.max(LISTED);
                }
            }
        }
    }
}

impl Reading {
    /// Lets the sentence before "goes for the whole repo" be a rule, and that no sentence of its own; with it the items of its list, and the
    /// terse sentences before it that may be rules as well.
    fn share_backwards(&mut self, own: &str) {
        let whole: Vec<usize> = (0..self.clauses.len()).filter(|at| !self.clauses[*at].partial).collect();
        // "…, from now on all of them": a part of the sentence itself says so.
        for &at in &whole {
            let is_meant = self.parts_of(at).skip(1).any(|part| {
                let text = part.text(own);
                !is_at_most(2, text) && means_all(text, self.language)
            });
            if is_meant && !self.clauses[at].text(own).ends_with(['?', '？']) {
                self.raise(at, outright::STATED);
            }
        }
        for at in 1..whole.len() {
            let last = self.clauses[whole[at - 1]];
            let all_of_it = || {
                let first = self.parts_of(whole[at]).next().copied();
                first.is_some_and(|part| means_all(part.text(own), self.language))
            };
            let is_meant_for_all = means_all(self.clauses[whole[at]].text(own), self.language)
                || all_of_it() && self.clauses[whole[at]].act.rule < SURE_RULE;
            if !is_meant_for_all || last.text(own).ends_with(['?', '？']) {
                continue;
            }
            self.clauses[whole[at]].act = Act::default();
            let is_meant = |other: &usize| {
                let clause = &self.clauses[*other];
                let text = clause.text(own);
                let may_be_one = !last.listed
                    && clause.act.rule >= BESIDE_SEVERAL
                    && text.split_whitespace().count() <= TERSE
                    && !text.ends_with(['?', '？']);
                *other == whole[at - 1] || last.listed && clause.listed || may_be_one
            };
            let meant: Vec<usize> = whole[..at].iter().rev().copied().take_while(is_meant).collect();
            meant.into_iter().for_each(|at| self.raise(at, outright::STATED));
        }
    }

    /// Lets the sentences after "two things about style in this repo." be rules.
    fn share_over_announced(&mut self, own: &str) {
        let whole: Vec<usize> = (0..self.clauses.len()).filter(|at| !self.clauses[*at].partial).collect();
        let Some(header) = whole.iter().position(|at| announces_rules(self.clauses[*at].text(own))) else {
            return;
        };
        let follows = |at: &&usize| {
            let text = self.clauses[**at].text(own);
            !text.ends_with(['?', '？']) && text.split_whitespace().count() <= SENTENCE
        };
        let rules: Vec<usize> = whole[header + 1..].iter().take_while(follows).copied().collect();
        if rules.len() < 2 {
            return;
        }
        self.clauses[whole[header]].act = Act::default();
        for at in rules {
            self.raise(at, LISTED);
        }
    }

    /// Lets a sentence that may be a rule be one where others of the message surely are: "never squash. tags are signed. fix the typo".
    fn share_among_rules(&mut self, own: &str, is_reply: bool) {
        let says = |at: &usize| !self.clauses[*at].partial && says_something(self.clauses[*at].text(own));
        let whole: Vec<usize> = (0..self.clauses.len()).filter(says).collect();
        let count = |least: f32| whole.iter().filter(|at| self.clauses[**at].act.rule >= least).count();
        // Several that nearly are vouch for each other, but in the description of what a session is to build.
        let nearly = if is_reply { count(NEARLY) } else { 0 };
        let sure = if nearly >= SEVERAL { nearly } else { count(SURE_RULE) };
        // Of a message that thinks aloud, few sentences are rules.
        if sure == 0 || 2 * sure + 1 < whole.len() {
            return;
        }
        let least = if sure == 1 { BESIDE_ONE } else { BESIDE_SEVERAL };
        for at in whole {
            let clause = self.clauses[at];
            let text = clause.text(own);
            let is_likely =
                (least..SURE_RULE).contains(&clause.act.rule) && clause.act.idea < clause.act.rule;
            let cues = cues::present(text, self.language);
            // "The inspectors changed their minds": the news that a rule comes from.
            let is_news = cues.has("turn") && clause.act.rule < PLAINLY;
            let is_reason = tells_of_the_past(text, self.language)
                || tells_of_one_thing(text, self.language) && clause.act.rule < PLAINLY;
            if is_likely
                && !is_news
                && !is_reason
                && !text.ends_with(['?', '？', ':', '：'])
                && !cues.has_any(&["momentary", "once"])
            {
                let plainly = sure > 1 && clause.act.rule >= PLAINLY;
                let shared = if self.language != 0 {
                    LISTED
                } else if plainly {
                    VOUCHED
                } else {
                    SURE_RULE
                };
                self.clauses[at].act.rule = shared;
                self.clauses[at].act.lasting = clause.act.lasting.max(shared);
            }
        }
    }

    /// Lets the words that the agent promised to go by be a rule, unless they are said of now.
    fn believe_promise(&mut self, own: &str, promises: &[&str]) {
        let may_be_one = |clause: &ReadClause| {
            let text = clause.text(own);
            !text.ends_with(['?', '？', ':', '：'])
                && clause.act.idea < LISTED
                && !cues::present(text, self.language).is_for_now()
                && !tells_of_the_past(text, self.language)
                && !belongs_to_before(text)
        };
        let kept = |at: usize| {
            let clause = &self.clauses[at];
            let kept = kept_by(clause.text(own), promises)?;
            // Of a sentence and its parts the shortest that says as much.
            may_be_one(clause).then_some((kept, Reverse(clause.length), at))
        };
        if let Some((.., at)) = (0..self.clauses.len()).filter_map(kept).max() {
            let before = self.clauses[at].act.rule;
            self.raise(at, outright::STATED);
            self.clauses[at].before_promise = Some(before);
        }
    }

    fn raise(&mut self, at: usize, least: f32) {
        let act = &mut self.clauses[at].act;
        act.rule = act.rule.max(least);
        act.lasting = act.lasting.max(least);
        act.idea = act.idea.min(1.0 - least);
    }
}

/// Most words of an afterthought that puts its sentence off, and how likely it makes that sentence an idea.
const AFTERTHOUGHT: usize = 4;
const PUT_OFF: f32 = 0.75;
/// How likely a sentence must be a rule to vouch for the others of its message, and how likely those must be themselves beside one such
/// sentence and beside several.
const SURE_RULE: f32 = 0.5;
const BESIDE_ONE: f32 = 0.15;
const BESIDE_SEVERAL: f32 = 0.1;
/// How likely it must be to vouch for them with others, and how many such sentences do.
const NEARLY: f32 = 0.3;
const SEVERAL: usize = 3;
/// How likely a sentence must be a rule by itself to be one plainly beside several, and how likely it is one then.
const PLAINLY: f32 = 0.25;
const VOUCHED: f32 = 0.6;

/// "Nice work", "좋아요": takes note and says nothing of its own.
fn says_something(text: &str) -> bool {
    let letters = text.chars().filter(|c| c.is_alphanumeric()).count();
    if text.chars().any(super::ngrams::is_unspaced) {
        letters > 6
    } else {
        text.split_whitespace().count() > 2
    }
}

/// Most words of a sentence that is announced as a rule.
const SENTENCE: usize = 30;

/// Whether the agent asks by what rules to work: "Any conventions I should keep to?"
fn asks_for_rules(before: &str) -> bool {
    let last = super::words::sentences(before).last().copied().unwrap_or_default();
    last.ends_with(['?', '？']) && cues::present(last, cues::language_of(last)).has("rules")
}

/// "Drop the empty rows, recode q15, then write the file": a list of steps has an order.
fn steps(items: &[usize], clauses: &[ReadClause], own: &str) -> bool {
    const ORDER: [&str; 8] =
        ["then ", "and then ", "finally ", "dann ", "puis ", "luego ", "depois ", "потом "];
    items.iter().any(|at| {
        let text = clauses[*at].text(own).to_lowercase();
        ORDER.iter().any(|start| text.starts_with(start))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin::guidance::alone;

    fn rules(message: &str) -> Vec<String> {
        let reading = Reading::of(&alone(message), Language::english(), Models::shipped());
        let found = reading.sentences(message, |act| act.rule, 0.3);
        found.iter().map(|clause| clause.text(message).to_owned()).collect()
    }

    #[test]
    fn rules_of_one_sentence_stand_each_by_itself_without_what_introduces_them() {
        assert_eq!(
            rules(
                "In future, name branches after the ticket, always squash before merging, and never push on a friday."
            ),
            ["name branches after the ticket", "always squash before merging", "never push on a friday."]
        );
    }

    #[test]
    fn a_piece_of_a_rule_in_another_language_is_none() {
        let own =
            "Et les prénoms des enfants, c'est caché partout, même dans le cahier, la directrice y tient.";
        assert_eq!(rules(own), [own]);
    }

    #[test]
    fn what_is_done_under_one_condition_is_one_rule() {
        let message = "Before making changes, never forget to switch to main, always pull the newest state, then build.";
        assert_eq!(rules(message).len(), 1, "{:?}", rules(message));
    }

    #[test]
    fn a_sentence_is_a_rule_for_the_company_it_keeps() {
        let beside = "Never log request bodies. Metric names are lower case. Always pin versions.";
        assert_eq!(rules(beside).len(), 3, "{:?}", rules(beside));
        let reasons = "Never log request bodies. The old parser is half done.";
        assert_eq!(rules(reasons).len(), 1, "{:?}", rules(reasons));
        let errands = "The page is slow. Metric names are lower case. Fix both and push.";
        assert!(!rules(errands).iter().any(|rule| rule.contains("push")), "{:?}", rules(errands));
    }

    #[test]
    fn what_only_announces_rules_is_none() {
        let message = "Two remarks for all of this repository: no raw strings in views, dates always in UTC.";
        assert!(!rules(message).iter().any(|rule| rule.starts_with("Two remarks")), "{:?}", rules(message));
    }
}
