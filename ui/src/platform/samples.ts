import type { Binding, Check, Conflict, Connection, ExportPlan, FindRequest, FindResult, RecordedAnswer, Hooks, Idea, ImportPlan, Injection, Job, JobLog, Key, Lesson, LessonEvent, LessonLine, ListedProject, ProjectChange, ProjectChangeRequest, SessionEvent, SessionLine, SessionReading, Setting, Setup, Spend, Stats, Task, TaskDetail, Usefulness } from "./platform";

/** What the pages besides the review show on canned data: one of each kind of thing they can show. */

const SESSION = "0f0e0d0c-0000-7000-8000-000000000001";

function line(id: string, title: string, more: Partial<LessonLine> = {}): LessonLine {
  return {
    id,
    path: `Afterword/Preferences/${id}.md`,
    title,
    kind: "preference",
    status: "active",
    confidence: "high",
    project: "shop",
    created: "2026-01-10",
    session: SESSION,
    evidence: 2,
    waits: null,
    snippet: null,
    ...more,
  };
}

export const LESSONS: LessonLine[] = [
  line("use-npm", "Use npm for scripts"),
  line("prices-in-cents", "Prices are integers, in cents", { kind: "workflow", snippet: "Prices are <b>integers</b>, in cents" }),
  line("lock-file", "A stale lock file stops the build", { kind: "fix", confidence: "medium", project: null }),
];

export function lesson(id: string): Lesson {
  const of = LESSONS.find((one) => one.id === id) ?? line(id, "Use npm for scripts");
  return {
    ...of,
    body: `${of.title}.`,
    html: `<p>${of.title}, as in <code>npm run build</code>. <a href="https://docs.npmjs.com">Its manual</a></p>`,
    pieces: [
      {
        role: "user",
        quote: "please use npm for scripts",
        session: "0f0e0d0c-0000-7000-8000-000000000001",
        uuid: "",
        line: 3,
        date: "2026-02-01",
        transcript: null,
        can_be_read: true,
        turns: [],
      },
    ],
    evidence_html: "",
    signal: "standing-rule",
    tags: ["tools", "build"],
    updated: "2026-02-01",
    always_load: true,
    references: ["0f0e0d0c/L3"],
    file: `/home/ada/Notes/${of.path}`,
    obsidian: "obsidian://open?vault=Notes",
    binds: false,
  };
}

export const IDEAS: Idea[] = [
  { ...line("undo-everywhere", "Undo in every list", { kind: "idea" }), done: false, mark: "open", body: "One undo for all lists.", researched: false, research: null, html: "<p>One undo for all lists.</p>" },
  { ...line("dark-charts", "Charts for dark rooms", { kind: "idea" }), done: true, mark: "done", body: "Done.", researched: false, research: null, html: "<p>Done.</p>" },
];

export const EXPORT: ExportPlan = {
  lessons: 2,
  offered: [
    { path: "Afterword/Preferences/npm.md", kind: "preference", title: "Use npm for scripts", project: null, has_secret: false },
    { path: "Afterword/Preferences/cents.md", kind: "preference", title: "Prices are integers, in cents", project: "shop", has_secret: true },
  ],
  files: [{ path: "", before: "# Shop\n", after: "# Shop\n\n- Use npm for scripts\n- Prices are integers, in cents\n" }],
  left: [],
};

export const SPEND: Spend = {
  since: "2026-02-01T00:00:00Z",
  calls: 42,
  input_tokens: 310_000,
  output_tokens: 22_000,
  usd: 1.84,
  sums: [
    { purpose: "conversation", engine: "claude-code", model: "claude-opus-4-6", project: "", calls: 12, input_tokens: 120_000, output_tokens: 14_000, usd: 1.2 },
    { purpose: "reflection", engine: "anthropic", model: "claude-haiku-4-5", project: "/home/ada/shop", calls: 30, input_tokens: 190_000, output_tokens: 8_000, usd: 0.64 },
  ],
  latest: [],
  today_usd: 0.31,
  set_aside_usd: 0,
  daily_usd: 5,
  left_today_usd: 4.69,
  tasks_today_usd: 0.2,
  tasks_daily_usd: 1,
};

