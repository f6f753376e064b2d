//! What of a moment or a remark is weighed: families of expressions present, and what led to it and came of it.
//!
//! Features are plain numbers under stable names (`person.standing`, `follow.edits`), so that the weights of a model can be
//! read by a person and learnt by any tool.

use afterword_transcript::event::Origin;

use super::act::Act;
use super::language::{Families, Language, normalise};
use super::moment::Moment;
use super::remark::Remark;
use super::words::{head, tail};

/// Named numbers.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Features(Vec<(&'static str, f32)>);

impl Features {
    /// Each feature's name and value.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, f32)> {
        self.0.iter().copied()
    }

    /// A feature's value; zero when there is none of that name.
    pub fn get(&self, name: &str) -> f32 {
        self.0.iter().find(|(known, _)| *known == name).map_or(0.0, |(_, value)| *value)
    }

    pub(super) fn put(&mut self, name: &'static str, value: f32) {
        self.0.push((name, value));
    }

    pub(super) fn flag(&mut self, name: &'static str, value: bool) {
        self.put(name, f32::from(u8::from(value)));
    }

    /// Both features at once.
    fn both(&mut self, name: &'static str, one: &str, other: &str) {
        self.put(name, self.get(one) * self.get(other));
    }

    /// 1 when one of the features is there.
    fn any(&self, names: &[&str]) -> f32 {
        f32::from(u8::from(names.iter().any(|name| self.get(name) > 0.0)))
    }
}

/// The features of something a person said; `most` is the most that any of its clauses does.
#[expect(clippy::cast_precision_loss, reason = "counts of words and calls are small")]
pub fn of_moment(moment: &Moment, most: Act, language: &'static Language) -> Features {
    let mut features = Features::default();
    for (name, odds) in ["clause.rule", "clause.lasting", "clause.idea"].into_iter().zip(most.log_odds()) {
        features.put(name, odds);
    }
    let own = normalise(&moment.own);
    families(&mut features, &language.person, &own);
    let before = moment.before.as_ref().map(|said| normalise(tail(&said.text, 1200))).unwrap_or_default();
    families(&mut features, &language.before, before.trim_end());
    let reply = moment.reply.as_ref().map(|said| normalise(head(&said.text, 420))).unwrap_or_default();
    families(&mut features, &language.reply, &reply);

    let words = own.split_whitespace().count();
    features.put("words.log", (1.0 + words as f32).ln());
    features.flag("words.few", words <= 3);
    features.flag("words.usual", (7..=60).contains(&words));
    features.flag("words.many", words > 110);
    features.flag("words.asks_last", own.trim_end().ends_with('?'));
    features.flag("words.asks", own.contains('?'));
    features.flag("words.lines", own.matches('\n').count() >= 2);
    features.flag("words.capital", moment.own.trim_start().starts_with(char::is_uppercase));
    features.flag("words.code", own.contains('`'));
    let pasted = moment.utterance.text.len() as f32 / (1.0 + moment.own.len() as f32);
    features.flag("words.pasted", pasted > 1.5 && moment.utterance.text.len() > 300);
    // Other people's review comments read like documentation: long, capital letters, nobody speaking.
    let formal =
        words > 25 && features.get("person.first_person") == 0.0 && features.get("words.capital") > 0.0;
    features.flag("words.formal", formal);

    let origin = &moment.utterance.origin;
    features.flag("origin.queued", matches!(origin, Origin::Queued));
    features.flag("origin.rejection", matches!(origin, Origin::Rejection { .. }));
    features.flag("origin.plan_feedback", matches!(origin, Origin::PlanFeedback { .. }));
    features.flag("origin.answer", matches!(origin, Origin::Answer { free_text: false, .. }));
    features.flag("origin.answer_own_words", matches!(origin, Origin::Answer { free_text: true, .. }));
    features.flag("origin.command", matches!(origin, Origin::CommandArguments { .. }));
    features.flag("origin.first", moment.index == 0);

    features.put("lead.calls", (1.0 + moment.lead.calls as f32).ln());
    features.flag("lead.edits", moment.lead.edits > 0);
    features.flag("lead.failures", moment.lead.failures > 0);
    features.flag("lead.interrupted", moment.lead.interrupted);
    features.put("follow.calls", (1.0 + moment.follow.calls as f32).ln());
    features.flag("follow.none", moment.follow.calls == 0);
    features.flag("follow.edits", moment.follow.edits > 0);
    features.flag("follow.edits_first", moment.follow.edits_first);
    features.flag("follow.interrupted", moment.follow.interrupted);
    features.flag("follow.short_answer", moment.next_words.is_some_and(|words| words <= 6));

    let objects = features.any(&[
        "person.refuse",
        "person.wrong",
        "person.already",
        "person.doubt",
        "person.expected",
        "person.suggest",
    ]);
    let decides = features.any(&[
        "person.lets",
        "person.want",
        "person.should",
        "person.instead",
        "person.think",
        "person.prefer",
        "person.settle",
        "person.should_not",
        "person.forbid",
    ]);
    let informs_only = features.any(&["person.ask"]);
    features.put("sum.objects", objects);
    features.put("sum.decides", decides);
    features.put("sum.decides_not_asks", decides * (1.0 - informs_only));
    features.put("sum.asks_only", informs_only * (1.0 - objects) * (1.0 - decides));
    features.both("sum.objects_conceded", "sum.objects", "reply.concedes");
    features.both("sum.decides_admired", "sum.decides", "reply.admires");
    features.both("sum.request_asked", "person.request", "words.asks_last");
    features.both("sum.question_conceded", "words.asks_last", "reply.concedes");
    let statement = 1.0 - features.get("words.asks_last");
    features.put("sum.statement_conceded", statement * features.get("reply.concedes"));
    let offered = features.any(&["before.options", "before.asks", "before.offers"]);
    features.put("sum.choice_offered", features.get("person.choice") * offered);
    features.put(
        "sum.answers_statement",
        features.get("before.asks") * statement * (1.0 - features.get("words.few")),
    );
    features.put(
        "sum.rule_statement",
        statement * features.get("person.rule_outright") * (1.0 - features.get("person.rule_unless")),
    );
    features.put("sum.forbid_statement", features.get("person.forbid") * statement);
    features.put("sum.standing_statement", features.get("person.standing") * statement);
    features.both("sum.put_off_tracker", "person.put_off", "person.tracker");
    features.both("sum.put_off_filed", "person.put_off", "reply.files_it");
    features
}

