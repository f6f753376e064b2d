/** What settings are called in the window, what is said of them there, and which of them are shown. */
import type { Setting } from "../platform/platform";

/** The sections, in the order of the settings. */
export const SECTIONS: Record<string, string> = {
  vault: "Vault",
  claude: "Claude Code",
  review: "Review",
  engine: "Engine",
  budget: "Budget",
  ideas: "Ideas",
  reflection: "Reflection",
  heartbeat: "Heartbeat",
  recovery: "After a crash",
  log: "The program's log",
  tasks: "Tasks",
  recall: "What sessions are given",
  attempts: "How sessions ended",
  privacy: "Privacy",
  archive: "Copies of sessions",
  projects: "Projects",
  notices: "Notifications",
  window: "Appearance",
};

interface Words {
  name: string;
  help: string;
}

/** Every setting. What a terminal or the file would need is no help here. */
const WORDS: Record<string, Words> = {
  "vault.path": { name: "Folder", help: "The folder that notes are written to. They go into a folder named Afterword in it." },
  "claude.config_dir": { name: "Claude Code's directory", help: "Where Claude Code keeps its sessions. Leave it empty for the usual place." },
  "claude.binary": { name: "Claude Code's program", help: "The program that tasks and chats run. Leave it empty to use the one that is installed." },
  "review.mode": { name: "Lessons of medium confidence", help: "Whether you are asked about them first, or they are saved like those of high confidence." },
  "review.per_week": {
    name: "Lessons asked about in a week, at most",
    help: "The others go to the inbox. Four times as many may wait for you at once.",
  },
  "review.inbox_days": { name: "Days a lesson stays in the inbox", help: "A lesson that nobody answered by then is archived. 0 keeps it in the inbox." },
  "engine.name": {
    name: "What finds the lessons",
    help: "The built-in engine needs no account and no network. The others are asked about what it found, and see parts of your sessions.",
  },
  "engine.model": { name: "Model", help: "Your Claude Code has one of its own; an OpenAI-compatible server needs a name here." },
  "engine.address": { name: "Address of the server", help: "An address with https, or a server on this machine." },
  "engine.anthropic_address": { name: "Address of Anthropic", help: "Where Anthropic's models are asked." },
  "engine.answer_tokens": {
    name: "Tokens of an answer, at most",
    help: "For small models that would go on and on. 0 sets no limit.",
  },
  "engine.limit_minutes": { name: "Minutes an answer may take", help: "After so long a question is given up and asked again later." },
  "engine.usd_per_million_in": { name: "US dollars for a million tokens read", help: "What the server charges. Leave it empty for a model on this machine." },
  "engine.usd_per_million_out": { name: "US dollars for a million tokens written", help: "What the server charges. Leave it empty for a model on this machine." },
  "budget.daily_usd": { name: "US dollars a day, for everything", help: "A call that could cost more is not made. 0 sets no limit." },
  "budget.per_project_usd": { name: "US dollars a day, for one project", help: "A call that could cost more is not made. 0 sets no limit." },
  "budget.per_job_usd": { name: "US dollars for reading one session", help: "A call that could cost more is not made. 0 sets no limit." },
  "ideas.research": {
    name: "Research every new idea",
    help: "The chosen engine thinks each idea through, in a call of its own. Without it you start research on the idea's page.",
  },
  "reflection.idle_minutes": {
    name: "Minutes of silence before a session is read",
    help: "Empty means 4, and 30 with an engine that costs money.",
  },
  "heartbeat.enabled": {
    name: "Look at open sessions that are silent",
    help: "Open errors, unanswered questions and uncommitted work are noted in the session, as ticked in the file HEARTBEAT.md of your vault.",
  },
  "heartbeat.idle_minutes": { name: "Minutes of silence before that", help: "How long an open session must be silent." },
  "heartbeat.continue_minutes": { name: "Minutes until it looks again", help: "Where there was nothing to note." },
  "recovery.unknown_minutes": {
    name: "Minutes until a silent session counts as crashed",
    help: "Only for a session whose program is not known. A crash of a known one is noticed within a minute.",
  },
  "recovery.keep_days": { name: "Days that old jobs and their logs are kept", help: "Older ones are deleted." },
  "log.level": { name: "What is written down", help: "Failures only, or also what the program did. It holds from the next start on." },
  "tasks.daily_usd": { name: "US dollars a day, for tasks", help: "A part of the daily budget. What is due after that waits for the next day. 0 lets no task run." },
  "recall.token_budget": {
    name: "Tokens of lessons at a session's start",
    help: "Notes marked to be loaded always come first, then those of the project. 0 gives none.",
  },
  "recall.on_prompt": { name: "Lessons that match a prompt", help: "A session is also given the lessons that clearly match what you write." },
  "recall.model": {
    name: "Model for the search by meaning",
    help: "The built-in one, or a folder with a larger one. The search goes on with the old model until the new one is ready.",
  },
  "attempts.judge_sessions": { name: "Remember how sessions ended", help: "Judged by what happened in the session: tests, corrections, commits." },
  "attempts.most_per_session": { name: "Attempts kept of one session", help: "The latest ones. 0 keeps none." },
  "attempts.most_per_project": { name: "Attempts kept of one project", help: "The latest ones. 0 keeps none." },
  "attempts.past_lessons": { name: "Past attempts given before a task", help: "How many a session is given when it begins something that was tried before." },
  "privacy.exclude": {
    name: "Projects that are never read",
    help: "Folders, with all that is below them. A * stands for any part of a name, ** for several folders.",
  },
  "privacy.redact_extra": {
    name: "Further secrets to take out",
    help: "Regular expressions. What they match is taken out before anything is shown or written.",
  },
  "archive.sessions": {
    name: "Keep a copy of every session",
    help: "Claude Code deletes its sessions after some 30 days. A copy stays on this machine, is found by the search and can be restored. Secrets are not taken out of it.",
  },
  "archive.limit_mb": { name: "Megabytes that copies may take", help: "The oldest copies go first. A copy takes about an eighth of the session. 0 sets no limit." },
  "projects.folders": {
    name: "Folders that count as a project",
    help: "A folder and the name of its project, such as ~/shop-2 = shop. All that is below the folder belongs to it.",
  },
  "notices.completed": { name: "A session was read", help: "And something was learned." },
  "notices.failed": { name: "A session could not be read", help: "With the reason." },
  "notices.review": { name: "Lessons wait for review", help: "Once for many of them." },
  "notices.waiting": { name: "A task waits for your answer", help: "A task in the background asked something." },
  "notices.reported": { name: "A task has news", help: "It reported something, or is done." },
  "notices.left_open": { name: "Something was left open", help: "An open session is silent, with an error or a question in it." },
  "notices.quiet_hours": { name: "Quiet hours", help: "Such as 22:00-07:00. What happened in them is shown afterwards, together." },
  "window.appearance": { name: "Light or dark", help: "As your desktop is, or always the same." },
};

