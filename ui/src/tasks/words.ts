/** How a task's states and runs are called. */
import { ago, dateTime } from "../kit/words";
import type { Task, TaskRun } from "../platform/platform";
import { wordFor, words } from "../words/words.svelte";

/** Where it stands, in a word or two. */
export function standingOf(task: Task): string {
  const { standing } = words.tasks;
  if (task.running) return standing.running;
  if (task.status === "waiting_input") return standing.waiting;
  if (task.status === "archived") return standing.closed;
  if (task.paused) return standing.paused;
  if (task.finished_at) return standing.done(ago(task.finished_at));
  if (task.next_run_at) return standing.next(dateTime(task.next_run_at));
  return task.status === "background" ? standing.background : standing.chat;
}

export function outcomeOf(run: TaskRun): string {
  return wordFor(words.tasks.outcomes, run.outcome);
}

/** How long it took, in seconds or minutes. */
export function took(run: TaskRun): string {
  if (!run.ended_at) return "";
  const seconds = Math.round((Date.parse(run.ended_at) - Date.parse(run.started_at)) / 1000);
  return seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}

/** A schedule without its zone and its cron expression, which stand in parentheses behind it, and without the day it is counted from. */
export function plain(schedule: string): string {
  return schedule.replace(/\.?\s*\([^()]*\)\.?$/, "").replace(/, counted from .*$/, "");
}
