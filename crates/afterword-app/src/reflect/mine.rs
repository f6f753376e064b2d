//! One session: read, mined, and cleared of secrets.

use std::path::Path;

use afterword_core::{Candidate, OtherTelling, ProjectKey, SessionId, Signal};
use afterword_reflect::builtin::{Miner, Revision, ToldBefore};
use afterword_reflect::outcome::{OutcomeJudge, SessionOutcome};
use afterword_store::{Observation, Store, TranscriptOutcome};
use afterword_transcript::event::Event;
use afterword_transcript::scan::Scan;
use afterword_transcript::{Report, WebFetch};
use afterword_vault::Lesson;
use jiff::Timestamp;

use super::SessionReflection;
use super::counts::EventCounts;
use super::patterns::Patterns;
use super::remember;
use super::select::SelectedTranscript;
use super::unproven::UnprovenLines;
use crate::error::{EngineCallError, SessionError};
use crate::excluded::{ExcludedLines, place_of};
use crate::model_calls::{Advice, ModelSession};
use crate::redaction::Redaction;
use crate::reflect::select;
use crate::session_files::SessionFiles;
use crate::session_location::{SessionLocation, session_location};
use crate::sessions::Transcript;
use crate::web_cache::{LatestFetches, NamedAddresses, Owner, SessionWeb, WebResultCounts};
use crate::{App, EngineName, Error, excluded, model_calls, naming};

/// What the sessions of one run share.
pub(super) struct MiningContext<'a> {
    pub(super) patterns: Patterns<'a>,
    pub(super) redaction: Redaction,
    pub(super) engine: EngineName,
    pub(super) model_calls: Option<ModelSession<'a>>,
    /// The engine in whose place the built-in one reads.
    pub(super) in_place_of: Option<EngineName>,
}

/// What became of a session.
pub(super) enum MiningOutcome {
    Mined(Box<MinedSession>),
    Skipped(SkippedSession),
}

