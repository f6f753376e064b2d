import { expect, test } from "vitest";

import { whyFound } from "./words";

test("why a lesson was found is said in sentences, without scores", () => {
  const why = (rationale: string, signal: string | null) => whyFound({ rationale, signal, confidence: "medium" });
  expect(why("correction, medium confidence: The person objects; the agent changed its work accordingly (score 61 of 100).", "correction")).toBe(
    "You corrected Claude. You objected. Claude changed its work accordingly.",
  );
  expect(why("standing rule, high confidence: A rule stated plainly (score 88 of 100).", "standing-rule")).toBe("A standing rule. A rule stated plainly.");
  expect(why("You said so once, in passing.", "standing-rule")).toBe("A standing rule. You said so once, in passing.");
  expect(why("", "approval")).toBe("You approved it.");
  expect(why("", null)).toBe("The note does not say.");
});
