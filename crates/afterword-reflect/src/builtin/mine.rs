//! The miner: takes a session's events, gives candidates.

use std::collections::HashSet;

use afterword_core::{Candidate, Confidence, CountedReason, Evidence, Kind, OtherTelling, Signal};
use afterword_transcript::event::{Authorship, Event, Origin};

use super::agreement::{borrowed, is_of_agent, speaks_of_a_rule};
use super::choice;
use super::doubt::{asks_for_nothing, asks_for_now, is_one_errand, is_undecided, leaves_doubt};
use super::draft::{
    of_remark_evidence, recurring_error, reports_only, says_rule, signal_of, thread_evidence,
};
use super::features::{of_moment, of_remark};
use super::foreign::{is_in_quotation, is_quoted};
use super::heading::{telling_sentence, without_object};
use super::history::{ASKED, ASKED_OF_MATTER, History, ROUTINE};
use super::investigation::{Cause, Investigation, Investigations, LIKELY_CAUSE};
use super::language::Language;
use super::models::Models;
use super::moment::{Moment, Moments};
use super::passing::says_only_in_passing;
use super::plain::{of_rule, rests_on_promise, rules};
use super::put_off::{ideas, of_put_off, says_what};
use super::reading::Reading;
use super::reasons::{rationale, sentence};
use super::remark::{Remark, Remarks};
use super::repair::Repairs;
use super::repetition::{Errors, OFTEN, alike, is_tool_slip, says_nothing};
use super::restated::restated;
use super::revision::{Revision, revisions};
use super::specification::is_description;
use super::thread::{Thread, Weighed, gather, own_entries, puts_off_something_said};
use super::topic::Topic;
use super::wish::decides_outright;
use super::wording::{
    of_idea, of_investigation, of_thread, says_enough, spoken, tells, tells_more_than_a_cause,
    with_words_spoken,
};

/// The bars a candidate must clear, as probabilities. Chosen on cross-validated figures (`docs/quality.md`).
mod bar {
    /// A preference worth offering.
    pub(super) const PREFERENCE: f32 = 0.44;
    /// A preference certain enough to save without asking.
    pub(super) const PREFERENCE_HIGH: f32 = 0.66;
    /// A preference likely enough to ask about; below, it goes to the inbox.
    pub(super) const PREFERENCE_MEDIUM: f32 = 0.56;
    /// An idea worth keeping.
    pub(super) const IDEA: f32 = 0.34;
    /// An idea said outright; never certain, as it commits nobody to anything.
    pub(super) const IDEA_LIKELY: f32 = 0.50;
    /// How much likelier a fix than a preference words must be to count as a fix alone.
    pub(super) const FIX_OVER: f32 = 0.0;
    /// A title that tells a later session what to do.
    pub(super) const SAYS: f32 = 0.02;
    /// A cause so likely that it is worth keeping though nothing says what had failed or what mended it.
    pub(super) const CAUSE_ALONE: f32 = 0.62;
    /// A cause likely enough to ask about.
    pub(super) const CAUSE_MEDIUM: f32 = 0.65;
}

/// A weak signal: not a candidate yet, but it counts when it comes again in other sessions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Observation {
    /// What sort of note it would become.
    pub kind: Kind,
    /// What it is about; equal or alike when it comes again.
    pub topic: String,
    /// The words that carry it.
    pub evidence: Evidence,
}

/// What a session gave.
#[derive(Debug, Default)]
pub struct Mined {
    /// Strongest confidence first, then in the order of the session.
    pub candidates: Vec<Candidate>,
    /// Weak signals, for the project's history.
    pub observations: Vec<Observation>,
    /// What may change a rule of another session.
    pub revisions: Vec<Revision>,
    /// Of candidates that earlier sessions asked for too, where they did.
    pub told_before: Vec<ToldBefore>,
}

/// That earlier sessions of the project asked for the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToldBefore {
    /// The candidate, by the line of its first piece of evidence.
    pub line: u64,
    /// Where earlier sessions said it, the first time each.
    pub earlier: Vec<OtherTelling>,
}

/// Mines one session.
pub struct Miner<'m> {
    language: &'static Language,
    models: &'m Models,
    history: &'m History,
    moments: Moments,
    remarks: Remarks,
    investigations: Investigations,
    errors: Errors,
    repairs: Repairs,
}

impl<'m> Miner<'m> {
    /// A miner with the models the program ships.
    pub fn new(history: &'m History) -> Self {
        Self::with_models(Models::shipped(), history)
    }

