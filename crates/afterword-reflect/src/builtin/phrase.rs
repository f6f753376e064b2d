//! Turning a spoken sentence into a title: hedges and fillers off, requests into instructions, bare choices into what was
//! chosen.

use std::sync::OnceLock;

use regex::Regex;

use super::words::{head, pattern};

/// Longest title, in characters.
const TITLE: usize = 158;
/// A clause that ends later in a title that is cut can stand alone, in bytes.
const CLAUSE: usize = 32;

/// What people say before they say something.
fn opening() -> &'static Regex {
    static OPENING: OnceLock<Regex> = OnceLock::new();
    OPENING.get_or_init(|| {
        pattern(
            r"(?i)^(?:(?:[:;]-?[)D(P]\s+)|[\s,.!?:;…—–*>\p{Extended_Pictographic}\u{fe0f}\u{1f3fb}-\u{1f3ff}]+|-+(?:\s|$)|-(?:[^\w-]|$)|['\x22](?:/|~|[a-z]:\\)[^'\x22\n]*\.(?:png|jpe?g|gif|webp|pdf)['\x22]\s*|\S*\.(?:png|jpe?g|gif|webp|pdf)['’)]+\s+|did(?:n'?t)? (?:we|i) (?:not |already )*(?:go through|discuss|talk about|say|agree on|have) (?:this|that|it)(?: before| already)?\s*[,.?!…—–-]+|(?:like|great|cool|perfect|awesome|instead)\s+(?P<stays>there|it|we|you|if|when|once|can|could|let'?s|do|use)\b|instead,\s+|which (?:also )?means(?: that)?\s+|(?:please )?continue to (?P<goes>ensure|make sure|keep|use)\b|(?:\d{1,2}|[a-e])[.)]\s+|(?:no|nope|nah|right|cool|great|good|nice|perfect|(?:no,? )?wait(?:,? no)?)(?:[,.!?;:…—–]+\s*|\s+-+\s+)|(?:ok(?:ay)?|so|and|but|hmm+|hm|yeah|yea|yep|yes|ah+|oh+|eh+h?|uh+|um+|well|actually|also|please|pls|alright|thanks|thank you|sorry|now|then|hey|hi|haha|lol|technically|basically|et|und|außerdem|además|aussi|также|и|honestly|ideally|maybe|perhaps|possibly|likewise|again|btw|fyi|imo|q|for now|at least|in general|to be clear|one (?:more )?(?:thing|question|last thing|last modification)|last thing|as an aside|by the way|of course|on second thought|keep in mind|acutally|all good|also,? as an aside)\b(?:[\s,.!?:;…—–-]+|$)|(?:(?:that'?s|thats|this is|its|it'?s|is) )?(?:fine|okay|ok|good)[,.;:]+\s*|i (?:do |also |still |just |really |honestly )?(?:think|guess|believe|feel|feel like|reckon|suppose|wonder if|mean)(?: (?:that|like))?\b[\s,.:…-]*|(?:i(?:'m| am) (?:just )?)?wondering(?: now)?(?: (?:that|if|whether))?\b[\s,.:…-]*|(?:i(?:'m| am) )?thinking (?:of|about|to)\b\s*|i(?:'m| am) (?:thinking|assuming|pretty sure|not sure but)(?: (?:that|if))?\b[\s,.:…-]*|(?:it )?seems (?:to me )?(?:like|that)\b\s*|(?:my (?:gut|feeling|view|preference) (?:is|says)(?: that)?)\b\s*)",
        )
    })
}

/// What people say after they have said something.
fn closing() -> &'static Regex {
    static CLOSING: OnceLock<Regex> = OnceLock::new();
    CLOSING.get_or_init(|| {
        pattern(
            r"(?i)(?:[\s,.…-]+(?:i(?:'d)? (?:think|guess|reckon|suppose|believe)|imo|imho|though|please|pls|thanks|thank you|i mean|you know|if possible|haha|lol|:\)|;\)|:-\)|😅|😂|🤣|🙃|right\?|yeah\?|hey\?|ok\?|or\?|no\?|tá\?|né\?|beleza\?|certo\?|vale\?|ja\?|oder\?|so (?:this|that)(?:['’]s| is) (?:obsolete|unnecessary|not needed)))+\W*$",
        )
    })
}