function session(number: number, more: Partial<SessionLine>): SessionLine {
  return {
    session: SESSION.replace(/1$/, String(number)),
    project: "/home/ada/shop",
    title: "",
    first_words: "please use npm for scripts",
    state: "reflected",
    place: "transcript",
    live: false,
    bytes: 91_000 * number,
    modified: "2026-03-01T10:00:00Z",
    candidates: 3,
    outcome: "success",
    ...more,
  };
}

export const SESSIONS: SessionLine[] = [
  session(1, { title: "Prices in cents" }),
  session(2, { state: "grown", live: true, outcome: null, first_words: "why does the nightly import stop halfway?" }),
  session(3, { state: "new", candidates: null, project: null, first_words: "", outcome: null }),
  session(4, { state: null, place: "archive", project: "/home/ada/garden", first_words: "draw a plan of the beds", outcome: "failure", modified: "2025-11-20T10:00:00Z" }),
];

/** What is found among these: the sessions whose title or first words hold the words, each with one line. */
export function found({ query, project, onlyMe }: FindRequest): FindResult {
  const wanted = query.trim().toLowerCase();
  const text = (line: SessionLine) => `${line.title} ${line.first_words}`.toLowerCase();
  const fits = SESSIONS.filter((line) => wanted && text(line).includes(wanted) && (!project || line.project === project));
  const sessions = fits.map((line) => ({
    session: line.session,
    project: line.project ?? "",
    title: line.title,
    first_words: line.first_words,
    started_at: line.modified,
    ended_at: line.modified,
    place: line.place,
    score: 1,
    lines: [
      { line: 2, agent: "", time: line.modified, voice: onlyMe ? "user" : "agent", what: "", sidechain: false, by_meaning: false, snippet: [{ text: "I will ", is_match: false }, { text: query.trim(), is_match: true }, { text: " from here on.", is_match: false }] },
    ] as FindResult["sessions"][0]["lines"],
    more: 4,
  }));
  return { sessions, has_some_words: false, files: 12 };
}

export const TIMELINE: SessionReading = {
  session: SESSION,
  agent: "",
  directory: "/home/ada/shop",
  hooks_off: null,
  resume: `cd '/home/ada/shop' && claude --resume ${SESSION}`,
  is_copy: false,
  subagents: [{ agent: "a77", words: "find every place that builds a price", bytes: 48_000 }],
  title: "Prices in cents",
  transcript: "/home/ada/.claude/projects/-shop/1.jsonl",
  started: "2026-03-01T09:00:00Z",
  last_activity: "2026-03-01T10:00:00Z",
  entries: 120,
  skipped: 1,
  usage: { messages: 40, input: 120_000, output: 9_000, cache_read: 1_500_000, cache_write: 80_000 },
  redacted: 1,
  rows: [
    { line: 1, uuid: "a", time: "2026-03-01T09:00:00Z", voice: "user", what: "", text: "please use npm for scripts", sidechain: false },
    { line: 2, uuid: "b", time: "2026-03-01T09:00:10Z", voice: "agent", what: "", text: "I will use **npm** from here on.", html: "<p>I will use <strong>npm</strong> from here on.</p>", sidechain: false },
    { line: 3, uuid: "c", time: "2026-03-01T09:00:20Z", voice: "call", what: "", text: "Bash: npm run build", sidechain: false, call: "toolu_1" },
    { line: 4, uuid: "d", time: "2026-03-01T09:00:30Z", voice: "trouble", what: "failed", text: "error: missing script", sidechain: true },
    { line: 5, uuid: "e", time: null, voice: "client", what: "compaction", text: "The conversation was summed up.", sidechain: false },
  ],
  left_out: 2,
  left_out_after: 0,
};

function job(id: string, status: Job["status"], more: Partial<Job> = {}): Job {
  return {
    id,
    type: "reflection",
    subject: SESSION,
    status,
    forced: false,
    progress: status === "completed" ? 1 : 0.4,
    attempts: 1,
    reason: null,
    result: null,
    queued_at: "2026-03-01T10:00:00Z",
    started_at: "2026-03-01T10:00:01Z",
    completed_at: status === "running" ? null : "2026-03-01T10:00:09Z",
    ...more,
  };
}

