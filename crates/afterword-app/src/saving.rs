//! Saving a lesson that was asked for by name, and putting a better one in the place of one that counts.
//!
//! No engine found these: an agent gives the words, and says that a person wants them kept. It is believed only where the
//! session's transcript has the person's own command to save, in these words; what else it saves waits for an answer, and no
//! agent can give that answer. They go the same way as lessons that were found: secrets are taken out, the vault is planned
//! and changed, the database is told.

use std::path::PathBuf;

use afterword_core::{
    Candidate, Confidence, Destination, Evidence, KnownReason, LessonKind, ProjectKey, Reason, Role,
    SessionId, Signal,
};
use afterword_transcript::event::{Origin, Utterance};
use afterword_vault::{Lesson, Project, Status};
use jiff::Zoned;

use crate::comparing::{KnownLesson, Promotion, known_lesson};
use crate::error::{NoteError, ReviewError};
use crate::naming::ProjectNames;
use crate::note;
pub use crate::reflect::{SaveOutcome, SaveReport};
use crate::reflect::{promote, save_lesson};
use crate::review::{Decision, EditedWords};
use crate::utterances::{states, typed_parts};
use crate::vault_session::VaultSession;
use crate::{App, Error, naming, review, utterances};

/// The longest title, in characters.
const LONGEST_TITLE: usize = 160;
/// So much of those words is quoted, in characters.
const LONGEST_QUOTE: usize = 600;
/// The longest text, in bytes.
const LONGEST_BODY: usize = 32 * 1024;
/// Why it was saved, where the person asked for it, and where nothing shows that they did.
const ASKED_FOR: &str = KnownReason::SavedByName.words();
const BY_HAND: &str = KnownReason::WrittenByYou.words();
const NOT_ASKED_FOR: &str = KnownReason::SavedByAgent.words();

/// A lesson to be saved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SaveRequest {
    /// What sort of lesson.
    pub kind: LessonKind,
    /// One sentence.
    pub title: String,
    /// Markdown; empty where the title says all.
    pub body: String,
    /// The project it holds in; `None` where it holds everywhere.
    pub project: Option<ProjectKey>,
    /// The session it was asked for in, where that is known.
    pub session: Option<SessionId>,
}

/// What saving in the place of another did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EvolveOutcome {
    /// The new one counts, the old one is marked as superseded.
    Done(Decision),
    /// The new one waits for the person's answer, or there was one that says it; the old one counts as before.
    Saved(SaveReport),
}

/// Saves a lesson: as a note that counts where the person asked for it in these words, else as one that waits for review. What a note says
/// already in other words makes no second one; only the person's own asking lends that evidence, or lets it count.
///
/// # Errors
/// [`NoteError::Unusable`] for words that make no note, [`VaultSetupError::NotChosen`](crate::error::VaultSetupError::NotChosen), [`NoteError::NotWritten`], [`Error::Vault`]
/// and [`Error::Store`].
pub fn save(app: &App, request: &SaveRequest, now: &Zoned) -> Result<SaveReport, Error> {
    let asked = request_of(app, request);
    match asked.as_ref().is_some_and(|asked| asked.verb.is_some()) {
        true => save_new(app, request, Destination::Saved, ASKED_FOR, asked, now),
        false => save_new(app, request, Destination::Review, NOT_ASKED_FOR, asked, now),
    }
}

/// Saves a lesson that the person wrote: it counts at once.
///
/// # Errors
/// As [`save`], and [`ReviewError::PersonAnswers`] where a model asks.
pub fn write_lesson(app: &App, request: &SaveRequest, now: &Zoned) -> Result<SaveReport, Error> {
    if app.is_for_model {
        return Err(ReviewError::PersonAnswers { path: request.title.clone() }.into());
    }
    save_to(app, request, Destination::Saved, BY_HAND, None, now)
}

/// Lays what an agent observed into the inbox: seen once, and not asked for.
///
/// # Errors
/// As [`save`].
pub fn observe(app: &App, request: &SaveRequest, now: &Zoned) -> Result<SaveReport, Error> {
    save_new(
        app,
        request,
        Destination::Inbox,
        KnownReason::ObservedByAgent.words(),
        request_of(app, request),
        now,
    )
}