/// What a session's beginning tells.
pub enum Eligibility {
    /// It may be read; its project, when an entry told it.
    Follow(Option<ProjectKey>),
    /// It is not to be read, as the project is `excluded`, or the session Afterword's `own` or `forgotten`.
    Skipped(&'static str),
}

/// A session that was read.
pub(crate) struct MinedSession {
    pub(crate) selected: SelectedTranscript,
    pub(crate) reflection: SessionReflection,
    pub(crate) observations: Vec<Observation>,
    /// What was said that may change a rule of another session, secrets taken out.
    pub(crate) revisions: Vec<Revision>,
    /// Which candidates earlier sessions asked for too, and in which words.
    pub(crate) told_before: Vec<ToldBefore>,
    pub(crate) report: Report,
    pub(crate) events: EventCounts,
    /// How it ended, where its signals tell.
    pub(super) outcome: Option<SessionOutcome>,
    pub(super) said_at: LineTimes,
    pub(super) engine: EngineName,
    /// The engine in whose place the built-in one stands, because that one could not be heard.
    pub(super) in_place_of: Option<EngineName>,
    /// Why it could not be heard, where it was asked.
    pub(super) engine_error: Option<Error>,
    /// What it fetched from the web, and named of it.
    pub(crate) web: SessionWeb,
    /// It fetched something from the web.
    pub(super) fetched: bool,
    /// The files it worked on that tell its repository.
    pub(super) files: Vec<String>,
}

/// A session that is not to be reflected, remembered so that it need not be looked into again.
pub(super) struct SkippedSession {
    pub(super) selected: SelectedTranscript,
    pub(super) project: ProjectKey,
    pub(super) outcome: TranscriptOutcome,
}

impl SkippedSession {
    pub(super) fn into_error(self) -> Error {
        let (path, project) = (self.selected.path, self.project);
        match self.outcome {
            TranscriptOutcome::Own => SessionError::Own { path }.into(),
            _ => SessionError::Excluded { path, project: project.as_str().to_owned() }.into(),
        }
    }
}

/// Reads and mines the session that was asked for; nothing else is to be done. The rules that come back know its secrets.
pub(crate) fn mine_by_name(
    app: &App,
    argument: &str,
    engine: EngineName,
    store: Option<&Store>,
) -> Result<(MinedSession, Redaction), Error> {
    let selected = select::select_one(app, argument)?;
    let mut mining = MiningContext {
        patterns: Patterns::new(store, naming::remembered_names(app, store)?),
        redaction: app.redaction(),
        engine,
        model_calls: None,
        in_place_of: None,
    };
    match mine(app, &selected, &mut mining, &|| true)? {
        MiningOutcome::Mined(mined) => Ok((*mined, mining.redaction)),
        MiningOutcome::Skipped(passed) => Err(passed.into_error()),
    }
}

/// The session is not to be reflected: the user excludes its project, or Afterword started it. Reads no more of it
/// than its first entries.
fn skip_reason(
    app: &App,
    selected: &SelectedTranscript,
    place: Option<&SessionLocation>,
) -> Option<SkippedSession> {
    let place = place?;
    let is_own = excluded::is_own_work(app, place);
    let excluded = excluded::is_excluded(app, place);
    let outcome = if is_own { TranscriptOutcome::Own } else { TranscriptOutcome::Excluded };
    let (selected, project) = (selected.clone(), place.directory.clone());
    (is_own || excluded).then_some(SkippedSession { selected, project, outcome })
}

/// Looks at the beginning of a session, and remembers where it is not to be reflected.
pub fn eligibility(
    app: &App,
    store: &Store,
    transcript: &Transcript,
    at: Timestamp,
) -> Result<Eligibility, Error> {
    if store.forgotten_sessions().contains(&transcript.session)? {
        return Ok(Eligibility::Skipped("forgotten"));
    }
    let place = session_location(&transcript.path, &app.config.folders)?;
    match skip_reason(app, &SelectedTranscript::of(transcript), place.as_ref()) {
        None => Ok(Eligibility::Follow(place.map(|place| place.project))),
        Some(passed) => {
            remember::remember_skipped(store, &passed, at)?;
            Ok(Eligibility::Skipped(if passed.outcome == TranscriptOutcome::Own {
                "own"
            } else {
                "excluded"
            }))
        }
    }
}

/// Reads and mines one session, unless `goes_on` says no before it is done.
pub(super) fn mine(
    app: &App,
    selected: &SelectedTranscript,
    mining: &mut MiningContext<'_>,
    goes_on: &dyn Fn() -> bool,
) -> Result<MiningOutcome, Error> {
    let place = session_location(&selected.path, &app.config.folders)?;
    if let Some(passed) = skip_reason(app, selected, place.as_ref()) {
        return Ok(MiningOutcome::Skipped(passed));
    }
    let files = place.as_ref().map(|place| SessionFiles::new(&place.directory));
    let project = place.map(|place| place.project);
    let history = mining.patterns.of_other_sessions(project.as_ref(), &selected.session)?;
    mining.redaction.begin_session();
    let redaction = &mining.redaction;
    let excluded = excluded::excluded_lines(app, &selected.path)?;
    let mut reading = SessionReading::new(Miner::new(history), files);
    let (report, latest) = reading.read(&selected.path, &excluded, redaction, goes_on)?;
    let SessionReading { miner, unproven, said_at, events, judge, named, files, redacted, fetched } = reading;
    let mut found = miner.finish();
    unproven.hold_back(&mut found);
    let session = session_of(selected, &report);
    let owner = Owner { session: &session, project: project.as_ref() };
    let web = SessionWeb::of(excluded, &latest, named, owner, redaction);
    let observations = match &project {
        Some(project) => observations(found.observations, project, &session, &said_at, redaction),
        None => Vec::new(),
    };
    if let Some(project) = &project {
        mining.patterns.replace(project, &session, &observations);
    }
    let candidates = clear(found.candidates, redaction);
    let EngineVerdict { candidates, advice, engine_error } = match &mining.model_calls {
        None => EngineVerdict { candidates, advice: None, engine_error: None },
        Some(model_calls) => {
            let source = (selected.path.as_path(), &web.excluded, web.latest.as_slice());
            let about = (&session, project.as_ref());
            let answer =
                model_calls::ask_model(app, model_calls, source, about, candidates.clone(), redaction);
            let mut judged = EngineVerdict::of(answer, candidates)?;
            unproven.mark(&mut judged.candidates);
            judged
        }
    };
    let title = advice.as_ref().map(|advice| advice.account.title.clone()).filter(|title| !title.is_empty());
    Ok(MiningOutcome::Mined(Box::new(MinedSession {
        reflection: SessionReflection {
            session,
            transcript: selected.path.clone(),
            project,
            title: report.title.as_deref().map(|title| redaction.text(title)).or(title),
            started: report.started,
            last_activity: report.last_activity,
            entries: report.entries,
            skipped: report.skipped.clone(),
            candidates,
            redacted,
            advice,
            pages: WebResultCounts::default(),
        },
        selected: selected.clone(),
        observations,
        revisions: revisions(found.revisions, redaction),
        told_before: found.told_before,
        report,
        events,
        // By now every secret of the session is known.
        outcome: judge.finish().map(|outcome| redaction.outcome(outcome)),
        said_at,
        engine: if engine_error.is_some() { EngineName::Builtin } else { mining.engine },
        in_place_of: mining.in_place_of.or(engine_error.is_some().then_some(mining.engine)),
        engine_error,
        fetched: fetched || web.fetched,
        web,
        files: files.map(SessionFiles::finish).unwrap_or_default(),
    })))
}

/// What a session's candidates are after the chosen engine was asked.
struct EngineVerdict {
    candidates: Vec<Candidate>,
    advice: Option<Advice>,
    /// Why it could not be heard of this session; the candidates are the built-in engine's then.
    engine_error: Option<Error>,
}

impl EngineVerdict {
    /// The engine's answer, or what was `found` where this session failed and others may not.
    fn of(
        answer: Result<(Vec<Candidate>, Option<Advice>), Error>,
        found: Vec<Candidate>,
    ) -> Result<Self, Error> {
        match answer {
            Ok((candidates, advice)) => Ok(Self { candidates, advice, engine_error: None }),
            Err(error @ Error::EngineCall(EngineCallError::FailedInSession { .. })) => {
                Ok(Self { candidates: found, advice: None, engine_error: Some(error) })
            }
            Err(error) => Err(error),
        }
    }
}

/// What is gathered while a transcript is read, once and from its beginning to its end.
struct SessionReading<'h> {
    miner: Miner<'h>,
    unproven: UnprovenLines,
    said_at: LineTimes,
    events: EventCounts,
    judge: OutcomeJudge,
    named: NamedAddresses,
    files: Option<SessionFiles>,
    /// Secrets that were taken out.
    redacted: usize,
    /// Something was fetched from the web.
    fetched: bool,
}

