//! What a person wants of the thing that is being built ("a poll never blocks"): as firm as a rule, and done with it.

use std::sync::LazyLock;

use regex::Regex;

use super::clause::{announces_rules, is_condition};
use super::cues;
use super::reading::{ReadClause, Reading};
use super::topic::Topic;
use super::words::pattern;

/// Sentences of a first message from which on it is a description of what is to be built.
const DESCRIPTION: usize = 5;
/// How likely a sentence must state a rule to be one all the same.
const ALL_THE_SAME: f32 = 0.5;
/// Families of cues that say of a rule that it is meant for all work.
const FOR_ALL: [&str; 6] = ["from_now", "here", "we_habit", "ask_first", "remember", "prefer"];

/// Whether a clause of a session's first message only describes what that message orders.
pub(super) fn specifies(clause: &ReadClause, reading: &Reading, own: &str) -> bool {
    let text = clause.text(own);
    let for_all = cues::present(text, reading.language).has_any(&FOR_ALL);
    let is_of_thing = || {
        let sentence = reading.sentence_with(clause).text(own);
        let of_its_sentence = || is_of_the_thing(sentence) && !OF_WORK.is_match(text);
        !cues::present(sentence, reading.language).has_any(&FOR_ALL)
            && ((clause.start > 0 || BUILD_IT_SO.is_match(own))
                && (is_of_the_thing(text) || of_its_sentence())
                || reading.language == 0 && stands_under_a_name(clause, own))
    };
    if asks_its_user(text)
        || is_of_what_was_ordered(clause, reading, own)
        || says_what_is_read(text)
        || stands_in_a_text(clause, own)
        || !for_all
            && (is_of_one_of_what_is_ordered(text, clause, reading, own)
                || is_in_an_order(clause, reading, own))
        || !for_all && (is_titled(own) || stands_between_steps(clause, reading, own) || is_of_thing())
    {
        return true;
    }
    if for_all || clause.listed || reading.language != 0 {
        return false;
    }
    if is_of_one_thing(text) && clause.start == 0 {
        return clause.act.rule < ALL_THE_SAME;
    }
    makes_sure_of_what_is_ordered(text, clause, reading, own) || is_one_of_many(clause, reading)
}

/// "I need a queue. It must never block. Always drop the oldest": what stands behind the order of a thing, and what that thing must do, is
/// about the thing, unless it says that it is meant for all work or is about how the work is done.
pub(super) fn describes_what_is_made(clause: &ReadClause, reading: &Reading, own: &str) -> bool {
    let text = clause.text(own);
    let end = clause.start + clause.length;
    // "Old rows go; the job keeps the rest": up to the end of the sentence.
    let end = sentences(reading)
        .find(|next| own.get(end..next.start).is_some_and(|between| between.trim() == ";"))
        .map_or(end, |next| next.start + next.length);
    let until = || sentences(reading).filter(|other| other.start + other.length <= end);
    reading.language == 0
        && !clause.listed
        && !cues::present(text, 0).has_any(&FOR_ALL)
        && !OF_WORK.is_match(text)
        && until().any(|other| other.start < clause.start && orders_a_thing(other.text(own)))
        && until().chain([clause]).any(|other| says_what_it_does(other.text(own)))
}

/// Whether a message orders a thing and goes on with what it must do.
pub(super) fn is_description(reading: &Reading, own: &str) -> bool {
    /// Sentences of a description, at least.
    const SENTENCES: usize = 3;
    reading.language == 0
        && sentences(reading).count() >= SENTENCES
        && sentences(reading).next().is_some_and(|first| orders_a_thing(first.text(own)))
        && sentences(reading).skip(1).any(|other| says_what_it_does(other.text(own)))
}

fn sentences(reading: &Reading) -> impl Iterator<Item = &ReadClause> {
    reading.clauses.iter().filter(|clause| !clause.partial)
}

/// "I need a queue", "write the prompt of the bot".
fn orders_a_thing(text: &str) -> bool {
    static ORDERS: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)^(?:(?:ok|okay|please|so|now|next|hi|hey|let['’]?s|can you|could you)[,.!:]? )*(?:(?:i|we) (?:need|want|would like)|i['’]d like|write|build|make|create|implement|design|draft|code|develop|add|set up|generate|scaffold) (?:me |us |up )?(?:an?|the|our|my|some) ",
        )
    });
    ORDERS.is_match(text)
}