/// Saves a lesson in the place of `old`, a note that counts (its id, the start of it, or its path), where the person asked
/// for it in these words: the old one stays, marked as superseded, and the decision can be undone. Else the new one waits
/// for review, and says what it is offered in the place of.
///
/// # Errors
/// As [`save`] and [`crate::review::decide::supersede`].
pub fn evolve(app: &App, old: &str, request: &SaveRequest, now: &Zoned) -> Result<EvolveOutcome, Error> {
    let title = active_title(app, old)?;
    let asked = request_of(app, request);
    if !asked.as_ref().is_some_and(|asked| asked.verb == Some(Verb::Evolve)) {
        let rationale = format!("{NOT_ASKED_FOR}; {}", Reason::InPlaceOf { title }.words());
        return Ok(EvolveOutcome::Saved(save_to(app, request, Destination::Review, &rationale, asked, now)?));
    }
    let saved = save_to(app, request, Destination::Review, ASKED_FOR, asked, now)?;
    let known = || NoteError::Unusable { problem: "a note that was deleted said the same" };
    let path = saved.path.ok_or_else(known)?;
    // The person's command, which was found, is their answer.
    let decision = review::supersede(&app.clone().for_person(), &path, old, &EditedWords::default(), now)?;
    Ok(EvolveOutcome::Done(decision))
}

/// What a note is called that another may take the place of.
fn active_title(app: &App, argument: &str) -> Result<String, Error> {
    let index = app.open_vault()?.scan()?;
    let entry = note::find(&index, argument)?;
    match entry.properties.effective_status() {
        Some(Status::Active) => Ok(note::title_of(entry)),
        _ => Err(ReviewError::NotActive { path: entry.path.to_string() }.into()),
    }
}

/// Saves a lesson that no note says, and the person did not reject.
fn save_new(
    app: &App,
    request: &SaveRequest,
    destination: Destination,
    rationale: &str,
    asked: Option<PersonsRequest>,
    now: &Zoned,
) -> Result<SaveReport, Error> {
    let (mut session, lesson, names) = lesson_of(app, request, destination, rationale, asked, now)?;
    match existing_lesson(&mut session, &lesson, now)? {
        Some(saved) => Ok(saved),
        None => write(session, &lesson, names, now),
    }
}

fn save_to(
    app: &App,
    request: &SaveRequest,
    destination: Destination,
    rationale: &str,
    asked: Option<PersonsRequest>,
    now: &Zoned,
) -> Result<SaveReport, Error> {
    let (session, lesson, names) = lesson_of(app, request, destination, rationale, asked, now)?;
    write(session, &lesson, names, now)
}

fn write(
    mut session: VaultSession,
    lesson: &Lesson,
    mut names: ProjectNames,
    now: &Zoned,
) -> Result<SaveReport, Error> {
    let mut saved = save_lesson(&mut session, lesson, now)?;
    if saved.outcome == SaveOutcome::Saved && lesson.destination != Destination::Saved {
        saved.outcome = SaveOutcome::Waits;
    }
    session.store.in_transaction(|store| names.remember(store))?;
    Ok(saved)
}

/// What becomes of a lesson that a note says in other words, or the person rejected. An agent's saying it again lends a note nothing: no
/// evidence, and no certainty.
fn existing_lesson(
    session: &mut VaultSession,
    lesson: &Lesson,
    now: &Zoned,
) -> Result<Option<SaveReport>, Error> {
    let known = known_lesson(&session.index, &session.store, lesson, now.timestamp())?;
    let by_person = lesson.destination == Destination::Saved;
    let place = |session: &VaultSession, id| session.index.by_id(id).map(|entry| entry.path.to_string());
    let (id, outcome) = match known {
        None => return Ok(None),
        Some(KnownLesson::Rejected(_)) if by_person => return Ok(None),
        Some(KnownLesson::Rejected(id)) => (id, SaveOutcome::Rejected),
        Some(KnownLesson::Same(id)) => (id, SaveOutcome::Known),
    };
    if !by_person {
        return Ok(Some(SaveReport { outcome, path: place(session, id) }));
    }
    let waits = session
        .index
        .by_id(id)
        .is_some_and(|entry| entry.properties.effective_status() == Some(Status::Inbox));
    let again = Lesson { strengthens: Some(id), ..lesson.clone() };
    save_lesson(session, &again, now)?;
    if waits {
        let title = Some(lesson.candidate.title.clone());
        promote(session, &[Promotion { note: id, title, again: false }], now)?;
    }
    session.rescan()?;
    let outcome = if waits { SaveOutcome::Saved } else { outcome };
    Ok(Some(SaveReport { outcome, path: place(session, id) }))
}

