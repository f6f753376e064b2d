//! Forms of an English sentence that state a rule by themselves, whatever its nouns are: "never …", "next time you …, …", "our
//! convention is …". A model that has not met the nouns is unsure of them; a form is not.

use std::sync::LazyLock;

use regex::Regex;

use super::clause::Clause;
use super::cues;
use super::standing;
use super::words::pattern;

/// How likely a sentence of such a form is a rule, at least: where the form leaves no doubt, and where it may be meant for now.
pub(super) const STATED: f32 = 0.62;
const LIKELY: f32 = 0.31;

/// Words in front of what is said.
static OPENER: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:no\s*[,.!:;–—-]+\s*|(?:in general|please|pls|plz|and|oh|also|btw|by the way|ok|okay|so|but|hey|nope|yes|therefore|hence|reminder|again|careful|important|attention|heads[ -]up|besides|you(?:'d| had) better|fine|thanks|first|second|third|finally)\b[\s,:.!–—-]*)+",
    )
});

static NOD: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r",? (?:ok|okay|please|right|yes|tá|ok|beleza|né|certo|vale|de acuerdo|ja|gut|oder|d'accord|хорошо|ладно|да)\?$",
    )
});

/// Whether a sentence tells something and only asks for a nod: "you may not do that without asking, ok?"
pub(super) fn asks_for_a_nod(text: &str) -> bool {
    let lower = text.to_lowercase();
    let language = cues::language_of(text);
    let lasts = |said: &str| language != 0 && cues::present(said, language).has("from_now");
    NOD.find(&lower)
        .map(|nod| &lower[..nod.start()])
        .is_some_and(|said| FORBIDS.is_match(said) || lasts(said))
}

/// Whether a sentence is a question, and does not end with an operator: "pass errors up with ?".
pub(super) fn is_question(text: &str) -> bool {
    static OPERATOR: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)\b(?:with|using|by|of|the|a) `?\?`?$"));
    text.ends_with(['?', '？']) && !OPERATOR.is_match(text)
}

/// Points at something in front of both: what is said of it is said of now.
static POINTS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(?:this|that|these|those|it|its|it's|that's|again|now|yet|today|tonight|tomorrow|yesterday|earlier|above|below|the ones?|same|rest|back|for a (?:moment|sec(?:ond)?|while)|anything|everything)\b",
    )
});

/// Where the reason of a wish begins: "don't rename columns, they are all in print".
static BECAUSE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?:[,;]|\s[-–—]+) (?:(?:i|we|because|since|so|they|otherwise|it|that)\b|[\w .`-]{2,30} (?:is|are) there for (?:that|this)\b)",
    )
});

/// The wish itself, without its reason.
fn wish(said: &str) -> &str {
    &said[..BECAUSE.find(said).map_or(said.len(), |found| found.start())]
}

/// The place where a rule holds, which points at nothing said before: "the manuals of this project", "in this repo".
static HOME: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(?:this|that|our|the(?: whole| entire)?) (?:project|repo(?:sitory)?|code ?base|code|monorepo|workspace|app|service|team|package|crate|library|site)\b|\b(?:this|our) (?:shop|store|game|cli|tool|plugin|firmware|pipeline|engine|bot|website|paper|thesis|chip|board|target)\b",
    )
});

/// Names one thing that both know.
static DEFINITE: LazyLock<Regex> = LazyLock::new(|| pattern(r"\b(?:the|your|his|her|their)\b"));

/// "Never log personal data", "don't ever amend commits". The word after it must be a verb's plain form.
static COMMAND: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:never|don'?t (?:you )?ever|do not ever|always|only ever)\s+(?:ever\s+)?(?P<verb>[a-z-]+)\s+\S",
    )
});
static NO_COMMAND: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:mind|seen|had|got|been|heard|thought|knew|again|happens?|fail|crash|the|an?|in|on|so|too|there|when|if|worry)$|(?:ed|ing)$|[^su]s$",
    )
});

/// "You must not push", "tests must not touch the network": said of what is done in general.
static FORBIDS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:you|we|nobody|no one|[a-z-]+s|[a-z-]+ [a-z-]+s|(?:[a-z-]+ )?[a-z-]+s (?:for|of|in|from|on) [a-z -]{3,30})\s+(?:(?:must|should|may|shall|can)(?:n'?t| not)? (?:never|ever)|must not|mustn'?t|are not to|aren'?t to|may not|(?:may|can|must|should) only)\b|^[\w .`'/()#\[\]-]{3,50}[\w`')\]] (?:has|have) no business (?:in|on|being|under|inside|outside|anywhere)\b|^[a-z-]+s (?:don'?t|do not|never) get [a-z]+(?:ed|en|t)\b|^[\w .`'/-]{3,50}[\w`'] (?:is|are) (?:both |all |strictly )?(?:not allowed|forbidden|banned|off[ -]limits|off the table|prohibited|taboo)\b",
    )
});

/// "The comma operator is forbidden", and not "the request is forbidden", which a server says.
static FORBIDDEN: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^the (?P<what>[\w .`'/-]{3,40}[\w`']) (?:is|are) (?:forbidden|banned|off[ -]limits|prohibited|taboo)(?:\s+(?:here|in [\w /.-]{3,40}))?[.!]*$",
    )
});
static OF_SERVER: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(?:requests?|access|resources?|urls?|pages?|responses?|operations?|actions?|push|users?|ips?|accounts?|hosts?)$",
    )
});

