import { expect, test } from "vitest";

import { changedLines } from "./lines";

const shown = (before: string | null, after: string | null) => changedLines(before, after).map((line) => line.sign + line.text);

test("what changes is shown with what stands around it", () => {
  expect(shown("{\n a\n b\n}\n", "{\n a\n b,\n c\n}\n")).toEqual([" {", "  a", "- b", "+ b,", "+ c", " }"]);
});

test("a file that is made or removed is shown whole", () => {
  expect(shown(null, "{}\n")).toEqual(["+{}"]);
  expect(shown("{}\n", null)).toEqual(["-{}"]);
  expect(shown("same\n", "same\n").some((line) => !line.startsWith(" "))).toBe(false);
});