export const JOBS: Job[] = [
  job("j1", "running"),
  job("j2", "queued", { started_at: null, completed_at: null }),
  job("j3", "failed", { attempts: 3, reason: "the transcript was deleted" }),
  job("j4", "completed", { result: '{"candidates":3,"saved":1,"waiting":2}' }),
  job("j5", "cancelled"),
];

export const LOGS: JobLog[] = [
  { attempt: 1, started_at: "2026-03-01T10:00:01Z", ended_at: "2026-03-01T10:00:09Z", transcript: "read 120 entries" },
];

function task(id: string, title: string, more: Partial<Task>): Task {
  return {
    id,
    title,
    status: "active",
    paused: false,
    task: title,
    schedule: { type: "cron", cron_expression: "0 9 * * 1-5", time_zone: "Europe/Berlin" },
    schedule_text: "every weekday at 09:00",
    next_run_at: "2026-03-03T09:00:00Z",
    step: "",
    data: {},
    pending_question: null,
    claude_session_id: null,
    directory: "/home/ada/shop",
    allowed_tools: ["Read"],
    connections: [],
    most_usd: 0.25,
    most_seconds: 600,
    spent_usd: 0.024,
    last_success_at: "2026-03-02T09:00:00Z",
    finished_at: null,
    running: false,
    muted: false,
    unseen: 0,
    can_undo: false,
    created_at: "2026-02-01T10:00:00Z",
    updated_at: "2026-03-02T09:00:00Z",
    ...more,
  };
}

export const TASKS: Task[] = [
  task("t1", "Remind customers whose invoices are overdue", {
    status: "waiting_input",
    pending_question: { type: "choice", prompt: "Which one first?", options: ["the long one", "the short one"] },
  }),
  task("t2", "Look whether the nightly import ran", { status: "background" }),
];

export function talk(id: string): TaskDetail {
  const conversation = TASKS.find((one) => one.id === id);
  if (!conversation) throw { code: "notfound", message: `there is no conversation \`${id}\``, hint: null };
  return {
    conversation,
    messages: [
      { id: "m1", role: "user", source: "chat", content: conversation.task, relayed: false, created_at: "2026-03-02T08:59:00Z" },
      { id: "m2", role: "assistant", source: "worker", content: "Two invoices are not paid yet.", relayed: false, created_at: "2026-03-02T09:00:00Z" },
    ],
    runs: [
      {
        id: "r1",
        source: "worker",
        outcome: "asked",
        due_at: "2026-03-02T09:00:00Z",
        started_at: "2026-03-02T09:00:00Z",
        ended_at: "2026-03-02T09:00:12Z",
        claude_session_id: null,
        cost_usd: 0.012,
        input_tokens: 900,
        output_tokens: 40,
        reason: null,
      },
    ],
  };
}

const mondays = Array.from({ length: 26 }, (_, week) => new Date(Date.UTC(2025, 8, 8 + 7 * week)).toISOString().slice(0, 10));

export const STATS: Stats = {
  weeks: mondays.map((monday, week) => ({ monday, learned: { preference: week % 4, workflow: week % 3, fix: week % 2, idea: week % 5 ? 0 : 1 } })),
  kinds: { preference: 12, workflow: 7, fix: 4 },
  statuses: { active: 23, inbox: 3, archived: 2 },
  projects: { shop: 14, "": 9 },
  evidence: 61,
  confirmed: 8,
  decisions: { approve: 12, edit: 2, reject: 3 },
  sessions: 212,
  bytes: 181_000_000,
  engines: { calls: 31, input_tokens: 90_000, output_tokens: 8_000, usd: 0.42 },
  attempts: {
    reflection_store_count: 40,
    reflection_search_count: 90,
    reflection_hit_rate: 0.72,
    outcome_improvement_rate: 0.11,
    cross_session_reuse: 133,
  },
  ended: [40, 31],
  use_weeks: mondays.map((monday, week) => ({
    monday,
    searches: week < 8 ? 0 : 5,
    found: week % 6,
    reused: week,
    attempts: 4,
    succeeded: week % 5,
    usd: week * 0.002,
  })),
  today_usd: [0.03, 1],
};