    /// A miner with other models.
    pub fn with_models(models: &'m Models, history: &'m History) -> Self {
        Self {
            language: Language::english(),
            models,
            history,
            moments: Moments::default(),
            remarks: Remarks::new(Language::english()),
            investigations: Investigations::default(),
            errors: Errors::default(),
            repairs: Repairs::default(),
        }
    }

    /// Takes the next event of the session, in file order.
    pub fn push(&mut self, event: &Event) {
        self.moments.push(event);
        self.errors.push(event);
        self.repairs.push(event);
        for remark in self.remarks.push(event) {
            self.weigh_remark(remark);
        }
    }

    /// What the session gave.
    pub fn finish(mut self) -> Mined {
        for remark in std::mem::replace(&mut self.remarks, Remarks::new(self.language)).finish() {
            self.weigh_remark(remark);
        }
        let mut weighed: Vec<Weighed> = std::mem::take(&mut self.moments)
            .finish()
            .into_iter()
            .map(|moment| {
                let reading = Reading::of(&moment, self.language, self.models);
                let features = of_moment(&moment, reading.most(), self.language);
                Weighed {
                    preference: self.models.preference.probability(&features),
                    idea: self.models.idea.probability(&features),
                    fix: self.models.fix.probability(&features),
                    rule: says_rule(&features),
                    errand: features.get("before.errand") > 0.0 && features.get("person.forbid") == 0.0,
                    choice: features.get("sum.choice_offered") > 0.0
                        || matches!(moment.utterance.origin, Origin::Answer { .. }),
                    rules: Vec::new(),
                    put_off: Vec::new(),
                    features,
                    reading,
                    moment,
                }
            })
            .collect();
        for item in &mut weighed {
            item.rules = rules(item);
            item.put_off = ideas(item);
        }
        let revisions = weighed.iter().flat_map(revisions).collect();
        let mut mined = Mined { revisions, ..Mined::default() };
        for item in &weighed {
            mined.candidates.extend(item.rules.iter().map(|clause| of_rule(item, clause)));
        }
        for item in &weighed {
            let put_off = item.put_off.iter().map(|clause| of_put_off(item, clause, self.language));
            mined.candidates.extend(put_off);
        }
        let has_own_clauses = |item: &Weighed| !item.rules.is_empty() || !item.put_off.is_empty();
        let is_idea = |item: &Weighed| {
            // A session's first words are its task.
            item.moment.index > 0
                && item.idea >= bar::IDEA
                && item.idea >= 0.75 * item.preference
                && !has_own_clauses(item)
        };
        let is_preference = |item: &Weighed| {
            let likely = item.preference >= bar::PREFERENCE && item.fix <= item.preference + bar::FIX_OVER;
            let decided = choice::decides_for_good(&item.moment);
            !is_idea(item)
                && !has_own_clauses(item)
                && !takes_itself_back(item)
                && !is_undecided(&item.moment.own)
                && !says_only_in_passing(&item.moment, &item.reading)
                && !is_description(&item.reading, &item.moment.own)
                && (decided || likely && !item.errand)
                && !choice::decides_nothing(&item.moment)
        };
        for thread in gather(&weighed, is_preference, |_| false) {
            let candidate = self.preference(&weighed, &thread);
            let is_anothers = |index: &usize| is_in_quotation(&candidate.title, &weighed[*index].moment.own);
            let is_worth_a_look = || {
                says_for_what(&weighed, &thread)
                    && !is_one_errand(&candidate.title)
                    && !asks_for_nothing(&candidate.title)
                    && !thread.members.iter().any(is_anothers)
            };
            if candidate.confidence == Confidence::High || is_worth_a_look() {
                mined.candidates.push(candidate);
            }
        }
        for thread in gather(&weighed, is_idea, |item| puts_off_something_said(&item.moment.own)) {
            if thread.members.iter().any(|index| says_what(&weighed[*index].moment)) {
                mined.candidates.push(self.idea(&weighed, &thread));
            }
        }
        super::filed::name_ideas(&mut mined.candidates, &weighed, self.language);
        let repairs = std::mem::take(&mut self.repairs).finish();
        let found = std::mem::take(&mut self.investigations).finish();
        for investigation in found.iter().filter(|one| one.is_worth_keeping(&repairs)) {
            let fix = self.fix(&weighed, investigation);
            if tells_more_than_a_cause(&fix.body) || investigation.probability() >= bar::CAUSE_ALONE {
                mined.candidates.push(fix);
            }
        }
        super::mended::add(&mut mined.candidates, &repairs, self.language);
        super::mended::join_alike(&mut mined.candidates);
        super::filed::drop_unmended(&mut mined.candidates, &weighed);
        for error in std::mem::take(&mut self.errors).finish() {
            if !is_tool_slip(&error.message) && !says_nothing(&error.message) {
                mined.candidates.extend(recurring_error(&error, &mined.candidates));
            }
        }
        self.repeated_wishes(&weighed, &mut mined, is_preference);
        self.routines(&weighed, &mut mined);
        self.requests_that_come_back(&weighed, &mut mined);
        super::taken_back::drop_taken_back(&mut mined.candidates, &weighed);
        mined.candidates.sort_by_key(|candidate| {
            (candidate.confidence, candidate.evidence.first().map_or(0, |first| first.line))
        });
        mined
    }

