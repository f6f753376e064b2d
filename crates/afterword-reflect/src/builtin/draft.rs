//! Parts of a candidate: its signal, its evidence, and what speaks for certainty by construction.

use afterword_core::{Candidate, Confidence, CountedReason, Evidence, Kind, Role, Signal};
use afterword_transcript::event::Origin;

use super::features::Features;
use super::language::Language;
use super::moment::Moment;
use super::remark::Remark;
use super::repetition::Recurring;
use super::wording::{quotation, said, spoken};

/// Evidence: the sentence of a remark that names the cause.
pub fn of_remark_evidence(remark: &Remark, language: &Language) -> Evidence {
    let sentence = super::cause::sentence(&remark.text, language);
    Evidence {
        uuid: remark.place.uuid.clone(),
        line: remark.place.line,
        role: Role::Assistant,
        quote: quotation(sentence),
    }
}

/// The person's words, the leading ones first, then what the agent said before and after.
pub fn thread_evidence(members: &[&Moment], lead: usize) -> Vec<Evidence> {
    let mut evidence = vec![of_person(members[lead])];
    for (index, member) in members.iter().enumerate() {
        if index != lead {
            evidence.push(of_person(member));
        }
    }
    let around = [members[0].before.as_ref(), members[lead].reply.as_ref()];
    for place in around.into_iter().flatten() {
        if !evidence.iter().any(|known| known.line == place.place.line) {
            evidence.push(said(place));
        }
    }
    evidence
}

/// What the person said. The option they chose is in the agent's words, and is quoted as such, with what was asked.
fn of_person(moment: &Moment) -> Evidence {
    match &moment.utterance.origin {
        Origin::Answer { question, free_text: false, .. } => {
            let chosen = format!("Claude asked: {question}\nChosen of what Claude offered: {}", moment.own);
            Evidence { quote: chosen, ..spoken(&moment.utterance.place, &moment.own) }
        }
        _ => spoken(&moment.utterance.place, &moment.own),
    }
}

/// Says a rule outright: in a statement of the person's own that is not a paste, and not only a wish about this edit.
pub fn says_rule(features: &Features) -> bool {
    let has = |name: &str| features.get(name) > 0.0;
    let stated = !has("words.asks_last")
        && !has("words.formal")
        && !has("words.pasted")
        && !has("person.review_voice");
    let outright = has("person.rule_outright") && !has("person.rule_unless");
    let promised = has("reply.will_keep") && (has("sum.forbid_statement") || has("sum.standing_statement"));
    stated && !has("words.many") && (outright || promised)
}

/// Tells of an error and rules nothing out: likely a symptom, whatever the words.
pub fn reports_only(features: &Features) -> bool {
    let has = |name: &str| features.get(name) > 0.0;
    has("person.failure") && has("person.report") && !has("person.forbid") && !has("person.standing")
}

/// What made a preference a candidate.
pub fn signal_of(moment: &Moment, features: &Features) -> Signal {
    let has = |name: &str| features.get(name) > 0.0;
    let rejected = matches!(moment.utterance.origin, Origin::Rejection { .. } | Origin::PlanFeedback { .. });
    if has("person.standing")
        || (has("person.standing_here") && (has("person.should") || has("person.forbid")))
        || has("reply.will_keep") && has("person.forbid")
    {
        Signal::StandingRule
    } else if rejected
        || has("reply.apology")
        || has("person.refuse")
        || has("person.wrong")
        || has("person.expected")
        || has("person.already")
        || has("person.doubt")
    {
        Signal::Correction
    } else if has("person.agree") && has("words.few") {
        Signal::Approval
    } else {
        Signal::DesignLock
    }
}

/// The candidate of an error that came again and again, unless a fix tells of it already.
pub fn recurring_error(error: &Recurring, known: &[Candidate]) -> Option<Candidate> {
    let told = known.iter().any(|candidate| {
        candidate.kind == Kind::Fix
            && candidate
                .evidence
                .iter()
                .any(|evidence| error.places.iter().any(|place| place.line == evidence.line))
    });
    if told {
        return None;
    }
    let message = super::phrase::flat(&error.message);
    let mut body = format!("`{}` came {} times in one session.\n", message.replace('`', "'"), error.count);
    for command in &error.commands {
        body.push_str(&format!("\n- while running `{}`", super::phrase::flat(command).replace('`', "'")));
    }
    body.push('\n');
    let evidence = error.places.iter().map(|place| Evidence {
        uuid: place.uuid.clone(),
        line: place.line,
        role: Role::Tool,
        quote: error.message.clone(),
    });
    Some(Candidate {
        kind: Kind::Fix,
        confidence: Confidence::Medium,
        signal: Signal::RepeatedPattern,
        title: super::phrase::title(&format!("Comes again and again: {message}")),
        body,
        rationale: super::reasons::sentence(&CountedReason::SameError.words(error.count)),
        evidence: evidence.collect(),
    })
}
