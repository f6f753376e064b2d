/** How times, sizes and the domain's words are written. */

import type { CountedReason, KnownReason, Reason, Signal } from "../platform/contract";
import { EARLIER } from "../words/en/earlier";
import { wordFor, words } from "../words/words.svelte";
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

/** The digits after the point that figures are written with. */
type Digits = 1 | 2 | 3;

interface Formats {
  relative: Intl.RelativeTimeFormat;
  number: Intl.NumberFormat;
  compact: Intl.NumberFormat;
  fixed: Record<Digits, Intl.NumberFormat>;
  list: Intl.ListFormat;
  dateTime: Intl.DateTimeFormat;
  clock: Intl.DateTimeFormat;
  month: Intl.DateTimeFormat;
  weekday: Intl.DateTimeFormat;
  long: Intl.DateTimeFormat;
}

/** The formats of a language, made once: making one takes a hundred times as long as using it, and a page of charts uses them hundreds of times. */
const formats = new Map<string, Formats>();

function format(): Formats {
  const { locale, dates } = words;
  const known = formats.get(locale);
  if (known) return known;
  const fixed = (digits: Digits) => new Intl.NumberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits });
  const made = {
    relative: new Intl.RelativeTimeFormat(locale, { numeric: "auto", style: "long" }),
    number: new Intl.NumberFormat(locale),
    compact: new Intl.NumberFormat(locale, { notation: "compact", maximumSignificantDigits: 3 }),
    fixed: { 1: fixed(1), 2: fixed(2), 3: fixed(3) },
    list: new Intl.ListFormat(dates, { type: "conjunction" }),
    dateTime: new Intl.DateTimeFormat(dates, { dateStyle: "medium", timeStyle: "short" }),
    clock: new Intl.DateTimeFormat(dates, { hour: "2-digit", minute: "2-digit" }),
    month: new Intl.DateTimeFormat(locale, { month: "short" }),
    weekday: new Intl.DateTimeFormat(locale, { weekday: "long", timeZone: "UTC" }),
    long: new Intl.DateTimeFormat(dates, { dateStyle: "full", timeStyle: "short" }),
  };
  formats.set(locale, made);
  return made;
}

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
  if (time.length === 10 && Math.abs(amount) < 20 * 3600) return words.common.today;
  if (Math.abs(amount) < 45) return words.common.justNow;
  for (const [size, unit] of UNITS) {
    if (Math.abs(amount) < size) return format().relative.format(Math.round(amount), unit);
    amount /= size;
  }
  return "";
}

export function dateTime(time: string | null | undefined): string {
  if (!time) return "";
  return format().dateTime.format(new Date(time));
}

export function clock(time: string | null | undefined): string {
  if (!time) return "";
  return format().clock.format(new Date(time));
}

/** "Mar", the month a day is in. */
export function month(day: string): string {
  return format().month.format(new Date(`${day}T12:00`));
}

/** The name of a day of the week, of which Sunday is 0. */
export function weekday(number: number): string {
  // The 4th of January 1970 was a Sunday.
  return format().weekday.format(new Date((3 + number) * 86_400_000));
}

/** "Friday 1 January 2027 at 14:30". */
export function longDate(time: string): string {
  return format().long.format(new Date(time));
}

export function bytes(count: number): string {
  if (count < 1000) return `${count} B`;
  if (count < 1_000_000) return `${Math.round(count / 1000)} kB`;
  if (count < 1_000_000_000) return `${fixed(count / 1_000_000, 1)} MB`;
  return `${fixed(count / 1_000_000_000, 2)} GB`;
}

function fixed(value: number, digits: Digits): string {
  return format().fixed[digits].format(value);
}

/** "12,345". */
export function figure(count: number): string {
  return format().number.format(count);
}

export function amount(count: number): string {
  return count < 10_000 ? figure(count) : format().compact.format(count);
}

/** "a, b and c". */
export function listed(parts: string[]): string {
  // Chinese has a blank between its characters and a figure, which the format leaves out.
  return format().list.format(parts).replace(/(\p{Script=Han})(?=\d)/gu, "$1 ");
}

export function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}

/** "$0.042", and "$0.50": what one run costs is often a few cents, of which the tenths count. */
export function dollars(usd: number): string {
  return `$${fixed(usd, usd > 0 && usd < 0.1 ? 3 : 2)}`;
}

export function kindName(kind: string | null | undefined): string {
  return wordFor(words.kinds, kind || "note");
}

export function signalName(signal: string | null | undefined): string {
  return wordFor(words.signals, signal ?? "");
}

/** What a reason says, as a sentence without its full stop. */
function reasonSaid(reason: Reason): string {
  switch (reason.form) {
    case "known":
      return words.reasons.known[reason.reason];
    case "counted":
      return words.reasons.counted[reason.reason](reason.count);
    case "in-place-of":
      return words.reasons.inPlaceOf(reason.title);
    case "model":
      return words.reasons.model(reason.words);
    case "words":
      return EARLIER.reduce((said, [pattern, plain]) => said.replace(pattern, plain), reason.words);
  }
}

/** Reasons that say what a signal says, so that it is not said twice. */
const SIGNAL_SAID: Partial<Record<Signal, (KnownReason | CountedReason)[]>> = {
  "standing-rule": ["stated-plainly", "holds-beyond"],
  "design-lock": ["design-settled"],
  "repeated-pattern": ["sessions", "times", "earlier-sessions", "same-error"],
  "error-resolved": ["mended", "mended-after"],
  "follow-up": ["left-for-later", "filed"],
  saved: ["saved-by-name", "written-by-you", "saved-by-agent", "observed-by-agent"],
};

/** Why a lesson was found, in sentences. */
export function whyFound(lesson: { reasons: Reason[]; signal: Signal | null }): string {
  const parts = lesson.reasons.flatMap((reason) => (reason.form === "words" ? reasonSaid(reason).split("; ") : [reasonSaid(reason)]));
  const signal = signalName(lesson.signal);
  const saidBy = (lesson.signal && SIGNAL_SAID[lesson.signal]) ?? [];
  const isSaid =
    lesson.reasons.some((reason) => "reason" in reason && saidBy.includes(reason.reason)) ||
    parts.some((part) => part.toLowerCase().includes(signal.toLowerCase()));
  const sentences = (isSaid ? parts : [signal, ...parts])
    .map((part) => part.trim().replace(/[.。]$/, ""))
    .filter(Boolean)
    .map((part) => words.reasons.sentence(`${part.charAt(0).toUpperCase()}${part.slice(1)}`));
  return sentences.join("").trim() || words.review.noteSaysNothing;
}

/** The last part of a path. */
export function nameOf(path: string | null | undefined): string {
  return path?.split(/[/\\]/).filter(Boolean).pop() ?? "";
}
