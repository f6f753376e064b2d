/** How times, sizes and the domain's words are written. */

import { now as present } from "./now.svelte";

const UNITS: [number, Intl.RelativeTimeFormatUnit][] = [
  [60, "second"],
  [60, "minute"],
  [24, "hour"],
  [7, "day"],
  [4.35, "week"],
  [12, "month"],
  [Number.POSITIVE_INFINITY, "year"],
];

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "long" });

/** Reading the clock's signal has what is written follow it; what happened after its last look counts from itself. */
function latest(): Date {
  void present.date;
  return new Date();
}

/** "3 hours ago". Days are written as days: a date without a time counts from its noon. */
export function ago(time: string | null | undefined, now: Date = latest()): string {
  if (!time) return "";
  const at = new Date(time.length === 10 ? `${time}T12:00` : time);
  let amount = (at.getTime() - now.getTime()) / 1000;
  if (time.length === 10 && Math.abs(amount) < 20 * 3600) return "today";
  if (Math.abs(amount) < 45) return "just now";
  for (const [size, unit] of UNITS) {
    if (Math.abs(amount) < size) return relative.format(Math.round(amount), unit);
    amount /= size;
  }
  return "";
}

/** "3 days", for how long something has been waiting. */
export function since(time: string | null | undefined, now: Date = latest()): string {
  return ago(time, now).replace(/ ago$/, "");
}

export function dateTime(time: string | null | undefined): string {
  if (!time) return "";
  return new Date(time).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
}

export function clock(time: string | null | undefined): string {
  if (!time) return "";
  return new Date(time).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
}

export function bytes(count: number): string {
  if (count < 1000) return `${count} B`;
  if (count < 1_000_000) return `${Math.round(count / 1000)} kB`;
  if (count < 1_000_000_000) return `${(count / 1_000_000).toFixed(1)} MB`;
  return `${(count / 1_000_000_000).toFixed(2)} GB`;
}

export function amount(count: number): string {
  if (count < 10_000) return count.toLocaleString("en");
  if (count < 1_000_000) return `${Math.round(count / 1000)}k`;
  return `${(count / 1_000_000).toFixed(1)}M`;
}

/** "$0.042": money that one run costs is often less than a cent. */
export function dollars(usd: number): string {
  return `$${usd.toFixed(usd > 0 && usd < 1 ? 3 : 2)}`;
}

export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}

const KINDS: Record<string, string> = {
  preference: "Preference",
  workflow: "Workflow",
  fix: "Fix",
  idea: "Idea",
  reference: "Reference",
  project: "Project",
};

export function kindName(kind: string | null | undefined): string {
  return (kind && KINDS[kind]) || kind || "Note";
}

const SIGNALS: Record<string, string> = {
  "standing-rule": "a standing rule",
  correction: "you corrected Claude",
  "design-lock": "you decided a question of design",
  "repeated-pattern": "seen again and again",
  "error-resolved": "an error was resolved",
  approval: "you approved it",
  "follow-up": "put off for later",
  implied: "said between the lines",
  saved: "saved by name",
  unproven: "perhaps not your words",
};

export function signalName(signal: string | null | undefined): string {
  return (signal && SIGNALS[signal]) || signal || "";
}

/** How the engine says why, and how a person is told. */
const REASONS: [RegExp, string][] = [
  [/ \(score \d+ of 100\)\.?/, ""],
  [/^[a-z][a-z -]*, (?:high|medium|low) confidence(?:: )?/, ""],
  [/\bthe person was content afterwards/gi, "you were content afterwards"],
  [/\bthe person says what was expected/gi, "you said what you expected"],
  [/\bthe person points to what is there already/gi, "you pointed to what is there already"],
  [/\bthe person (decide|object|narrow)s/gi, "you $1ed"],
  [/\byou decideed/g, "you decided"],
  [/\bthe agent\b/gi, "Claude"],
  [/taken together, small signs speak for it/i, "several small signs speak for it together"],
];

/** Why a lesson was found, in sentences. */
export function whyFound(lesson: { rationale: string; signal: string | null; confidence: string | null }): string {
  let reason = lesson.rationale;
  for (const [pattern, words] of REASONS) reason = reason.replace(pattern, words);
  reason = reason.trim().replace(/\.$/, "");
  const signal = signalName(lesson.signal);
  const says = (part: string) => part && !reason.toLowerCase().includes(part.toLowerCase());
  const parts = [says(signal) ? signal : "", ...reason.split("; ")].filter(Boolean);
  const sentences = parts.map((part) => `${part.charAt(0).toUpperCase()}${part.slice(1)}.`);
  return sentences.join(" ") || "The note does not say.";
}

/** The last part of a path. */
export function nameOf(path: string | null | undefined): string {
  return path?.split(/[/\\]/).filter(Boolean).pop() ?? "";
}
