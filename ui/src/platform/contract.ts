// Made of the types of the program; changes made here are lost.
// UPDATE=1 cargo test -p afterword-desktop --features contract --lib contract

/** What the page may ask: each command with its arguments and its answer. */
export type Commands = {
  about: { request: [], answer: About },
  overview: { request: [], answer: Overview },
  route: { request: [], answer: string },
  quit: { request: [], answer: void },
  queue: { request: [], answer: Array<QueueLine> },
  item: { request: [{ id: string }], answer: Item },
  answer: { request: [{ answer: Answer }], answer: AnswerReport },
  answers: { request: [], answer: Array<RecordedAnswer> },
  undo: { request: [{ decisions: Array<number> }], answer: UndoResult },
  conflicts: { request: [], answer: Array<Conflict> },
  resolve_conflict: { request: [{ path: string, resolution: Resolution }], answer: boolean },
  binding: { request: [{ id: string, given: Array<string> }], answer: Binding },
  bind: { request: [{ id: string, given: Array<string>, seen: Array<string> }], answer: Binding },
  unbind: { request: [{ id: string, once: boolean }], answer: LiftOutcome },
  lessons: { request: [{ request: LessonsRequest }], answer: LessonList },
  lesson: { request: [{ id: string }], answer: Lesson },
  archive: { request: [{ id: string, archived: boolean }], answer: void },
  archive_many: { request: [{ ids: Array<string>, archived: boolean }], answer: void },
  lesson_history: { request: [{ id: string }], answer: Array<LessonEvent> },
  usefulness: { request: [], answer: Usefulness },
  ideas: { request: [], answer: Array<Idea> },
  research_idea: { request: [{ idea: string }], answer: string },
  mark_idea: { request: [{ id: string, mark: IdeaMark }], answer: void },
  stats: { request: [], answer: Stats },
  spend: { request: [{ days: number }], answer: Spend },
  write_lesson: { request: [{ lesson: WrittenLesson }], answer: SavedLesson },
  plan_export: { request: [{ request: ExportRequest }], answer: ExportPlan },
  write_export: { request: [{ request: ExportRequest, seen: Array<string> }], answer: void },
  plan_import: { request: [{ source: ImportSource }], answer: ImportPlan },
  write_import: { request: [{ source: ImportSource, chosen: Array<string> }], answer: ImportPlan },
  choose_file: { request: [], answer: string | null },
  pick_file: { request: [{ name: string }], answer: string | null },
  open_note: { request: [{ path: string }], answer: void },
  open_in_obsidian: { request: [{ id: string }], answer: void },
  open_vault: { request: [], answer: void },
  open_link: { request: [{ address: string }], answer: void },
  sessions: { request: [{ latest: number | null }], answer: Array<SessionLine> },
  find: { request: [{ query: string, project: string | null, onlyMe: boolean }], answer: FindResult },
  timeline: { request: [{ session: string, agent: string, line: number | null }], answer: SessionReading },
  session_events: { request: [{ session: string }], answer: Array<SessionEvent> },
  tool_result: { request: [{ session: string, agent: string, call: string, line: number }], answer: ToolResult | null },
  session_text: { request: [{ session: string }], answer: string },
  export_session: { request: [{ session: string, html: boolean }], answer: string | null },
  resume_session: { request: [{ session: string }], answer: void },
  restore_session: { request: [{ session: string }], answer: void },
  learned: { request: [{ session: string }], answer: Array<LessonLine> },
  given: { request: [{ session: string }], answer: Array<Injection> },
  surroundings: { request: [{ session: string, uuid: string, line: number }], answer: Surroundings },
  reflect: { request: [{ session: string, again: boolean }], answer: Ordered },
  reflect_all: { request: [], answer: ReflectionResult },
  stop_reflecting: { request: [], answer: void },
  activity: { request: [], answer: Activity },
  job_log: { request: [{ job: string }], answer: Array<JobLog> },
  cancel_job: { request: [{ job: string }], answer: void },
  retry_job: { request: [{ job: string }], answer: void },
  pause: { request: [{ paused: boolean }], answer: void },
  tasks: { request: [{ archived: boolean }], answer: Array<Task> },
  task: { request: [{ id: string }], answer: TaskDetail },
  plan_task: { request: [{ when: string }], answer: Plan },
  task_needs: { request: [{ words: string }], answer: TaskNeeds },
  mute_task: { request: [{ id: string, muted: boolean }], answer: void },
  new_task: { request: [{ wanted: NewTask }], answer: string },
  say_in_task: { request: [{ id: string, words: string }], answer: MessageEffect },
  move_task: { request: [{ id: string, step: TaskStep }], answer: void },
  reschedule_task: { request: [{ id: string, when: string }], answer: void },
  limit_task: { request: [{ id: string, limits: Limits }], answer: void },
  connections: { request: [], answer: Array<Connection> },
  connect: { request: [{ name: string }], answer: SignInReport },
  disconnect: { request: [{ name: string }], answer: void },
  add_connection: { request: [{ name: string, settings: ConnectionSettings }], answer: void },
  remove_connection: { request: [{ name: string }], answer: void },
  projects: { request: [], answer: Array<ListedProject> },
  plan_projects: { request: [{ wish: ProjectChangeRequest }], answer: ProjectChange },
  change_projects: { request: [{ wish: ProjectChangeRequest }], answer: ProjectChangeReport },
  undo_projects: { request: [], answer: ProjectChange },
  keys: { request: [], answer: Array<Key> },
  set_key: { request: [{ engine: string, key: string }], answer: void },
  delete_key: { request: [{ engine: string }], answer: void },
  settings: { request: [], answer: Array<Setting> },
  set_setting: { request: [{ key: string, values: Array<string> }], answer: void },
  add_to_setting: { request: [{ key: string, items: Array<string> }], answer: void },
  engine_offer: { request: [], answer: EngineOffer },
  try_engine: { request: [{ engine: string }], answer: EngineTrial },
  use_claude_code: { request: [{ dailyUsd: number }], answer: EngineTrial | null },
  autostart: { request: [], answer: boolean },
  set_autostart: { request: [{ on: boolean }], answer: void },
  doctor_checks: { request: [], answer: Array<Check> },
  setup: { request: [], answer: Setup },
  pick_folder: { request: [], answer: string | null },
  choose_vault: { request: [{ folder: string }], answer: ChosenVault },
  begin: { request: [], answer: void },
  hooks: { request: [], answer: Hooks },
  set_hooks: { request: [{ on: boolean }], answer: void },
};

/** Facts about the running program. */
export type About = {
  version: string,
};

/** What runs and ran. */
export type Activity = {
  jobs: Array<Job>,
  watched: Array<WatchedReflection>,
};

/** Why the agent, or a job of its queue, is not as it is wanted. */
export type AgentError = {
  "is": "no-such-job",
  /** What was asked for. */
  job: string,
} | {
  "is": "job-not-over",
  /** The job. */
  job: string,
  /** Where it stands. */
  status: JobStatus,
};

/** Some amounts. */
export type AmountSummary = {
  /** Of so many sessions. */
  sessions: number,
  /** On average. */
  average: number,
  /** The largest. */
  most: number,
};

/** An answer as the window gives it. */
export type Answer = {
  "verdict": "approve",
  ids: Array<string>,
} | {
  "verdict": "keepboth",
  ids: Array<string>,
} | {
  "verdict": "skip",
  ids: Array<string>,
} | {
  "verdict": "archive",
  ids: Array<string>,
} | {
  "verdict": "reject",
  ids: Array<string>,
  reason: string,
  everywhere: boolean,
} | {
  "verdict": "edit",
  id: string,
  title: string,
  body: string,
} | {
  "verdict": "supersede",
  id: string,
  old: string,
  title: string | null,
  body: string | null,
};

/** What became of an answer. */
export type AnswerReport = {
  decisions: Array<Decision>,
  failures: Array<Failure>,
};

/** How the window looks. */
export type Appearance = "system" | "light" | "dark";

/** The five figures, over all time. */
export type AttemptFigures = {
  /** Attempts stored by agents, and judged from sessions. */
  reflection_store_count: number,
  /** Searches. */
  reflection_search_count: number,
  /** The share of searches that found something that fits, from 0 to 1; none before the first. */
  reflection_hit_rate: number | null,
  /**
   * The share of attempts that succeed in sessions that were given lessons, less the share in the others; none before
   * there are both.
   */
  outcome_improvement_rate: number | null,
  /** Lessons and attempts that another session than their own came to read. */
  cross_session_reuse: number,
};

/** How an attempt ended. */
export type AttemptOutcome = "success" | "partial" | "failure";

/** A lesson's checks, and whether anybody asks them. */
export type Binding = {
  /** Claude Code asks before a tool runs. */
  is_asked: boolean,
  /** The note. */
  id: NoteId,
  /** Its file below the vault. */
  path: string,
  /** The lesson. */
  title: string,
  /** Its project's name; empty where it holds everywhere. */
  project: string,
  /** The checks, a line each; none where nothing can be proposed. */
  checks: Array<string>,
  /** Where they come from. */
  source: CheckSource,
  /** Why nothing can bind as it stands: a check of the note that cannot be read, or a note that does not count. */
  problem: string | null,
  /** They bind already. */
  binds: boolean,
  /** What they would have caught. */
  past: PastMatches,
};

/** What is counted. */
export type CalendarUnit = "days" | "weeks" | "months";

/** Which way projects change. */
export type ChangeKind = "join" | "split";

/** One thing that was looked at. */
export type Check = {
  /** What was looked at. */
  name: string,
  /** How it ended. */
  verdict: CheckVerdict,
  /** What was found. */
  message: string,
  /** What to do. */
  advice: string | null,
  /** The error that was found, as a value: for a face with words of its own. */
  because: Problem | null,
};

