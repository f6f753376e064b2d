import type { Answer, AnswerReport, Decision, Item, Language, Platform, QueueLine, UndoResult, UndoReport } from "./platform";
import { ANSWERS, BINDING, CHECKS, CONFLICTS, CONNECTIONS, EVENTS, EXPORT, found, GIVEN, HISTORY, HOOKS, IDEAS, IMPORTED, JOBS, KEYS, lesson, LESSONS, LOGS, projectChange, PROJECTS, SESSIONS, SETTINGS, SETUP, SPEND, STATS, talk, TASKS, TIMELINE, USEFULNESS } from "./samples";

const NEVER = () => {};

/**
 * Answers from fixed data, so that the window runs and can be looked at in a plain browser, and pages can be tested without
 * the program. Answers given in the review are carried out on the data. `isNew` is how it is before a vault was chosen.
 */
export function canned(isNew = false, language: Language = "system"): Platform {
  let waiting = ITEMS.map((item) => ({ ...item }));
  const gone: { decision: Decision; item: Item; at: number }[] = [];

  function decide(answer: Answer, id: string): Decision {
    const at = waiting.findIndex((item) => item.id === id);
    const item = waiting[at];
    if (!item) throw { code: "notfound", message: `there is no note \`${id}\``, hint: null };
    const decision: Decision = {
      id: gone.length + 1,
      verdict: answer.verdict === "keepboth" ? "approve" : answer.verdict,
      note: id,
      title: ("title" in answer && answer.title) || item.title,
      path: `Afterword/Preferences/${id}.md`,
      superseded: null,
    };
    gone.push({ decision, item, at });
    waiting = waiting.filter((one) => one.id !== id);
    if (answer.verdict === "skip") waiting.push({ ...item, skipped_at: "2026-03-02T10:00:00Z" });
    return decision;
  }

  function takeBack(number: number | undefined): UndoReport[] {
    const found = gone.findIndex(({ decision }) => decision.id === number);
    if (found < 0) return [];
    return gone.splice(found, 1).map(({ decision: { id, verdict, title, path }, item, at }) => {
      waiting = waiting.filter((one) => one.id !== item.id);
      waiting.splice(at, 0, item);
      return { id, verdict, title, path, kept_changes: false };
    });
  }

  return {
    about: async () => ({ version: "0.0.0" }),
    overview: async () => ({
      face: "review",
      words: `${waiting.length} lessons wait for you`,
      works_here: true,
      in_tray: true,
      paused: false,
      vault: isNew ? null : "/home/ada/Notes",
      waiting: waiting.filter((item) => item.waits === "review").length,
      inbox: waiting.filter((item) => item.waits === "inbox").length,
      can_undo: gone.length > 0,
      appearance: "system",
      language,
    }),
    route: async () => "",
    quit: async () => {},
    queue: async () => waiting.map((item): QueueLine => ({ ...item })),
    item: async (id) => {
      const item = ITEMS.find((one) => one.id === id);
      if (!item) throw { code: "notfound", message: `there is no note \`${id}\``, hint: null };
      return item;
    },
    answer: async (answer): Promise<AnswerReport> => {
      const ids = "ids" in answer ? answer.ids : [answer.id];
      return { decisions: ids.map((id) => decide(answer, id)), failures: [] };
    },
    answers: async () => ANSWERS,
    undo: async (decisions): Promise<UndoResult> => {
      if (!gone.length) throw { code: "notfound", message: "there is no answer to take back", hint: null };
      const numbers = decisions.length ? decisions : [gone.at(-1)?.decision.id];
      return { undone: numbers.flatMap((number) => takeBack(number)), left: [], failures: [] };
    },
    conflicts: async () => CONFLICTS,
    resolveConflict: async () => true,
    lessons: async () => ({ lessons: LESSONS, projects: { shop: 2, "": 1 } }),
    lesson: async (id) => lesson(id),
    archive: async () => {},
    archiveMany: async () => {},
    lessonHistory: async () => HISTORY,
    ideas: async () => IDEAS,
    researchIdea: async () => "0190",
    markIdea: async () => {},
    writeLesson: async () => ({ outcome: "saved", lesson: LESSONS[0] ?? null }),
    planImport: async () => IMPORTED,
    writeImport: async (_source, chosen) => ({ ...IMPORTED, new: IMPORTED.new.filter((note) => chosen.includes(note.path)) }),
    chooseFile: async () => "/home/ada/shop/CLAUDE.md",
    planExport: async (request) => ({ ...EXPORT, files: EXPORT.files.map((file) => ({ ...file, path: request.to })) }),
    writeExport: async () => {},
    binding: async () => BINDING,
    bind: async () => ({ ...BINDING, binds: true }),
    unbind: async () => "done",
    sessions: async (latest) => SESSIONS.slice(0, latest ?? undefined),
    find: async (request) => found(request),
    timeline: async (session, agent = "") => ({ ...TIMELINE, session, agent, subagents: agent ? [] : TIMELINE.subagents }),
    sessionEvents: async () => EVENTS,
    toolResult: async (_session, _agent, _call, line) => ({ line: line + 1, text: "added 130 packages in 11s\nfound 0 vulnerabilities", is_error: false, is_cut: false }),
    sessionText: async () => "# Prices in cents\n",
    exportSession: async () => "/home/ada/prices-in-cents.md",
    resumeSession: async () => {},
    restoreSession: async () => {},
    learned: async () => LESSONS,
    given: async () => GIVEN,
    surroundings: async () => ({ rows: TIMELINE.rows, focus: 1 }),
    reflectAll: async () => NOTHING,
    reflect: async () => ({ outcome: "queued", words: "It is in the queue." }),
    stopReflecting: async () => {},
    pause: async () => {},
    activity: async () => ({ jobs: JOBS, watched: [{ at: "2026-03-01T09:00:00Z", sessions: 12, failed: 0, notes: 31 }] }),
    jobLog: async () => LOGS,
    cancelJob: async () => {},
    retryJob: async () => {},
    tasks: async () => TASKS,
    task: async (id) => talk(id),
    planTask: async (when) => ({ schedule: { type: "immediate" }, text: when, next: [], zone: "UTC" }),
    muteTask: async () => {},
    taskNeeds: async () => ({ tools: [], connections: [], missing: [] }),
    newTask: async () => "0190",
    sayInTask: async () => "sent",
    moveTask: async () => {},
    rescheduleTask: async () => {},
    limitTask: async () => {},
    connections: async () => CONNECTIONS,
    connect: async (name) => ({ connection: name, going_on: [] }),
    disconnect: async () => {},
    addConnection: async () => {},
    removeConnection: async () => {},
    projects: async () => PROJECTS,
    planProjects: async (wish) => projectChange(wish),
    changeProjects: async (wish) => ({ notes: projectChange(wish).notes.length, refused: [] }),
    undoProjects: async () => projectChange({ kind: "join", into: "shop", from: "shop-2" }),
    usefulness: async () => USEFULNESS,
    stats: async () => STATS,
    spend: async () => SPEND,
    keys: async () => KEYS,
    engineOffer: async () => ({
      engine: "claude-code",
      in_use: false,
      model: "",
      problem: null,
      because: null,
      sessions: 41,
      asked_about: 40,
      tokens_a_session: 8_400,
      usd_a_session: 0.045,
      usd_for_all: 1.8,
      sessions_a_week: 11,
      usd_a_week: 0.5,
      priced_by: "the list price of Claude Sonnet",
      price_basis: { is: "list", model: "Claude Sonnet" },
      daily_usd: 5,
    }),
    tryEngine: async (engine) => ({ engine, input_tokens: 400, output_tokens: 30, usd: 0.002, seconds: 1.4 }),
    useClaudeCode: async () => null,
    setKey: async () => {},
    deleteKey: async () => {},
    settings: async () => SETTINGS,
    setSetting: async () => {},
    addToSetting: async () => {},
    autostart: async () => false,
    setAutostart: async () => {},
    doctor: async () => CHECKS,
    setup: async () => SETUP,
    pickFolder: async () => null,
    pickFile: async () => "/home/ada/shop/CLAUDE.md",
    chooseVault: async (folder) => ({ vault: folder, in_obsidian: false, installed: 0 }),
    begin: async () => {},
    hooks: async () => HOOKS,
    setHooks: async () => {},
    openNote: async () => {},
    openInObsidian: async () => {},
    openVault: async () => {},
    openLink: async () => {},
    on: () => NEVER,
  };
}