/// "It must never block", "…; the reader has to skip blank lines".
fn says_what_it_does(text: &str) -> bool {
    static DOES: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)(?:^|; (?:and |but )?)(?:it|they|the (?:[\w-]+ ){0,2}[\w-]+) (?:must|should|has to|have to|needs? to|shall|may|can|cannot|can['’]t|will|never|always)\b",
        )
    });
    DOES.is_match(text)
}

/// "…. Build it like that": what stands before it describes the thing.
static BUILD_IT_SO: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)[.!] *(?:please )?(?:build|make|write|do|implement) (?:it|that) (?:like (?:that|this)|that way|so)[.!]*$|[.!] *(?:bau|mach|schreib) (?:es|das|ihn|sie) (?:bitte )?so[.!]*$|[.!] *(?:constrúye|haz|hágase|impleménta)(?:lo|la) así[.!]*$|[.!] *(?:fais|construis|écris)-l[ea] (?:comme ça|ainsi)[.!]*$|[.!] *(?:faz|constrói|implementa)(?: isso|-o|-a)? assim[.!]*$|[.!] *(?:сделай|напиши) (?:его |это )?так[.!]*$",
    )
});

/// "Task: always show the hint twice", "story: …": the text of a ticket.
fn is_titled(own: &str) -> bool {
    static TITLED: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)^\W*(?:task|(?:user )?story|ticket|feature(?: request)?|bug|todo|requirements?|acceptance criteria|spec)\s*(?:#?\d+)?\s*:|(?:^|[.!?\n]\s*)(?:spec|requirements|acceptance criteria)\s*:",
        )
    });
    TITLED.is_match(own)
}

/// "Split the page in two. Keep every name. Then delete the old one": what stands between two steps of one piece of work is about it.
fn stands_between_steps(clause: &ReadClause, reading: &Reading, own: &str) -> bool {
    let end = clause.start + clause.length;
    let goes_on = |other: &ReadClause| {
        let lower = other.text(own).to_lowercase();
        !other.partial
            && other.start >= end
            && (lower.starts_with("then ") || lower.starts_with("afterwards"))
    };
    clause.start > 0 && reading.clauses.iter().any(goes_on)
}

/// "The app has to ask before it deletes anything": of the user, and not of the person who says it.
fn asks_its_user(text: &str) -> bool {
    static ASKS: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)^the (?:[\w-]+ ){0,2}[\w-]+ (?:must|should|has to|needs to|shall|will|may) (?:always |never |not )?ask\b",
        )
    });
    ASKS.is_match(text)
}

/// "Write me kiln.py. It must never hold more than two files": of the thing that the sentence before orders, whatever it works on.
fn is_of_what_was_ordered(clause: &ReadClause, reading: &Reading, own: &str) -> bool {
    static IT: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)^(?:and |but |so |also )*(?:it|they) (?:must|should|has to|have to|needs? to|shall|may|can|cannot|can['’]?t|will|never|always)\b",
        )
    });
    static FILE: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)^(?:(?:ok|okay|please|so|now|hi|hey)[,.!:]? )*(?:write|build|make|create|add|draft) (?:me |us )?[\w/-]+\.[a-z]{1,4}\b",
        )
    });
    static PROCESS: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)\b(?:commit(?:s|ted|ting)?|push(?:es|ed)?|merge[ds]?|branch(?:es)?|prs?|pull requests?|reviews?|deploy(?:s|ed|ment)?|ask me|with me|my (?:ok|okay|approval))\b",
        )
    });
    let sentence = reading.sentence_with(clause);
    let text = sentence.text(own);
    let before = sentences(reading).filter(|other| other.start + other.length <= sentence.start).last();
    IT.is_match(text)
        && !PROCESS.is_match(clause.text(own))
        && before.is_some_and(|before| orders_a_thing(before.text(own)) || FILE.is_match(before.text(own)))
}

/// "The hint should read “Please wait”": the words of a thing.
fn says_what_is_read(text: &str) -> bool {
    static READS: LazyLock<Regex> =
        LazyLock::new(|| pattern(r#"(?i)\b(?:should|must|has to|needs to) (?:read|say|show):? ?["“„«]"#));
    READS.is_match(text)
}

/// "Sign for the door, text: …": what is to be written on a thing.
fn stands_in_a_text(clause: &ReadClause, own: &str) -> bool {
    static TEXT: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)(?:^|[\s.,])(?:(?:the |its )?(?:text|copy|wording|caption|content)|it (?:says|reads)|texte|texto|inhalt)\s?:\s",
        )
    });
    static ON_A_SIGN: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)^[^\n]*\b(?:poster|sign|leaflet|flyer|notice|sticker|banner|handout|placard|plakat|schild|affiche|panneau|cartel|cartaz|плакат)\b[^\n]*[:：]\s*\n",
        )
    });
    [&*TEXT, &*ON_A_SIGN].iter().any(|opens| opens.find(own).is_some_and(|found| clause.start >= found.end()))
}