/** How often checks held. */
export type CheckFigures = {
  /** Lessons that bind now. */
  binding: number,
  /** Calls that were stopped and turns that were sent on, of all lessons that ever bound. */
  held: number,
  /** The sessions this was in. */
  sessions: number,
  /** Of these sessions, those for which the person lifted the check. */
  lifted: number,
  /** Since when it is known; the log has a limited length. */
  since: string | null,
};

/** Where a proposed check comes from. */
export type CheckSource = "given" | "note" | "words";

/** How a check ended. */
export type CheckVerdict = "ok" | "warn" | "fail";

/** A vault that was set up. */
export type ChosenVault = {
  vault: string,
  in_obsidian: boolean,
  installed: number,
};

/** Why Claude Code did not do what it was asked. */
export type ClientProblem = {
  "is": "start",
  /** The program. */
  path: string,
  /** What the system said. */
  detail: string,
} | {
  "is": "too-old",
  /** The program. */
  path: string,
  /** The option. */
  option: string,
} | {
  "is": "too-long",
  /** What it was allowed. */
  seconds: number,
} | {
  "is": "session-gone"
} | {
  "is": "too-expensive"
} | {
  "is": "unavailable",
  /** In its own words. */
  detail: string,
} | {
  "is": "failed",
  /** In its own words, or how it ended. */
  detail: string,
} | {
  "is": "other",
  /** What, in English. */
  detail: string,
};

/** What a question that Afterword itself asks is about. */
export type Concern = "consent" | "failure" | "runs" | {
  "reconnect": string
};

/** How sure Afterword is that the user would want the candidate kept. */
export type Confidence = "high" | "medium" | "low";

/** Why a setting cannot be read or written. */
export type ConfigError = {
  "is": "unusable",
  /** The file. */
  path: string,
  /** The line, from 1. */
  line: number,
  /** The key concerned; empty where the file is no TOML. */
  key: string,
  /** What is wrong. */
  because: Problem,
  /** What to do about it, where the problem does not say it. */
  advice: string | null,
} | {
  "is": "unknown",
  /** The key. */
  key: string,
  /** A key that may have been meant. */
  meant: string | null,
} | {
  "is": "bad-value",
  /** The key. */
  key: string,
  /** What is wrong with the value. */
  because: Problem,
};

/** Two versions of one note that a person has to decide about. */
export type Conflict = {
  /** The note, below the vault's root. */
  path: string,
  /** What the note is called; its file's name where it has no title. */
  title: string,
  /** The other version's file; `null` where git left both in one. */
  copy: string | null,
  /** What made it, as people call it; `null` where two machines wrote one lesson. */
  tool: string | null,
  /** The note's version. */
  here: string,
  /** The other version. */
  there: string,
  /** Nothing has to be decided: the versions can be joined without losing anything. */
  can_be_joined: boolean,
};

/** A connection as faces show it. */
export type Connection = {
  /** What conversations call it. */
  name: string,
  /** The server turned a run away that was not signed in. */
  needs_sign_in: boolean,
  /** When the person signed in to it. */
  signed_in_at: string | null,
  /** When it was made. */
  created_at: string,
} & ({
  "type": "stdio",
  /** The program. */
  command: string,
  /** Its arguments. */
  arguments: Array<string>,
  /** Variables it is given, which are no secrets. */
  variables: { [key in string]: string },
  /** Variables it is given as they are in the agent's own environment, by name. */
  passed_on: Array<string>,
} | {
  "type": "http",
  /** Its address. */
  url: string,
  /** The client that the person registered where one signs in to it, if that is needed. */
  client?: OwnClient,
});

/** Why a connection cannot be kept or used. */
export type ConnectionError = {
  "is": "no-such",
  /** What was asked for. */
  name: string,
} | {
  "is": "unfit",
  /** What it is called. */
  name: string,
  /** Why not. */
  because: Problem,
} | {
  "is": "no-address-secret",
  /** What it is called. */
  name: string,
} | {
  "is": "sign-in",
  /** What it is called. */
  name: string,
  /** Why. */
  because: Problem,
} | {
  "is": "sign-in-needed",
  /** What it is called. */
  name: string,
};

/** How a tool server is reached. */
export type ConnectionSettings = {
  "type": "stdio",
  /** The program. */
  command: string,
  /** Its arguments. */
  arguments: Array<string>,
  /** Variables it is given, which are no secrets. */
  variables: { [key in string]: string },
  /** Variables it is given as they are in the agent's own environment, by name. */
  passed_on: Array<string>,
} | {
  "type": "http",
  /** Its address. */
  url: string,
  /** The client that the person registered where one signs in to it, if that is needed. */
  client?: OwnClient,
};

/** A conversation's id. */
export type ConversationId = string;

/** Where a conversation stands. */
export type ConversationStatus = "active" | "background" | "waiting_input" | "archived";

/** Why a conversation cannot be kept, changed or gone on with. */
export type ConversationsError = {
  "is": "no-such",
  /** What was asked for. */
  argument: string,
} | {
  "is": "ambiguous",
  /** What was asked for. */
  argument: string,
  /** How many it fits. */
  count: number,
  /** Some of those it fits. */
  conversations: Array<string>,
} | {
  "is": "unfit",
  /** Why not. */
  because: Problem,
} | {
  "is": "person-widens",
  /** What goes beyond what is allowed. */
  problem: string,
} | {
  "is": "person-consents",
  /** What people call it. */
  title: string,
} | {
  "is": "closed",
  /** What people call it. */
  title: string,
} | {
  "is": "refused",
  /** What people call it. */
  title: string,
  /** Why. */
  because: Problem,
} | {
  "is": "bad-schedule",
  /** As they were given. */
  words: string,
  /** Why not. */
  because: Problem,
} | {
  "is": "project-budget-spent",
  /** The project. */
  project: string,
  /** What was spent. */
  spent: number,
  /** `budget.per_project_usd`. */
  most: number,
} | {
  "is": "budget-spent",
  /** Which one. */
  limit: string,
  /** What was spent. */
  spent: number,
  /** What may be. */
  most: number,
} | {
  "is": "not-replied",
  /** Why. */
  because: Problem | null,
};

/** A reason with a number in it. */
export type CountedReason = "sessions" | "times" | "earlier-sessions" | "same-error" | "mended-after" | "messages";

/** What a decision did. */
export type Decision = {
  /** Its number, by which it can be undone. */
  id: number,
  /** What was decided. */
  verdict: Verdict,
  /** The note. */
  note: NoteId,
  /** Its title now. */
  title: string,
  /** Where it is now, below the vault's root. */
  path: string,
  /** The lesson it took the place of. */
  superseded: NoteId | null,
};

/** What the desktop app itself cannot do. */
export type DesktopError = {
  "is": "reflecting"
} | {
  "is": "lesson-changed"
} | {
  "is": "no-check",
  /** What is wrong with it, in English. */
  detail: string,
  /** What a check may be. */
  forms: string,
} | {
  "is": "gone",
  /** Where it was. */
  path: string,
} | {
  "is": "not-opened",
  /** What was to be opened. */
  path: string,
  /** What the system said. */
  detail: string,
} | {
  "is": "no-web-page"
} | {
  "is": "no-program",
  /** The address. */
  address: string,
  /** What the system said. */
  detail: string,
} | {
  "is": "no-terminal"
} | {
  "is": "terminal-failed",
  /** Its program. */
  name: string,
  /** What the system or it said. */
  detail: string,
} | {
  "is": "nothing-to-resume"
} | {
  "is": "not-written",
  /** The file. */
  path: string,
  /** What the system said. */
  detail: string,
} | {
  "is": "tray-gone"
} | {
  "is": "not-obsidian"
} | {
  "is": "no-command"
};

/** An error of this app, beside those of the program. */
export type DesktopProblem = {
  "about": "desktop"
} & DesktopError;

/** A row: one call. */
export type EngineCall = {
  /** When it was made. */
  asked_at: string,
  /** What for. */
  purpose: string,
  /** The job it was part of. */
  job: JobId | null,
  /** The engine. */
  engine: string,
  /** The model, as the provider named it. */
  model: string,
  /** The session it was about; empty where it was about none. */
  session: string,
  /** Its project; empty where unknown. */
  project: string,
  /** Tokens read. */
  input_tokens: number,
  /** Tokens written. */
  output_tokens: number,
  /** US dollars; what it could cost at most while it is under way. */
  usd: number,
  /** It has no end yet: its money is only reserved. */
  under_way: boolean,
  /** Why it gave nothing usable. */
  problem: string | null,
};

/** Why an engine is not asked, or gave nothing usable. */
export type EngineCallError = {
  "is": "sends-nothing"
} | {
  "is": "no-model"
} | {
  "is": "no-key",
  /** The engine. */
  engine: EngineName,
  /** Where the key would be sent. */
  host: string,
} | {
  "is": "unknown-key",
  /** The name. */
  name: string,
} | {
  "is": "unknown-engine",
  /** What was asked for. */
  name: string,
} | {
  "is": "no-client"
} | {
  "is": "failed",
  /** The engine. */
  engine: EngineName,
  /** Why. */
  because: Problem,
} | {
  "is": "failed-in-session",
  /** The engine. */
  engine: EngineName,
  /** The session. */
  session: SessionId,
  /** Why. */
  because: Problem,
} | {
  "is": "already-researched",
  /** The page. */
  path: string,
};

/** An engine's name, as `engine.name` and `--engine` have it. */
export type EngineName = "builtin" | "claude-code" | "anthropic" | "openai-compatible";