impl<'h> SessionReading<'h> {
    fn new(miner: Miner<'h>, files: Option<SessionFiles>) -> Self {
        Self {
            miner,
            unproven: UnprovenLines::default(),
            said_at: LineTimes::default(),
            events: EventCounts::default(),
            judge: OutcomeJudge::default(),
            named: NamedAddresses::default(),
            files,
            redacted: 0,
            fetched: false,
        }
    }

    /// Reads the file without its excluded lines, unless `goes_on` says no before it is done; gives what the web answered last.
    fn read(
        &mut self,
        path: &Path,
        excluded: &ExcludedLines,
        redaction: &Redaction,
        goes_on: &dyn Fn() -> bool,
    ) -> Result<(Report, LatestFetches), Error> {
        let cleaning = |text: &str| redaction.redact_before_cut(text);
        let mut latest = LatestFetches::default();
        let mut fetch = |one: WebFetch| {
            if !excluded.contains_line(one.line) {
                latest.push(one);
            }
        };
        let scan = Scan::new(path).while_true(goes_on).redact_with(&cleaning).web_results(&mut fetch);
        let report = scan.run(&mut |event| {
            if !excluded.contains(&event) {
                self.push(event, redaction);
            }
        })?;
        if report.entries == 0 && report.skipped.total > 0 {
            let problem = "no entry of a Claude Code session in it";
            return Err(SessionError::NotATranscript { path: path.to_owned(), problem }.into());
        }
        if !goes_on() {
            return Err(Error::Cancelled { path: path.to_owned() });
        }
        Ok((excluded.without_title(report), latest))
    }

