//! Why a candidate got its confidence, in words. What they say happened is a fact of the session: that files were changed is said
//! where a call changed one, not where the agent said that it would. What somebody only said is told as said.

use super::features::Features;
use super::model::Model;

/// Reasons looked at, the strongest first; some say the same, and some are nothing that one could say.
const LOOKED_AT: usize = 4;

/// One sentence for the person who reviews: what spoke for it and how many messages carry it.
pub fn rationale(model: &Model, features: &Features, messages: usize) -> String {
    let mut said: Vec<&str> = Vec::new();
    for (name, _) in model.reasons(features, LOOKED_AT) {
        if let Some(words) = in_words(name, features).filter(|words| !said.contains(words)) {
            said.push(words);
        }
    }
    said.truncate(3);
    let because = if said.is_empty() {
        "several small signs speak for it together".to_owned()
    } else {
        said.join("; ")
    };
    let over = if messages > 1 { format!(", over {messages} messages") } else { String::new() };
    super::phrase::capitalise(&format!("{because}{over}."))
}

fn in_words(feature: &str, features: &Features) -> Option<&'static str> {
    let has = |name: &str| features.get(name) > 0.0;
    Some(match feature {
        "person.rule_outright"
        | "sum.rule_statement"
        | "person.standing"
        | "sum.standing_statement"
        | "person.standing_here" => "a rule that holds beyond this edit",
        "person.remember" => "you asked to remember it",
        "person.forbid" | "sum.forbid_statement" | "person.should_not" => "something is ruled out",
        "person.should" | "person.want" | "person.lets" | "sum.decides" | "sum.decides_not_asks" => {
            "you decided"
        }
        "person.prefer" | "person.instead" => "one way is preferred to another",
        "person.expected" => "you said what you expected",
        "person.settle" | "person.place" | "person.design" => "a question of design is settled",
        "person.refuse" | "person.wrong" | "person.doubt" | "sum.objects" | "sum.objects_conceded" => {
            "you objected"
        }
        "person.already" | "person.reuse" => "you pointed to what is there already",
        "person.too_much" | "person.scope" => "you narrowed the scope",
        "person.because" => "a reason is given",
        "sum.choice_offered" => "one of the offered options is chosen",
        "person.choice" | "person.which" => "a choice is made",
        "person.put_off" | "person.later" | "sum.put_off_tracker" | "sum.put_off_filed" => "left for later",
        "person.tracker" | "reply.files_it" => "an issue or a list is named for it",
        "reply.apology" => "Claude conceded",
        "reply.concedes" | "sum.question_conceded" | "sum.statement_conceded" => "Claude agreed",
        "reply.admires" | "sum.decides_admired" => "Claude called it a good point",
        "reply.will_keep" => "Claude said that it will keep to it",
        "reply.reverts" | "reply.does" if has("follow.edits") => "Claude changed its work accordingly",
        "before.options" | "before.offers" => "it answers what Claude had offered",
        "before.asks" | "sum.answers_statement" => "it answers what Claude had asked",
        "origin.rejection" => "it was the reason for rejecting a call",
        "origin.plan_feedback" => "it was said to a plan",
        "origin.answer" | "origin.answer_own_words" => "it answers a question Claude put",
        "follow.edits_first" => "files were changed at once",
        "follow.edits" => "files were changed soon after",
        "cause.found" | "cause.root" | "cause.is_cause" | "sum.names_cause" => "Claude names a cause",
        "cause.because" | "cause.explains" => "Claude explains it",
        "cause.confirmed" => "Claude calls it confirmed",
        "lead.failed_last" => "something had failed right before",
        "lead.failures" => "something had failed before",
        "asked_failure" => "you had spoken of an error",
        "asked_report" => "you had said what you saw",
        "follow.edits_next" => "a change followed at once",
        "next_agree" => "you agreed afterwards",
        "next_praise" => "you were content afterwards",
        _ => return None,
    })
}
