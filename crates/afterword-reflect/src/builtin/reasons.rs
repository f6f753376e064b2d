//! Why a candidate got its confidence, in words. What they say happened is a fact of the session: that files were changed is said
//! where a call changed one, not where the agent said that it would. What somebody only said is told as said.

use afterword_core::{CountedReason, KnownReason};

use super::features::Features;
use super::model::Model;

/// Reasons looked at, the strongest first; some say the same, and some are nothing that one could say.
const LOOKED_AT: usize = 4;

/// One sentence for the person who reviews: what spoke for it and how many messages carry it.
pub fn rationale(model: &Model, features: &Features, messages: usize) -> String {
    let mut said: Vec<KnownReason> = Vec::new();
    for (name, _) in model.reasons(features, LOOKED_AT) {
        if let Some(words) = in_words(name, features).filter(|words| !said.contains(words)) {
            said.push(words);
        }
    }
    said.truncate(3);
    let because = if said.is_empty() {
        KnownReason::SmallSigns.words().to_owned()
    } else {
        said.iter().map(|reason| reason.words()).collect::<Vec<_>>().join("; ")
    };
    let over =
        if messages > 1 { format!(", {}", CountedReason::Messages.words(messages)) } else { String::new() };
    sentence(&format!("{because}{over}"))
}

/// These words as a sentence.
pub fn sentence(words: &str) -> String {
    format!("{}.", super::phrase::capitalise(words))
}

fn in_words(feature: &str, features: &Features) -> Option<KnownReason> {
    use KnownReason::*;

    let has = |name: &str| features.get(name) > 0.0;
    Some(match feature {
        "person.rule_outright"
        | "sum.rule_statement"
        | "person.standing"
        | "sum.standing_statement"
        | "person.standing_here" => HoldsBeyond,
        "person.remember" => AskedToRemember,
        "person.forbid" | "sum.forbid_statement" | "person.should_not" => RuledOut,
        "person.should" | "person.want" | "person.lets" | "sum.decides" | "sum.decides_not_asks" => Decided,
        "person.prefer" | "person.instead" => Preferred,
        "person.expected" => Expected,
        "person.settle" | "person.place" | "person.design" => DesignSettled,
        "person.refuse" | "person.wrong" | "person.doubt" | "sum.objects" | "sum.objects_conceded" => {
            Objected
        }
        "person.already" | "person.reuse" => AlreadyThere,
        "person.too_much" | "person.scope" => Narrowed,
        "person.because" => ReasonGiven,
        "sum.choice_offered" => OfferChosen,
        "person.choice" | "person.which" => ChoiceMade,
        "person.put_off" | "person.later" | "sum.put_off_tracker" | "sum.put_off_filed" => LeftForLater,
        "person.tracker" | "reply.files_it" => IssueNamed,
        "reply.apology" => Conceded,
        "reply.concedes" | "sum.question_conceded" | "sum.statement_conceded" => Agreed,
        "reply.admires" | "sum.decides_admired" => GoodPoint,
        "reply.will_keep" => WillKeep,
        "reply.reverts" | "reply.does" if has("follow.edits") => WorkChanged,
        "before.options" | "before.offers" => AnswersOffer,
        "before.asks" | "sum.answers_statement" => AnswersAsked,
        "origin.rejection" => RejectedCall,
        "origin.plan_feedback" => SaidToPlan,
        "origin.answer" | "origin.answer_own_words" => AnswersQuestion,
        "follow.edits_first" => FilesAtOnce,
        "follow.edits" => FilesSoon,
        "cause.found" | "cause.root" | "cause.is_cause" | "sum.names_cause" => CauseNamed,
        "cause.because" | "cause.explains" => CauseExplained,
        "cause.confirmed" => CauseConfirmed,
        "lead.failed_last" => FailedRightBefore,
        "lead.failures" => FailedBefore,
        "asked_failure" => ErrorSpokenOf,
        "asked_report" => SeenSaid,
        "follow.edits_next" => ChangeFollowed,
        "next_agree" => YouAgreed,
        "next_praise" => YouWereContent,
        _ => return None,
    })
}