/// Requests and wishes that wrap an instruction, with what replaces them.
fn wrappings() -> &'static [(Regex, &'static str)] {
    static WRAPPINGS: OnceLock<Vec<(Regex, &'static str)>> = OnceLock::new();
    WRAPPINGS.get_or_init(|| {
        [
            (r"(?i)^(?:could|can|would|will|should) (?:we|you|u) (?:please |maybe |also |just |perhaps |now )*(?:not )?(?P<rest>\w.*?)\??$", "$rest"),
            (r"(?i)^(?:why )?(?:can'?t|couldn'?t|shouldn'?t|won'?t|cannot) (?:we|you|u|i) (?:not |just |simply |also |maybe |rather )*(?P<rest>\w.*?)\??$", "$rest"),
            (r"(?i)^why (?:not|don'?t (?:we|you)) (?:just |simply |also |maybe |rather )*(?P<rest>\w.*?)\??$", "$rest"),
            (r"(?i)^(?:is|isn'?t|would|wouldn'?t) it (?:not )?(?:be )?(?:better|easier|simpler|cleaner|nicer|best) (?:if we|to)(?: just| rather)? (?P<rest>\w.*?)\??$", "Better: $rest"),
            (r"(?i)^(?:let'?s|lets|let us) (?:please |maybe |just |also |then |now )*not (?P<rest>.+)$", "Do not $rest"),
            (r"(?i)^(?:let'?s|lets|let us) (?:please |maybe |just |also |then |now |instead )*(?P<rest>.+)$", "$rest"),
            (r"(?i)^(?:we|you) (?:should|must|need to|have to|ought to) (?:probably |just |also |really )*(?:not |n't )(?P<rest>.+)$", "Do not $rest"),
            (r"(?i)^(?:we|you) (?:just |really |also |probably )?(?:should|must|need to|have to|ought to) (?:probably |just |also |really )*(?P<rest>.+)$", "$rest"),
            (r"(?i)^(?:(?:regarding|as for|about|concerning) [^,.;]{3,50}, )?(?:i (?:do )?(?:think|guess|believe) )?(?:i lean|i(?:['’]?m| am) (?:starting to |kind of |now )?lean(?:ing)?) towards? (?:the )?using (?P<rest>.+)$", "Use $rest"),
            (r"(?i)^(?:this|that|it) (?:should|must|may|can)(?: not|n['’]?t)? be \w+, (?P<rest>only (?:the|our|an?|new|old|`) ?(?:\S+ ){3,}\S+.*)$", "$rest"),
            (r"(?i)^instead (?P<rest>(?:do|use|keep|take|make|put|call|write|run) .+)$", "$rest"),
            (r"(?i)^(?:we|you) should ?n[o']?t (?P<rest>.+)$", "Do not $rest"),
            (r"(?i)^(?:i|we)(?:'d| would) rather you (?P<rest>(?:did|had|were|was|kept|made|put|ran|used|wrote|went|took|left|[a-z]+ed) .+)$", "I'd rather you $rest"),
            (r"(?i)^(?:i|we)(?:'d| would) (?:rather|prefer|like) (?:to not|not to|we not|we did not) (?P<rest>.+)$", "Do not $rest"),
            (r"(?i)^(?:i|we)(?:'d| would) (?:rather|prefer|like)(?: we)?(?: to)? (?P<rest>(?:add|build|call|check|create|do|drop|extend|extract|fix|get|give|have|hide|include|keep|leave|make|measure|merge|move|name|print|put|remove|rename|replace|run|see|show|sort|split|start|stay|store|test|turn|update|use|wait|write) .+)$", "$rest"),
            (r"(?i)^(?:i|we)(?:'d| would) (?:rather|prefer|like)(?: it)?(?: if)?(?: (?:we|you|to|that))* (?P<rest>.+)$", "Prefer: $rest"),
            (r"(?i)^(?:i|we)(?:'d| would) (?:just |simply |also )*(?P<rest>(?:replace|use|keep|remove|add|put|move|make|call|rename|drop|store|split|skip|avoid) .+)$", "$rest"),
            (r"(?i)^(?:i|we) rather want (?:to )?(?P<rest>.+)$", "Wanted: $rest"),
            (r"(?i)^(?:i|we) (?:want|need) (?:you )?to (?P<rest>.+)$", "$rest"),
            (r"(?i)^(?:i|we) (?:want|need) (?P<rest>.+)$", "Wanted: $rest"),
            (r"(?i)^(?:we|you) (?:do ?n[o']?t|don'?t|dont) (?:really |actually )*need to (?P<rest>.+)$", "No need to $rest"),
            (r"(?i)^i (?:do ?n[o']?t|don'?t|dont) (?:really |actually )*need to (?P<rest>(?:see|read|know|hear|get|have|be) .+)$", "No need to $rest"),
            (r"(?i)^i (?P<rest>(?:do ?n[o']?t|don'?t|dont) (?:really |actually )*need to .+)$", "I $rest"),
            (r"(?i)^(?:we|you|i) (?:do ?n[o']?t|don'?t|dont) (?:really |actually )*need (?P<rest>.+)$", "No need for $rest"),
            (r"(?i)^(?:we|you) (?:can|could) (?:probably |just |actually |also |then |really )*(?P<rest>.+)$", "$rest"),
            (r"(?i)^(?:don'?t|dont|do not) (?P<rest>.+)$", "Do not $rest"),
            (r"(?i)^(?P<when>(?:(?:if|when|once) .+?)?),? ?feel free to (?P<rest>.+)$", "$when, $rest"),
            (r"(?i)^(?:make sure|ensure|be sure),?(?: (?:that|to))? (?P<rest>.+)$", "Make sure $rest"),
        ]
        .into_iter()
        .map(|(text, with)| (pattern(text), with))
        .collect()
    })
}

/// "Create a skill that, before every release, checks the notes", "make sure the guide mentions we only ship on Mondays": the rule that is
/// to be written down.
fn written_down(sentence: &str) -> Option<&str> {
    static WRITES: OnceLock<Regex> = OnceLock::new();
    let writes = WRITES.get_or_init(|| {
        pattern(r"(?i)^(?:please |also |and |let'?s )*(?:create|add|write|put|make sure|ensure|update|note|log|document)\b.{2,60}?\b(?:skill|guide|docs?|readme|note|rules?|claude\.md|agents\.md|checklist|handbook|conventions)\b.{0,90}?\b(?:that|we (?:mention|say|note)(?: that)?|(?:mentions|says|saying|states)(?: that)?|makes sure,?(?: that)?),? (?P<rule>(?:before|after|when|whenever|while|if|always|never|every|we only|we never|we always|do not|don'?t)\b.+)$")
    });
    let rule = writes.captures(sentence)?.name("rule")?.as_str();
    (rule.split_whitespace().count() >= 6).then_some(rule)
}

/// A spoken sentence as an instruction: without what people say before they say something.
pub fn instruction(sentence: &str) -> String {
    let mut rest = flat(sentence);
    if let Some(inside) = rest.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        rest = inside.trim().to_owned();
    }
    // Words that were only quoted, perhaps from the middle of a sentence.
    if let Some(inside) = rest.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'))
        && !inside.contains('"')
    {
        rest = inside.trim_start_matches([',', ';', '.', ' ']).to_owned();
    }
    for _ in 0..12 {
        if let Some(after) = refusal(&rest) {
            rest = after.to_owned();
        }
        let Some(found) = opening().captures(&rest).filter(|found| !found[0].is_empty()) else { break };
        let stays = ["stays", "goes"].iter().find_map(|name| found.name(name));
        let end = stays.map_or(found[0].len(), |stays| stays.start());
        // "no more lints" and "right now" are not openings when nothing is left.
        let after = rest[end..].trim_start();
        // ".gitignore" is a name.
        let before = found[0].strip_suffix('.').filter(|before| before.is_empty() || before.ends_with(' '));
        let is_name = before.is_some() && rest[found[0].len()..].starts_with(char::is_alphanumeric);
        // "So far" is one word.
        let is_far = after.split_whitespace().next().is_some_and(|word| word.eq_ignore_ascii_case("far"));
        if after.split_whitespace().count() < 2 || is_far || is_name {
            break;
        }
        rest = after.to_owned();
    }
    if let Some(found) = closing().find(&rest) {
        rest.truncate(found.start());
    }
    if let Some(rule) = written_down(&rest) {
        rest = rule.to_owned();
    }
    for (pattern, with) in wrappings() {
        let Some(found) = pattern.captures(&rest) else { continue };
        // "We should be told" is no instruction to be told.
        let passive = found.name("rest").is_some_and(|rest| rest.as_str().to_lowercase().starts_with("be "));
        if !passive {
            rest = pattern.replace(&rest, *with).into_owned();
        }
        break;
    }
    if let Some(asked) = rest.trim_end().strip_suffix('?').filter(|asked| !asks(asked)) {
        rest.truncate(asked.len());
    }
    let ends = [',', ' '];
    let trimmed = closed(rest.trim_start_matches(ends));
    capitalise(trimmed.trim_end_matches(['.', ',', ';', ':', '-', '…', ' ', '!']))
}