/** What an engine would take and cost. */
export type EngineOffer = {
  /** The engine. */
  engine: EngineName,
  /** It is the one in use. */
  in_use: boolean,
  /** The model; empty for the person's own choice in Claude Code. */
  model: string,
  /** Why it cannot be asked now. */
  problem: string | null,
  /** The same as a value, for a face with words of its own. */
  because: Problem | null,
  /** Sessions that are there. */
  sessions: number,
  /** Those that would be asked about, by the share of the latest ones. */
  asked_about: number,
  /** Tokens a session takes, read and written: the median of those that would be asked about. */
  tokens_a_session: number,
  /** US dollars a session; absent where no price is known. */
  usd_a_session: number | null,
  /** US dollars for all that is there. */
  usd_for_all: number | null,
  /** Sessions a week that would be asked about, at the person's pace. */
  sessions_a_week: number,
  /** US dollars a week at that pace. */
  usd_a_week: number | null,
  /** What the price rests on, in words. */
  priced_by: string,
  /** The same as a value, for a face with words of its own. */
  price_basis: PriceBasis,
  /** `budget.daily_usd`; absent for no limit. */
  daily_usd: number | null,
};

/** Why an engine gave nothing usable. */
export type EngineProblem = {
  "is": "address",
  /** The address. */
  url: string,
} | {
  "is": "unreachable",
  /** The address. */
  url: string,
  /** It is on this machine. */
  local: boolean,
  /** What the connection said, in English. */
  detail: string,
} | {
  "is": "too-long",
  /** The address. */
  url: string,
  /** What it was allowed. */
  seconds: number,
} | {
  "is": "key",
  /** The address. */
  url: string,
  /** The status of the answer. */
  status: number,
} | {
  "is": "busy",
  /** The address. */
  url: string,
  /** The status of the answer. */
  status: number,
  /** When to try again. */
  seconds: number,
} | {
  "is": "request",
  /** The address. */
  url: string,
  /** The status of the answer. */
  status: number,
  /** In its own words. */
  detail: string,
} | {
  "is": "declined",
  /** In its own words. */
  detail: string,
} | {
  "is": "cut-off",
  /** Tokens until then. */
  tokens: number,
} | {
  "is": "small-context",
  /** The address. */
  url: string,
} | {
  "is": "invalid",
  /** What is wrong, in English. */
  detail: string,
} | {
  "is": "budget",
  /** The setting of the limit. */
  limit: string,
  /** US dollars spent. */
  spent: number,
  /** US dollars the next call may cost. */
  next: number,
} | {
  "is": "no-price",
  /** The model. */
  model: string,
} | {
  "is": "other",
  /** What, in English. */
  detail: string,
};

/** What engines cost. */
export type EngineStats = {
  /** Calls. */
  calls: number,
  /** Tokens read. */
  input_tokens: number,
  /** Tokens written. */
  output_tokens: number,
  /** US dollars. */
  usd: number,
};

/** A test question that was answered. */
export type EngineTrial = {
  /** The engine. */
  engine: EngineName,
  /** Tokens read. */
  input_tokens: number,
  /** Tokens written. */
  output_tokens: number,
  /** US dollars it cost, where that is known. */
  usd: number | null,
  /** Seconds it took. */
  seconds: number,
};

/** Words a lesson rests on. */
export type Evidence = {
  /** Who wrote them. */
  role: Role,
  /** The words. */
  quote: string,
  /** The session's id, or its beginning where the note has no more. */
  session: string,
  /** The entry's uuid; empty where it has none. */
  uuid: string,
  /** The entry's line in the transcript, counted from 1. */
  line: number,
  /** The day. */
  date: string | null,
  /** The transcript, while Claude Code keeps it. */
  transcript: string | null,
  /** The session can be read: Claude Code keeps the transcript, or there is a copy of it. */
  can_be_read: boolean,
  /** What was said and done around it, secrets taken out; empty in a list, and where the transcript is gone. */
  turns: Array<ExcerptEntry>,
};

/** Something said or done near a piece of evidence. */
export type ExcerptEntry = {
  /** Its line in the transcript, counted from 1. */
  line: number,
  /** Who: a call of the agent counts as the tool's. */
  role: Role,
  /** What, cut to some hundred characters. */
  text: string,
  /** It is the evidence itself. */
  is_evidence: boolean,
};

/** Why lessons are not written to a file. */
export type ExportError = {
  "is": "link",
  /** The link. */
  path: string,
  /** Where it leads. */
  target: string,
} | {
  "is": "linked-folder",
  /** The file. */
  path: string,
  /** The link. */
  folder: string,
  /** Where the file would lie. */
  target: string,
} | {
  "is": "own-files",
  /** The file. */
  path: string,
} | {
  "is": "git-directory",
  /** The file. */
  path: string,
} | {
  "is": "not-instructions",
  /** The file. */
  path: string,
} | {
  "is": "not-an-export",
  /** The file. */
  path: string,
} | {
  "is": "edited",
  /** The file. */
  path: string,
} | {
  "is": "other-lessons"
} | {
  "is": "changed",
  /** The file. */
  path: string,
};

/** One file before and after. */
export type ExportFile = {
  /** The file. */
  path: string,
  /** Its text now; `null` where there is none. */
  before: string | null,
  /** Its text afterwards. */
  after: string,
};

/** The form of an export. */
export type ExportForm = "claude-md" | "rules";

/** What an export would do. */
export type ExportPlan = {
  /** How many are chosen. */
  lessons: number,
  /** Those that can be chosen. */
  offered: Array<OfferedLesson>,
  files: Array<ExportFile>,
  /** Files that are left alone, and why. */
  left: Array<string>,
};

/** An export as the window asks for it. */
export type ExportRequest = {
  form: ExportForm,
  /** Only lessons of this project and those that hold everywhere. */
  project: string | null,
  /** Of those only the ones whose notes have these paths; `null` for all. */
  chosen: Array<string> | null,
  /** The file, or for rules the folder. */
  to: string,
};

/** A session that could not be read. */
export type FailedSession = {
  transcript: string,
  message: string,
};

/** Why a command did not do what it was asked. */
export type Failure = {
  code: FailureCode,
  /** In English, for where there are no other words. */
  message: string,
  hint: string | null,
  /** Which error it is, and its facts; `null` for those that the window has no words for. */
  problem: FailureProblem | null,
};

/** What sort of failure it is; every face shows the same failure the same way by it. */
export type FailureCode = "invalid" | "precondition" | "notfound" | "conflict" | "external" | "bug";

/** An error of the program or of this app. */
export type FailureProblem = Problem | DesktopProblem;

/** What was found. */
export type FindResult = {
  /** The sessions, best first. */
  sessions: Array<FoundSession>,
  /** No line has all the words; these have some of them, or mean something like it. */
  has_some_words: boolean,
  /** Files in the index. */
  files: number,
};

/** A line that was found. */
export type FoundLine = {
  /** The line in the transcript, counted from 1. */
  line: number,
  /** The sub-agent in whose transcript it stands; empty in the session's own. */
  agent: string,
  /** When. */
  time: string | null,
  /** Who. */
  voice: Voice,
  /** What sort of thing it was; empty where the voice says it all. */
  what: string,
  /** By or for a sub-agent. */
  sidechain: boolean,
  /** It means something like what was looked for, and has none of the words. */
  by_meaning: boolean,
  /** The words around what was found. */
  snippet: Array<SnippetPiece>,
};

/** A session in which something was found. */
export type FoundSession = {
  /** Its id; empty where only a prompt of it is left and that does not tell. */
  session: string,
  /** The project; empty where none is known. */
  project: string,
  /** Its title; empty where it has none. */
  title: string,
  /** The first words of the person. */
  first_words: string,
  /** The first entry's time. */
  started_at: string | null,
  /** The last entry's time. */
  ended_at: string | null,
  /** What there is of it. */
  place: SessionSource,
  /** How well it fits; more is better. */
  score: number,
  /** The lines that fit best, in their order. */
  lines: Array<FoundLine>,
  /** Further lines that fit. */
  more: number,
};

/** A file before and after. */
export type HookFile = {
  path: string,
  before: string | null,
  after: string | null,
};

/** How Afterword would join Claude Code. */
export type Hooks = {
  /** The command is there to be started. */
  possible: boolean,
  installed: boolean,
  files: Array<HookFile>,
};

/** An idea. */
export type Idea = {
  /** The user ticked its line in the ledger, or dismissed it. */
  done: boolean,
  /** Its page has what a model said of it. */
  researched: boolean,
  /** The conversation in which it is being researched. */
  research: ConversationId | null,
  /** How its line in the ledger is marked; `null` where it has none. */
  mark: IdeaMark | null,
  /** Its text as markdown. */
  body: string,
  /** Its text as safe HTML. */
  html: string,
  /** Its id. */
  id: string,
  /** Where its note is, below the vault's root. */
  path: string,
  /** One sentence. */
  title: string,
  /** What sort of note it is. */
  kind: NoteKind | null,
  /** Where it is in its life. */
  status: Status | null,
  /** How sure the engine was. */
  confidence: Confidence | null,
  /** The project's name. */
  project: string | null,
  /** The day it was learned. */
  created: string | null,
  /** The session it was first learned in. */
  session: string | null,
  /** How many pieces of evidence it rests on. */
  evidence: number,
  /** Where it waits for an answer, while it does. */
  waits: WaitingPlace | null,
  /** The part of its text that shows why it was found; only where something was looked for. */
  snippet: string | null,
};

/** How an idea stands in the ledger. */
export type IdeaMark = "open" | "done" | "dismissed";

/** A lesson that nobody needs, as far as is known. */
export type IdleLesson = {
  /** Its note. */
  id: NoteId,
  /** Its title. */
  title: string,
  /** Its note, below the vault's root. */
  path: string,
  /** When it was given last. */
  last_given: string | null,
};

/** What an import would do, or did. */
export type ImportPlan = {
  /** Notes that are new. */
  new: Array<ImportedNote>,
  /** What is in the vault already. */
  known: number,
  /** What a person deleted before. */
  deleted: number,
  /** Files that could not be read, and why. */
  problems: Array<string>,
  /** Notes that could not be written, and why. */
  refused: Array<string>,
};

