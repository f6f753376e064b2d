/**
 * What the window asks of the program around it. Every page talks to this, never to Tauri. The shapes are the program's own: they are
 * made of its types, in `contract.ts`.
 */
import type {
  About,
  Activity,
  WatchedReflection,
  Answer,
  AnswerReport,
  Binding,
  Check,
  ChosenVault,
  Commands,
  Conflict,
  Connection,
  ConnectionSettings,
  EngineName,
  EngineOffer,
  EngineTrial,
  ExportPlan,
  ExportRequest,
  FindResult,
  RecordedAnswer,
  Hooks,
  Idea,
  IdeaMark,
  ImportPlan,
  ImportSource,
  Injection,
  Item,
  JobLog,
  Key,
  Lesson,
  LessonEvent,
  LessonLine,
  LessonList,
  LessonsRequest,
  LiftOutcome,
  ListedProject,
  Limits,
  NewTask,
  Ordered,
  Overview,
  Plan,
  Progress,
  ProjectChange,
  ProjectChangeReport,
  ProjectChangeRequest,
  QueueLine,
  ReflectionResult,
  Resolution,
  MessageEffect,
  SavedLesson,
  SessionEvent,
  SessionLine,
  SessionReading,
  Setting,
  Setup,
  SignInReport,
  Spend,
  Stats,
  Surroundings,
  Task,
  TaskDetail,
  TaskNeeds,
  TaskStep,
  ToolResult,
  UndoResult,
  UndoReport,
  Usefulness,
  WrittenLesson,
} from "./contract";

export type * from "./contract";

/** What to look for in sessions. */
export type FindRequest = Commands["find"]["request"][0];

export interface Platform {
  about(): Promise<About>;
  overview(): Promise<Overview>;
  /** The page the window was opened for; empty where it was just opened. */
  route(): Promise<string>;
  /** Ends the program, the work in the background with it. */
  quit(): Promise<void>;

  queue(): Promise<QueueLine[]>;
  item(id: string): Promise<Item>;
  answer(answer: Answer): Promise<AnswerReport>;
  /** Takes a decision back; without a number the last one that stands. */
  undo(decisions: number[]): Promise<UndoResult>;
  /** The answers that stand, the latest first. */
  answers(): Promise<RecordedAnswer[]>;

  /** Notes of which there are two versions. */
  conflicts(): Promise<Conflict[]>;
  /** False where the versions could not be joined. */
  resolveConflict(path: string, resolution: Resolution): Promise<boolean>;

  lessons(request: LessonsRequest): Promise<LessonList>;
  lesson(id: string): Promise<Lesson>;
  archive(id: string, archived: boolean): Promise<void>;
  archiveMany(ids: string[], archived: boolean): Promise<void>;
  /** What happened to a lesson, the first first. */
  lessonHistory(id: string): Promise<LessonEvent[]>;
  ideas(): Promise<Idea[]>;
  /** Has Claude Code research an idea in the background; gives the task in which it does. */
  researchIdea(idea: string): Promise<string>;
  /** Marks an idea in the ledger. */
  markIdea(id: string, mark: IdeaMark): Promise<void>;
  /** Saves a lesson that the person wrote; it counts at once. */
  writeLesson(lesson: WrittenLesson): Promise<SavedLesson>;
  /** What an import would write. */
  planImport(source: ImportSource): Promise<ImportPlan>;
  /** Writes the notes that were chosen, by their paths. */
  writeImport(source: ImportSource, chosen: string[]): Promise<ImportPlan>;
  /** Lets the person choose a file that is there; `null` where they chose none. */
  chooseFile(): Promise<string | null>;
  /** What giving the lessons to a file or a folder of rules would change. */
  planExport(request: ExportRequest): Promise<ExportPlan>;
  /** Writes what was seen (each file's new text), or nothing where anything differs by now. */
  writeExport(request: ExportRequest, seen: string[]): Promise<void>;