/// "Link to the guide (its the": without what opens and is never closed, where enough is left.
fn closed(sentence: &str) -> String {
    const LEFT: usize = 4;
    let marks = sentence.matches('`').count();
    let sentence = match sentence.rfind('`') {
        Some(at) if marks % 2 == 1 && sentence[..at].ends_with(' ') && !sentence[at + 1..].contains(' ') => {
            format!("{}{}", &sentence[..at], &sentence[at + 1..])
        }
        _ => sentence.to_owned(),
    };
    let open =
        sentence.rfind('(').filter(|at| !sentence[*at..].contains(')') && !sentence[..*at].ends_with(':'));
    match open.map(|at| sentence[..at].trim_end()) {
        Some(before) if before.split_whitespace().count() >= LEFT => before.to_owned(),
        _ => sentence,
    }
}

/// Whether a sentence with a question mark is a question: "so that should be in the other package?" tells what should be.
fn asks(sentence: &str) -> bool {
    static QUESTION: OnceLock<Regex> = OnceLock::new();
    let question = QUESTION.get_or_init(|| {
        pattern(
            r"(?i)^(?:\W*(?:so|and|but|like|or|then)\s+)*(?:what|which|who|whose|why|how|when|where|is|isn'?t|are|aren'?t|was|wasn'?t|were|do|does|did|don'?t|doesn'?t|didn'?t|can|could|should|would|will|have|has|had|hasn'?t|haven'?t|am|any|shall|may)\b|[,:] (?:what|which|why|how|is|are|do|does|did|can|could|would|or)\b",
        )
    });
    let tells = ["should", "need", "must", "just ", "let's", "lets ", "we could", "better", "want"];
    let lower = sentence.to_lowercase();
    !lower.is_ascii() || question.is_match(sentence) || !tells.iter().any(|word| lower.contains(word))
}

