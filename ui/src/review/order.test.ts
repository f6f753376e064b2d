import { expect, test } from "vitest";

import type { QueueLine } from "../platform/platform";
import { ALL, arranged, NONE, projectsOf } from "./order";

const line = (id: string, project: string | null, age_days: number, kind: QueueLine["kind"] = "preference", confidence: QueueLine["confidence"] = "medium"): QueueLine => ({
  id, project, age_days, kind, title: id, confidence, waits: "review", created: null, skipped_at: null,
});

const LINES = [line("a", "shop", 3), line("b", null, 40, "fix"), line("c", "engine", 100), line("d", "shop", 0, "fix", "high")];
const ids = (wanted: Partial<typeof ALL>) => arranged(LINES, { ...ALL, ...wanted }).map((one) => one.id).join("");

test("lessons that wait are narrowed down and ordered", () => {
  expect(ids({})).toBe("abcd");
  expect(ids({ project: "shop" })).toBe("ad");
  expect(ids({ project: NONE })).toBe("b");
  expect(ids({ kind: "fix" })).toBe("bd");
  expect(ids({ days: 30 })).toBe("bc");
  expect(ids({ order: "oldest" })).toBe("cbad");
  expect(ids({ order: "newest" })).toBe("dabc");
  expect(ids({ order: "project" })).toBe("cadb");
  expect(ids({ order: "kind" })).toBe("bdac");
  expect(ids({ order: "confidence" })).toBe("dabc");
  expect(ids({ confidence: "high" })).toBe("d");
  expect(ids({ confidence: "medium", kind: "fix" })).toBe("b");
  expect(ids({ order: "oldest", days: 30, kind: "fix" })).toBe("b");
  expect(projectsOf(LINES)).toEqual([["engine", 1], ["shop", 2], [NONE, 1]]);
});
