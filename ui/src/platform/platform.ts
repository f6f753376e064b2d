/**
 * What the window asks of the program around it, and what it gets: the one place where both sides' words stand. Every page
 * talks to this, never to Tauri. The shapes are those of `src-tauri/commands` and of the agent's own values.
 */
export interface Platform {
  about(): Promise<About>;
  overview(): Promise<Overview>;
  /** The page the window was opened for; empty where it was just opened. */
  route(): Promise<string>;
  /** Ends the program, the work in the background with it. */
  quit(): Promise<void>;

  queue(): Promise<QueueLine[]>;
  item(id: string): Promise<Item>;
  answer(answer: Answer): Promise<Answered>;
  /** Takes a decision back; without a number the last one that stands. */
  undo(decision: number | null): Promise<Undone>;

  /** Notes of which there are two versions. */
  conflicts(): Promise<Conflict[]>;
  /** False where the versions could not be joined. */
  resolveConflict(path: string, resolution: Resolution): Promise<boolean>;

  lessons(request: LessonsRequest): Promise<LessonList>;
  lesson(id: string): Promise<Lesson>;
  archive(id: string, archived: boolean): Promise<void>;
  ideas(): Promise<Idea[]>;
  /** Has Claude Code research an idea in the background; gives the task in which it does. */
  researchIdea(idea: string): Promise<string>;
  /** Marks an idea in the ledger. */
  markIdea(id: string, mark: IdeaMark): Promise<void>;
  /** Saves a lesson that the person wrote; it counts at once. */
  writeLesson(lesson: WrittenLesson): Promise<SavedLesson>;
  /** What giving the lessons to a file or a folder of rules would change. */
  planExport(request: ExportRequest): Promise<ExportPlan>;
  /** Writes what was seen (each file's new text), or nothing where anything differs by now. */
  writeExport(request: ExportRequest, seen: string[]): Promise<void>;

  /** What would bind, and what it would have stopped. `given` are checks the person writes; without any the note's own words count. */
  binding(id: string, given: string[]): Promise<Binding>;
  /** Lets the checks bind that were seen, and no others. */
  bind(id: string, given: string[], seen: string[]): Promise<Binding>;
  /** Lifts them for good, or for the session they stopped last; nothing where there is none. */
  unbind(id: string, once: boolean): Promise<"done" | "nothing">;

  sessions(): Promise<SessionLine[]>;
  /** Finds sessions by what was said and done in them, while somebody types. */
  find(request: FindRequest): Promise<FindResult>;
  /** Reads a session, or the transcript of one of its sub-agents; where it is long, around this line. */
  timeline(session: string, agent?: string, line?: number): Promise<Timeline>;
  /** What a tool answered to a call; `null` where nothing came back. */
  toolResult(session: string, agent: string, call: string, line: number): Promise<ToolResult | null>;
  /** A session as markdown, without its secrets. */
  sessionText(session: string): Promise<string>;
  /** Writes it to a file that the person names; `null` where they name none. */
  exportSession(session: string, html: boolean): Promise<string | null>;
  /** Puts its transcript back where Claude Code had it. */
  restoreSession(session: string): Promise<void>;
  learned(session: string): Promise<LessonLine[]>;
  /** What a session was given and what not, the first first; empty where nobody asked for it. */
  given(session: string): Promise<Given[]>;
  surroundings(session: string, uuid: string, line: number): Promise<Surroundings>;

  /** Reflects all that changed, while the window looks on. */
  reflectAll(): Promise<ReflectionResult>;
  /** Puts a session into the queue of work. */
  reflect(session: string, again: boolean): Promise<Ordered>;
  stopReflecting(): Promise<void>;
  pause(paused: boolean): Promise<void>;

  activity(): Promise<Activity>;
  jobLog(job: string): Promise<JobLog[]>;
  cancelJob(job: string): Promise<void>;
  retryJob(job: string): Promise<void>;

  tasks(archived: boolean): Promise<Task[]>;
  task(id: string): Promise<TaskDetail>;
  /** Reads a schedule in plain words, so that it can be shown before it counts. */
  planTask(when: string): Promise<Plan>;
  /** Whether what a task reports is a notification; its questions always are. */
  muteTask(id: string, muted: boolean): Promise<void>;
  /** What a task's words ask for, and what its runs would lack. */
  taskNeeds(words: string): Promise<TaskNeeds>;
  /** Makes a task and gives its id; without a schedule it is a chat. */
  newTask(wanted: NewTask): Promise<string>;
  /** Says something in a task: an answer where a question waits, else a message. */
  sayInTask(id: string, words: string): Promise<"answered" | "sent">;
  moveTask(id: string, step: "pause" | "resume" | "archive"): Promise<void>;
  /** Lets a task go by another schedule, in plain words. */
  rescheduleTask(id: string, when: string): Promise<void>;
  /** Changes what a task's runs may do and cost; one that is under way keeps what it began with. */
  limitTask(id: string, limits: Limits): Promise<void>;