/// What follows a "no" without a comma: "no don't set it", but not "no packages".
fn refusal(text: &str) -> Option<&str> {
    let (no, rest) = text.split_once(' ')?;
    let next = rest.split_whitespace().next()?.to_lowercase();
    let refuses = ["no", "nah", "nope"].contains(&no.to_lowercase().as_str());
    let goes_on = [
        "don't", "dont", "do", "it's", "its", "that's", "thats", "let's", "lets", "we", "you", "i", "just",
        "remove", "not",
    ];
    (refuses && goes_on.contains(&next.as_str())).then_some(rest)
}

/// An idea without when it might be done: "at some point we should measure it, not today".
pub fn postponed(idea: &str) -> String {
    static WHEN: OnceLock<[Regex; 3]> = OnceLock::new();
    let [first, nice, last] = WHEN.get_or_init(|| {
        [
            r"(?i)^(?:at some point|some ?day|later(?: on)?|eventually|one day|in (?:the )?future)[,\s]+",
            r"(?i)^(?:it )?would be (?:cool|nice|great|good|handy|useful|fun) (?:to have|to|if we (?:could|had)|if)\s+",
            r"(?i)[,.;\s]+(?:but\s+)?not (?:now|today|tonight|yet|this (?:week|month|year|sprint))\W*$",
        ]
        .map(pattern)
    });
    let mut rest = idea.to_owned();
    for pattern in [last, first, nice] {
        let without = pattern.replace(&rest, "").trim().to_owned();
        if without.split_whitespace().count() >= 2 {
            rest = without;
        }
    }
    if rest == idea { rest } else { instruction(&rest) }
}