/// "Every endpoint needs an entry", "handlers must be idempotent", "secrets don't go into the repo", "screenshots are png only".
static OBLIGES: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:every|each|any) (?:new )?(?:[\w-]+ ){1,4}(?:must|needs?|has to|gets?|carries|ends (?:in|with)|starts with|comes with|belongs|goes (?:in|into|to|through))\b|^[a-z-]+s (?:must|are mandatory|have to be)\b|^(?:[a-z-]+ )?[a-z-]+s(?: in [\w -]{3,20})? are [\w`.-]+(?: [\w`.-]+)? only[.!]*$|^(?:[a-z-]+ )?[a-z-]+s only (?:for|in|on|with|as|when|if|after|at) [a-z]|^(?:[a-z-]+ ){0,2}[a-z-]+s (?:get|take|carry|have|use) [^?]{3,60} (?:throughout|everywhere)[.!]*$",
    )
});

/// "Recipes live beside the photos in this repo", "drafts go under notes, not in the root".
static LIVES: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:[a-z-]+ ){1,3}(?:doesn'?t|does not|don'?t|do not|never) (?:go|goes|belong|belongs|live) (?:in|into|on|to|under)\b|^(?:[a-z-]+ ){0,2}[a-z-]+s (?:live|go|belong|sit|stay) .*(?:\bin here\b|(?:,| and) not (?:in|under|on|into) )|^our (?:[a-z-]+ ){0,2}[a-z-]+s (?:start|begin|end|always|never|only|carry|follow|use|live)\b|^leave (?:all )?(?:[a-z-]+ed )?[a-z-]+s alone\b",
    )
});

