//! Why a candidate got its confidence, in words.

/// One sentence for the person who reviews: what spoke for it, how many messages carry it, and its score in percent: what the
/// learnt weights gave it, against the bars of its kind, not how often such a thing is right.
pub fn rationale(probability: f32, reasons: &[(&str, f32)], messages: usize) -> String {
    let mut said: Vec<&str> = Vec::new();
    for (name, _) in reasons {
        if let Some(words) = in_words(name).filter(|words| !said.contains(words)) {
            said.push(words);
        }
    }
    said.truncate(3);
    let because =
        if said.is_empty() { "taken together, small signs speak for it".to_owned() } else { said.join("; ") };
    let over = if messages > 1 { format!(", over {messages} messages") } else { String::new() };
    let sentence = format!("{because}{over} (score {:.0} of 100).", f64::from(probability) * 100.0);
    super::phrase::capitalise(&sentence)
}

fn in_words(feature: &str) -> Option<&'static str> {
    Some(match feature {
        "person.rule_outright"
        | "sum.rule_statement"
        | "person.standing"
        | "sum.standing_statement"
        | "person.standing_here" => "a rule that holds beyond this edit",
        "person.remember" => "asked to be remembered",
        "person.forbid" | "sum.forbid_statement" | "person.should_not" => "something is ruled out",
        "person.should" | "person.want" | "person.lets" | "sum.decides" | "sum.decides_not_asks" => {
            "the person decides"
        }
        "person.prefer" | "person.instead" => "one way is preferred to another",
        "person.expected" => "the person says what was expected",
        "person.settle" | "person.place" | "person.design" => "a question of design is settled",
        "person.refuse" | "person.wrong" | "person.doubt" | "sum.objects" | "sum.objects_conceded" => {
            "the person objects"
        }
        "person.already" | "person.reuse" => "the person points to what is there already",
        "person.too_much" | "person.scope" => "the person narrows the scope",
        "person.because" => "a reason is given",
        "person.choice" | "sum.choice_offered" | "person.which" => "one of the offered options is chosen",
        "person.put_off" | "person.later" | "sum.put_off_tracker" | "sum.put_off_filed" => "left for later",
        "person.tracker" | "reply.files_it" => "it goes to an issue or a list",
        "reply.concedes" | "reply.apology" | "sum.question_conceded" | "sum.statement_conceded" => {
            "the agent conceded"
        }
        "reply.admires" | "sum.decides_admired" => "the agent took it up as the better way",
        "reply.will_keep" => "the agent promised to keep to it",
        "reply.reverts" | "reply.does" => "the agent changed its work accordingly",
        "before.options" | "before.offers" | "before.asks" | "sum.answers_statement" => {
            "it answers what the agent had asked"
        }
        "origin.rejection" | "origin.plan_feedback" => "it was the reason for rejecting a call",
        "origin.answer" | "origin.answer_own_words" => "it answers a question the agent put",
        "follow.edits" | "follow.edits_first" => "files were changed at once",
        "cause.found" | "cause.root" | "cause.is_cause" | "cause.sees" | "sum.names_cause" | "sum.count" => {
            "the agent names a cause"
        }
        "cause.because" | "cause.explains" => "it is explained",
        "cause.confirmed" => "it was confirmed",
        "lead.failed_last" | "lead.failures" | "asked_failure" | "asked_report" => {
            "something had failed right before"
        }
        "follow.edits_next" => "the fix followed at once",
        "next_agree" | "next_praise" => "the person was content afterwards",
        _ => return None,
    })
}