/// What a remark says of a cause, without the announcement ("Found it! The issue is that …").
pub fn statement(sentence: &str) -> String {
    static ANNOUNCEMENT: OnceLock<Regex> = OnceLock::new();
    let announcement = ANNOUNCEMENT.get_or_init(|| {
        pattern(
            r"(?i)^(?:[\s,.!?:;…—–*#\p{Extended_Pictographic}\u{fe0f}-]+|(?:\d{1,2}|[a-e])[.)]\s+|(?:i(?:'ve| have)? )?(?:found|identified) (?:it|the (?:\w+ ){0,2}(?:issue|bug|problem|cause))\b[\s,.!?:;…—–*-]*|looking (?:at|into|through) [^,]{2,60},\s+|(?:the )?(?:\w+ ){0,2}is clear\b[\s,.:;—–-]+|clear:\s*|[\w.-]+ (?:issue|bug|problem) \([^)]*\):\s*|the (?:simplest |real |proper |right |best |correct )?(?:fix|solution) (?:here )?(?:is|would be) to\s+|(?:(?:good|great|nice|excellent) (?:catch|point|question|observation)|found (?:it|the (?:\w+ ){0,2}(?:issue|bug|problem|cause))|there it is|that'?s it|aha|bingo|ah|oh|yes|right|good|great|perfect|ok(?:ay)?|hmm|wait|interesting|excellent|exactly|confirmed|now|so|and|but|well|actually|(?:you're|you are) (?:absolutely |completely )?right)\b[\s,.!?:;…—–*-]*|i (?:can )?(?:now )?see (?:the|what'?s) (?:\w+ )?(?:issue|problem|bug|wrong|happening)\b[\s,.!?:;…—–*-]*|i (?:now )?(?:see|understand|know)(?: now| why)?\b[\s,.!?:;…—–*-]+|(?:the|this|that'?s the|here'?s the) (?:(?:real|actual|root|main|core|underlying) )*(?:issue|problem|bug|culprit|cause|reason)(?: here)?(?: (?:is|was))?(?: (?:that|because))?\b[\s,:*—–-]*|(?:it|this) (?:turns out|looks like)(?: that)?\b\s*|turns out(?: that)?\b\s*|root cause\b[\s,.:;*—–-]*)",
        )
    });
    let mut rest = flat(sentence);
    let numbered = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    if numbered.len() < rest.len()
        && let Some(after) = numbered.strip_prefix(". ")
    {
        rest = flat(after);
    }
    for _ in 0..8 {
        let Some(found) = announcement.find(&rest).filter(|found| !found.is_empty()) else { break };
        let after = rest[found.end()..].trim_start();
        if after.split_whitespace().count() < 4 || goes_on(after) {
            break;
        }
        rest = after.to_owned();
    }
    capitalise(rest.trim().trim_end_matches([':', ',', ';', ' ', '.']))
}

/// Whether words only make sense after what stood before them: "the bug was caused by …".
fn goes_on(text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or_default().to_lowercase();
    [
        "isn't", "wasn't", "is", "was", "not", "caused", "with", "in", "would", "could", "should", "can",
        "and", "of", "for", "only", "comes", "happens", "causes", "because", "about", "likely",
    ]
    .contains(&first.as_str())
}

/// A statement as a title. What stands in parentheses comes off before the words are cut; a subordinate clause is not left alone.
pub fn statement_title(sentence: &str) -> String {
    static ASIDE: OnceLock<[Regex; 2]> = OnceLock::new();
    let [aside, begins_low] = ASIDE.get_or_init(|| {
        [
            r"\s\((?:[^()]|\([^()]*\))*\)",
            r"(?i)^(?:in|at|on|during|after|before|when|while|if|because|since|once|although|both|for|from|with)\b",
        ]
        .map(pattern)
    });
    let whole = statement(sentence);
    if whole.chars().count() <= TITLE {
        return whole;
    }
    let short = aside.replace_all(&whole, "").into_owned();
    let fitted = title(&short);
    let is_main_clause_lost =
        begins_low.is_match(&short) && !fitted.ends_with('…') && fitted.len() < short.len();
    if !is_main_clause_lost {
        return fitted;
    }
    ended_at_a_word(first_letters(&short, TITLE - 2))
}

/// So many letters from the beginning.
fn first_letters(text: &str, most: usize) -> &str {
    let end = text.char_indices().nth(most).map_or(text.len(), |(index, _)| index);
    head(text, end)
}