/// "No plastic in the garden, ever", "no deploys without a ticket": forbids something in general, by what narrows it.
static NONE_OF: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^no (?:more |new )?(?P<what>[\w`.-]+)(?: [\w`.-]+){0,2} (?:in|on|after|before|without|outside|inside|during|between|under|for|by|until|unless|at) [a-z`]\S*|^no (?:more )?(?P<ever>[\w`.-]+)(?: [\w`.-]+){0,4},? (?:please,? )?(?:ever|never|at all|whatsoever)[.!]*$",
    )
});
static NO_THING: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:need|problem|idea|worries|luck|errors?|changes?|differences?|wait|one|rush|clue|way|reason|matter|longer|doubt|time|hurry|response|output|results?|warnings?|i|it|that|this|the|we|you|not|there|but|in|on|use|harm|sign|trace|such|data|question|point|other|module|file|tests?|objections?|pressure|sweat|preference|thanks|questions)$",
    )
});

/// "Only I push to main", "keep your answers short", "replies in French please": who does something, and how the agent is to talk.
static MANNER: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^only i [a-z]+ \S|^(?:please )?(?:short|brief|terse|concise) (?:answers|replies|explanations|summaries|commit messages)\b|^(?:don'?t|do not|no need to|stop|quit) (?:summari[sz]ing|recapping|summari[sz]e|recap|repeat|repeating) (?:what you|your changes|everything you|the changes you)\b|^(?:write|keep|put) (?:[a-z-]+ )?(?:comments|commit messages|docs|documentation|names|titles|descriptions|messages) in (?:english|german|french|spanish|chinese|japanese|russian|portuguese|korean|italian|lower case|upper case|present tense)\b|^(?:for|in) here: \S|^our [\w` .-]+,? so (?:no|don'?t|never|always|only)\b|^i (?:must|have to) insist (?:that|on)\b|^keep (?:your |all |the )?(?:answers?|replies|explanations?|responses?|summaries|messages|commit messages|comments|prs?|pull requests|commits) (?:short|brief|small|terse|concise|simple|focused|to the point)\b|^(?:all )?(?:commit messages|comments|docs|documentation|answers|replies|pr descriptions|variable names|names|error messages) (?:are |go )?(?:always )?in (?:english|german|french|spanish|chinese|japanese|russian|portuguese|korean|italian|lower case|upper case|present tense)\b|\balways in (?:that|this) order\b",
    )
});

/// "You don't cut releases. I do that myself": work that stays the person's.
static MINE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:you (?:don'?t|do not|never) [a-z]+ \S.*|(?:don'?t|do not|never) [a-z]+ \S.*)\b(?:i do (?:that|it|this|them) myself|i'?ll (?:always )?do (?:that|it) myself|that'?s (?:my job|for me to do)|that is my job|only i do that)\b",
    )
});

/// "Don't squash my commits again": what happened must not happen a second time.
static NOT_AGAIN: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"^(?:don'?t|do not|never) (?:you )?(?:ever )?(?P<verb>[a-z-]+) \S.*\bagain[.!]*$")
});

/// "…, keep that in mind for every job you add".
static IN_MIND: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(?:keep|bear) (?:that|this|it) in mind (?:for|when|whenever|in|with) (?:every|each|all|any|new|you|future|later)\b",
    )
});

/// "Remember that staging has no outbound internet".
static REMEMBER: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:remember|keep in mind|bear in mind|for future reference|for the record)\b[\s,:]*(?:that\s+(?P<fact>(?:\S+\s+){4,}\S+)|(?P<what>(?:\S+\s+){4,}\S+))$",
    )
});
static NO_FACT: LazyLock<Regex> = LazyLock::new(|| pattern(r"^(?:to|when|how|what|why|where|the|we|i)\b"));

/// "The rule is one component a file", "…, that's our convention".
static NAMES_RULE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:the|our|my|a|one) (?:\w+ )?(?:rule|convention|policy|guideline)(?: (?:here|for [\w ]{3,30}|in [\w ]{3,30}))?(?: is(?: that)?|:)\s+(?P<what>.+)$|\b(?:is|are|be) (?:our|my|a|the) (?:house |team |general |project )?(?:rule|convention|policy)\b",
    )
});
static NO_RULE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:broken|wrong|not|too|missing|fine|ok|okay|clear|unclear|applied|triggered|failing|firing|in|on)\b",
    )
});