export const ANSWERS: RecordedAnswer[] = [
  { id: 12, note: null, verdict: "reject", title: "Never wait for the build", superseded: null, reason: "said of one build only", at: "2026-11-20T09:12:00Z", path: null },
];

function setting(key: string, shape: Setting["shape"], values: string[], choices: string[] = []): Setting {
  return { key, shape, choices, about: `What \`${key}\` is for.`, default: values, values, set: false };
}

export const SETTINGS: Setting[] = [
  setting("vault.path", "path", ["/home/ada/Notes"]),
  setting("claude.binary", "path", []),
  setting("review.mode", "choice", ["interactive"], ["interactive", "silent"]),
  setting("engine.name", "choice", ["builtin"], ["builtin", "claude-code", "anthropic", "openai-compatible"]),
  setting("engine.model", "text", []),
  setting("budget.daily_usd", "text", ["5.0"]),
  setting("privacy.exclude", "list", ["/home/ada/secret/**"]),
  setting("tasks.daily_usd", "text", ["1.0"]),
  setting("projects.folders", "list", []),
  setting("notices.review", "switch", ["true"]),
  setting("updates.check", "switch", ["false"]),
  setting("window.appearance", "choice", ["system"], ["system", "light", "dark"]),
  setting("window.language", "choice", ["system"], ["system", "en", "de", "zh"]),
];

export const KEYS: Key[] = [
  { engine: "anthropic", host: "api.anthropic.com", kept: true },
  { engine: "openai-compatible", host: "localhost", kept: false },
];

export const CHECKS: Check[] = [
  { name: "vault", verdict: "ok", message: "/home/ada/Notes", advice: null, because: null },
  { name: "hooks", verdict: "warn", message: "Claude Code is not joined", advice: "Join it above.", because: null },
  { name: "keyring", verdict: "fail", message: "there is none", advice: "Start gnome-keyring.", because: null },
];

export const CONFLICTS: Conflict[] = [
  {
    path: "Afterword/Preferences/use-pnpm.md",
    title: "Use pnpm for scripts",
    copy: "Afterword/Preferences/use-pnpm.sync-conflict-20260314-101112-ABCDEFG.md",
    tool: "Syncthing",
    here: "Use pnpm for scripts.\nSaid here.",
    there: "Use pnpm for scripts.\nSaid there.",
    can_be_joined: true,
  },
];

export const SETUP: Setup = {
  claude: "/home/ada/.claude",
  also_followed: [],
  may_choose_claude: true,
  other_claude: [],
  sessions: 12,
  bytes: 4_100_000,
  vaults: [
    { path: "/home/ada/Notes", obsidian: true, exists: true },
    { path: "/home/ada/Afterword", obsidian: false, exists: false },
  ],
  vault: null,
};

export const HOOKS: Hooks = {
  possible: true,
  installed: false,
  files: [{ path: "/home/ada/.claude/settings.json", before: "{\n}\n", after: '{\n  "hooks": {}\n}\n' }],
};

export const BINDING: Binding = {
  id: "use-npm",
  path: "Afterword/Preferences/use-npm.md",
  title: "Use npm for scripts",
  project: "shop",
  checks: ["never run `yarn`, run `npm`"],
  source: "words",
  problem: null,
  binds: false,
  past: {
    sessions: 14,
    looked_at: 320,
    stopped: 2,
    concerned: 1,
    examples: [{ session: "0f0e0d0c-0000-7000-8000-000000000001", at: "2026-03-01T10:00:00Z", what: "yarn add left-pad" }],
  },
  is_asked: true,
};

export const GIVEN: Injection[] = [
  {
    session: SESSION,
    project: "shop",
    moment: "startup",
    at: "2026-03-01T09:00:00Z",
    tokens: 40,
    bytes: 160,
    silence: "",
    lessons: [
      { note: "one", path: "Afterword/Preferences/use-npm.md", title: "Use npm for scripts", shown: true, reason: "a rule you stated, of this project" },
      { note: "two", path: "Afterword/Workflows/prices.md", title: "Prices are integers, in cents", shown: false, reason: "no room in `recall.token_budget`" },
    ],
  },
  { session: SESSION, project: "shop", moment: "prompt", at: "2026-03-01T09:05:00Z", tokens: 0, bytes: 0, silence: "nothing fits the prompt", lessons: [] },
];