  /** What would bind, and what it would have stopped. `given` are checks the person writes; without any the note's own words count. */
  binding(id: string, given: string[]): Promise<Binding>;
  /** Lets the checks bind that were seen, and no others. */
  bind(id: string, given: string[], seen: string[]): Promise<Binding>;
  /** Lifts them for good, or for the session they stopped last; nothing where there is none. */
  unbind(id: string, once: boolean): Promise<LiftOutcome>;

  /** Only so many, the latest, where `latest` is a number: they come soon also where there are thousands. */
  sessions(latest: number | null): Promise<SessionLine[]>;
  /** Finds sessions by what was said and done in them, while somebody types. */
  find(request: FindRequest): Promise<FindResult>;
  /** Reads a session, or the transcript of one of its sub-agents; where it is long, around this line. */
  timeline(session: string, agent?: string, line?: number): Promise<SessionReading>;
  /** What happened to a session, the first first. */
  sessionEvents(session: string): Promise<SessionEvent[]>;
  /** What a tool answered to a call; `null` where nothing came back. */
  toolResult(session: string, agent: string, call: string, line: number): Promise<ToolResult | null>;
  /** A session as markdown, without its secrets. */
  sessionText(session: string): Promise<string>;
  /** Writes it to a file that the person names; `null` where they name none. */
  exportSession(session: string, html: boolean): Promise<string | null>;
  /** Goes on with it in a terminal. */
  resumeSession(session: string): Promise<void>;
  /** Puts its transcript back where Claude Code had it. */
  restoreSession(session: string): Promise<void>;
  learned(session: string): Promise<LessonLine[]>;
  /** What a session was given and what not, the first first; empty where nobody asked for it. */
  given(session: string): Promise<Injection[]>;
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
  sayInTask(id: string, words: string): Promise<MessageEffect>;
  moveTask(id: string, step: TaskStep): Promise<void>;
  /** Lets a task go by another schedule, in plain words. */
  rescheduleTask(id: string, when: string): Promise<void>;
  /** Changes what a task's runs may do and cost; one that is under way keeps what it began with. */
  limitTask(id: string, limits: Limits): Promise<void>;

  /** The tool servers that tasks may use. */
  connections(): Promise<Connection[]>;
  /** Opens a remote server's page in the browser, and waits until the person has signed in there. */
  connect(name: string): Promise<SignInReport>;
  disconnect(name: string): Promise<void>;
  /** Keeps a connection under a name, in the place of one that has it. */
  addConnection(name: string, settings: ConnectionSettings): Promise<void>;
  /** Removes a connection, and signs out of it. */
  removeConnection(name: string): Promise<void>;

  projects(): Promise<ListedProject[]>;
  /** What joining or splitting would change. */
  planProjects(wish: ProjectChangeRequest): Promise<ProjectChange>;
  changeProjects(wish: ProjectChangeRequest): Promise<ProjectChangeReport>;
  /** Takes the last change back, and says which it was. */
  undoProjects(): Promise<ProjectChange>;

  stats(): Promise<Stats>;
  usefulness(): Promise<Usefulness>;
  /** What engines cost in the last days. */
  spend(days: number): Promise<Spend>;

  /** Which engines take a key, and whether one is kept; never the key. */
  keys(): Promise<Key[]>;
  /** What the person's own Claude Code would take as the engine, by their own sessions. */
  engineOffer(): Promise<EngineOffer>;
  /** Asks an engine a test question, as the settings are now. */
  tryEngine(engine: EngineName): Promise<EngineTrial>;
  /** Takes it into use, once it has answered one test question. */
  useClaudeCode(dailyUsd: number): Promise<EngineTrial | null>;
  setKey(engine: string, key: string): Promise<void>;
  deleteKey(engine: string): Promise<void>;

  settings(): Promise<Setting[]>;
  setSetting(key: string, values: string[]): Promise<void>;
  /** Adds items to a setting that is a list, whatever else it holds. */
  addToSetting(key: string, items: string[]): Promise<void>;
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