    fn weigh_remark(&mut self, remark: Remark) {
        let features = of_remark(&remark, self.language);
        let probability = self.models.cause.probability(&features);
        let problem = [
            "asked_failure",
            "asked_report",
            "asked_why",
            "asked_cause",
            "lead.failed_last",
            "lead.failures",
            "sum.names_cause",
        ];
        if probability >= LIKELY_CAUSE && problem.iter().any(|name| features.get(name) > 0.0) {
            self.investigations.push(Cause::of(remark, probability, self.language));
        }
    }

    fn preference(&self, weighed: &[Weighed], thread: &Thread) -> Candidate {
        let members: Vec<&Moment> = thread.members.iter().map(|index| &weighed[*index].moment).collect();
        let probability = |index: usize| weighed[thread.members[index]].preference;
        let best = (0..members.len()).max_by(|a, b| probability(*a).total_cmp(&probability(*b))).unwrap_or(0);
        let telling = |index: usize| probability(index) + tells(members[index], self.language);
        let lead = (0..members.len()).max_by(|a, b| telling(*a).total_cmp(&telling(*b))).unwrap_or(best);
        let features = &weighed[thread.members[best]].features;
        let decided = choice::decides_for_good(members[best]);
        // What somebody else may have written is never saved unasked.
        let proven = members.iter().all(|moment| moment.utterance.authorship == Authorship::Person);
        let wording = of_thread(&members, lead, self.language);
        let signal = match decided {
            _ if wording.is_of_agent => Signal::Approval,
            true => Signal::StandingRule,
            false => signal_of(members[best], features),
        };
        let language = weighed[thread.members[lead]].reading.language;
        // Whoever picks an option decides; whoever only agrees has decided nothing in words of their own.
        let picked = borrowed(members[lead]);
        let only_agrees = wording.is_of_agent && picked.is_none();
        // "Never ask, always push": an option that was picked is a decision, and no rule in the words of who offered it.
        let is_ruled_by_agent = wording.is_of_agent && picked.as_deref().is_some_and(speaks_of_a_rule);
        let sentence = telling_sentence(&members[lead].own, self.language);
        let lead_decides = || members[lead].index > 0 && decides_outright(sentence);
        // "Hmm, I'd rather …", and the agent says "fair point": the hesitation is over.
        let is_conceded = weighed[thread.members[lead]].features.get("reply.concedes") > 0.0;
        let said = if is_conceded && lead_decides() { &wording.title } else { &members[lead].own };
        let unsure = only_agrees
            || rests_on_promise(&weighed[thread.members[lead]].reading)
            || is_ruled_by_agent
            || leaves_doubt(&wording.title, said, language)
            || !decided && asks_for_now(&wording.title, language)
            || is_quoted(&wording.title, &members[lead].own, language)
            || is_quoted(sentence, &members[lead].own, language);
        let confidence = match probability(best) {
            _ if unsure => Confidence::Medium,
            // That it holds for good is not taken from the agent's words.
            _ if decided && proven && !wording.is_of_agent => Confidence::High,
            p if p >= bar::PREFERENCE_HIGH && !reports_only(features) && proven => Confidence::High,
            // What its own words decide needs no more; a session's first words are its task.
            _ if proven && lead_decides() => Confidence::High,
            p if p >= bar::PREFERENCE_MEDIUM => Confidence::Medium,
            _ => Confidence::Low,
        };
        let reply = members[lead].reply.as_ref().filter(|_| confidence != Confidence::High);
        let restated = reply.and_then(|reply| restated(&wording.title, &reply.text, self.language));
        Candidate {
            kind: Kind::Preference,
            confidence,
            signal: if restated.is_some() { Signal::Approval } else { signal },
            body: match &restated {
                Some(restated) => with_words_spoken(&wording.body, restated, members[lead]),
                None => wording.body,
            },
            title: restated.unwrap_or(wording.title),
            rationale: rationale(&self.models.preference, features, members.len()),
            evidence: thread_evidence(&members, lead),
        }
    }

