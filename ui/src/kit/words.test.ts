import { expect, test, vi } from "vitest";

import { setLanguage } from "../words/words.svelte";
import { dateTime, listed, month, whyFound } from "./words";

test("why a lesson was found is said in sentences, without scores", () => {
  const why = (rationale: string, signal: string | null) => whyFound({ rationale, signal, confidence: "medium" });
  expect(why("correction, medium confidence: The person objects; the agent changed its work accordingly (score 61 of 100).", "correction")).toBe(
    "You corrected Claude. You objected. Claude changed its work accordingly.",
  );
  expect(why("You objected; Claude changed its work accordingly. Medium confidence.", "correction")).toBe(
    "You corrected Claude. You objected. Claude changed its work accordingly.",
  );
  expect(why("standing rule, high confidence: A rule stated plainly (score 88 of 100).", "standing-rule")).toBe("A rule stated plainly.");
  expect(why("fix, medium confidence: The person had spoken of an error; the person had told what they saw.", "error-resolved")).toBe(
    "An error was resolved. You had spoken of an error. You had said what you saw.",
  );
  expect(why("You said so once, in passing.", "standing-rule")).toBe("A standing rule. You said so once, in passing.");
  expect(why("", "approval")).toBe("You approved it.");
  expect(why("", null)).toBe("The note does not say.");
});

test("no format is made for a single date", () => {
  // It makes one for every call.
  const made = vi.spyOn(Date.prototype, "toLocaleString");
  expect(["2026-03-02", "2026-04-06", "2026-05-04"].map(month)).toEqual(["Mar", "Apr", "May"]);
  expect(dateTime("2026-03-02T10:00:00Z")).toContain("Mar");
  expect(made).not.toHaveBeenCalled();
  made.mockRestore();
});

test("parts are listed as each language does it", () => {
  const parts = (language: string, ...listedParts: string[]) => (setLanguage(language), listed(listedParts));
  expect(parts("en", "1 task", "2 lessons")).toBe("1 task and 2 lessons");
  expect(parts("zh", "1 个任务", "2 条经验")).toBe("1 个任务和 2 条经验");
  setLanguage("en");
});
