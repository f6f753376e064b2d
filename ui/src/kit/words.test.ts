import { expect, test, vi } from "vitest";

import type { CountedReason, KnownReason, Reason } from "../platform/contract";
import { setLanguage } from "../words/words.svelte";
import { dateTime, listed, month, whyFound } from "./words";

const known = (reason: KnownReason): Reason => ({ form: "known", reason });
const counted = (reason: CountedReason, count: number): Reason => ({ form: "counted", reason, count });

test("why a lesson was found is said in sentences, in each language", () => {
  const corrected = { signal: "correction" as const, reasons: [known("objected"), known("work-changed"), counted("messages", 3)] };
  expect(whyFound(corrected)).toBe("You corrected Claude. You objected. Claude changed its work accordingly. Over 3 messages.");
  setLanguage("de");
  expect(whyFound(corrected)).toBe(
    "Du hast Claude korrigiert. Du hast widersprochen. Claude hat seine Arbeit entsprechend geändert. Über 3 Nachrichten hinweg.",
  );
  setLanguage("zh");
  expect(whyFound(corrected)).toBe("你纠正了 Claude。你提出了异议。Claude 相应地改了它的工作。贯穿 3 条消息。");
  setLanguage("en");
  expect(whyFound({ signal: null, reasons: [counted("mended-after", 2), { form: "model", words: "It came back." }] })).toBe(
    "A command failed 2 times, something was changed, and the same command worked. The model: It came back.",
  );
  expect(whyFound({ signal: "saved", reasons: [known("saved-by-agent"), { form: "in-place-of", title: "Use tabs" }] })).toBe(
    "Saved by an agent at work, without words of yours that ask for it. Offered in the place of “Use tabs”.",
  );
  expect(whyFound({ signal: "approval", reasons: [] })).toBe("You approved it.");
  expect(whyFound({ signal: null, reasons: [] })).toBe("The note does not say.");
});

test("no reason says in other words what its signal says", () => {
  for (const [signal, reason, said] of [
    ["standing-rule", known("stated-plainly"), "A rule stated plainly."],
    ["repeated-pattern", counted("sessions", 3), "Asked for in 3 sessions of this project."],
    ["follow-up", known("left-for-later"), "Left for later."],
    ["error-resolved", known("mended"), "A command failed, something was changed, and the same command worked."],
  ] as const) {
    expect(whyFound({ signal, reasons: [reason] })).toBe(said);
  }
  expect(whyFound({ signal: "standing-rule", reasons: [{ form: "words", words: "You said so once, in passing." }] })).toBe(
    "A standing rule. You said so once, in passing.",
  );
});

test("notes of earlier versions are read without scores", () => {
  const words = (said: string): Reason[] => [{ form: "words", words: said }];
  expect(whyFound({ signal: "correction", reasons: words("correction, medium confidence: The person objects; the agent changed its work accordingly (score 61 of 100).") })).toBe(
    "You corrected Claude. You objected. Claude changed its work accordingly.",
  );
  expect(whyFound({ signal: "standing-rule", reasons: words("standing rule, high confidence: A rule stated plainly (score 88 of 100).") })).toBe(
    "A standing rule. A rule stated plainly.",
  );
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
