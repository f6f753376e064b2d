/** How a task's states and runs are called. */
import { ago, dateTime } from "../kit/words";
import type { Task, TaskRun } from "../platform/platform";

/** Where it stands, in a word or two. */
export function standing(task: Task): string {
  if (task.running) return "at work";
  if (task.status === "waiting_input") return "waits for you";
  if (task.status === "archived") return "closed";
  if (task.paused) return "paused";
  if (task.finished_at) return `done ${ago(task.finished_at)}`;
  if (task.next_run_at) return `next ${dateTime(task.next_run_at)}`;
  return task.status === "background" ? "in the background" : "chat";
}

const OUTCOMES: Record<string, string> = {
  running: "at work",
  replied: "replied",
  continued: "goes on",
  asked: "asked you",
  completed: "done",
  failed: "failed",
  cancelled: "called off",
};

export function outcomeOf(run: TaskRun): string {
  return OUTCOMES[run.outcome] ?? run.outcome;
}

/** How long it took, in seconds or minutes. */
export function took(run: TaskRun): string {
  if (!run.ended_at) return "";
  const seconds = Math.round((Date.parse(run.ended_at) - Date.parse(run.started_at)) / 1000);
  return seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}

/** A schedule without its zone and its cron expression, which stand in parentheses behind it. */
export function plain(schedule: string): string {
  return schedule.replace(/\.?\s*\([^()]*cron [^()]*\)\.?$/, "");
}