/// "Write a checker for shelves. A shelf must never lean": of one of the things that the message orders something for.
fn is_of_one_of_what_is_ordered(text: &str, clause: &ReadClause, reading: &Reading, own: &str) -> bool {
    static ONE: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)^(?:and |but |so |also )*(?:an?|each|every) (?P<what>[\w-]+) (?:must|should|has to|needs to|may|can|cannot|can['’]?t|never|always)\b",
        )
    });
    let Some(found) = ONE.captures(text) else { return false };
    !OF_WORK.is_match(text) && is_named_before(&found["what"], clause, reading, own, orders_a_thing)
}

/// "门上要加一个铃，绝对不能太响": a sentence in another language that orders a thing and says what it must be like.
fn is_in_an_order(clause: &ReadClause, reading: &Reading, own: &str) -> bool {
    static ORDERS: LazyLock<Regex> = LazyLock::new(|| {
        pattern(concat!(
            r"(?i)^.{0,12}(?:要|帮我|请|给我)?(?:加|做|写|建|实现|新增|画)(?:一个|个|一张|一份)|^[^。、，]{0,20}を(?:作って|追加して|書いて|実装して)|^[^,.]{0,20}[를을] (?:만들어|추가해|작성해)",
            r"|^(?:bau|schreib|mach|erstelle?|füge?)(?: mir| bitte| uns)? (?:einen?|eine|ein) |^(?:écris|fais|crée|ajoute)(?:-moi)? une? |^(?:escribe|haz|crea|agrega|añade)(?:me)? una? |^(?:escreve|faz|cria|adiciona|põe)(?:-me)? uma? |^(?:напиши|сделай|создай|добавь) ",
        ))
    });
    reading.language != 0 && ORDERS.is_match(reading.sentence_with(clause).text(own))
}

/// "…, and it may never net a refund", "guests can't cancel on the day", "sie muss eine Nummer haben": what the thing and its users do.
fn is_of_the_thing(text: &str) -> bool {
    static DOES: LazyLock<Regex> = LazyLock::new(|| {
        pattern(concat!(
            r"(?i)^(?:and |but |so |also )*(?:it|he|she|they|the (?:[\w'’-]+ ){0,2}[\w-]*[^s\W]|(?:the )?(?:users?|customers?|clients?|guests?|visitors?|players?|members|admins?|patients?|students?|people))",
            r" (?:must|should|has to|have to|needs? to|shall|may|can|can['’]?t|cannot|never|always)\b",
            r"|^(?:und |aber )*(?:der|die|das|er|sie|es) (?:[\wäöüß-]+ ){0,3}(?:darf|dürfen|muss|müssen|soll|sollen|kann|können)\b|, (?:er|sie|es) (?:darf|muss|soll|kann)\b",
            r"|^(?:y |pero )*(?:el|la|los|las) (?:[\wáéíóúñ-]+ ){1,3}(?:deben?|tienen? que|pueden?|nunca|siempre)\b",
            r"|^(?:et |mais )*(?:il|elle|ils|elles|le|la|les) (?:[\wàâçéèêëîïôûù-]+ ){0,3}(?:ne )?(?:doit|doivent|peut|peuvent)\b",
            r"|^(?:e |mas )*(?:o|a|os|as) (?:[\wáâãçéêíóôõú-]+ ){1,3}(?:devem?|têm? que|podem?|nunca|sempre)\b",
        ))
    });
    DOES.is_match(text) && !OF_WORK.is_match(text)
}

