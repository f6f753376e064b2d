/** When a task's work is due, in the window's language, without its zone and the day it is counted from. */
import { dateTime, listed, longDate, weekday } from "../kit/words";
import type { Schedule } from "../platform/contract";
import { words } from "../words/words.svelte";
import { plain } from "./words";

/** As the program separates expressions of one schedule. */
const ALTERNATIVE = "|";

/** `said` is the program's own sentence, for what has an unusual form. */
export function scheduleSaid(schedule: Schedule | null, said: string): string {
  return (schedule && inWords(schedule)) || plain(said);
}

function inWords(schedule: Schedule): string | null {
  const { schedules } = words;
  switch (schedule.type) {
    case "immediate":
      return schedules.atOnce;
    case "once":
      return schedules.once(longDate(schedule.run_at));
    case "elapsed":
      return schedule.minutes % 60 === 0 ? schedules.everyHours(schedule.minutes / 60) : schedules.everyMinutes(schedule.minutes);
    case "interval": {
      const times = listed(schedule.times.map((time) => time.slice(0, 5)));
      if (schedule.unit === "days") return schedules.at(schedules.everyDays(schedule.every), times);
      if (!schedule.days.length) return null;
      if (schedule.unit === "weeks") return schedules.at(schedules.everyWeeks(schedule.every, listed(schedule.days.map(weekday))), times);
      return schedules.at(schedules.everyMonths(schedule.every, listed(schedule.days.map(schedules.date))), times);
    }
    case "cron":
      return ofCron(schedule.cron_expression);
  }
}

interface Part {
  days: string;
  times: string[];
}

function ofCron(expression: string): string | null {
  const { schedules } = words;
  const parts: (Part | string)[] = [];
  for (const one of expression.split(ALTERNATIVE)) {
    const [minute, hour, day, month, dayOfWeek, ...more] = one.trim().split(/\s+/);
    if (!minute || !hour || !day || !dayOfWeek || month !== "*" || more.length) return null;
    const days = daysOf(day, dayOfWeek);
    if (days === null) return null;
    const [minutes, hours] = [numbers(minute), numbers(hour)];
    if (minutes && hours) {
      const times = hours.flatMap((h) => minutes.map((m) => `${two(h)}:${two(m)}`));
      const last = parts.at(-1);
      if (typeof last === "object" && last.days === days) last.times.push(...times);
      else parts.push({ days, times });
      continue;
    }
    const often = repeated(minute, hour);
    if (often === null) return null;
    parts.push(day === "*" && dayOfWeek === "*" ? often : schedules.often(often, days));
  }
  return listed(parts.map((part) => (typeof part === "string" ? part : schedules.at(part.days, listed(part.times)))));
}

function daysOf(day: string, dayOfWeek: string): string | null {
  const { schedules } = words;
  if (day === "*" && dayOfWeek === "*") return schedules.everyDays(1);
  if (day === "*" && dayOfWeek === "1-5") return schedules.everyWeekday;
  if (day === "*") {
    const list = numbers(dayOfWeek);
    return list && schedules.everyWeeks(1, listed(list.map((one) => weekday(one % 7))));
  }
  const dates = dayOfWeek === "*" ? numbers(day) : null;
  return dates && schedules.everyMonths(1, listed(dates.map(schedules.date)));
}

/** "every 15 minutes between 09:00 and 17:00". */
function repeated(minute: string, hour: string): string | null {
  const { schedules } = words;
  const [hours = "", step] = hour.split("/");
  const every = /^\*\/(\d+)$/.exec(minute)?.[1];
  const isHourly = minute === "0";
  let often: string;
  if (isHourly) often = schedules.everyHours(Number(step ?? 1));
  else if (step === undefined && (every || minute === "*")) often = schedules.everyMinutes(Number(every ?? 1));
  else return null;
  if (hours === "*") return often;
  const within = /^(\d+)(?:-(\d+))?$/.exec(hours);
  if (!within || (isHourly && within[2] === undefined)) return null;
  const [first, last] = [Number(within[1]), Number(within[2] ?? within[1])];
  // The minutes of the last hour count, too.
  return schedules.between(often, `${two(first)}:00`, `${two(isHourly ? last : last + 1)}:00`);
}

/** "1,15" as numbers; nothing where it is no list of them. */
function numbers(field: string): number[] | null {
  return /^\d+(,\d+)*$/.test(field) ? field.split(",").map(Number) : null;
}

const two = (number: number) => String(number).padStart(2, "0");