const NOTHING = { sessions: 0, candidates: 0, notes: 0, waiting: 0, failed: [], stopped: false };

function waits(id: string, title: string, more: Partial<Item>): Item {
  return {
    id,
    title,
    kind: "preference",
    confidence: "medium",
    project: "shop",
    waits: "review",
    created: "2026-03-01",
    age_days: 1,
    waiting_days: 1,
    skipped_at: null,
    path: `Afterword/_review/${id}.md`,
    body: title,
    html: `<p>${title}</p>`,
    signal: "standing-rule",
    rationale: "You said so once, in passing.",
    reasons: [{ form: "words", words: "You said so once, in passing." }],
    evidence: [
      {
        role: "user",
        quote: `<img src=x onerror="alert(1)"> ${title}, please`,
        session: "0f0e0d0c-0000-7000-8000-000000000001",
        uuid: "",
        line: 12,
        date: "2026-03-01",
        transcript: "/home/ada/.claude/projects/-shop/0f0e0d0c.jsonl",
        can_be_read: true,
        turns: [
          { line: 11, role: "assistant", text: "I will install the packages with npm and run the build.", is_evidence: false },
          { line: 12, role: "user", text: `<img src=x onerror="alert(1)"> ${title}, please`, is_evidence: true },
          { line: 14, role: "assistant", text: "Understood. I changed the scripts accordingly; the build passes.", is_evidence: false },
        ],
      },
    ],
    similar: [],
    may_supersede: null,
    ...more,
  };
}

const ITEMS: Item[] = [
  waits("use-pnpm", "Use pnpm for scripts", {
    similar: [
      {
        id: "use-npm",
        kind: "preference",
        title: "Use npm for scripts",
        path: "Afterword/Preferences/use-npm.md",
        project: "shop",
        closeness: 0.91,
        contradicts: true,
      },
    ],
  }),
  waits("no-amend", "Never amend a pushed commit", { age_days: 4 }),
  waits("fixture-names", "Name fixtures after what they hold", { kind: "workflow", waits: "inbox", confidence: "low" }),
];