/** Where lessons are imported from. */
export type ImportSource = {
  "from": "memory"
} | {
  "from": "rules",
  file: string,
  project: string | null,
} | {
  "from": "notes",
  folder: string,
  project: string | null,
};

/** One note that is new. */
export type ImportedNote = {
  /** Its title. */
  title: string,
  /** What sort of lesson. */
  kind: Kind,
  /** The note, below the vault's root. */
  path: string,
  /** It waits for review. */
  waits: boolean,
};

/** A lesson that was thought of. */
export type InjectedLesson = {
  /** Its note's id; empty where it has none. */
  note: string,
  /** Its note, below the vault. */
  path: string,
  /** Its title. */
  title: string,
  /** It was given. */
  shown: boolean,
  /** Why it was given, or not. */
  reason: string,
};

/** One time a session was given lessons, or nothing. */
export type Injection = {
  /** The session. */
  session: SessionId,
  /** Its project's name; empty where it has none that is known. */
  project: string,
  /** When in the session's life: `startup`, `resume`, `clear`, `compact`, `fork` or `prompt`. */
  moment: string,
  /** When. */
  at: string,
  /** Tokens given, estimated. */
  tokens: number,
  /** Bytes given; none where they were not counted. */
  bytes: number | null,
  /** Why nothing was given; empty where something was. */
  silence: string,
  /** The lessons thought of, in their order. */
  lessons: Array<InjectedLesson>,
};

/** What sessions were given, prompts included. */
export type InjectionFigures = {
  /** Sessions that were given something. */
  sessions: number,
  /** Sessions that were given nothing. */
  with_nothing: number,
  /** Bytes a session that was given something; none where they were not counted. */
  bytes: AmountSummary | null,
  /** Tokens, estimated, a session that was given something. */
  tokens: AmountSummary,
  /** Since when it is known. */
  since: string | null,
};

/** Every so many days, weeks or months, at fixed times of day. */
export type Interval = {
  /** So many of the unit lie between two rounds. */
  every: number,
  /** What is counted. */
  unit: CalendarUnit,
  /**
   * The days of the week (Sunday is 0) or of the month on which it is due; empty where days are counted. A month that
   * lacks the day is passed over.
   */
  days: Array<number>,
  /** The times of day. */
  times: Array<string>,
  /** The day it is counted from; nothing is due before. */
  first_day: string,
  /** The time zone it is meant in, by its IANA name. */
  time_zone: string,
};

/** A waiting lesson with its text rendered. */
export type Item = {
  /** Why it was found, reason by reason. */
  reasons: Array<Reason>,
  /** What it says besides its title and its evidence, as safe HTML. */
  html: string,
  /** The note's id, by which it is answered. */
  id: NoteId,
  /** What sort of lesson. */
  kind: Kind,
  /** One sentence. */
  title: string,
  /** The lesson as markdown, without its evidence. */
  body: string,
  /** How sure the engine was. */
  confidence: Confidence | null,
  /** What in the session made it. */
  signal: Signal | null,
  /** Why it was found and got its confidence. */
  rationale: string,
  /** What it rests on. */
  evidence: Array<Evidence>,
  /** Lessons that count already and come close, the closest first. */
  similar: Array<Similar>,
  /**
   * The active lesson that it likely takes the place of; it is among the similar ones. Keeping this one ends that, and where this one is
   * called by the person's own words, sessions are given it until then.
   */
  may_supersede: NoteId | null,
  /** Where it waits. */
  waits: WaitingPlace,
  /** The day it was learned. */
  created: string | null,
  /** Days since then. */
  age_days: number,
  /** Days since it began to wait, where that is known: not for a note that this machine did not write. */
  waiting_days: number | null,
  /** The project's name; none for a lesson of no project. */
  project: string | null,
  /** The note, below the vault's root. */
  path: string,
  /** When it was last put off. */
  skipped_at: string | null,
};

/** A job in the list. */
export type Job = {
  id: string,
  type: JobType,
  subject: string | null,
  status: JobStatus,
  forced: boolean,
  progress: number,
  attempts: number,
  reason: string | null,
  result: string | null,
  queued_at: string,
  started_at: string | null,
  completed_at: string | null,
};

/** A job's id; the queue keeps an order of its own. */
export type JobId = string;

/** What an attempt at a job said. */
export type JobLog = {
  attempt: number,
  started_at: string,
  ended_at: string,
  transcript: string,
};

/** Where a job stands. */
export type JobStatus = "queued" | "running" | "completed" | "failed" | "cancelled";

/** What sort of work a job is. */
export type JobType = "reflection" | "heartbeat" | "maintenance" | "conversation-run" | "idea-research";

/** Whether an engine's key is kept; never the key. */
export type Key = {
  /** The engine. */
  engine: EngineName,
  /** Where it is sent. */
  host: string,
  /** It is in the keyring. */
  kept: boolean,
};

/** What a person is told of it. */
export type KeyringProblem = {
  "is": "no-keyring"
} | {
  "is": "locked"
} | {
  "is": "too-long",
  /** What it was allowed. */
  seconds: number,
} | {
  "is": "refused",
  /** In the system's words. */
  detail: string,
} | {
  "is": "bad-name",
  /** The name. */
  name: string,
} | {
  "is": "bad-key"
};

/** What sort of note a candidate would become. */
export type Kind = "preference" | "workflow" | "fix" | "idea";

/** A reason that says all by itself. */
export type KnownReason = "holds-beyond" | "stated-plainly" | "asked-to-remember" | "ruled-out" | "decided" | "preferred" | "expected" | "design-settled" | "objected" | "already-there" | "narrowed" | "reason-given" | "offer-chosen" | "choice-made" | "left-for-later" | "issue-named" | "conceded" | "agreed" | "good-point" | "will-keep" | "work-changed" | "answers-offer" | "answers-asked" | "rejected-call" | "said-to-plan" | "answers-question" | "files-at-once" | "files-soon" | "cause-named" | "cause-explained" | "cause-confirmed" | "failed-right-before" | "failed-before" | "error-spoken-of" | "seen-said" | "change-followed" | "you-agreed" | "you-were-content" | "small-signs" | "changes-before" | "filed" | "mended" | "saved-by-name" | "written-by-you" | "saved-by-agent" | "observed-by-agent";

/** The language of the window. */
export type Language = "system" | "en" | "de" | "zh";

/** One lesson with all that belongs to it. */
export type Lesson = {
  /** Its text as markdown. */
  body: string,
  /** What its text says besides its title and its pieces of evidence, as safe HTML. */
  html: string,
  /** The words it rests on, each with what was said around it. */
  pieces: Array<Evidence>,
  /** What the note has below its evidence's heading, as safe HTML, where no piece could be read from it. */
  evidence_html: string,
  /** What in the transcript made it. */
  signal: Signal | null,
  /** Tags, without `#`. */
  tags: Array<string>,
  /** The day of the newest evidence. */
  updated: string | null,
  /** Whether every session is to start with it. */
  always_load: boolean,
  /** References to the entries it rests on: `<session>/<entry uuid>`, or `<session>/L<line>`. */
  references: Array<string>,
  /** The note's whole path. */
  file: string,
  /** Opens the note in Obsidian; `null` where the vault is not one of Obsidian's. */
  obsidian: string | null,
  /** Its checks bind. */
  binds: boolean,
  /** Its id. */
  id: string,
  /** Where its note is, below the vault's root. */
  path: string,
  /** One sentence. */
  title: string,
  /** What sort of note it is. */
  kind: NoteKind | null,
  /** Where it is in its life. */
  status: Status | null,
  /** How sure the engine was. */
  confidence: Confidence | null,
  /** The project's name. */
  project: string | null,
  /** The day it was learned. */
  created: string | null,
  /** The session it was first learned in. */
  session: string | null,
  /** How many pieces of evidence it rests on. */
  evidence: number,
  /** Where it waits for an answer, while it does. */
  waits: WaitingPlace | null,
  /** The part of its text that shows why it was found; only where something was looked for. */
  snippet: string | null,
};

/** Lessons by where they stand. */
export type LessonCounts = {
  /** Active ones. */
  active: number,
  /** Those to review, as the window and `afterword status` count them. */
  to_review: number,
  /** Those in the inbox. */
  inbox: number,
  /** Those that went to the archive because nobody answered them. */
  expired: number,
};

/** One thing that happened to a lesson. */
export type LessonEvent = {
  /** When. */
  at: string,
  /** What. */
  what: LessonStep,
  /** The session it happened in. */
  session: SessionId | null,
  /** The person's or the program's reason; empty where there is none. */
  reason: string,
  /** It was taken back. */
  undone: boolean,
};

/** The kinds of lessons, which people and agents may give by name: ideas go to their ledger. */
export type LessonKind = "preference" | "workflow" | "fix";

/** A lesson in the list. */
export type LessonLine = {
  /** Its id. */
  id: string,
  /** Where its note is, below the vault's root. */
  path: string,
  /** One sentence. */
  title: string,
  /** What sort of note it is. */
  kind: NoteKind | null,
  /** Where it is in its life. */
  status: Status | null,
  /** How sure the engine was. */
  confidence: Confidence | null,
  /** The project's name. */
  project: string | null,
  /** The day it was learned. */
  created: string | null,
  /** The session it was first learned in. */
  session: string | null,
  /** How many pieces of evidence it rests on. */
  evidence: number,
  /** Where it waits for an answer, while it does. */
  waits: WaitingPlace | null,
  /** The part of its text that shows why it was found; only where something was looked for. */
  snippet: string | null,
};

/** What fits a request, and what else there is to choose from. */
export type LessonList = {
  /** The lessons: the best first where something was looked for, else the latest first. */
  lessons: Array<LessonLine>,
  /** The projects that have lessons, with how many. */
  projects: { [key in string]: number },
};

