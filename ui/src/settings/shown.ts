/** What settings are called, and which of them are shown. */
import type { Setting } from "../platform/platform";

const NAMES: Record<string, string> = {
  "vault.path": "Folder",
  "claude.config_dir": "Claude Code's directory",
  "claude.binary": "Claude Code's program",
  "review.mode": "Lessons that are likely but not certain",
  "review.per_week": "Lessons asked about in a week, at most",
  "review.inbox_days": "Days a lesson stays in the inbox",
  "engine.name": "What finds the lessons",
  "engine.model": "Model",
  "engine.address": "Address of an openai-compatible engine",
  "engine.anthropic_address": "Address of Anthropic",
  "engine.limit_minutes": "Minutes an answer may take",
  "engine.usd_per_million_in": "US dollars for a million tokens read",
  "engine.usd_per_million_out": "US dollars for a million tokens written",
  "budget.daily_usd": "US dollars a day, for everything",
  "budget.per_job_usd": "US dollars for one job",
  "reflection.idle_minutes": "Minutes of silence before a session is reflected",
  "heartbeat.enabled": "Run your HEARTBEAT.md in silent sessions",
  "heartbeat.idle_minutes": "Minutes of silence before that",
  "heartbeat.continue_minutes": "Minutes until it looks again",
  "recovery.unknown_minutes": "Minutes until a session without a sign counts as crashed",
  "recovery.keep_days": "Days that markers, jobs and logs are kept",
  "log.level": "What the program's own log holds",
  "tasks.daily_usd": "US dollars a day, of those for everything",
  "recall.token_budget": "Tokens of lessons at a session's start",
  "recall.on_prompt": "Lessons that match a prompt",
  "privacy.exclude": "Projects that are never read",
  "privacy.redact_extra": "Further secrets to take out",
  "archive.sessions": "Keep a copy of every session",
  "archive.limit_mb": "Megabytes that copies may take",
  "projects.folders": "Folders that count as a project",
  "notices.completed": "A session was reflected",
  "notices.failed": "A session could not be reflected",
  "notices.review": "Lessons wait for review",
  "notices.waiting": "A task waits for your answer",
  "notices.quiet_hours": "Quiet hours",
  "window.appearance": "Light or dark",
};

/** Fields of the engine that only some engines have. */
const OF_ENGINES: Record<string, string[]> = {
  "engine.model": ["claude-code", "anthropic", "openai-compatible"],
  "engine.address": ["openai-compatible"],
  "engine.anthropic_address": ["anthropic"],
  "engine.limit_minutes": ["claude-code", "anthropic", "openai-compatible"],
  "engine.usd_per_million_in": ["anthropic", "openai-compatible"],
  "engine.usd_per_million_out": ["anthropic", "openai-compatible"],
};

export function nameOf(key: string): string {
  return NAMES[key] ?? words(key.split(".")[1] ?? key);
}

function words(key: string): string {
  const spaced = key.replaceAll("_", " ");
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

/** The settings that a person is shown: those of the chosen engine, and of these the ones that hold all words of the search. */
export function shown(settings: Setting[], search: string, section: (setting: Setting) => string): Setting[] {
  const engine = settings.find((setting) => setting.key === "engine.name")?.values[0] ?? "builtin";
  const wanted = search.toLowerCase().split(/\s+/).filter(Boolean);
  return settings.filter((setting) => {
    const engines = OF_ENGINES[setting.key];
    const text = `${section(setting)} ${nameOf(setting.key)} ${setting.about} ${setting.key}`.toLowerCase();
    return (!engines || engines.includes(engine)) && wanted.every((word) => text.includes(word));
  });
}