    fn idea(&self, weighed: &[Weighed], thread: &Thread) -> Candidate {
        let members: Vec<&Moment> = thread.members.iter().map(|index| &weighed[*index].moment).collect();
        let probability = |index: usize| weighed[thread.members[index]].idea;
        // "Bump it to a follow-up" is the surest sign of an idea, but does not say which.
        let telling = |index: usize| {
            probability(index) - f32::from(u8::from(puts_off_something_said(&members[index].own)))
        };
        let lead = (0..members.len()).max_by(|a, b| telling(*a).total_cmp(&telling(*b))).unwrap_or(0);
        let features = &weighed[thread.members[lead]].features;
        let confidence = match probability(lead) {
            p if p >= bar::IDEA_LIKELY => Confidence::Medium,
            _ => Confidence::Low,
        };
        let wording = of_idea(members[lead], self.language);
        Candidate {
            kind: Kind::Idea,
            confidence,
            signal: Signal::FollowUp,
            title: wording.title,
            body: wording.body,
            rationale: rationale(&self.models.idea, features, members.len()),
            evidence: thread_evidence(&members, lead),
        }
    }

    fn fix(&self, weighed: &[Weighed], investigation: &Investigation) -> Candidate {
        let lead = investigation.lead();
        let probability = investigation.probability();
        let causes: Vec<&Remark> = investigation.causes.iter().map(|cause| &cause.remark).collect();
        let (first, last) = (causes[0].ordinal, causes[causes.len() - 1].ordinal);
        // The person's words about the problem: the report before the first remark, and what they said on the way.
        let mut about: Vec<&Weighed> = weighed
            .iter()
            .filter(|item| item.fix >= 0.3 && item.moment.ordinal <= last + 6)
            .filter(|item| {
                item.moment.ordinal >= first
                    || causes[0].person.as_ref().is_some_and(|said| said.place == item.moment.utterance.place)
            })
            .collect();
        about.sort_by(|a, b| b.fix.total_cmp(&a.fix));
        let symptom = about.iter().min_by_key(|item| item.moment.ordinal).map(|item| item.moment.own.clone());
        let before = weighed.iter().filter(|item| item.moment.ordinal <= causes[lead].ordinal);
        let asked = before.map(|item| item.moment.own.as_str()).rfind(|said| says_enough(said));
        let wording = of_investigation(symptom.as_deref(), asked, &causes, lead, self.language);
        let mut evidence = vec![of_remark_evidence(causes[lead], self.language)];
        evidence
            .extend(about.iter().take(3).map(|item| spoken(&item.moment.utterance.place, &item.moment.own)));
        evidence.extend(
            causes
                .iter()
                .enumerate()
                .filter(|(index, _)| *index != lead)
                .map(|(_, remark)| of_remark_evidence(remark, self.language)),
        );
        let features = of_remark(causes[lead], self.language);
        let names_cause = investigation.causes[lead].clarity > 0;
        let confidence = if probability >= bar::CAUSE_MEDIUM && !about.is_empty() && names_cause {
            Confidence::Medium
        } else {
            Confidence::Low
        };
        Candidate {
            kind: Kind::Fix,
            confidence,
            signal: Signal::ErrorResolved,
            title: wording.title,
            body: wording.body,
            rationale: rationale(&self.models.cause, &features, causes.len()),
            evidence,
        }
    }