/** What happened to a lesson. */
export type LessonStep = "learned" | "repeated" | "contradicted" | "approved" | "edited" | "rejected" | "postponed" | "archived" | "replaced" | "superseded" | "given" | "applied" | "helped" | "ignored" | "refuted";

/** Which lessons to list. */
export type LessonsRequest = {
  /** What to look for; empty for all, the latest first. */
  query: string,
  /** Only of this kind. */
  kind: LessonKind | null,
  /** Only of this project, by its name. */
  project: string | null,
  /** Only with this status; `null` for those that count. */
  status: Status | null,
};

/** What became of lifting a check. */
export type LiftOutcome = "done" | "nothing";

/** What a task's runs may do and cost from now on. */
export type Limits = {
  allowed_tools: Array<string>,
  connections: Array<string>,
  most_usd: number,
  most_minutes: number,
};

/** A project in the list. */
export type ListedProject = {
  /** What it is called. */
  name: string,
  /** The folders on this machine that count as it; none where only another machine has worked in it. */
  folders: Array<string>,
  /** Of those, the ones that stand in the setting `projects.folders`. */
  in_settings: Array<string>,
  /** Its sessions. */
  sessions: number,
  /** Its active lessons. */
  lessons: number,
  /** Its lessons that wait. */
  waiting: number,
  /** When a session of it was last written to. */
  last_active: string | null,
};

/** What of the machine does not work. */
export type MachineProblem = {
  "is": "no-vault",
  /** Where it was. */
  path: string,
} | {
  "is": "leaves-vault",
  /** The file, below the vault. */
  path: string,
} | {
  "is": "full",
  /** The file or folder. */
  path: string,
} | {
  "is": "read-only",
  /** The file or folder. */
  path: string,
} | {
  "is": "denied",
  /** The file or folder. */
  path: string,
} | {
  "is": "file",
  /** The file or folder. */
  path: string,
  /** What happened, in English. */
  detail: string,
} | {
  "is": "no-transcript",
  /** Where it was. */
  path: string,
} | {
  "is": "newer-database",
  /** The database. */
  path: string,
} | {
  "is": "damaged-database",
  /** The database. */
  path: string,
} | {
  "is": "moved-database"
} | {
  "is": "busy-database"
} | {
  "is": "database",
  /** What happened, in English. */
  detail: string,
} | {
  "is": "foreign-settings",
  /** The file. */
  path: string,
  /** The line, from 1. */
  line: number,
  /** What is wrong, in English. */
  detail: string,
} | {
  "is": "changed-meanwhile",
  /** The file. */
  path: string,
} | {
  "is": "translocated"
} | {
  "is": "cancelled"
};

/** What became of something a person said. */
export type MessageEffect = "answered" | "sent";

/** Who speaks. */
export type MessageRole = "user" | "assistant" | "system";

/** Which side of the conversation a message came from. */
export type MessageSource = "chat" | "worker";

/** Something a task's runs would fail for want of. */
export type MissingNeed = {
  /** What is missing. */
  what: string,
  /** What to do about it. */
  advice: string,
};

/** A task as the window asks for it; `when` in plain words, empty for a chat. */
export type NewTask = {
  words: string,
  when: string,
  directory: string | null,
  allowed_tools: Array<string>,
  connections: Array<string>,
};

/** Why a note cannot be found, made or written. */
export type NoteError = {
  "is": "no-such",
  /** What was asked for. */
  argument: string,
} | {
  "is": "ambiguous",
  /** What was asked for. */
  argument: string,
  /** How many it fits. */
  count: number,
  /** Some of those it fits. */
  notes: Array<string>,
} | {
  "is": "unusable",
  /** Why not. */
  problem: string,
} | {
  "is": "not-written",
  /** Why. */
  problem: string,
  /** What of the machine stands in the way, if anything does. */
  obstacle: Obstacle | null,
};

/** A note's id, kept in its front matter so that it survives renames and moves. */
export type NoteId = string;

/** What sort of note it is. */
export type NoteKind = "preference" | "workflow" | "fix" | "idea" | "reference" | "project" | "ideas" | "deleted" | "month";

/** Something that has to be mended outside the program. */
export type Obstacle = "full" | "read-only" | "denied" | "unusable" | "engine";

/** A lesson that an export can have in it. */
export type OfferedLesson = {
  /** The note, below the vault's root. */
  path: string,
  /** `preference`, `workflow` or `fix`. */
  kind: Kind,
  /** One sentence. */
  title: string,
  /** The project's name; `null` for one that holds everywhere. */
  project: string | null,
  /** A secret in it is taken out of the export. */
  has_secret: boolean,
};

/** Whether it will be reflected. */
export type OrderOutcome = "queued" | "running" | "refused";

/** What became of an order. */
export type Ordered = {
  outcome: OrderOutcome,
  words: string,
};

/** How things stand, and whether this program does the work. */
export type Overview = {
  /** This program works itself; otherwise another one does, and this one only shows. */
  works_here: boolean,
  /** The desktop shows the tray's icon; where it does not, the program ends with its window. */
  in_tray: boolean,
  /** What the icon shows. */
  face: TrayState,
  /** The same in words. */
  words: string,
  /** The person paused it. */
  paused: boolean,
  /** The vault; `null` before one was chosen. */
  vault: string | null,
  /** Lessons that wait for an answer. */
  waiting: number,
  /** Lessons put by in the inbox. */
  inbox: number,
  /** An answer was given that can be taken back. */
  can_undo: boolean,
  /** How the window looks. */
  appearance: Appearance,
  /** The language of the window. */
  language: Language,
};

/**
 * A client that somebody registered by hand, where a server does not let programs register themselves. Its secret, if it has
 * one, is in the keyring.
 */
export type OwnClient = {
  /** What the authorization server calls it. */
  id: string,
  /** The port of this machine that it is registered to come back to; any where that does not matter. */
  callback_port?: number,
};

/** Something that would have been stopped. */
export type PastExample = {
  /** The session. */
  session: string,
  /** When. */
  at: string | null,
  /** The command, the file, or why the turn would not have ended; without secrets. */
  what: string,
};

/** What checks would have caught. */
export type PastMatches = {
  /** Sessions that were looked at. */
  sessions: number,
  /** Commands, changes of files and ends of turns in them. */
  looked_at: number,
  /** Of those, what would have been stopped. */
  stopped: number,
  /** Sessions in which something would have been. */
  concerned: number,
  /** The latest of them. */
  examples: Array<PastExample>,
};

/** A schedule as it was understood. */
export type Plan = {
  schedule: Schedule,
  /** The same in words. */
  text: string,
  /** Its next times. */
  next: Array<string>,
  zone: string,
};

/** A folder that could be the vault. */
export type PossibleVault = {
  /** The folder. */
  path: string,
  /** Obsidian knows it. */
  obsidian: boolean,
  /** It is there. */
  exists: boolean,
};

/** What a price rests on. In words it is what follows "by". */
export type PriceBasis = {
  "is": "experience"
} | {
  "is": "settings"
} | {
  "is": "this-machine"
} | {
  "is": "list",
  /** The model. */
  model: string,
} | {
  "is": "unknown-model",
  /** The model. */
  model: string,
} | {
  "is": "unknown"
};

/** What an error is about, and which it is. */
export type Problem = {
  "about": "agent"
} & AgentError | {
  "about": "client"
} & ClientProblem | {
  "about": "config"
} & ConfigError | {
  "about": "connection"
} & ConnectionError | {
  "about": "conversation"
} & ConversationsError | {
  "about": "engine"
} & EngineProblem | {
  "about": "engine-call"
} & EngineCallError | {
  "about": "export"
} & ExportError | {
  "about": "keyring"
} & KeyringProblem | {
  "about": "machine"
} & MachineProblem | {
  "about": "note"
} & NoteError | {
  "about": "project"
} & ProjectError | {
  "about": "project-name"
} & ProjectNameProblem | {
  "about": "refusal"
} & Refusal | {
  "about": "review"
} & ReviewError | {
  "about": "schedule"
} & ScheduleProblem | {
  "about": "session"
} & SessionError | {
  "about": "setting"
} & SettingProblem | {
  "about": "sign-in"
} & SignInProblem | {
  "about": "unfit-connection"
} & UnfitConnection | {
  "about": "unfit-conversation"
} & UnfitConversation | {
  "about": "unfit-project"
} & UnfitProject | {
  "about": "vault-setup"
} & VaultSetupError;

/** How far a reflection is. */
export type Progress = {
  /** Sessions to be read. */
  sessions: number,
  /** Sessions that were read. */
  done: number,
  bytes: number,
  bytes_done: number,
  candidates: number,
  failed: number,
  /** The transcript at hand. */
  transcript: string | null,
};

/** What joining or splitting changes, or has changed. */
export type ProjectChange = {
  /** Which way. */
  kind: ChangeKind,
  /** The project that folders and notes go to. */
  to: string,
  /** The project they come from. */
  from: string,
  /** The folders that count as `to` from now on. */
  folders: Array<string>,
  /** Sessions so far that count as `to` from now on. */
  sessions: number,
  /** Notes whose `project` changes. */
  notes: Array<ProjectNote>,
  /** The setting `projects.folders` before. */
  setting_before: Array<string>,
  /** The setting afterwards. */
  setting_after: Array<string>,
};

/** How a change ended. */
export type ProjectChangeReport = {
  /** Notes that were changed. */
  notes: number,
  /** Notes that could not be changed, and why. */
  refused: Array<string>,
};

/** What is to become of projects. */
export type ProjectChangeRequest = {
  "kind": "join",
  into: string,
  from: string,
} | {
  "kind": "split",
  project: string,
  folder: string,
  name: string | null,
};