  /** The tool servers that tasks may use. */
  connections(): Promise<Connection[]>;
  /** Opens a remote server's page in the browser, and waits until the person has signed in there. */
  connect(name: string): Promise<SignedIn>;
  disconnect(name: string): Promise<void>;

  stats(): Promise<Stats>;
  /** What engines cost in the last days. */
  spend(days: number): Promise<Spend>;

  /** Which engines take a key, and whether one is kept; never the key. */
  keys(): Promise<Key[]>;
  /** What the person's own Claude Code would take as the engine, by their own sessions. */
  engineOffer(): Promise<EngineOffer>;
  /** Takes it into use, once it has answered one test question. */
  useClaudeCode(dailyUsd: number): Promise<EngineTried | null>;
  setKey(engine: string, key: string): Promise<void>;
  deleteKey(engine: string): Promise<void>;

  settings(): Promise<Setting[]>;
  setSetting(key: string, values: string[]): Promise<void>;
  autostart(): Promise<boolean>;
  setAutostart(on: boolean): Promise<void>;
  doctor(): Promise<Check[]>;

  setup(): Promise<Setup>;
  pickFolder(): Promise<string | null>;
  /** Lets the person name a file, which may be there. */
  pickFile(name: string): Promise<string | null>;
  chooseVault(folder: string): Promise<ChosenVault>;
  /** The first run is over: the work in the background begins. */
  begin(): Promise<void>;

  hooks(): Promise<Hooks>;
  /** Joins Claude Code, or leaves it as it was before. */
  setHooks(on: boolean): Promise<void>;

  openNote(path: string): Promise<void>;
  openInObsidian(id: string): Promise<void>;
  openVault(): Promise<void>;
  openLink(address: string): Promise<void>;

  /** Calls back whenever the program tells something; returns how to stop listening. */
  on<E extends keyof News>(news: E, handler: (payload: News[E]) => void): () => void;
}

/** What the program tells by itself. */
export interface News {
  /** Go to this page. */
  go: string;
  /** Something changed: ask again. */
  changed: null;
  /** How far a reflection is. */
  progress: Progress;
}

/** Why something asked for was not done. */
export interface Failure {
  code: "invalid" | "precondition" | "notfound" | "conflict" | "external" | "bug";
  message: string;
  hint: string | null;
}

export interface About {
  version: string;
}

export type Face = "watching" | "reflecting" | "review" | "paused" | "error";

export interface Overview {
  face: Face;
  words: string;
  /** This window's program works itself; otherwise another one does, and this one only shows. */
  works_here: boolean;
  /** The desktop shows the tray's icon; where it does not, the program ends with its window. */
  in_tray: boolean;
  paused: boolean;
  vault: string | null;
  /** Lessons that wait for an answer. */
  waiting: number;
  inbox: number;
  appearance: "system" | "light" | "dark";
}

export type Kind = "preference" | "workflow" | "fix" | "idea" | "reference" | "project" | "ideas";
export type Confidence = "high" | "medium" | "low";
export type Status = "active" | "inbox" | "superseded" | "archived";

export type Waits = "review" | "inbox";

export interface QueueLine {
  id: string;
  title: string;
  kind: Kind;
  confidence: Confidence | null;
  project: string | null;
  /** Put up for review, or put by in the inbox. */
  waits: Waits;
  created: string | null;
  age_days: number;
  skipped_at: string | null;
}

export interface Turn {
  line: number;
  role: "user" | "assistant" | "tool";
  text: string;
  is_evidence: boolean;
}

export interface Evidence {
  role: "user" | "assistant" | "tool";
  quote: string;
  session: string;
  uuid: string;
  line: number;
  date: string | null;
  /** `null` where Claude Code has deleted it. */
  transcript: string | null;
  turns: Turn[];
}

export interface Similar {
  id: string;
  kind: string;
  title: string;
  path: string;
  project: string;
  /** In meaning, from 0 to 1. */
  closeness: number;
  contradicts: boolean;
}

export interface Item extends QueueLine {
  path: string;
  /** Its text as markdown, to be edited. */
  body: string;
  html: string;
  signal: string | null;
  rationale: string;
  evidence: Evidence[];
  similar: Similar[];
}

