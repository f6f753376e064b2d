/** What settings are called in the window, what is said of them there, and which of them are shown. */
import type { Setting } from "../platform/platform";
import { wordFor, words } from "../words/words.svelte";

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

function fieldOf(key: string): { name: string; help: string } | undefined {
  const names: Record<string, { name: string; help: string }> = words.settings.names;
  return names[key];
}

export function sectionName(section: string): string {
  return wordFor(words.settings.sections, section);
}

export function nameOf(key: string): string {
  return fieldOf(key)?.name ?? key;
}

/** What is said of a setting; of one that is not known here, what the program says. */
export function helpOf(setting: Pick<Setting, "key" | "about">): string {
  return fieldOf(setting.key)?.help ?? setting.about;
}

export function choiceName(key: string, choice: string): string {
  const choices: Record<string, Record<string, string>> = words.settings.choices;
  return choices[key]?.[choice] ?? choice;
}

/** Settings that a person looks for elsewhere than their keys say. */
const ELSEWHERE: Record<string, string> = { "recovery.keep_days": "log" };

export function sectionOf(setting: Pick<Setting, "key">): string {
  return ELSEWHERE[setting.key] ?? setting.key.split(".")[0] ?? "";
}

/** The settings that a person is shown: those of the chosen engine, and of these the ones that hold all words of the search. */
export function shown(settings: Setting[], search: string): Setting[] {
  const engine = settings.find((setting) => setting.key === "engine.name")?.values[0] ?? "builtin";
  const wanted = search.toLowerCase().split(/\s+/).filter(Boolean);
  return settings.filter((setting) => {
    const engines = OF_ENGINES[setting.key];
    const choices = setting.choices.map((choice) => choiceName(setting.key, choice)).join(" ");
    const text = [sectionName(sectionOf(setting)), nameOf(setting.key), helpOf(setting), choices, setting.key].join(" ").toLowerCase();
    return (!engines || engines.includes(engine)) && wanted.every((word) => text.includes(word));
  });
}