/// "Next time you need a temporary file, …", "going forward …", "…, no exceptions".
static FOR_GOOD: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:get into|make it|make that|adopt) (?:the |a )?habit\b|^(?:next time|any ?time|whenever|every time|each time) you (?P<do>[a-z]+)\b.+,\s*\S|^(?:any ?time|whenever|every time|each time) (?:an?|any|some(?:one|thing)) .+,\s*(?P<take>[a-z]+)|^(?:in (?:the )?future|going forward|moving forward|from (?:now|here|today) on|as a rule|as a general rule|henceforth)\b[\s,:]+(?P<then>[a-z']+)\s+\S+\s+\S|\S+\s+\S+\s+\S+.*,? (?:as a rule|from (?:now|here) on|no exceptions|without exceptions?|going forward)[.!]*$|^[^?]{8,} (?:from (?:now|here) on|going forward),? (?:in|on|for|at|everywhere|both|nothing|no|without|also|wherever|whenever) [^?]{2,60}$|\b(?:you (?:should|must|have to|need to)|please [a-z]+) .*\bin (?:the )?future[.!]*$",
    )
});
/// "Whenever you mix a colour keep a sample of it": what is done each time, without a comma.
static WHENEVER: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:whenever|next time|any ?time|every time|each time) you (?P<do>[a-z]+) (?:[\w./`-]+ ){0,3}(?P<what>[\w./`-]+) (?:please )?(?:always |never |also )?(?:keep|make|add|leave|write|update|put|run|check|tell|copy|bump|mention|include|remember|don't|do not) \S+ \S",
    )
});
/// A name that goes on: "the add button".
static ARTICLE: LazyLock<Regex> = LazyLock::new(|| pattern(r"^(?:the|an?|your|my|our|this|that|to)$"));
static NO_HABIT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:are|can|want|like|get|have|might|could|maybe|will|would|click|press|scroll|i|i'll|we'll|it|this|that|may|feel|think|there|nothing|the|lets|let's|let|we)$",
    )
});

/// "I'd rather have loops than one-liners", "prefer composition over inheritance", "I can't stand nested conditions".
static TASTE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:i |we )?(?:always |generally |usually )?prefer\b.+\b(?:over|to|than|instead of)\s|^i(?:'d| would) (?:much )?rather\b.+\bthan\b|^i (?:really |absolutely )?(?:hate|can'?t stand|cannot stand|don'?t like|do not like|dislike) (?:[a-z-]+ ){0,2}[a-z-]+\b|^i (?:don'?t|do not) (?:want|let|allow) .*\b(?:any|ever|new|more)\b|^i (?:don'?t|do not) (?:let|allow) [a-z]+s?\b|^(?:internally |here |in this repo,? )?we [a-z]+ .*\bexclusively\b",
    )
});