export type Answer =
  | { verdict: "approve"; ids: string[] }
  | { verdict: "skip"; ids: string[] }
  | { verdict: "reject"; ids: string[]; reason: string; everywhere: boolean }
  | { verdict: "edit"; id: string; title: string; body: string }
  | { verdict: "supersede"; id: string; old: string; title: string | null; body: string | null };

export interface Decision {
  /** By which it can be undone. */
  id: number;
  verdict: string;
  note: string;
  title: string;
  path: string;
}

export interface Answered {
  decisions: Decision[];
  failures: Failure[];
}

export interface Undone {
  id: number;
  verdict: string;
  title: string;
  /** `null` where the note was deleted by a person. */
  path: string | null;
  /** The person's changes since the decision stay. */
  kept_changes: boolean;
}

/** Two versions of one note. */
export interface Conflict {
  path: string;
  /** The other version's file; `null` where git left both in one. */
  copy: string | null;
  /** What made it; `null` where two machines wrote one lesson. */
  tool: string | null;
  here: string;
  there: string;
  can_be_joined: boolean;
}

export type Resolution = "here" | "there" | "both" | "join";

export interface LessonLine {
  id: string;
  path: string;
  title: string;
  kind: Kind | null;
  status: Status | null;
  confidence: Confidence | null;
  project: string | null;
  created: string | null;
  session: string | null;
  evidence: number;
  snippet: string | null;
}

export interface LessonsRequest {
  query: string;
  kind: string | null;
  project: string | null;
  status: string | null;
}

export interface LessonList {
  lessons: LessonLine[];
  projects: Record<string, number>;
  statuses: Record<string, number>;
}

export interface Lesson extends LessonLine {
  /** Its text as markdown. */
  body: string;
  html: string;
  evidence_html: string;
  signal: string | null;
  tags: string[];
  updated: string | null;
  always_load: boolean;
  references: string[];
  file: string;
  obsidian: string | null;
  /** Its checks bind. */
  binds: boolean;
}

/** What a session was given at one moment. */
export interface Given {
  project: string;
  moment: "startup" | "resume" | "clear" | "compact" | "fork" | "prompt" | string;
  at: string;
  tokens: number;
  bytes: number | null;
  /** Why nothing was given; empty where something was. */
  silence: string;
  /** The lessons thought of. */
  lessons: { note: string; path: string; title: string; shown: boolean; reason: string }[];
}

/** A lesson's checks. */
export interface Binding {
  /** A line each. */
  checks: string[];
  /** Written by the person now, found in the note, or made of its words. */
  source: "given" | "note" | "words";
  /** Why nothing can bind. */
  problem: string | null;
  binds: boolean;
  past: Past;
  /** Claude Code asks before a tool runs. */
  is_asked: boolean;
}

/** What checks would have stopped. */
export interface Past {
  sessions: number;
  looked_at: number;
  stopped: number;
  concerned: number;
  examples: { session: string; at: string | null; what: string }[];
}

export type IdeaMark = "open" | "done" | "dismissed";

export interface WrittenLesson {
  kind: "preference" | "workflow" | "fix";
  title: string;
  /** Markdown; empty where the title says all. */
  body: string;
  /** The project's directory or name; `null` where it holds everywhere. */
  project: string | null;
}

export interface SavedLesson {
  outcome: "saved" | "waits" | "known" | "deleted";
  /** The lesson that says it now; `null` where it was deleted before. */
  lesson: LessonLine | null;
}

/** Lessons for Claude Code's own files: a block in a file of instructions, or a file for each kind in a folder of rules. */
export interface ExportRequest {
  form: "claude-md" | "rules";
  project: string | null;
  to: string;
}

export interface ExportPlan {
  lessons: number;
  files: { path: string; before: string | null; after: string }[];
  /** Files that are left alone, and why. */
  left: string[];
}

export interface Spend {
  since: string;
  calls: number;
  input_tokens: number;
  output_tokens: number;
  usd: number;
  /** The dearest first. */
  sums: { purpose: string; engine: string; model: string; project: string; calls: number; input_tokens: number; output_tokens: number; usd: number }[];
  today_usd: number;
  set_aside_usd: number;
  daily_usd: number | null;
  left_today_usd: number | null;
}

export interface Idea extends LessonLine {
  /** Ticked or dismissed. */
  done: boolean;
  /** Its page has what was found out about it. */
  researched: boolean;
  /** The task in which it is being researched. */
  research: string | null;
  /** How its line in the ledger is marked; `null` where it has none. */
  mark: IdeaMark | null;
  /** Its text as markdown. */
  body: string;
  html: string;
}

