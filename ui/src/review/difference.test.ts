import { expect, test } from "vitest";

import { difference } from "./difference";

const own = (parts: { text: string; own: boolean }[]) => parts.filter((part) => part.own).map((part) => part.text.trim());

test("what only one side has is marked, and nothing is lost", () => {
  const [left, right] = difference("Use npm for all scripts.", "Use pnpm for all new scripts.");
  expect(own(left)).toEqual(["npm"]);
  expect(own(right)).toEqual(["pnpm", "new"]);
  expect(left.map((part) => part.text).join("")).toBe("Use npm for all scripts.");
  expect(right.map((part) => part.text).join("")).toBe("Use pnpm for all new scripts.");
});

test("equal texts have no difference, empty ones are all difference", () => {
  expect(difference("a b", "a b").map(own)).toEqual([[], []]);
  expect(difference("", "a b").map(own)).toEqual([[], ["a b"]]);
});

test("texts longer than what is compared keep every word", () => {
  const long = Array.from({ length: 3000 }, (_, index) => `w${index}`).join(" ");
  const [left] = difference(long, `${long} more`);
  expect(left.map((part) => part.text).join("")).toBe(long);
});