/// Words that were cut, without the one that may be torn.
fn ended_at_a_word(cut: &str) -> String {
    format!("{} …", cut.rsplit_once(' ').map_or(cut, |(kept, _)| kept))
}

/// Fits a title: one line, at most [`TITLE`] characters, ended at a clause or a word.
pub fn title(text: &str) -> String {
    let text = flat(text);
    if text.chars().count() <= TITLE {
        return text;
    }
    let cut = first_letters(&text, TITLE - 1);
    let clause = [
        ". ",
        "; ",
        " - ",
        " — ",
        " – ",
        ", so ",
        ", because ",
        " because ",
        ", but ",
        ", which ",
        ", and ",
        " (",
        ", ",
    ]
    .iter()
    .filter_map(|mark| cut.rfind(mark))
    .filter(|at| *at > CLAUSE)
    .max();
    // Not inside parentheses: the cut would leave them open.
    let open = cut.rfind('(').filter(|at| *at > CLAUSE && !cut[*at..].contains(')'));
    match open.or(clause) {
        Some(at) => cut[..at].trim_end().to_owned(),
        None => ended_at_a_word(cut),
    }
}

/// One line: white space folded, markdown emphasis and control characters dropped.
pub fn flat(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for word in text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty()) {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(
            &word
                .replace("**", "")
                .replace("__init__", "\u{0}")
                .replace("__", "")
                .replace('\u{0}', "__init__"),
        );
    }
    let unmarked = line.trim_start_matches(['#', '>', '*', '-', ' ']);
    let (before, bare) = (&line[..line.len() - unmarked.len()], unmarked.trim());
    // "--check before anything runs" begins with an option, "- check" with a mark.
    let dashes = &before[before.trim_end_matches('-').len()..];
    let is_option = match dashes {
        "-" => bare.starts_with(char::is_uppercase) || bare.chars().nth(1) == Some(' '),
        "--" => bare.starts_with(|c: char| c.is_ascii_lowercase()),
        _ => false,
    };
    if is_option { format!("{dashes}{bare}") } else { bare.to_owned() }
}