    /// What earlier sessions of the project had to be asked for too: what belongs to every change is certain after the second, anything else
    /// waits in the inbox then and is certain after the third.
    fn routines(&self, weighed: &[Weighed], mined: &mut Mined) {
        let own = own_entries(weighed);
        let mut done: HashSet<String> = HashSet::new();
        let is_own = |item: &&Weighed| {
            matches!(item.moment.utterance.origin, Origin::Prompt) && !is_of_agent(&item.moment)
        };
        for item in weighed.iter().filter(is_own) {
            for (routines, words) in super::routine::of(item) {
                let evidence = spoken(&item.moment.utterance.place, &item.moment.own);
                let new: Vec<_> =
                    routines.into_iter().filter(|routine| done.insert(routine.key.clone())).collect();
                mined.observations.extend(new.iter().map(|routine| Observation {
                    kind: Kind::Workflow,
                    topic: format!("{ROUTINE}{}", routine.key),
                    evidence: evidence.clone(),
                }));
                let before = new.into_iter().map(|one| (self.history.routine_before(&one.key, &own), one));
                let Some((earlier, routine)) = before.max_by_key(|(earlier, _)| earlier.len()) else {
                    continue;
                };
                let tellings = earlier.len() + 1;
                // What belongs to every change is a habit by the second time; for other words it may be chance.
                let often = if routine.title.is_some() { OFTEN - 1 } else { OFTEN };
                let is_of_line = |candidate: &Candidate| {
                    candidate.evidence.first().is_some_and(|first| first.line == evidence.line)
                };
                // An order for the moment was taken for a rule: its words tell nobody what to do.
                let says = |one: &Candidate| {
                    one.signal == Signal::StandingRule || super::guidance::guidance(&one.title) >= bar::SAYS
                };
                let stands_beside = |one: &Candidate| one.kind == Kind::Idea && routine.puts_off();
                let is_certain = |one: &Candidate| {
                    one.kind == Kind::Idea || one.confidence == Confidence::High && says(one)
                };
                let is_settled = |one: &Candidate| is_of_line(one) && !stands_beside(one) && is_certain(one);
                if tellings < 2 || mined.candidates.iter().any(is_settled) {
                    continue;
                }
                // By its words alone it was less than certain.
                mined.candidates.retain(|one| !is_of_line(one) || stands_beside(one));
                let wording = super::wording::of_rule(&item.moment, &words, true);
                let others = earlier.iter().map(|telling| telling.evidence.quote.as_str());
                let own_title = || super::asks::best_title(&wording.title, others);
                // What led to one of the requests, and what came of it, is no part of a habit.
                let named = routine.title_with(&item.moment.follow.work);
                let around = if named.is_some() { "" } else { wording.body.as_str() };
                let title = named.unwrap_or_else(own_title);
                mined.candidates.push(Candidate {
                    kind: Kind::Workflow,
                    confidence: if tellings >= often { Confidence::High } else { Confidence::Low },
                    signal: Signal::RepeatedPattern,
                    body: with_words_spoken(around, &title, &item.moment),
                    title,
                    rationale: sentence(&CountedReason::Sessions.words(tellings)),
                    evidence: vec![evidence.clone()],
                });
                mined.told_before.push(ToldBefore { line: evidence.line, earlier });
            }
        }
    }

    /// Short requests that earlier sessions of the project made too: after the second they wait in the inbox, after the third they are certain.
    fn requests_that_come_back(&self, weighed: &[Weighed], mined: &mut Mined) {
        let mut done: Vec<Topic> = Vec::new();
        let own = own_entries(weighed);
        let is_own = |item: &&Weighed| {
            !matches!(item.moment.utterance.origin, Origin::Shell) && !is_of_agent(&item.moment)
        };
        for item in weighed.iter().filter(is_own) {
            for request in super::asks::of(item) {
                if done.iter().any(|known| super::asks::is_same(known, &request.topic)) {
                    continue;
                }
                let evidence = spoken(&item.moment.utterance.place, &item.moment.own);
                let earlier = self.history.asked_before(&request, &own);
                let tellings = earlier.len() + 1;
                let confidence = if tellings >= OFTEN { Confidence::High } else { Confidence::Low };
                let rationale = sentence(&CountedReason::Sessions.words(tellings));
                let known = mined.candidates.iter_mut().find(|candidate| {
                    candidate.evidence.first().is_some_and(|first| first.line == evidence.line)
                });
                if let Some(candidate) = known {
                    // What was likely by its words is certain by now.
                    let is_likely = candidate.kind != Kind::Idea && candidate.confidence != Confidence::High;
                    if is_likely
                        && tellings == OFTEN
                        && !leaves_doubt(&candidate.title, &candidate.title, item.reading.language)
                    {
                        candidate.confidence = Confidence::High;
                        candidate.signal = Signal::RepeatedPattern;
                        candidate.rationale = format!("{rationale} {}", candidate.rationale);
                        mined.told_before.push(ToldBefore { line: evidence.line, earlier });
                    }
                } else if tellings > 1 {
                    let wording = super::wording::of_rule(&item.moment, &request.words, true);
                    let others = earlier.iter().map(|telling| telling.evidence.quote.as_str());
                    let title = super::asks::best_title(&wording.title, others);
                    mined.candidates.push(Candidate {
                        kind: Kind::Workflow,
                        confidence,
                        signal: Signal::RepeatedPattern,
                        body: with_words_spoken(&wording.body, &title, &item.moment),
                        title,
                        rationale,
                        evidence: vec![evidence.clone()],
                    });
                    mined.told_before.push(ToldBefore { line: evidence.line, earlier });
                }
                let mark = if request.is_of_matter { ASKED_OF_MATTER } else { ASKED };
                let topic_key = format!("{mark}{}", request.topic.key());
                mined.observations.push(Observation { kind: Kind::Workflow, topic: topic_key, evidence });
                done.push(request.topic);
            }
        }
    }