/// "We sort in the query here rather than on the page", "single quotes please, always": how things are done, by what they are not, or by that
/// they always are.
static OUR_WAY: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^we (?P<verb>[a-z]+) (?:.*\bhere,? (?:rather than|instead of|and not|not) \S|.* (?:rather than|instead of) .*\bhere[.!]*$|[^?]*\b(?:across|in|for|on) (?:all|every|each) (?:of )?(?:the |our |my )?[\w-]+(?: [\w-]+)? now[.!]*$)|^(?:[\w`-]+ ){1,4}please,? always\b",
    )
});
static NO_WAY: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:get|got|see|saw|have|had|need|could|should|can|might|were|are|want|just|could|did|will|lost|ended|now)$",
    )
});

/// "You ask me before you touch it, every single time".
static ASK_FIRST: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:always |you (?:always )?|please )?(?:ask|check with|tell|wait for) me (?:first )?before (?:you|anything|any|every)\b",
    )
});
static EVERY_TIME: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"\b(?:each|every)(?: single)? time\b|\balways\b|\bno exceptions\b"));

/// "Pen over pencil please": the one before the other, wished for.
static OVER: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?P<verb>[\w`./-]+)(?: [\w`./-]+){0,2} over (?P<what>[\w`./-]+)(?: [\w`./-]+){0,2},? (?:please|pls|always)[.!]*$",
    )
});
static MOVES: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:go|going|hand|start|move|look|take|bring|put|come|run|read|talk|think|get|turn|check|roll|carry|copy|switch|send|pass|iterate|loop|walk|skip|skim|glance|map|transfer|rebase|connect|hover|step|scroll|fold|reduce|it|that|this|them|there|here|all|everything)$|^(?:the|my|your|our|his|her|their|again|ssh|sftp|https?|vpn|lan|wifi|wireguard|tcp|udp|main|master|to|from|with)$|/|\.[a-z]",
    )
});

/// "Paint crates grey, each and every one": how far a wish goes.
static EVERY_ONE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^[a-z]+ .{4,80}, (?:each and every one|every (?:single )?one of them|also (?:the )?(?:later|new|future) ones)[.!]*$",
    )
});
static RELATIVE: LazyLock<Regex> = LazyLock::new(|| pattern(r"s that\b"));

/// "Stop with the sketches on every page": what was done too often.
static STOP_WITH: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^(?:stop|quit|enough) (?:it )?with (?:all )?(?:the|your) \S"));

/// "Don't reformat lines you didn't change": forbids something in general, or only for now.
static FORBIDS_MANY: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"^(?:don'?t|do not|stop|avoid|quit) (?P<verb>[a-z-]+) (?:[a-z-]+ ){0,3}[a-z-]{2,}[^su\W]s\b")
});

/// What is forbidden in general even where nothing else says so: how something is made, and not what is done next.
static STYLE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:use|amend|squash|mock|hard-?code|swallow|abbreviate|invent|guess|suppress|nest|shadow|introduce|duplicate|copy-?paste|prefix|reformat|inline)$",
    )
});

/// "Use the make targets instead of calling pytest".
static TAKES: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^use (?:\S+ ){1,4}(?:instead of|rather than|over) \S"));
static FOR_NOW: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"^(?:worry|bother|forget|know|think|understand|see|care|need|have|get|want|believe)$")
});

/// "Keep replies under 300 characters", "up to four workers, never more".
static LIMITS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:keep|limit|cap) (?:\S+ ){1,4}(?:under|below|within|to|at) (?:at most )?\d|\d.*, never more\b",
    )
});

/// "Before you drop any table, make a backup": what is done each time.
static EACH_ONE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"^before (?:you|we) [a-z]+ [^:,]*\b(?:any|every|each)\b[^:,]*[:,] (?P<do>[a-z']+) \S")
});

/// "In the game scripts": where something is, which narrows a rule and points at nothing said before.
static PLACE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"\b(?:in|from|into|to|under|within) the [\w-]+(?: [\w-]+)?"));

/// "I don't want the old tag in any of my files".
static WANTS_NONE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^i (?:don'?t|do not) want .*\b(?:in|on|for|at|from) (?:any|each|every)\b"));

/// "Before releasing, tag the commit": what is done each time, where nothing is pointed at.
static EACH_TIME: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^(?:before|after|when|while) [a-z]+ing\b[^,]{0,30}, (?P<do>[a-z']+) \S"));

/// "They just rot", "it makes a review impossible": the reason of a wish, which errands seldom have.
static REASON: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(?:because|since|as it|so that|otherwise|they|is there for (?:that|this)|it (?:makes|breaks|hides|slows|causes|messes|confuses|only|just)|i can't|i can )\b",
    )
});

/// A clause whose form is looked at.
#[derive(Debug, Clone, Copy)]
pub struct Form<'t> {
    /// Its words.
    pub text: &'t str,
    /// What follows it in the message.
    pub after: &'t str,
    /// A part of a sentence.
    pub partial: bool,
    /// One that begins anew.
    pub joined: bool,
}

impl<'t> Form<'t> {
    /// That of a clause of a message.
    pub fn of(clause: &Clause<'t>, message: &'t str) -> Self {
        Self {
            text: clause.text,
            after: message.get(clause.start + clause.text.len()..).unwrap_or_default(),
            partial: clause.partial,
            joined: clause.joined,
        }
    }
}

/// How likely the form of a clause alone makes it a rule.
pub fn stated(form: Form<'_>, language: usize) -> f32 {
    let mut lower = form.text.to_lowercase().replace('’', "'");
    // "…, ok?" asks for a nod.
    lower.truncate(NOD.find(&lower).map_or(lower.len(), |found| found.start()));
    if language != 0 || lower.contains('?') || lower.ends_with(':') {
        return 0.0;
    }
    let opener = OPENER.find(&lower).map_or(0, |found| found.end());
    let lower = HOME.replace_all(&lower[opener..], "here").into_owned();
    // "No we never do that here": an answer, where it forbids nothing.
    let said = lower.trim();
    let said = said.strip_prefix("no ").filter(|_| !forbids_a_thing(said)).unwrap_or(said);
    // What stands behind a colon may be an error's words.
    let forbids = (!form.partial || form.joined)
        && FORBIDS.is_match(said)
        && !said.starts_with("the ")
        && !POINTS.is_match(said);
    let forbidden = || {
        FORBIDDEN.captures(said).is_some_and(|found| !OF_SERVER.is_match(&found["what"]))
            && !POINTS.is_match(said)
    };
    let is_mine = || {
        !form.partial
            && MINE.is_match(&format!(
                "{said} {}",
                form.after.trim_start().to_lowercase().split(['!', '\n']).next().unwrap_or_default()
            ))
    };
    let next = || form.after.trim_start().split(['.', '!', '\n']).next().unwrap_or_default().to_lowercase();
    if forbids || !form.partial && forbidden() || says_for_good(said) || is_mine() {
        return STATED;
    }
    // "Ask me before you hang anything on it. I mean it, each time."
    let asks = || ASK_FIRST.is_match(said) && (EVERY_TIME.is_match(said) || EVERY_TIME.is_match(&next()));
    if (!form.partial || form.joined) && asks() {
        return STATED;
    }
    let stops = || STOP_WITH.is_match(said) && !POINTS.is_match(wish(said));
    if !form.partial && stops() {
        return STATED;
    }
    if form.partial || POINTS.is_match(wish(said)) {
        return 0.0;
    }
    let next = next();
    let is_reason = next.len() < 80 && REASON.is_match(&next);
    match FORBIDS_MANY.captures(said) {
        Some(found)
            if (!DEFINITE.is_match(wish(said))
                || REASON.is_match(said) && !DEFINITE.is_match(&PLACE.replace_all(wish(said), "")))
                && found.name("verb").is_none_or(|verb| !FOR_NOW.is_match(verb.as_str())) =>
        {
            let is_style = found.name("verb").is_some_and(|verb| STYLE.is_match(verb.as_str()));
            if is_style || is_reason || REASON.is_match(said) { STATED } else { LIKELY }
        }
        _ if TAKES.is_match(said) => LIKELY,
        _ => match EACH_TIME.captures(said) {
            Some(found) if !NO_HABIT.is_match(&found["do"]) => LIKELY,
            _ => 0.0,
        },
    }
}

fn forbids_a_thing(said: &str) -> bool {
    !POINTS.is_match(wish(said))
        && !DEFINITE.is_match(wish(said))
        && NONE_OF.captures(said).is_some_and(|found| {
            let what = found.name("what").or_else(|| found.name("ever"));
            what.is_some_and(|what| !NO_THING.is_match(what.as_str()))
        })
}

/// What is made the default for all there will be.
static DEFAULT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:let's |we )?make (?P<what>[\w./`+#-]+(?: [\w./`+#-]+){0,2}) (?:the|our) (?:default|standard|norm)\b",
    )
});