/// The lesson, with the vault it goes to and the names of the projects.
fn lesson_of(
    app: &App,
    request: &SaveRequest,
    destination: Destination,
    rationale: &str,
    asked: Option<PersonsRequest>,
    now: &Zoned,
) -> Result<(VaultSession, Lesson, ProjectNames), Error> {
    check(request)?;
    let vault_session = VaultSession::begin(app)?;
    let mut names = naming::project_names(app, &vault_session.store)?;
    let project = request.project.as_ref().map(|key| Project { key: key.clone(), name: names.name(key) });
    let redaction = app.redaction();
    let candidate = Candidate {
        kind: request.kind.into(),
        confidence: match destination {
            Destination::Inbox => Confidence::Low,
            _ if rationale == ASKED_FOR || rationale == BY_HAND => Confidence::High,
            _ => Confidence::Medium,
        },
        signal: Signal::Saved,
        title: redaction.text(request.title.trim()),
        body: redaction.text(request.body.trim()),
        rationale: redaction.text(rationale),
        evidence: Vec::new(),
    };
    let session = request.session.clone().or_else(|| SessionId::parse("by-hand"));
    let session = session.ok_or(NoteError::Unusable { problem: "no session" })?;
    let transcript = asked.as_ref().map(|asked| asked.transcript.to_string_lossy().into_owned());
    let mut lesson = Lesson::new(
        candidate,
        session,
        project,
        destination,
        now.timestamp(),
        transcript.unwrap_or_default(),
    );
    // Only now: two lessons that were asked for in the same words are two, so its key is made of its title.
    lesson.candidate.evidence.extend(asked.map(|asked| asked.evidence));
    Ok((vault_session, lesson, names))
}

/// What the person said in the session that a lesson may be asked for with.
fn request_of(app: &App, request: &SaveRequest) -> Option<PersonsRequest> {
    let said = utterances::utterances_in(app, request.session.as_ref()?)?;
    let asks = |said: &&Utterance| {
        let verb = command_of(said).and_then(Verb::of)?;
        let mut typed = words_to_save(said).into_iter().filter_map(|part| verb.lesson_in(part));
        typed.any(|own| states(own, &[&request.title, &request.body])).then_some(verb)
    };
    // The one for this lesson, where there is one, is what it rests on.
    let command = said.utterances.iter().rev().find(|said| asks(said).is_some());
    let verb = command.as_ref().and_then(asks);
    let words = command.or(said.utterances.last())?;
    // Secrets first: one that is cut short is not known for one.
    let quote = excerpt(&app.redaction().text(&words.text));
    let (uuid, line) = (words.place.uuid.clone(), words.place.line);
    let evidence = Evidence { uuid, line, role: Role::User, quote };
    Some(PersonsRequest { transcript: said.transcript, evidence, verb })
}

/// The words after a command among which a lesson may be. What is pasted beside others is somebody else's, and an agent that was led astray
/// chooses among them; a whole that only looks like a paste is what they want saved.
fn words_to_save(said: &Utterance) -> Vec<&str> {
    let typed = typed_parts(said);
    if typed.is_empty() { vec![&said.text] } else { typed }
}

fn command_of(said: &Utterance) -> Option<&str> {
    match &said.origin {
        Origin::CommandArguments { command } => Some(command),
        _ => None,
    }
}

/// What the person said that a lesson may be asked for with.
struct PersonsRequest {
    transcript: PathBuf,
    /// Their command to save this lesson, else what they said last.
    evidence: Evidence,
    /// What they commanded; none where they did not ask for this lesson.
    verb: Option<Verb>,
}

/// What a command asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verb {
    Save,
    Evolve,
}

impl Verb {
    /// What a command of the plugin or a prompt of the server asks for. The client writes which one the person typed.
    fn of(command: &str) -> Option<Self> {
        if !command.contains("memory") && !command.contains("afterword") {
            return None;
        }
        match command.rsplit([':', '_']).next()? {
            "save" => Some(Self::Save),
            "evolve" => Some(Self::Evolve),
            _ => None,
        }
    }

    /// The lesson among a command's words: behind the arrow, where they name the one that makes way, too.
    fn lesson_in(self, words: &str) -> Option<&str> {
        match self {
            Self::Save => Some(words),
            Self::Evolve => words.rsplit(['>', '→']).next(),
        }
    }
}

/// The beginning of what was said, as it stands there.
fn excerpt(text: &str) -> String {
    let text = text.trim();
    let end = text.char_indices().nth(LONGEST_QUOTE).map_or(text.len(), |(at, _)| at);
    text[..end].to_owned()
}

fn check(request: &SaveRequest) -> Result<(), Error> {
    let unusable = |problem| Err(NoteError::Unusable { problem }.into());
    let title = request.title.trim();
    if title.is_empty() {
        return unusable("its title is empty");
    }
    if title.chars().count() > LONGEST_TITLE || title.contains(char::is_control) {
        return unusable("its title is not one line of at most 160 characters");
    }
    if request.body.len() > LONGEST_BODY {
        return unusable("its text is longer than 32 KB");
    }
    Ok(())
}