/** Why a person's wish about projects cannot be carried out. */
export type ProjectError = {
  "is": "unknown",
  /** What was asked for. */
  argument: string,
  /** The names of those there are. */
  known: Array<string>,
} | {
  "is": "no-session",
  /** What was asked for. */
  project: string,
} | {
  "is": "unfit",
  /** Why not. */
  because: Problem,
} | {
  "is": "bad-name",
  /** The name. */
  name: string,
  /** Why not. */
  because: Problem,
} | {
  "is": "name-taken",
  /** The name. */
  name: string,
} | {
  "is": "nothing-to-undo"
};

/** Why no project can be called something. */
export type ProjectNameProblem = {
  "is": "empty"
} | {
  "is": "form"
} | {
  "is": "too-long",
  /** How many characters a name may have. */
  most: number,
};

/** A note whose project changes. */
export type ProjectNote = {
  /** The note. */
  id: NoteId,
  /** Its file, below the vault's root. */
  path: string,
  /** Its title. */
  title: string,
};

/** A tool that a task's words ask for. */
export type ProposedTool = {
  /** The tool, as Claude Code names it. */
  tool: string,
  /** What of the words asks for it. */
  because: string,
  /** It may change something: files, or whatever a command does. */
  changes: boolean,
};

/** A question that waits for the person. */
export type Question = {
  /** What sort of answer it wants. */
  type: QuestionKind,
  /** The question. */
  prompt: string,
  /** What can be chosen; only of a choice. */
  options?: Array<string>,
  /** What it is about, where Afterword asks and not the work. A yes goes on, a no pauses; to begin with, it closes. */
  concern?: Concern,
};

/** What sort of answer a question wants. */
export type QuestionKind = "confirmation" | "choice" | "input";

/** A waiting lesson in the list. */
export type QueueLine = {
  id: NoteId,
  title: string,
  kind: Kind,
  confidence: Confidence | null,
  project: string | null,
  /** Put up for review, or put by in the inbox. */
  waits: WaitingPlace,
  created: string | null,
  age_days: number,
  skipped_at: string | null,
};

/** One reason of a lesson. */
export type Reason = {
  "form": "known",
  /** Which. */
  reason: KnownReason,
} | {
  "form": "counted",
  /** Which. */
  reason: CountedReason,
  /** The number. */
  count: number,
} | {
  "form": "in-place-of",
  /** The other's title. */
  title: string,
} | {
  "form": "model",
  /** Its words. */
  words: string,
} | {
  "form": "words",
  /** Their words. */
  words: string,
};

/** An answer that stands. */
export type RecordedAnswer = {
  /** Its number, by which it is taken back. */
  id: number,
  /** The lesson's note; none where it is gone. */
  note: NoteId | null,
  /** What was decided. */
  verdict: Verdict,
  /** The lesson's title. */
  title: string,
  /** The title of the lesson whose place it took; none where it took none, or its note is gone. */
  superseded: string | null,
  /** Why; empty where nothing was said. */
  reason: string,
  /** When. */
  at: string,
  /** The lesson's note, below the vault's root; none where it is gone. */
  path: string | null,
};

/** What a reflection did. */
export type ReflectionResult = {
  sessions: number,
  candidates: number,
  notes: number,
  waiting: number,
  failed: Array<FailedSession>,
  /** The person stopped it. */
  stopped: boolean,
};

/** Why a conversation's rules refuse something. */
export type Refusal = {
  "is": "status",
  /** Where it stands. */
  status: string,
} | {
  "is": "schedule",
  /** Why not. */
  because: Problem,
} | {
  "is": "empty-answer"
} | {
  "is": "not-yes-or-no"
} | {
  "is": "no-such-option",
  /** Those there are. */
  options: Array<string>,
} | {
  "is": "no-schedule"
} | {
  "is": "paused"
};

/** A lesson that sessions said again although a note says it. */
export type RepeatedLesson = {
  /** Its note. */
  id: NoteId,
  /** Its title. */
  title: string,
  /** Its note, below the vault's root. */
  path: string,
  /** In so many sessions. */
  sessions: number,
  /** Of those, the ones that had been given it. */
  given: number,
  /** When a session that says it began last. */
  last: string,
};

/** Wishes that were said again although a note said them when the session began. */
export type RepeatedWishes = {
  /** How many, each counted once a session. */
  wishes: number,
  /** Of those, the ones whose session had been given the lesson. */
  given: number,
  /** Of those, the ones whose session had not been given the lesson. */
  not_given: number,
  /** Of those, the ones whose session asked for nothing: without hooks, or before they were installed. */
  unknown: number,
  /** The sessions that were looked at: those that began after the first lesson was written. */
  sessions: number,
};

/** What to do about two versions, as the window says it. */
export type Resolution = "here" | "there" | "both" | "join";

/** A lesson that was given and said again in several sessions, and that no check enforces yet. */
export type RestatedLesson = {
  /** Its note. */
  id: NoteId,
  /** Its title. */
  title: string,
  /** What sort of lesson: a workflow may become a skill. */
  kind: Kind,
  /** Its note, below the vault's root. */
  path: string,
  /** Sessions that had been given it and in which it was said again. */
  sessions: number,
  /** When that was seen last. */
  last: string,
};

/** Why a lesson cannot be answered, or an answer not be taken back. */
export type ReviewError = {
  "is": "not-a-lesson",
  /** The note, below the vault. */
  path: string,
} | {
  "is": "not-waiting",
  /** The note, below the vault. */
  path: string,
  /** Its status. */
  status: string,
} | {
  "is": "not-active",
  /** The note, below the vault. */
  path: string,
} | {
  "is": "unchangeable",
  /** The note, below the vault. */
  path: string,
  /** The property and why. */
  detail: string,
} | {
  "is": "changing",
  /** The note, below the vault. */
  path: string,
} | {
  "is": "no-answer-to-undo"
} | {
  "is": "no-such-decision",
  /** The number. */
  id: number,
};

/** Who wrote the words of a piece of evidence. */
export type Role = "user" | "assistant" | "tool";

/** One thing that happened. */
export type Row = {
  /** The line in the transcript, counted from 1. */
  line: number,
  /** The entry's uuid; empty where it has none. */
  uuid: string,
  /** When. */
  time: string | null,
  /** Who. */
  voice: Voice,
  /** What sort of thing it was, in two words at most; empty where the voice says it all. */
  what: string,
  /** The words, bounded. */
  text: string,
  /** The model's words as HTML, made of its markdown; empty elsewhere, and where nobody looks at it. */
  html?: string,
  /** By or for a sub-agent. */
  sidechain: boolean,
  /** The call's id; empty in what is no call. */
  call?: string,
};

/** What became of a lesson to be saved. */
export type SaveOutcome = "saved" | "waits" | "known" | "rejected" | "deleted";

/** What became of a lesson that the person wrote. */
export type SavedLesson = {
  outcome: SaveOutcome,
  /** The lesson that says it now; `null` where the person deleted it before. */
  lesson: LessonLine | null,
};

/** When work is due. */
export type Schedule = {
  "type": "cron",
  /** Five fields: minute, hour, day of the month, month, day of the week. */
  cron_expression: string,
  /** The time zone it is meant in, by its IANA name. */
  time_zone: string,
} | {
  "type": "interval"
} & Interval | {
  "type": "elapsed",
  /** So many minutes lie between two times. */
  minutes: number,
  /** What it is counted from. */
  from: string,
} | {
  "type": "once",
  /** The time. */
  run_at: string,
} | {
  "type": "immediate"
};

/** Why words are no schedule. */
export type ScheduleProblem = {
  "is": "word",
  /** The word. */
  word: string,
} | {
  "is": "unusable",
  /** Why not, in English. */
  detail: string,
} | {
  "is": "expression",
  /** The expression. */
  expression: string,
} | {
  "is": "never",
  /** The expression. */
  expression: string,
} | {
  "is": "time-zone",
  /** What was named. */
  name: string,
};

/** Why a session cannot be found, read or restored. */
export type SessionError = {
  "is": "no-such",
  /** What was asked for. */
  argument: string,
} | {
  "is": "none-asked"
} | {
  "is": "ambiguous",
  /** What was asked for. */
  argument: string,
  /** How many it fits. */
  count: number,
  /** Some of those it fits. */
  sessions: Array<string>,
} | {
  "is": "not-archived",
  /** What was asked for. */
  argument: string,
} | {
  "is": "other-transcript",
  /** The transcript. */
  path: string,
} | {
  "is": "not-a-transcript",
  /** The path. */
  path: string,
  /** Why not. */
  problem: string,
} | {
  "is": "foreign",
  /** The path. */
  path: string,
} | {
  "is": "excluded",
  /** The transcript. */
  path: string,
  /** The project. */
  project: string,
} | {
  "is": "own",
  /** The transcript. */
  path: string,
};

/** One thing that happened to a session. */
export type SessionEvent = {
  at: string,
  /** Its name: a state it came to, `began`, `compacted` or `heartbeat`. */
  what: string,
  /** Why it failed, what the heartbeat says, what started the reflection. */
  detail: string | null,
};

/** A Claude Code session's id, as the transcript's file name and entries have it (normally a UUID). */
export type SessionId = string;

/** A session in the list. */
export type SessionLine = {
  /** The session. */
  session: string,
  /** Its project; `null` where no entry tells it. */
  project: string | null,
  /** Its title; empty where it has none, or is not indexed yet. */
  title: string,
  /** The first words of the person; empty where it is not indexed yet. */
  first_words: string,
  /** Where it stands with the lessons; `null` where its transcript is gone. */
  state: SessionState | null,
  /** What there is of it. */
  place: SessionSource,
  /** It is going on at this moment. */
  live: boolean,
  /** Bytes of its transcript. */
  bytes: number,
  /** When it was last written. */
  modified: string,
  /** Candidates that were found in it, where it was reflected. */
  candidates: number | null,
  /** How it ended, where that is known: `success`, `partial` or `failure`. */
  outcome: AttemptOutcome | null,
};

