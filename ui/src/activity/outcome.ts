/** What came of a job, in words: jobs leave their result as JSON, each sort its own. */
import type { Job, ReflectionResult } from "../platform/platform";
import { words } from "../words/words.svelte";

export function outcome(job: Pick<Job, "status" | "result">): string {
  if (job.status !== "completed" || !job.result) return "";
  const result = parsed(job.result);
  if (typeof result === "string") return result;
  if (!result) return "";
  if (typeof result.summary === "string" && result.summary) return result.summary;
  if (typeof result.status === "string") return (words.activity.heartbeat as Record<string, string>)[result.status] ?? "";
  if (typeof result.insights_created === "number") return reflected(result);
  return "";
}

/** What came of reflecting all that changed. */
export function reflectionWords(done: Pick<ReflectionResult, "sessions" | "notes" | "stopped">): string {
  if (!done.sessions) return words.activity.nothingNew;
  return (done.stopped ? words.activity.reflectedPartly : words.activity.reflected)(done.sessions, done.notes);
}

function reflected(result: Record<string, unknown>): string {
  const number = (name: string) => (typeof result[name] === "number" ? (result[name] as number) : 0);
  if (result.passed_over) return result.passed_over === "own" ? words.activity.heartbeat.own : words.activity.heartbeat.excluded;
  if (result.unchanged) return words.activity.unchanged;
  const lessons = number("insights_created") + number("procedures_created");
  const [ideas, entries] = [number("ideas_created"), number("memories_analyzed")];
  if (!lessons && !ideas) return words.activity.nothingLearned(entries);
  return words.activity.learned(lessons, ideas, entries, number("waiting_for_review"));
}

function parsed(text: string): Record<string, unknown> | string | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" ? (value as Record<string, unknown> | null) : String(value);
  } catch {
    return text;
  }
}