/// How the work is done, and not what it gives.
static OF_WORK: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"(?i)\b(?:commit(?:s|ted|ting)?|push(?:es|ed)?|merge[ds]?|rebase|branch(?:es)?|prs?|pull requests?|code|docs?|documentation|comments?|naming|style|changelogs?|readme|migrations?|schema|",
        r"(?:ask|tell|show) me|with me|my (?:ok|okay|approval)|tests?|testing|ci|build|dependenc(?:y|ies)|packages?|install(?:ed)?|libraries|library|functions?|modules?|class(?:es)?|files?|folders?|director(?:y|ies)|",
        r"variables?|types?|imports?|linter|lint|format(?:ter)?|reviews?|releases?|deploy(?:s|ed|ment)?|server|staging|production|prod|secrets?|repo|",
        r"ramas?|ramos?|pruebas?|ficheros?|archivos?|arquivos?|testes?|código|comentarios?|comentários?|nombres?|nomes?|funciones|funções|clases?|dependencias?|dependências?|",
        r"dateien|dateinamen|kommentare?|namen|funktionen|klassen|abhängigkeiten|fichiers?|commentaires?|noms?|fonctions?|dépendances?|(?:when|whenever|before|after|if|unless|until|anything|whatever) you|your)\b",
    ))
});

/// "Country picker. never opens on hover", "prompt of the bot: always in French": the name of the thing, and what is wanted of it.
fn stands_under_a_name(clause: &ReadClause, own: &str) -> bool {
    static NAME: LazyLock<Regex> = LazyLock::new(|| {
        pattern(r"(?i)^\W*(?P<name>(?:[\w’'-]+ ){1,5}[\w’'-]+\s*:|[\w’-]+ [\w’-]+(?: [\w’-]+)?\s*\.)(?:\s|$)")
    });
    let Some(found) = NAME.captures(own) else { return false };
    let name = &found["name"];
    let is_order =
        cues::present(name, 0).has_any(&["order", "must", "forbid", "always", "from_now", "praise", "rules"]);
    let is_aside =
        || ["btw", "by the way"].iter().any(|words| clause.text(own).to_lowercase().contains(words));
    clause.start >= found.get(0).map_or(0, |whole| whole.end())
        && !is_order
        && ![" too ", " is ", " are ", " was "].iter().any(|word| name.to_lowercase().contains(word))
        && !is_aside()
        && !OF_WORK.is_match(name)
        && !is_condition(name)
        && !OF_WORK.is_match(clause.text(own))
        && !announces_rules(name)
}

/// "The side drawer must never hide the clock": a single thing both know, as the subject of an order.
fn is_of_one_thing(text: &str) -> bool {
    static ONE: LazyLock<Regex> = LazyLock::new(|| {
        pattern(r"(?i)^the (?:[\w-]+ ){0,2}[\w-]*[^s\W] (?:must|should|has to|needs to|always|never|may)\b")
    });
    ONE.is_match(text)
}

/// "Poll the gate. Make sure a poll never blocks": of the thing that the sentence before orders.
fn makes_sure_of_what_is_ordered(text: &str, clause: &ReadClause, reading: &Reading, own: &str) -> bool {
    static SURE: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)^(?:please |and |also )*(?:make sure|ensure|see to it)(?: that)? (?:an?|the|each|every) (?P<what>[\w-]+)\b",
        )
    });
    let Some(found) = SURE.captures(text) else { return false };
    is_named_before(&found["what"], clause, reading, own, |_| true)
}

/// Whether one of the sentences before a clause names a thing.
fn is_named_before(
    what: &str,
    clause: &ReadClause,
    reading: &Reading,
    own: &str,
    counts: impl Fn(&str) -> bool,
) -> bool {
    let what = Topic::of(what);
    let before = sentences(reading).filter(|other| other.start + other.length <= clause.start);
    let before: Vec<Topic> =
        before.map(|other| other.text(own)).filter(|other| counts(other)).map(Topic::of).collect();
    what.words().any(|word| before.iter().any(|topic| topic.words().any(|known| known == word)))
}