export type SessionState = "new" | "grown" | "reflected" | "excluded" | "own";

/** What there is of a session: its transcript, a copy of it, or nothing but what was typed. */
export type SessionPlace = "transcript" | "archive" | "prompts";

export interface SessionLine {
  session: string;
  transcript: string;
  project: string | null;
  /** Both empty where it is not indexed yet. */
  title: string;
  first_words: string;
  /** `null` where its transcript is gone. */
  state: SessionState | null;
  place: SessionPlace;
  /** It is going on at this moment. */
  live: boolean;
  bytes: number;
  modified: string;
  /** Entries and candidates, where it was reflected. */
  entries: number | null;
  candidates: number | null;
  /** How it ended, where that is known. */
  outcome: "success" | "partial" | "failure" | null;
}

export interface FindRequest {
  query: string;
  project: string | null;
  onlyMe: boolean;
}

export interface FindResult {
  sessions: FoundSession[];
  /** No line has all the words; these have some of them. */
  has_some_words: boolean;
  /** Transcripts that were searched. */
  files: number;
}

export interface FoundSession {
  /** Empty where only a prompt of it is left that does not tell. */
  session: string;
  project: string;
  title: string;
  first_words: string;
  started_at: string | null;
  ended_at: string | null;
  place: SessionPlace;
  lines: FoundLine[];
  /** Further lines that fit. */
  more: number;
}

export interface FoundLine {
  line: number;
  /** The sub-agent in whose transcript it stands; empty in the session's own. */
  agent: string;
  time: string | null;
  voice: Row["voice"];
  what: string;
  sidechain: boolean;
  snippet: Piece[];
}

export interface Piece {
  text: string;
  is_match: boolean;
}

export interface ToolResult {
  line: number;
  text: string;
  is_error: boolean;
  is_cut: boolean;
}

export interface Row {
  line: number;
  uuid: string;
  time: string | null;
  voice: "user" | "agent" | "call" | "trouble" | "client";
  what: string;
  text: string;
  /** The model's words, made of its markdown; absent elsewhere. */
  html?: string;
  sidechain: boolean;
  /** The call's id; absent in what is no call. */
  call?: string;
}

export interface Timeline {
  session: string;
  /** The sub-agent whose transcript it is; empty in the session's own. */
  agent: string;
  directory: string | null;
  /** What goes on with it, to be typed in a shell; `null` where it cannot be resumed. */
  resume: string | null;
  /** Claude Code has it no more: this is the copy. */
  is_copy: boolean;
  subagents: { agent: string; words: string; bytes: number }[];
  title: string | null;
  transcript: string;
  started: string | null;
  last_activity: string | null;
  entries: number;
  skipped: number;
  usage: { messages: number; input: number; output: number; cache_read: number; cache_write: number };
  redacted: number;
  rows: Row[];
  /** Rows left out before and after. */
  left_out: number;
  left_out_after: number;
}

export interface Surroundings {
  rows: Row[];
  focus: number | null;
}

export interface Progress {
  /** Sessions to be read, and read. */
  sessions: number;
  done: number;
  bytes: number;
  bytes_done: number;
  candidates: number;
  failed: number;
  /** The transcript at hand. */
  transcript: string | null;
}

export interface ReflectionResult {
  sessions: number;
  candidates: number;
  notes: number;
  waiting: number;
  failed: { transcript: string; message: string }[];
  stopped: boolean;
}

export interface Ordered {
  outcome: "queued" | "running" | "refused";
  words: string;
}

export interface Job {
  id: string;
  type: string;
  subject: string | null;
  status: "queued" | "running" | "completed" | "failed" | "cancelled";
  forced: boolean;
  progress: number;
  attempts: number;
  reason: string | null;
  result: string | null;
  queued_at: string;
  started_at: string | null;
  completed_at: string | null;
}

export interface Activity {
  jobs: Job[];
}

export interface JobLog {
  attempt: number;
  started_at: string;
  ended_at: string;
  transcript: string;
}

/** What a task's runs may do and cost. */
export interface Limits {
  allowed_tools: string[];
  connections: string[];
  most_usd: number;
  most_minutes: number;
}

export interface Task {
  id: string;
  title: string;
  status: "active" | "background" | "waiting_input" | "archived";
  paused: boolean;
  task: string;
  schedule_text: string | null;
  next_run_at: string | null;
  step: string;
  pending_question: Question | null;
  directory: string;
  allowed_tools: string[];
  connections: string[];
  most_usd: number;
  most_seconds: number;
  spent_usd: number;
  last_success_at: string | null;
  finished_at: string | null;
  running: boolean;
  /** What it reports is no notification. */
  muted: boolean;
  /** Reports that came since the person last looked. */
  unseen: number;
  created_at: string;
  updated_at: string;
}

