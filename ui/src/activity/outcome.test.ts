import { expect, test } from "vitest";

import { outcome } from "./outcome";

const of = (result: unknown) => outcome({ status: "completed", result: JSON.stringify(result) });

test("a reflection says what it found, never JSON", () => {
  const none = { insights_created: 0, procedures_created: 0, ideas_created: 0, waiting_for_review: 0, insights: [], procedures: [], memories_analyzed: 104 };
  expect(of(none)).toBe("Nothing to learn in 104 entries.");
  expect(of({ ...none, unchanged: true })).toBe("Nothing had changed since the last time.");
  expect(of({ ...none, passed_over: "excluded" })).toBe("The project is excluded.");
  expect(of({ ...none, insights_created: 2, procedures_created: 1, ideas_created: 1, waiting_for_review: 1 })).toBe(
    "3 lessons and 1 idea learned from 104 entries; 1 to review.",
  );
});

test("a heartbeat says its summary, or that there was nothing", () => {
  expect(of({ status: "ran", summary: "The build is red." })).toBe("The build is red.");
  expect(of({ status: "continued", summary: "" })).toBe("There was nothing to say.");
});

test("what is not known is not shown raw", () => {
  expect(of({ other: 1 })).toBe("");
  expect(outcome({ status: "completed", result: "plain words" })).toBe("plain words");
  expect(outcome({ status: "failed", result: "{}" })).toBe("");
});