fn says_for_good(said: &str) -> bool {
    // "Make oak the default for new shelves": the thing is named.
    if DEFAULT.captures(said).is_some_and(|found| !POINTS.is_match(&found["what"])) {
        return true;
    }
    let is_free = |pattern: &Regex, names: [&str; 3], no: &Regex| {
        pattern.captures(said).is_some_and(|found| {
            let word = names.iter().find_map(|name| found.name(name));
            word.is_none_or(|word| !no.is_match(word.as_str()))
        })
    };
    let fact = REMEMBER.captures(said).is_some_and(|found| match found.name("fact") {
        Some(fact) => !POINTS.is_match(fact.as_str()),
        None => !POINTS.is_match(said) && !NO_FACT.is_match(&found["what"]),
    });
    let obliges = || {
        !POINTS.is_match(said) && (!DEFINITE.is_match(said) && OBLIGES.is_match(said) || LIVES.is_match(said))
    };
    // "Never send anything after ten" points at nothing.
    let wished = || wish(said).replace("anything", "").replace("everything", "");
    let command = || is_free(&COMMAND, ["verb"; 3], &NO_COMMAND) && !POINTS.is_match(&wished());
    // "Names that say nothing": no one thing is pointed at.
    let plain = RELATIVE.replace_all(said, "s which");
    let plain = plain.replace("anything you ", "what you ");
    let taste = || {
        !POINTS.is_match(&plain)
            && (!DEFINITE.is_match(said) && TASTE.is_match(said) || WANTS_NONE.is_match(said))
    };
    let our_way = || {
        !POINTS.is_match(said.trim_end_matches(['.', '!']).trim_end_matches(" now"))
            && OUR_WAY
                .captures(said)
                .is_some_and(|found| found.name("verb").is_none_or(|verb| !NO_WAY.is_match(verb.as_str())))
    };
    let not_again = || NOT_AGAIN.captures(said).is_some_and(|found| !FOR_NOW.is_match(&found["verb"]));
    fact || not_again()
        || forbids_a_thing(said)
        || MANNER.is_match(said)
        || standing::stands_from_now(said)
        || is_free(&OVER, ["verb"; 3], &MOVES)
            && is_free(&OVER, ["what"; 3], &MOVES)
            && !POINTS.is_match(said)
        || standing::has_changed(said) && !POINTS.is_match(said) && !DEFINITE.is_match(said)
        || IN_MIND.is_match(said)
        || is_free(&FOR_GOOD, ["do", "then", "take"], &NO_HABIT)
        || is_free(&WHENEVER, ["do"; 3], &NO_HABIT) && is_free(&WHENEVER, ["what"; 3], &ARTICLE)
        || is_free(&NAMES_RULE, ["what"; 3], &NO_RULE)
        || is_free(&EACH_ONE, ["do"; 3], &NO_HABIT) && !POINTS.is_match(said)
        || EVERY_ONE.is_match(said) && !POINTS.is_match(&wished())
        || obliges()
        || command()
        || taste()
        || our_way()
        || !POINTS.is_match(said)
            && LIMITS.is_match(said)
            && !(DEFINITE.is_match(said) && said.contains(" at "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alone(text: &str) -> f32 {
        stated(Form { text, after: "", partial: false, joined: false }, 0)
    }

    #[test]
    fn forms_that_state_a_rule() {
        let rules = [
            "pen over pencil please",
            "you ask me before you touch it, every single time",
            "Never log e-mail addresses.",
            "Every lamp goes on fuse three now.",
            "we label shelves in Latin across all our rooms now",
            "the lids have to be glued, that goes for jars, boxes and the lot",
            "stop with the ribbons on every box",
            "No glue on this board.",
            "Room names take a capital letter throughout.",
            "Oh and always quote paths in scripts",
            "Don't ever squash my commits.",
            "You must never edit lock files by hand",
            "Timers must not run in tests.",
            "Wildcard imports are banned.",
            "The comma operator is forbidden.",
            "never mail anything to the list before noon",
            "Careful please: parcels must never stand in the corridor",
            "the old palette is off limits here",
            "Remember that the test server has no camera attached",
            "Our convention is one migration per pull request.",
            "Next time you add a flag, put it into the help as well",
            "going forward put new icons into the sprite",
            "Feature flags get removed after a release, no exceptions.",
            "I'd rather have a longer function than five tiny ones",
            "Prefer iterators over index loops",
            "it's the small font you should use in future",
            "Keep release notes under 20 lines",
            "every new icon needs a label for screen readers",
            "Besides, icons must be drawn in one colour",
            "you may not edit a lock file without asking, ok?",
            "`goto` is forbidden, return early",
            "i don't let bots write to my disk",
            "i can't stand abbreviations",
            "please don't rename variables in passing, they are all in print",
            "get into the habit of closing files",
            "Always write the letters of this project in Latin",
            "Labels for visitors must not hold abbreviations",
            "please don't glue posters - it messes with the paint",
            "don't use abbreviations",
            "we aren't to use brass screws",
            "Glitter has no business in a museum",
            "nails dont get reused here",
            "masks only for painting",
            "in general: brushes belong in the sink and not on the bench",
            "Leave varnished boards alone; sand the new ones",
            "short answers please",
            "don't summarise what you painted at the end",
            "Write code comments in English even if we talk German",
            "05:30 is the earliest start for deliveries now, please stick to it",
            "parcels/ orders go to Olga now",
            "the east wing uses oak doors, keep that",
            "Olga signs parcels from this week",
            "for anything below attic/ the boxes should be sorted by year",
            "don't use nails in this shop, nobody finds them",
            "for this project: two coats, fine sandpaper, no rollers",
            "our paint is water based so no turpentine",
            "i must insist that no real names get onto the labels",
            "before you sand any board, look for nails",
            "I don't want the old glue in any of my frames",
            "our labels start with the shelf number",
            "i can't stand glitter on cards, boxes, anything you make for me",
            "dont leave nails in the boards, the tin is there for that",
            "Don't paint my fences again",
            "no frames around pictures, ever",
            "no visitors after dark",
            "Only I sign letters.",
            "we're on oil paint since May",
            "turpentine() has no business outside of the shed",
            "whenever you mix a colour keep a dated sample of it in the drawer",
            "keep your answers brief",
            "Commit messages in German, even if we talk English",
            "recipes live beside the photos in this repo, not in a folder of their own",
            "Passwords don't go into the wiki",
            "thumbnails are webp only",
            "every parcel carries a number",
            "The queue has to stay short, bear that in mind for every shift you plan",
            "twelve chairs is the ceiling now",
            "make the shelf wider and treat that as the norm for every room",
            "you only need my word for the fragile ones",
            "paint crates grey, each and every one",
            "the guests are our residents from now on, on signs and in letters",
        ];
        let unseen: Vec<_> = rules.into_iter().filter(|text| alone(text) < STATED).collect();
        assert_eq!(unseen, [""; 0]);
    }

    #[test]
    fn forms_that_are_meant_for_now_or_say_what_happens() {
        for text in [
            "hand over the keys please",
            "glance over chairs.md please",
            "connect over vpn please",
            "ask me before you touch it",
            "we could show a map in the future",
            "never mind, found it",
            "never worked for me",
            "it always fails here",
            "Always the same error again",
            "don't touch the footer yet",
            "our tests are red",
            "short answer: yes",
            "before you fix the door, paint it",
            "leave the rest alone",
            "nails only, please",
            "Don't worry about warnings",
            "remember when we moved the server?",
            "remember to push it",
            "the rule is broken since yesterday",
            "whenever you are ready, go on",
            "I'd rather do it later than now",
            "the list must not be empty",
            "the request is forbidden",
            "the push is forbidden here, it says",
            "you must not push this today",
            "should we never cache images?",
            "keep the banner at 20 cm",
            "no changes in there please",
            "no errors after the restart",
            "no, in the other folder",
            "we're on it since this morning",
            "we've been using too much glue since the last fair",
            "whenever you open the add dialog nothing happens",
            "when you get a chance check the old lamp",
            "when you see the old brush throw it away",
            "twelve chairs is the usual number",
            "you only need to wait for me here",
            "treat it as a draft",
        ] {
            assert!(alone(text) < LIKELY, "{text}");
        }
        let form = Form {
            text: "You don't send invoices.",
            after: " I do that myself on Fridays",
            partial: false,
            joined: false,
        };
        assert!(stated(form, 0) >= STATED);
        assert!((alone("don't add comments") - LIKELY).abs() < f32::EPSILON);
    }
}
