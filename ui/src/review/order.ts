/** Which of the lessons that wait are shown, and in which order. */
import type { QueueLine } from "../platform/platform";

export type Order = "offered" | "oldest" | "newest" | "confidence" | "kind" | "project";

export interface Wanted {
  /** Empty for every one; `NONE` for those of no project. */
  project: string;
  kind: string;
  /** Empty for any. */
  confidence: string;
  /** At least so many days old. */
  days: number;
  order: Order;
}

export const NONE = "-";
export const ALL: Wanted = { project: "", kind: "", confidence: "", days: 0, order: "offered" };

/** The lessons that fit, in the order wanted. "Offered" is the program's own: what was postponed comes last. */
export function arranged(lines: QueueLine[], wanted: Wanted): QueueLine[] {
  const fitting = lines.filter(
    (line) =>
      (!wanted.project || (line.project ?? NONE) === wanted.project) &&
      (!wanted.kind || line.kind === wanted.kind) &&
      (!wanted.confidence || line.confidence === wanted.confidence) &&
      line.age_days >= wanted.days,
  );
  if (wanted.order === "oldest") return fitting.sort((one, other) => other.age_days - one.age_days);
  if (wanted.order === "newest") return fitting.sort((one, other) => one.age_days - other.age_days);
  // Sorting is stable: within a confidence, a kind or a project the order stays. Those of no project come last.
  if (wanted.order === "confidence") return fitting.sort((one, other) => sureness(other) - sureness(one));
  if (wanted.order === "kind") return fitting.sort((one, other) => one.kind.localeCompare(other.kind));
  if (wanted.order === "project")
    return fitting.sort((one, other) => Number(!one.project) - Number(!other.project) || (one.project ?? "").localeCompare(other.project ?? ""));
  return fitting;
}

/** How sure a lesson is, from its confidence; one that a person wrote has none. */
function sureness(line: QueueLine): number {
  return ["low", "medium", "high"].indexOf(line.confidence ?? "low");
}

/** The projects of the lessons with how many each has, by name; those of no project last. */
export function projectsOf(lines: QueueLine[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const line of lines) counts.set(line.project ?? NONE, (counts.get(line.project ?? NONE) ?? 0) + 1);
  return [...counts].sort(([one], [other]) => Number(one === NONE) - Number(other === NONE) || one.localeCompare(other));
}