/** A session, read. */
export type SessionReading = {
  /** The session. */
  session: string,
  /** The sub-agent whose transcript it is; empty in the session's own. */
  agent: string,
  /** The directory that it began in, and in which it can be resumed; `null` where no entry tells. */
  directory: string | null,
  /**
   * The settings of that directory by which Claude Code runs no hook there now, so that its sessions are given nothing and no check
   * binds in them; `null` where hooks run.
   */
  hooks_off: string | null,
  /** What goes on with it, to be typed in a shell; `null` where it cannot be resumed. */
  resume: string | null,
  /** Claude Code has its transcript no more: this is the copy. */
  is_copy: boolean,
  /** The sub-agents with transcripts of their own. */
  subagents: Array<Subagent>,
  /** Its title, the person's own before the client's. */
  title: string | null,
  /** Its transcript. */
  transcript: string,
  /** The first entry's time. */
  started: string | null,
  /** The last entry's time. */
  last_activity: string | null,
  /** Entries read. */
  entries: number,
  /** Lines that could not be read. */
  skipped: number,
  /** Tokens, each message counted once. */
  usage: Usage,
  /** Secrets that were taken out. */
  redacted: number,
  /** What happened, in the file's order. */
  rows: Array<Row>,
  /** Rows left out at the beginning. */
  left_out: number,
  /** Rows left out at the end. */
  left_out_after: number,
};

/** What there is of a session. */
export type SessionSource = "transcript" | "archive" | "prompts";

/** Where a session stands. */
export type SessionState = "new" | "grown" | "reflected" | "excluded" | "own" | "forgotten";

/** A setting with all that is known of it. */
export type Setting = {
  /** Its dotted name. */
  key: string,
  /** The form of its field. */
  shape: SettingForm,
  /** The words to choose from; none where it is no choice. */
  choices: Array<string>,
  /** What it is for. */
  about: string,
  /** Its default. */
  default: Array<string>,
  /** What it holds. */
  values: Array<string>,
  /** The file sets it. */
  set: boolean,
};

/** The form of field that a setting needs. */
export type SettingForm = "path" | "choice" | "switch" | "list" | "text";

/** Why a value of a setting cannot be used, as what follows the setting's name. */
export type SettingProblem = {
  "is": "syntax",
  /** What is wrong, in English. */
  detail: string,
} | {
  "is": "not-a-section"
} | {
  "is": "not-a-setting"
} | {
  "is": "unknown"
} | {
  "is": "unread"
} | {
  "is": "section-taken",
  /** The section. */
  section: string,
} | {
  "is": "not-text",
  /** What it is, with its article, in English. */
  found: string,
} | {
  "is": "not-a-list"
} | {
  "is": "no-choice",
  /** Those there are. */
  choices: Array<string>,
  /** What was given. */
  found: string,
} | {
  "is": "not-a-switch",
  /** What it is, with its article, in English. */
  found: string,
} | {
  "is": "not-absolute",
  /** What was given. */
  found: string,
} | {
  "is": "not-hours",
  /** What was given. */
  found: string,
} | {
  "is": "not-dollars"
} | {
  "is": "not-whole"
} | {
  "is": "not-days"
} | {
  "is": "not-minutes"
} | {
  "is": "not-one-value"
} | {
  "is": "pattern",
  /** The pattern. */
  pattern: string,
  /** Why not, in English. */
  detail: string,
} | {
  "is": "project-folder",
  /** The line. */
  line: string,
  /** Why not, in English. */
  detail: string,
} | {
  "is": "expression",
  /** Why not, in English. */
  detail: string,
} | {
  "is": "no-folder"
} | {
  "is": "not-a-folder"
} | {
  "is": "folder",
  /** The folder. */
  path: string,
  /** Why not. */
  because: Problem,
} | {
  "is": "projects-folder"
} | {
  "is": "nested",
  /** Which lies in which, in English. */
  detail: string,
} | {
  "is": "no-file"
} | {
  "is": "not-a-program"
} | {
  "is": "no-address"
} | {
  "is": "unencrypted",
  /** What could come of it, in English. */
  danger: string,
} | {
  "is": "no-host",
  /** The address. */
  address: string,
} | {
  "is": "model",
  /** Why not and what to do, in English. */
  detail: string,
};

/** What a first run found. */
export type Setup = {
  /** Claude Code's directory. */
  claude: string,
  /** Others that are followed with it. */
  also_followed: Array<string>,
  /** Another may be chosen: the environment names none. */
  may_choose_claude: boolean,
  /** Others of the person's that have sessions, and where there are none on this side, those on the other side of WSL. */
  other_claude: Array<string>,
  /** Sessions in them. */
  sessions: number,
  /** Bytes of their transcripts. */
  bytes: number,
  /** Folders that could be the vault: those Obsidian knows, the one used last first, then a new one. */
  vaults: Array<PossibleVault>,
  /** The vault, where one was chosen before. */
  vault: string | null,
};

/** What a person is told of signing in that did not work. */
export type SignInProblem = {
  "is": "address",
  /** The address. */
  url: string,
} | {
  "is": "unreachable",
  /** The address. */
  url: string,
  /** In the system's words. */
  detail: string,
} | {
  "is": "no-sign-in",
  /** The address. */
  url: string,
} | {
  "is": "refused",
  /** In the server's words. */
  detail: string,
} | {
  "is": "run-out"
} | {
  "is": "answer",
  /** What is wrong with it, in English. */
  detail: string,
} | {
  "is": "port"
} | {
  "is": "too-long",
  /** How long was waited. */
  minutes: number,
} | {
  "is": "cancelled"
};

/** What a sign-in led to. */
export type SignInReport = {
  /** The connection. */
  connection: string,
  /** Conversations that waited for it and go on, by id. */
  going_on: Array<string>,
};

/** What in the transcript made the candidate. */
export type Signal = "standing-rule" | "correction" | "design-lock" | "repeated-pattern" | "error-resolved" | "approval" | "follow-up" | "implied" | "saved" | "unproven";

/** A lesson close to one that waits. */
export type Similar = {
  /** Its note's id. */
  id: NoteId,
  /** What sort of lesson; `null` where its note does not say it. */
  kind: Kind | null,
  /** Its title. */
  title: string,
  /** Its note, below the vault's root. */
  path: string,
  /** Its project's name; empty where it has none. */
  project: string,
  /** How close in meaning, from 0 to 1. */
  closeness: number,
  /** The two say opposite things: superseding is worth a thought. */
  contradicts: boolean,
};

/** A piece of a snippet. */
export type SnippetPiece = {
  /** Its text. */
  text: string,
  /** It is what was looked for. */
  is_match: boolean,
};

/** What engines cost. */
export type Spend = {
  /** From when on it is counted. */
  since: string,
  /** Calls. */
  calls: number,
  /** Tokens read. */
  input_tokens: number,
  /** Tokens written. */
  output_tokens: number,
  /** US dollars. */
  usd: number,
  /** By purpose, engine, model and project, the dearest first. */
  sums: Array<SpendSum>,
  /** The latest calls, the latest first. */
  latest: Array<EngineCall>,
  /** US dollars since the user's day began, conversations among them. */
  today_usd: number,
  /** US dollars reserved today for calls under way; they may cost less in the end. */
  set_aside_usd: number,
  /** `budget.daily_usd`; absent for no limit. */
  daily_usd: number | null,
  /** What may still be spent today; absent for no limit. */
  left_today_usd: number | null,
  /** US dollars of them that conversations cost. */
  tasks_today_usd: number,
  /** `tasks.daily_usd`. */
  tasks_daily_usd: number,
};

/** What calls cost together. */
export type SpendSum = {
  /** What for. */
  purpose: string,
  /** The engine. */
  engine: string,
  /** The model. */
  model: string,
  /** The project. */
  project: string,
  /** Calls. */
  calls: number,
  /** Tokens read. */
  input_tokens: number,
  /** Tokens written. */
  output_tokens: number,
  /** US dollars. */
  usd: number,
};

/** The figures. */
export type Stats = {
  /** The last half year, or as far back as the lessons go within two years; the oldest week first. */
  weeks: Array<Week>,
  /** Lessons that count, by kind. */
  kinds: { [key in string]: number },
  /** Lessons by status. */
  statuses: { [key in string]: number },
  /** Lessons that count, by project; those without one under an empty name. */
  projects: { [key in string]: number },
  /** Pieces of evidence all lessons rest on together. */
  evidence: number,
  /** Lessons that more than one session speaks for. */
  confirmed: number,
  /** Decisions that stand, by verdict. */
  decisions: { [key in string]: number },
  /** Sessions read so far. */
  sessions: number,
  /** Bytes of their transcripts. */
  bytes: number,
  /** What engines were asked and what it cost, all time. */
  engines: EngineStats,
  /** Whether it is of use, all time. */
  attempts: AttemptFigures,
  /** Attempts whose end is known, and how many of them succeeded. */
  ended: [number, number],
  /** The same week by week, the oldest first. */
  use_weeks: Array<WeekOfUse>,
  /** US dollars spent today, conversations among them, and `budget.daily_usd`. */
  today_usd: [number, number | null],
};

/** Where a note is in its life. */
export type Status = "active" | "inbox" | "superseded" | "archived";

/** A sub-agent that worked for a session, in a transcript of its own. */
export type Subagent = {
  /** Its id. */
  agent: string,
  /** Its first words, cut; empty where it is not indexed yet. */
  words: string,
  /** Bytes of its transcript. */
  bytes: number,
};

/** A few rows around one. */
export type Surroundings = {
  /** The rows. */
  rows: Array<Row>,
  /** Which of them was asked for; `null` where the transcript does not have it any more. */
  focus: number | null,
};