function event(at: string, what: LessonEvent["what"], more: Partial<LessonEvent> = {}): LessonEvent {
  return { at, what, session: null, reason: "", undone: false, ...more };
}

export const HISTORY: LessonEvent[] = [
  event("2026-01-10T09:00:00Z", "learned", { session: SESSION }),
  event("2026-01-11T10:00:00Z", "approved"),
  event("2026-01-20T08:30:00Z", "given", { session: SESSION }),
  event("2026-01-20T09:10:00Z", "helped", { session: SESSION, reason: "the build ran with npm at once" }),
  event("2026-02-01T11:00:00Z", "repeated", { session: SESSION }),
];

export const EVENTS: SessionEvent[] = [
  { at: "2026-03-01T09:00:00Z", what: "began", detail: null },
  { at: "2026-03-01T09:40:00Z", what: "crashed", detail: null },
  { at: "2026-03-01T09:41:00Z", what: "reflecting", detail: "recovery" },
  { at: "2026-03-01T09:42:00Z", what: "failed", detail: "the disk is full" },
];

export const IMPORTED: ImportPlan = {
  new: [
    { title: "Run the linter before a commit", kind: "workflow", path: "Afterword/Workflows/run-the-linter.md", waits: false },
    { title: "The test database is reset at night", kind: "fix", path: "Afterword/_review/the-test-database.md", waits: true },
  ],
  known: 3,
  deleted: 1,
  problems: [],
  refused: [],
};

export const CONNECTIONS: Connection[] = [
  { name: "mail", type: "http", url: "https://mail.example.org/mcp", needs_sign_in: false, signed_in_at: "2026-02-20T10:00:00Z", created_at: "2026-02-01T10:00:00Z" },
  { name: "tracker", type: "stdio", command: "tracker-mcp", arguments: ["--read"], variables: {}, passed_on: [], needs_sign_in: false, signed_in_at: null, created_at: "2026-02-01T10:00:00Z" },
];

function listed(name: string, more: Partial<ListedProject> = {}): ListedProject {
  return { name, folders: [`/home/ada/${name}`], in_settings: [], sessions: 12, lessons: 5, waiting: 1, last_active: "2026-03-01T10:00:00Z", ...more };
}

export const PROJECTS: ListedProject[] = [listed("shop"), listed("shop-2", { sessions: 3, lessons: 1 }), listed("garden", { sessions: 40 })];

export function projectChange(wish: ProjectChangeRequest): ProjectChange {
  const [from, to] = wish.kind === "join" ? [wish.from, wish.into] : [wish.project, wish.name ?? "part"];
  return {
    kind: wish.kind,
    to,
    from,
    folders: [`/home/ada/${from}`],
    sessions: 3,
    notes: [{ id: "use-npm", path: "Afterword/Preferences/use-npm.md", title: "Use npm for scripts" }],
    setting_before: [],
    setting_after: [`/home/ada/${from} = ${to}`],
  };
}

export const USEFULNESS: Usefulness = {
  lessons: { active: 23, to_review: 2, inbox: 3, expired: 1 },
  repeated: { wishes: 4, given: 1, not_given: 3, unknown: 0, sessions: 31 },
  checks: { binding: 1, held: 5, sessions: 3, lifted: 0, since: "2026-02-01T10:00:00Z" },
  given: { sessions: 28, with_nothing: 3, bytes: { sessions: 28, average: 1800, most: 2400 }, tokens: { sessions: 28, average: 450, most: 600 }, since: "2026-01-01T10:00:00Z" },
  days: 30,
  never_given: [{ id: "lock-file", title: "A stale lock file stops the build", path: "Afterword/Fixes/lock-file.md", last_given: null }],
  never_used: [],
  repeated_most: [{ id: "use-npm", title: "Use npm for scripts", path: "Afterword/Preferences/use-npm.md", sessions: 3, given: 1, last: "2026-02-20T10:00:00Z" }],
  said_again: [{ id: "use-npm", title: "Use npm for scripts", kind: "preference", path: "Afterword/Preferences/use-npm.md", sessions: 2, last: "2026-02-20T10:00:00Z" }],
};