    fn push(&mut self, event: Event, redaction: &Redaction) {
        let (event, removed) = redaction.event(event);
        self.redacted += removed;
        self.events.add(&event);
        if let Event::Call(call) = &event {
            self.fetched |= ["WebFetch", "WebSearch"].contains(&call.name.as_str());
            self.files.iter_mut().for_each(|files| files.push(call));
        }
        self.named.push(&event);
        self.judge.push(&event);
        self.unproven.push(&event);
        self.said_at.note(&event);
        self.miner.push(&event);
    }
}

/// What was said that may change a rule of another session, secrets taken out.
fn revisions(found: Vec<Revision>, redaction: &Redaction) -> Vec<Revision> {
    let cleared = found.into_iter().map(|one| Revision {
        candidate: redaction.candidate(one.candidate),
        clause: redaction.text(&one.clause),
        said: redaction.text(&one.said),
        answers: one.answers.as_deref().map(|said| redaction.text(said)),
        refused: one.refused.iter().map(|option| redaction.text(option)).collect(),
        undone: one.undone.iter().map(|word| redaction.text(word)).collect(),
        changes: one.changes,
        excepts: one.excepts,
    });
    cleared.collect()
}

impl MinedSession {
    /// Where earlier sessions asked for what a candidate asks for, if it is one of those.
    pub(super) fn earlier_tellings(&self, candidate: &Candidate) -> Option<&[OtherTelling]> {
        let line = candidate.evidence.first()?.line;
        let repeats = candidate.signal == Signal::RepeatedPattern;
        // What was told last of a line is of the candidate that stands.
        let told = self.told_before.iter().rfind(|told| repeats && told.line == line)?;
        Some(&told.earlier)
    }

    /// When a lesson's evidence was said, in milliseconds since 1970.
    pub(super) fn moments(&self, lesson: &Lesson) -> Vec<i64> {
        let lines = lesson.candidate.evidence.iter();
        let times = lines.filter_map(|evidence| self.said_at.line(evidence.line));
        times.map(Timestamp::as_millisecond).collect()
    }
}

/// What is remembered of weak signals, secrets taken out. Without a project there is no history to count over.
fn observations(
    found: Vec<afterword_reflect::builtin::Observation>,
    project: &ProjectKey,
    session: &SessionId,
    said_at: &LineTimes,
    redaction: &Redaction,
) -> Vec<Observation> {
    let observation = |seen: afterword_reflect::builtin::Observation| Observation {
        project: project.clone(),
        session: session.clone(),
        kind: seen.kind,
        topic: redaction.text(&seen.topic),
        quote: redaction.text(&seen.evidence.quote),
        uuid: seen.evidence.uuid,
        line: seen.evidence.line,
        seen_at: said_at.line(seen.evidence.line).unwrap_or_default(),
    };
    found.into_iter().map(observation).collect()
}

/// Takes out of every candidate what only its wording may have brought together, and puts the certain ones first.
fn clear(candidates: Vec<Candidate>, redaction: &Redaction) -> Vec<Candidate> {
    let mut cleared: Vec<Candidate> =
        candidates.into_iter().map(|candidate| redaction.candidate(candidate)).collect();
    cleared.sort_by_key(|candidate| candidate.confidence);
    cleared
}

/// The session's id: the file's name where it is an id, else the last one its entries name (a fork begins with
/// entries of the session it was made from).
fn session_of(selected: &SelectedTranscript, report: &Report) -> SessionId {
    if uuid::Uuid::try_parse(selected.session.as_str()).is_ok() {
        return selected.session.clone();
    }
    let named = report.session_ids.last().and_then(|id| SessionId::parse(id));
    named.unwrap_or_else(|| selected.session.clone())
}

/// When each line was written; a line without a time takes that of the one before.
#[derive(Debug, Default)]
pub(super) struct LineTimes(Vec<(u64, Timestamp)>);

impl LineTimes {
    fn note(&mut self, event: &Event) {
        if matches!(event, Event::Repeat(_) | Event::Rewind(_) | Event::Undelivered(_)) {
            return;
        }
        let place = place_of(event);
        if let Some(time) = place.time {
            self.0.push((place.line, time));
        }
    }

    /// The time of a line.
    pub(super) fn line(&self, line: u64) -> Option<Timestamp> {
        let after = self.0.partition_point(|(at, _)| *at <= line);
        after.checked_sub(1).map(|before| self.0[before].1)
    }
}