/** A conversation. */
export type Task = {
  /** Its id. */
  id: string,
  /** What people call it. */
  title: string,
  /** `active`, `background`, `waiting_input` or `archived`. */
  status: ConversationStatus,
  /** A person stopped its work for now. */
  paused: boolean,
  /** What was asked for. */
  task: string,
  /** When its work is due. */
  schedule: Schedule | null,
  /** The same in words. */
  schedule_text: string | null,
  /** When it is due next. */
  next_run_at: string | null,
  /** Where the work stands. */
  step: string,
  /** What it has gathered. */
  data: Record<string, unknown>,
  /** The question that waits. */
  pending_question: Question | null,
  /** The Claude session it goes on in. */
  claude_session_id: string | null,
  /** Where its runs take place. */
  directory: string,
  /** Tools its runs may use. */
  allowed_tools: Array<string>,
  /** Connections its runs may use. */
  connections: Array<string>,
  /** US dollars a run may cost. */
  most_usd: number,
  /** Seconds a run may take. */
  most_seconds: number,
  /** US dollars all its runs cost. */
  spent_usd: number,
  /** When a run last succeeded. */
  last_success_at: string | null,
  /** When its work was done for good. */
  finished_at: string | null,
  /** A run is under way. */
  running: boolean,
  /** What it reports is no notification. */
  muted: boolean,
  /** Reports that came since the person last looked. */
  unseen: number,
  /** What was changed last by talking can be taken back. */
  can_undo: boolean,
  /** When it was made. */
  created_at: string,
  /** When it last changed. */
  updated_at: string,
};

/** A conversation with what was said in it. */
export type TaskDetail = {
  /** The conversation. */
  conversation: Task,
  /** Its last messages, the oldest first. */
  messages: Array<TaskMessage>,
  /** Its last runs, the latest first. */
  runs: Array<TaskRun>,
};

/** A message. */
export type TaskMessage = {
  /** Its id. */
  id: string,
  /** `user`, `assistant` or `system`. */
  role: MessageRole,
  /** `chat` or `worker`. */
  source: MessageSource,
  /** What was said. */
  content: string,
  /** It is said in the person's name, in an agent's words. */
  relayed: boolean,
  /** When. */
  created_at: string,
};

/** What a task asks for, and what it lacks. */
export type TaskNeeds = {
  /** Tools that its words ask for and that it was not given: for the person to allow. */
  tools: Array<ProposedTool>,
  /** Connections that its words name and that it was not given. */
  connections: Array<string>,
  /** What its runs would fail for want of, and what to do about each. */
  missing: Array<MissingNeed>,
};

/** A run. */
export type TaskRun = {
  /** Its id. */
  id: string,
  /** `chat` or `worker`. */
  source: MessageSource,
  /** What came of it. */
  outcome: TaskRunOutcome,
  /** When the work was due. */
  due_at: string | null,
  /** When it began. */
  started_at: string,
  /** When it ended. */
  ended_at: string | null,
  /** The Claude session it ran in. */
  claude_session_id: string | null,
  /** US dollars it cost. */
  cost_usd: number,
  /** Tokens read. */
  input_tokens: number,
  /** Tokens written. */
  output_tokens: number,
  /** Why it failed. */
  reason: string | null,
};

/** What came of a run. */
export type TaskRunOutcome = "running" | "replied" | "continued" | "asked" | "completed" | "failed" | "cancelled" | "cut-off";

/** What a person does with a task's work. */
export type TaskStep = "pause" | "resume" | "archive" | "run" | "undo";

/** What a tool answered. */
export type ToolResult = {
  /** The line in the transcript, counted from 1. */
  line: number,
  /** What it said. */
  text: string,
  /** It says that it failed. */
  is_error: boolean,
  /** There is more of it in the transcript. */
  is_cut: boolean,
};

/** What the tray's icon shows. What needs a person comes before what does not. */
export type TrayState = "watching" | "reflecting" | "review" | "paused" | "error";

/** What taking a decision back did. */
export type UndoReport = {
  /** The decision's number. */
  id: number,
  /** What had been decided. */
  verdict: Verdict,
  /** The lesson's title. */
  title: string,
  /** Where its note is now; none where a person has deleted it. */
  path: string | null,
  /** A person has changed the note since the decision, so their text stays and only its status went back. */
  kept_changes: boolean,
};

/** What became of decisions that were to be taken back. */
export type UndoResult = {
  undone: Array<UndoReport>,
  /** Those that still stand and can be tried again. */
  left: Array<number>,
  failures: Array<Failure>,
};

/** Why a connection cannot be kept or used as it is. */
export type UnfitConnection = {
  "is": "name"
} | {
  "is": "names-no-program"
} | {
  "is": "variable",
  /** What it was called. */
  variable: string,
} | {
  "is": "client-id"
} | {
  "is": "address"
} | {
  "is": "secret-place"
} | {
  "is": "unencrypted"
} | {
  "is": "secret-in-variable",
  /** What the variable is called. */
  variable: string,
} | {
  "is": "secret-in-argument"
} | {
  "is": "secret-in-address"
} | {
  "is": "no-program-there",
  /** The place. */
  path: string,
} | {
  "is": "no-program",
  /** The name. */
  command: string,
} | {
  "is": "no-secret-place"
} | {
  "is": "let-in-by-address"
} | {
  "is": "no-own-client"
} | {
  "is": "is-a-program"
} | {
  "is": "tokens-refused"
} | {
  "is": "address-changed"
} | {
  "is": "client-secret"
} | {
  "is": "address-secret"
} | {
  "is": "token-too-long"
} | {
  "is": "unreadable",
  /** What is wrong, in English. */
  detail: string,
};

/** Why a conversation, or what was said in one, cannot be kept. */
export type UnfitConversation = {
  "is": "too-many-named",
  /** How many it may have. */
  most: number,
} | {
  "is": "no-tool",
  /** What was named. */
  tool: string,
} | {
  "is": "cost",
  /** What it may cost at most. */
  most_usd: number,
} | {
  "is": "time"
} | {
  "is": "no-directory",
  /** The path. */
  path: string,
} | {
  "is": "own-directory"
} | {
  "is": "directory-gone",
  /** The path. */
  path: string,
} | {
  "is": "nothing"
} | {
  "is": "too-long",
  /** How many bytes are taken. */
  most: number,
} | {
  "is": "not-taken-back",
  /** Why not, in English. */
  detail: string,
};

/** Why projects cannot be joined or split as a person wishes. */
export type UnfitProject = {
  "is": "one-already",
  /** The project. */
  project: string,
} | {
  "is": "of-another",
  /** The folder. */
  folder: string,
  /** What it counts as. */
  own: string,
  /** What it was to be split from. */
  project: string,
} | {
  "is": "no-folder",
  /** The project. */
  project: string,
} | {
  "is": "not-its-folder",
  /** The folder. */
  folder: string,
  /** The project. */
  project: string,
  /** The folders it has. */
  folders: Array<string>,
} | {
  "is": "only-folder",
  /** The project. */
  project: string,
  /** The folder. */
  folder: string,
};

/** Tokens as the API counted them. */
export type Usage = {
  /** Messages counted. */
  messages: number,
  /** Input tokens that came from no cache. */
  input: number,
  /** Output tokens. */
  output: number,
  /** Input tokens read from the cache. */
  cache_read: number,
  /** Input tokens written to the cache. */
  cache_write: number,
};

/** Whether lessons are of use. */
export type Usefulness = {
  /** The lessons said again most. */
  repeated_most: Array<RepeatedLesson>,
  /** The lessons there are. */
  lessons: LessonCounts,
  /** Wishes said again; none before a session began after the first lesson was written. */
  repeated: RepeatedWishes | null,
  /** Lessons that were given and said again all the same in several sessions, for which more can be done. */
  said_again: Array<RestatedLesson>,
  /** How often checks held. */
  checks: CheckFigures,
  /** What sessions were given; none where no session asked. */
  given: InjectionFigures | null,
  /** Days that a lesson must have been there for what follows. */
  days: number,
  /**
   * Active lessons that no session was given for so long, although sessions of their project asked; none where that is
   * not known for so long.
   */
  never_given: Array<IdleLesson> | null,
  /**
   * Active lessons that were given, and that for so long nothing showed to be of use; none where nobody ever said of any
   * lesson that it was of use.
   */
  never_used: Array<IdleLesson> | null,
};

/** Why there is no vault to work with. */
export type VaultSetupError = {
  "is": "not-chosen"
} | {
  "is": "unfit",
  /** The folder. */
  path: string,
  /** Why not. */
  problem: string,
} | {
  "is": "not-set-up",
  /** The folder. */
  path: string,
} | {
  "is": "other-chosen",
  /** The vault that is set up. */
  path: string,
};

/** What was decided. */
export type Verdict = "approve" | "edit" | "reject" | "skip" | "supersede" | "archive";

/** Who a row is about. */
export type Voice = "user" | "agent" | "call" | "trouble" | "client";

/** Where a note waits for the user. */
export type WaitingPlace = "review" | "inbox";

/** A reflection of all that had changed, which somebody looked on at. */
export type WatchedReflection = {
  at: string,
  sessions: number,
  failed: number,
  notes: number,
};

/** What was learned in one week. */
export type Week = {
  /** Its Monday. */
  monday: string,
  /** Notes by kind. */
  learned: { [key in string]: number },
};

/** What came of one week. */
export type WeekOfUse = {
  /** Its Monday. */
  monday: string,
  /** Searches for lessons and attempts. */
  searches: number,
  /** Those that found something that fits. */
  found: number,
  /** Lessons and attempts that another session than their own came to read. */
  reused: number,
  /** Attempts whose end is known. */
  attempts: number,
  /** Those that succeeded. */
  succeeded: number,
  /** US dollars that engines cost. */
  usd: number,
};

/** A lesson as the person wrote it. */
export type WrittenLesson = {
  kind: LessonKind,
  title: string,
  /** Markdown; empty where the title says all. */
  body: string,
  /** The project it holds in, its directory or its name; `null` where it holds everywhere. */
  project: string | null,
};