    /// Wishes that came three times, in this session or over the project's history.
    fn repeated_wishes(
        &self,
        weighed: &[Weighed],
        mined: &mut Mined,
        is_preference: impl Fn(&Weighed) -> bool,
    ) {
        // What a message was taken for is no wish beside it.
        let lines: HashSet<u64> =
            mined.candidates.iter().filter_map(|one| Some(one.evidence.first()?.line)).collect();
        let has_lesson =
            |item: &Weighed| is_preference(item) || lines.contains(&item.moment.utterance.place.line);
        let topics: Vec<(usize, Topic)> = weighed
            .iter()
            .enumerate()
            .filter(|(_, item)| {
                item.moment.own.len() < 600 && !matches!(item.moment.utterance.origin, Origin::Shell)
            })
            .map(|(index, item)| (index, Topic::of(&item.moment.own)))
            .collect();
        for group in alike(&topics) {
            if group.iter().any(|index| has_lesson(&weighed[*index])) {
                continue;
            }
            let members: Vec<&Moment> = group.iter().map(|index| &weighed[*index].moment).collect();
            let wording = of_thread(&members[..members.len().min(5)], 0, self.language);
            mined.candidates.push(Candidate {
                kind: Kind::Workflow,
                confidence: Confidence::Medium,
                signal: Signal::RepeatedPattern,
                title: wording.title,
                body: wording.body,
                rationale: sentence(&CountedReason::Times.words(members.len())),
                evidence: members
                    .iter()
                    .take(8)
                    .map(|moment| spoken(&moment.utterance.place, &moment.own))
                    .collect(),
            });
        }
        for (index, topic) in topics.iter().filter(|(_, topic)| topic.len() >= 3) {
            let item = &weighed[*index];
            if item.preference < 0.25 {
                continue;
            }
            let evidence = spoken(&item.moment.utterance.place, &item.moment.own);
            let earlier = self.history.came_up_before(topic);
            if earlier.len() + 1 >= OFTEN && !has_lesson(item) {
                let wording = of_thread(&[&item.moment], 0, self.language);
                mined.candidates.push(Candidate {
                    kind: Kind::Preference,
                    confidence: Confidence::Medium,
                    signal: Signal::RepeatedPattern,
                    title: wording.title,
                    body: wording.body,
                    rationale: sentence(&CountedReason::EarlierSessions.words(earlier.len())),
                    evidence: vec![evidence.clone()],
                });
                mined.told_before.push(ToldBefore { line: evidence.line, earlier });
            }
            mined.observations.push(Observation { kind: Kind::Preference, topic: topic.key(), evidence });
        }
    }
}

/// "From now on tabs. Hm no, forget that."
fn takes_itself_back(item: &Weighed) -> bool {
    let first = item.reading.clauses.iter().find(|clause| !clause.partial);
    // At its beginning "never mind" is said of something else.
    let begun = item.moment.own.split_whitespace().skip(3).collect::<Vec<_>>().join(" ");
    let in_one_breath = super::doubt::asks_for_nothing(&begun) && item.moment.own.len() < 200;
    let later =
        || first.is_some_and(|first| super::plain::taken_back_after(&item.reading, first, &item.moment.own));
    (in_one_breath || later()) && !item.moment.lead.interrupted
}

/// "That one", "do it" or "leave it, just remember" say nothing without what they point to.
fn says_for_what(weighed: &[Weighed], thread: &Thread) -> bool {
    thread.members.iter().map(|index| &weighed[*index]).any(|item| {
        let own = &item.moment.own;
        decides(&item.moment)
            || item.moment.rejected.is_some()
            || Topic::of(own).len() >= 2 && !without_object(own)
    })
}

fn decides(moment: &Moment) -> bool {
    matches!(moment.utterance.origin, Origin::Answer { .. }) || choice::picked_option(moment).is_some()
}