/// What a person says that starts a search for a cause, and the feature it makes.
const ASKED: [(&str, &str); 4] = [
    ("person.cause", "asked_cause"),
    ("person.failure", "asked_failure"),
    ("person.report", "asked_report"),
    ("person.why", "asked_why"),
];
/// How the person went on after it.
const WENT_ON: [(&str, &str); 4] = [
    ("person.agree", "next_agree"),
    ("person.failure", "next_failure"),
    ("person.praise", "next_praise"),
    ("person.refuse", "next_refuse"),
];

/// The features of something the agent said while it looked for a cause.
#[expect(clippy::cast_precision_loss, reason = "counts of words and calls are small")]
pub fn of_remark(remark: &Remark, language: &'static Language) -> Features {
    let mut features = Features::default();
    let text = normalise(&remark.text);
    families(&mut features, &language.cause, &text);
    let named = features.get("cause.found")
        + features.get("cause.root")
        + features.get("cause.is_cause")
        + features.get("cause.sees");
    features.flag("sum.names_cause", named > 0.0);
    let count: f32 = features.iter().map(|(_, value)| value).sum();
    features.put("sum.count", count);
    features.flag("words.code", text.contains('`'));
    features.flag("words.fence", text.contains("```"));
    features.flag("words.bold", text.contains("**"));
    features.put("words.log", (1.0 + text.split_whitespace().count() as f32).ln());
    features.flag("words.few", text.len() < 120);
    features.flag("words.many", text.len() > 1500);
    features
        .flag("words.line_numbers", text.contains("line ") || text.contains(".go:") || text.contains(".ts:"));
    features.flag("words.ends_with_colon", text.trim_end().ends_with(':'));
    features.flag("words.asks_last", text.trim_end().ends_with('?'));
    features.put("lead.failures", (1.0 + remark.failures as f32).ln());
    features.flag("lead.failed_last", remark.failed_last);
    features.put("lead.lookups", (1.0 + remark.lookups as f32).ln());
    features.flag("lead.answers", remark.answers);
    features.flag("follow.edits_next", remark.edits_next);
    features.flag("follow.edits", remark.edits_soon);
    features.flag("follow.none", remark.calls == 0);
    features.flag("follow.worked", remark.worked > 0 && remark.failed == 0);
    let around = [(&remark.person, ASKED), (&remark.next, WENT_ON)];
    for (said, wanted) in around {
        for (family, feature) in wanted {
            let place = language.person.names().position(|name| name == family);
            let present = said.as_ref().zip(place).is_some_and(|(said, place)| said.present[place]);
            features.flag(feature, present);
        }
    }
    features.flag("asked_question", remark.person.as_ref().is_some_and(|said| said.asks));
    features.flag("asked_nothing", remark.person.is_none());
    features
}

fn families(features: &mut Features, families: &'static Families, text: &str) {
    for (name, present) in families.names().zip(families.present(text)) {
        features.flag(name, present);
    }
}
