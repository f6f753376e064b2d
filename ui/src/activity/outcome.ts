/** What came of a job, in words: jobs leave their result as JSON, each sort its own. */
import { counted } from "../kit/words";
import type { Job, ReflectionResult } from "../platform/platform";

const HEARTBEAT: Record<string, string> = {
  continued: "There was nothing to say.",
  excluded: "The project is excluded.",
  own: "The session is Afterword's own.",
};

export function outcome(job: Pick<Job, "status" | "result">): string {
  if (job.status !== "completed" || !job.result) return "";
  const result = parsed(job.result);
  if (typeof result === "string") return result;
  if (!result) return "";
  if (typeof result.summary === "string" && result.summary) return result.summary;
  if (typeof result.status === "string") return HEARTBEAT[result.status] ?? "";
  if (typeof result.insights_created === "number") return reflected(result);
  return "";
}

/** What came of reflecting all that changed. */
export function reflectionWords(done: Pick<ReflectionResult, "sessions" | "notes" | "stopped">): string {
  if (!done.sessions) return "Nothing new since last time.";
  return `${counted(done.sessions, "session")} read, ${counted(done.notes, "note")} written${done.stopped ? ", then stopped" : ""}.`;
}

function reflected(result: Record<string, unknown>): string {
  const number = (name: string) => (typeof result[name] === "number" ? (result[name] as number) : 0);
  if (result.passed_over) return result.passed_over === "own" ? "The session is Afterword's own." : "The project is excluded.";
  if (result.unchanged) return "Nothing had changed since the last time.";
  const lessons = number("insights_created") + number("procedures_created");
  const found = [
    lessons ? counted(lessons, "lesson") : "",
    number("ideas_created") ? counted(number("ideas_created"), "idea") : "",
  ].filter(Boolean);
  if (!found.length) return `Nothing to learn in ${counted(number("memories_analyzed"), "entry", "entries")}.`;
  const waiting = number("waiting_for_review");
  return `${found.join(" and ")} learned from ${counted(number("memories_analyzed"), "entry", "entries")}${waiting ? `; ${counted(waiting, "waits", "wait")} for your word` : ""}.`;
}

function parsed(text: string): Record<string, unknown> | string | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" ? (value as Record<string, unknown> | null) : String(value);
  } catch {
    return text;
  }
}