/// The text with its first letter in upper case, unless it begins with a name: a path, a function, `iOS`.
pub fn capitalise(text: &str) -> String {
    let first =
        text.split_whitespace().next().unwrap_or_default().trim_end_matches([',', '.', ':', ';', '!', '?']);
    let word = first.chars().all(|c| c.is_alphabetic() || matches!(c, '\'' | '’' | '-'))
        && !first.chars().skip(1).any(char::is_uppercase);
    let mut chars = text.chars();
    match chars.next() {
        Some(first) if word && first.is_lowercase() => first.to_uppercase().chain(chars).collect(),
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hedges_and_fillers_come_off() {
        let check = |spoken: &str, expected: &str| assert_eq!(instruction(spoken), expected, "{spoken}");
        check("great if its dry feel free to fold the sail", "If its dry, fold the sail");
        check("feel free to fold the sail", "Fold the sail");
        check("every sail should carry the number (its the one", "Every sail should carry the number");
        check(
            "this should not be cut, only the old sail should get the patch",
            "Only the old sail should get the patch",
        );
        check(".sail is in the locker, leave it there", ".sail is in the locker, leave it there");
        check("show it as `[none]", "Show it as [none]");
        check("show it as `[none]`", "Show it as `[none]`");
        check(
            "regarding the ropes, I think I am starting to lean towards the using the old one",
            "Use the old one",
        );
        check("which means every sail needs a number", "Every sail needs a number");
        check("Instead we fold it by hand", "We fold it by hand");
        check("Great sails are folded by hand", "Great sails are folded by hand");
        check("oh, please don't squash branches", "Do not squash branches");
        check("hmm, I think we should put it in the header.", "Put it in the header");
        check("ok so let's not commit in a broken state", "Do not commit in a broken state");
        check("can we add a helper for this?", "Add a helper for this");
        check("I'd rather we keep the old name", "Keep the old name");
        check("I'd prefer if the sail was folded", "Prefer: the sail was folded");
        check("I would prefer not to fold it", "Do not fold it");
        check("I am thinking of folding it by hand", "Folding it by hand");
        check("you just should fold the sail first", "Fold the sail first");
        check("lets instead use two racks", "Use two racks");
        check("'/home/x/some sail (2).png' fold it by hand", "Fold it by hand");
        check("please continue to keep the racks dry", "Keep the racks dry");
        check("we have no racks anymore so this is obsolete", "We have no racks anymore");
        check("i'd rather you asked before each sail", "I'd rather you asked before each sail");
        check("we want to write a just recipe I'd think", "Write a just recipe");
        check("2. this is the weakest option, let's skip it", "This is the weakest option, let's skip it");
        check("no packages, standard library only", "No packages, standard library only");
        check("no, keep the old name here", "Keep the old name here");
        check(
            "create a skill for moving sails or say in the guide that before a move we want to count the ropes",
            "Before a move we want to count the ropes",
        );
        check("so I don't need to make sure the rack is dry", "I don't need to make sure the rack is dry");
        check("i dont need to see every rope", "No need to see every rope");
        check("make sure the bell is rung before it is dark", "Make sure the bell is rung before it is dark");
        check("good error messages matter more", "Good error messages matter more");
        check("no", "No");
        check("yeah", "Yeah");
        check("no don't print it, let's wait", "Do not print it, let's wait");
        check("of course, no function without a check", "No function without a check");
        check("A. is fine, ensure we cache", "Make sure we cache");
        check("(I also think it was early)", "It was early");
        check("we should be summarising the scope", "We should be summarising the scope");
        check("2).png' I want all labels in green", "Wanted: all labels in green");
        check("did we not go through this before, you have no key here", "You have no key here");
        check("all good, but, I would keep the brown paper", "Keep the brown paper");
        check("like there should always be a spare crate", "There should always be a spare crate");
        check("I rather want it for each crate", "Wanted: it for each crate");
        check("keep in mind, the crates go by weight", "The crates go by weight");
        check("like for like, the crates are cheaper", "Like for like, the crates are cheaper");
        check("raw/ is the archive", "raw/ is the archive");
        check("\", exit and run\"", "Exit and run");
        check("\"a\" before \"b\"", "\"a\" before \"b\"");
    }

    #[test]
    fn announcements_come_off() {
        let check = |said: &str, expected: &str| assert_eq!(statement(said), expected, "{said}");
        check("Found it! The issue is that the cache is never cleared.", "The cache is never cleared");
        check("**Root cause:** `nvcc` is not on PATH", "`nvcc` is not on PATH");
        check("I see the problem. We have a circular import here", "We have a circular import here");
        check("I found the issue - on line 7 the path lacks a slash", "On line 7 the path lacks a slash");
        check("Looking at `queue.rs:12`, the lease is never renewed", "The lease is never renewed");
        check("The simplest fix is to add `.cache` to `.gitignore`", "Add `.cache` to `.gitignore`");
        check("The failure is clear — the fixture has no header", "The fixture has no header");
    }

    #[test]
    fn a_statement_that_needs_its_announcement_keeps_it() {
        let kept = "The bug was caused by a cache of the wrong size";
        assert_eq!(statement(kept), kept);
        let kept = "The issue isn't the extraction, it's timing";
        assert_eq!(statement(kept), kept);
        assert_eq!(statement("Good catch - that is a race condition"), "That is a race condition");
    }

    #[test]
    fn ideas_lose_their_when() {
        let check =
            |said: &str, expected: &str| assert_eq!(postponed(&instruction(said)), expected, "{said}");
        check("it would be cool to have a --since flag one day, but not now", "A --since flag one day");
        check("at some point we should notice a swapped meter. not today", "Notice a swapped meter");
        check("later we could mail the missing ones", "Mail the missing ones");
        check("valgrind run someday would be nice", "Valgrind run someday would be nice");
    }

    #[test]
    fn titles_end_at_a_clause() {
        let long = format!("Use one log file per worktree, {}", "word ".repeat(60));
        let cut = title(&long);
        assert!(cut.chars().count() <= TITLE && cut.ends_with('…'), "{cut}");
        assert_eq!(title("short enough"), "short enough");
        let low = format!(
            "When a line of the log is longer than the limit ({}), {}",
            "x".repeat(40),
            "word ".repeat(30)
        );
        let cut = statement_title(&low);
        assert!(
            cut.starts_with("When a line of the log is longer than the limit, word") && cut.ends_with('…'),
            "{cut}"
        );
    }
}