/// One firm sentence among many that describe what is to be built.
fn is_one_of_many(clause: &ReadClause, reading: &Reading) -> bool {
    let whole = || reading.clauses.iter().filter(|other| !other.partial);
    let rules = whole().filter(|other| other.act.rule >= 0.3).count();
    clause.act.rule < ALL_THE_SAME && rules <= 1 && whole().count() >= DESCRIPTION
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin::act::Act;

    fn clause(own: &str, text: &str, rule: f32) -> ReadClause {
        ReadClause {
            start: own.find(text).unwrap(),
            length: text.len(),
            listed: false,
            partial: false,
            joined: false,
            act: Act { rule, lasting: rule, idea: 0.0 },
            changes: 0.0,
            before_promise: None,
        }
    }

    fn reads(sentences: &[(&str, f32)]) -> (String, Reading) {
        let own = sentences.iter().map(|(text, _)| *text).collect::<Vec<_>>().join(" ");
        let clauses = sentences.iter().map(|(text, rule)| clause(&own, text, *rule)).collect();
        (own, Reading { clauses, language: 0 })
    }

    #[test]
    fn what_an_ordered_file_must_do_is_no_rule_whatever_it_works_on() {
        let order = ("write me kiln.py.", 0.0);
        let (own, reading) =
            reads(&[order, ("it must never read more than two files, sort always by date", 0.6)]);
        assert!(specifies(&reading.clauses[1], &reading, &own));
        let (own, reading) = reads(&[order, ("it must never be merged without a review", 0.6)]);
        assert!(!specifies(&reading.clauses[1], &reading, &own));
    }

    #[test]
    fn what_the_ordered_thing_does_is_no_rule() {
        let (own, reading) =
            reads(&[("Poll the gate every minute.", 0.0), ("Make sure a poll never blocks.", 0.45)]);
        assert!(specifies(&reading.clauses[1], &reading, &own));
        let (own, reading) = reads(&[("The side drawer must never hide the clock", 0.4)]);
        assert!(specifies(&reading.clauses[0], &reading, &own));
        let (own, reading) = reads(&[("The gate has to ask before it opens.", 0.8)]);
        assert!(specifies(&reading.clauses[0], &reading, &own));
    }

    #[test]
    fn what_the_thing_of_a_session_and_its_users_do_is_no_rule() {
        let order = ("Next is the seat plan of the ferry.", 0.0);
        for told in [
            "Guests can never book the same seat twice.",
            "it must always show the free ones first",
            "Sie darf nie zwei Plätze zugleich zeigen.",
        ] {
            let (own, reading) = reads(&[order, (told, 0.7)]);
            assert!(specifies(&reading.clauses[1], &reading, &own), "{told}");
        }
        let (own, reading) = reads(&[("Seat picker.", 0.0), ("never opens on hover", 0.7)]);
        assert!(specifies(&reading.clauses[1], &reading, &own));
        for told in [
            "it must never be merged without a review",
            "Customers must always be called guests in this repo",
        ] {
            let (own, reading) = reads(&[order, (told, 0.7)]);
            assert!(!specifies(&reading.clauses[1], &reading, &own), "{told}");
        }
    }

    #[test]
    fn text_of_a_ticket_and_steps_are_no_rules() {
        let (own, reading) = reads(&[("Task: always show the hint twice", 0.8)]);
        assert!(specifies(&reading.clauses[0], &reading, &own));
        let (own, reading) = reads(&[
            ("Split the page in two.", 0.0),
            ("Keep every name.", 0.5),
            ("Then delete the old one.", 0.0),
        ]);
        assert!(specifies(&reading.clauses[1], &reading, &own));
    }

    #[test]
    fn what_stands_behind_an_order_and_what_its_thing_must_do_is_about_the_thing() {
        let ordered = ("I need a queue for the kiln.", 0.0);
        let does = ("It must never hold two trays.", 0.1);
        let firm = ("Always drop the oldest.", 0.62);
        let (own, reading) = reads(&[ordered, does, firm]);
        assert!(describes_what_is_made(&reading.clauses[2], &reading, &own));
        let (own, reading) = reads(&[ordered, firm]);
        assert!(!describes_what_is_made(&reading.clauses[1], &reading, &own));
        let (own, reading) = reads(&[ordered, does, ("Never push it without asking me.", 0.8)]);
        assert!(!describes_what_is_made(&reading.clauses[2], &reading, &own));
    }

    #[test]
    fn rule_beside_an_order_stays_one() {
        let (own, reading) =
            reads(&[("Poll the gate every minute.", 0.0), ("Never commit a dump of its answers.", 0.45)]);
        assert!(!specifies(&reading.clauses[1], &reading, &own));
        let (own, reading) = reads(&[("The changelog must name every ticket from now on", 0.4)]);
        assert!(!specifies(&reading.clauses[0], &reading, &own));
    }

    #[test]
    fn one_firm_sentence_of_a_long_description_is_part_of_it() {
        let told = [
            ("I need a label printer page.", 0.0),
            ("Two columns.", 0.1),
            ("Oldest first.", 0.1),
            ("Never more than ten on a page.", 0.34),
            ("The button goes beside Save.", 0.1),
        ];
        let (own, reading) = reads(&told);
        assert!(specifies(&reading.clauses[3], &reading, &own));
        let (own, reading) = reads(&[told[0], ("Never more than ten on a page.", 0.8)]);
        assert!(!specifies(&reading.clauses[1], &reading, &own));
    }
}
