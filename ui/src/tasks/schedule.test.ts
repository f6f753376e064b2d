import { afterEach, expect, test } from "vitest";

import type { Schedule } from "../platform/contract";
import { setLanguage } from "../words/words.svelte";
import { scheduleSaid } from "./schedule";

afterEach(() => setLanguage("en"));

const cron = (cron_expression: string): Schedule => ({ type: "cron", cron_expression, time_zone: "UTC" });
const interval = (every: number, unit: "days" | "weeks" | "months", days: number[] = []): Schedule => ({
  type: "interval",
  every,
  unit,
  days,
  times: ["09:00:00"],
  first_day: "2026-03-06",
  time_zone: "UTC",
});
const said = (schedule: Schedule) => scheduleSaid(schedule, "in the program's words (UTC)");

/** As `usual` in the program says them. */
const ENGLISH: [Schedule, string][] = [
  [cron("0 9 * * *"), "every day at 09:00"],
  [cron("0 9 * * 1-5 | 30 17 * * 1-5"), "every weekday at 09:00 and 17:30"],
  [cron("30 8 * * 1,4"), "every Monday and Thursday at 08:30"],
  [cron("0 10 * * 0,6"), "every Sunday and Saturday at 10:00"],
  [cron("0 9 1 * *"), "on the 1st of every month at 09:00"],
  [cron("30 10 2,11,23 * *"), "on the 2nd, 11th and 23rd of every month at 10:30"],
  [cron("30 8 * * 1-5 | 0 12 * * 6"), "every weekday at 08:30 and every Saturday at 12:00"],
  [cron("* * * * *"), "every minute"],
  [cron("0 * * * *"), "every hour"],
  [cron("0 */2 * * *"), "every 2 hours"],
  [cron("*/15 * * * *"), "every 15 minutes"],
  [cron("*/30 * * * 1-5"), "every 30 minutes, every weekday"],
  [cron("0 8-18/2 * * *"), "every 2 hours between 08:00 and 18:00"],
  [cron("*/5 9-16 * * 1-5"), "every 5 minutes between 09:00 and 17:00, every weekday"],
  [cron("*/15 9 * * *"), "every 15 minutes between 09:00 and 10:00"],
  [interval(2, "days"), "every 2 days at 09:00"],
  [interval(2, "weeks", [1]), "every 2 weeks on Monday at 09:00"],
  [interval(3, "months", [1]), "every 3 months on the 1st at 09:00"],
  [{ type: "elapsed", minutes: 90, from: "2026-03-06T11:20:00Z" }, "every 90 minutes"],
  [{ type: "elapsed", minutes: 120, from: "2026-03-06T11:20:00Z" }, "every 2 hours"],
  [{ type: "immediate" }, "at once"],
];

test("a schedule is told as a person would", () => {
  for (const [schedule, expected] of ENGLISH) expect(said(schedule), JSON.stringify(schedule)).toBe(expected);
  expect(said({ type: "once", run_at: "2027-01-01T14:30:00Z" })).toMatch(/^once, on Friday.* January 2027.*30$/);
});

test("what is unusual is told in the program's words", () => {
  for (const expression of ["0 9 * 4 *", "0 9 13 * 5", "*/5 8-18 * * MON-FRI", "@daily", "0 9 L * *", "5 * * * *", "nonsense"]) {
    expect(said(cron(expression)), expression).toBe("in the program's words");
  }
});

test("a schedule is told in the window's language", () => {
  const some = [cron("0 9 * * 1-5"), cron("30 8 * * 1,4"), cron("0 9 1 * *"), cron("*/5 9-16 * * 1-5"), interval(2, "weeks", [1]), interval(1, "days")];
  setLanguage("de");
  expect(some.map(said)).toEqual([
    "jeden Werktag um 09:00",
    "jede Woche am Montag und Donnerstag um 08:30",
    "jeden Monat am 1. um 09:00",
    "alle 5 Minuten zwischen 09:00 und 17:00, jeden Werktag",
    "alle 2 Wochen am Montag um 09:00",
    "jeden Tag um 09:00",
  ]);
  setLanguage("zh");
  expect(some.map(said)).toEqual(["每个工作日 09:00", "每周的星期一和星期四 08:30", "每月的 1 日 09:00", "每个工作日 09:00 至 17:00 之间每 5 分钟", "每 2 周的星期一 09:00", "每天 09:00"]);
  // No English in what any usual schedule says.
  for (const language of ["de", "zh"]) {
    setLanguage(language);
    for (const [schedule] of ENGLISH) expect(said(schedule)).not.toMatch(/every|\bat\b|between|\band\b|program/);
  }
});
