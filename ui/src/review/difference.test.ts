import { expect, test } from "vitest";

import { apart, difference } from "./difference";

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

test("what two texts have in common around their difference is only counted", () => {
  const [here, there] = apart("a\nb\nc\nd\nhere\ne\nf\ng\nh", "a\nb\nc\nd\nthere\nand\ne\nf\ng\nh");
  expect(here).toBe("… 2 equal lines …\nc\nd\nhere\ne\nf\n… 2 equal lines …");
  expect(there).toBe("… 2 equal lines …\nc\nd\nthere\nand\ne\nf\n… 2 equal lines …");
  expect(apart("same\nx", "same\ny")).toEqual(["same\nx", "same\ny"]);
});