/** What the words that a setting is chosen from are called. */
const CHOICES: Record<string, Record<string, string>> = {
  "review.mode": { interactive: "Ask me first", silent: "Save them" },
  "engine.name": {
    builtin: "The built-in engine",
    "claude-code": "Your own Claude Code",
    anthropic: "Anthropic, with a key",
    "openai-compatible": "An OpenAI-compatible server (Ollama, llama.cpp, LM Studio, hosted ones)",
  },
  "log.level": { error: "Errors", warn: "Errors and warnings", info: "What it does, too", debug: "Everything" },
  "window.appearance": { system: "As the desktop", light: "Light", dark: "Dark" },
};

/** Fields of the engine that only some engines have. */
const OF_ENGINES: Record<string, string[]> = {
  "engine.model": ["claude-code", "anthropic", "openai-compatible"],
  "engine.address": ["openai-compatible"],
  "engine.anthropic_address": ["anthropic"],
  "engine.answer_tokens": ["openai-compatible"],
  "engine.limit_minutes": ["claude-code", "anthropic", "openai-compatible"],
  "engine.usd_per_million_in": ["anthropic", "openai-compatible"],
  "engine.usd_per_million_out": ["anthropic", "openai-compatible"],
};

export function nameOf(key: string): string {
  return WORDS[key]?.name ?? key;
}

/** What is said of a setting; of one that is not known here, what the program says. */
export function helpOf(setting: Pick<Setting, "key" | "about">): string {
  return WORDS[setting.key]?.help ?? setting.about;
}

export function choiceName(key: string, choice: string): string {
  return CHOICES[key]?.[choice] ?? choice;
}

export function sectionOf(setting: Pick<Setting, "key">): string {
  return setting.key.split(".")[0] ?? "";
}

/** The settings that a person is shown: those of the chosen engine, and of these the ones that hold all words of the search. */
export function shown(settings: Setting[], search: string): Setting[] {
  const engine = settings.find((setting) => setting.key === "engine.name")?.values[0] ?? "builtin";
  const wanted = search.toLowerCase().split(/\s+/).filter(Boolean);
  return settings.filter((setting) => {
    const engines = OF_ENGINES[setting.key];
    const choices = setting.choices.map((choice) => choiceName(setting.key, choice)).join(" ");
    const text = [SECTIONS[sectionOf(setting)], nameOf(setting.key), helpOf(setting), choices, setting.key].join(" ").toLowerCase();
    return (!engines || engines.includes(engine)) && wanted.every((word) => text.includes(word));
  });
}