export interface Question {
  type: "confirmation" | "choice" | "input";
  prompt: string;
  options?: string[];
  /** What it is about, where Afterword asks and not the work: failed runs, or a connection by its name. */
  concern?: "failure" | { reconnect: string };
}

export interface Connection {
  name: string;
  type: "stdio" | "http";
  url?: string;
  command?: string;
  needs_sign_in: boolean;
  signed_in_at: string | null;
}

export interface SignedIn {
  connection: string;
  /** Tasks that waited for it and go on, by id. */
  going_on: string[];
}

export interface TaskMessage {
  id: string;
  role: "user" | "assistant" | "system";
  source: "chat" | "worker";
  content: string;
  created_at: string;
}

export interface TaskRun {
  id: string;
  source: "chat" | "worker";
  outcome: string;
  due_at: string | null;
  started_at: string;
  ended_at: string | null;
  cost_usd: number;
  input_tokens: number;
  output_tokens: number;
  reason: string | null;
}

export interface TaskDetail {
  conversation: Task;
  /** The oldest first. */
  messages: TaskMessage[];
  /** The latest first. */
  runs: TaskRun[];
}

export interface Plan {
  text: string;
  /** Its next times. */
  next: string[];
  zone: string;
}

/** What an engine would take and cost, measured on the person's own sessions. */
export interface EngineOffer {
  engine: string;
  in_use: boolean;
  model: string;
  /** Why it cannot be asked now. */
  problem: string | null;
  sessions: number;
  asked_about: number;
  tokens_a_session: number;
  usd_a_session: number | null;
  usd_for_all: number | null;
  sessions_a_week: number;
  usd_a_week: number | null;
  priced_by: string;
  daily_usd: number | null;
}

export interface EngineTried {
  engine: string;
  input_tokens: number;
  output_tokens: number;
  usd: number | null;
  seconds: number;
}

export interface NewTask {
  words: string;
  when: string;
  directory: string | null;
  allowed_tools: string[];
  connections: string[];
}

/** What a task asks for, for the person to allow, and what it lacks. */
export interface TaskNeeds {
  tools: { tool: string; because: string; changes: boolean }[];
  connections: string[];
  missing: { what: string; advice: string }[];
}

export interface Stats {
  weeks: { monday: string; learned: Record<string, number> }[];
  kinds: Record<string, number>;
  statuses: Record<string, number>;
  projects: Record<string, number>;
  evidence: number;
  confirmed: number;
  decisions: Record<string, number>;
  sessions: number;
  bytes: number;
  engines: { calls: number; input_tokens: number; output_tokens: number; usd: number };
  attempts: {
    reflection_store_count: number;
    reflection_search_count: number;
    /** From 0 to 1. */
    reflection_hit_rate: number | null;
    outcome_improvement_rate: number | null;
    cross_session_reuse: number;
  };
  /** Attempts whose end is known, and those of them that succeeded. */
  ended: [number, number];
  use_weeks: WeekOfUse[];
  /** What engines cost today, and what they may. */
  today_usd: [number, number | null];
}

/** What came of one week. */
export interface WeekOfUse {
  monday: string;
  searches: number;
  found: number;
  reused: number;
  attempts: number;
  succeeded: number;
  usd: number;
}

export interface Setting {
  key: string;
  shape: "path" | "choice" | "switch" | "list" | "text";
  choices: string[];
  about: string;
  default: string[];
  values: string[];
  set: boolean;
}

export interface Key {
  engine: string;
  /** Where it is sent. */
  host: string;
  kept: boolean;
}

export interface Check {
  name: string;
  verdict: "ok" | "warn" | "fail";
  message: string;
  advice: string | null;
}

export interface Setup {
  claude: string;
  /** Sessions found there. */
  sessions: number;
  bytes: number;
  /** Folders that could be the vault: those Obsidian knows, then a new one. */
  vaults: { path: string; obsidian: boolean; exists: boolean }[];
  vault: string | null;
}

export interface ChosenVault {
  vault: string;
  in_obsidian: boolean;
  installed: number;
}

/** How Afterword would join Claude Code. */
export interface Hooks {
  /** The command that Claude Code would start is there. */
  possible: boolean;
  installed: boolean;
  /** The files that would change. */
  files: { path: string; before: string | null; after: string | null }[];
}
