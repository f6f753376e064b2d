import { expect, test } from "vitest";

import type { Row } from "../platform/platform";
import { addressOf, parts, rowOf } from "./rows";

const row = (line: number, voice: Row["voice"], text: string, more: Partial<Row> = {}): Row => ({
  line,
  uuid: "",
  time: null,
  voice,
  what: "",
  text,
  sidechain: false,
  ...more,
});

const ROWS = [
  row(1, "user", "build it"),
  row(3, "call", "Bash: make"),
  row(4, "trouble", "no rule"),
  row(5, "call", "Edit: Makefile"),
  row(8, "agent", "Built."),
  row(9, "user", "look into it", { sidechain: true }),
];

test("what tools did between two messages is one fold that says what it holds", () => {
  const all = parts(ROWS, false);
  expect(all.map((part) => part.sort)).toEqual(["message", "work", "message", "message"]);
  expect(all[1]).toMatchObject({ words: "2 calls: Bash, Edit; 1 failed" });
});

test("only what the person said is left where that is wanted", () => {
  const mine = parts(ROWS, true);
  expect(mine).toHaveLength(1);
  expect(mine[0]).toMatchObject({ placed: { row: { text: "build it" } } });
});

test("a line without a row is at the one before it", () => {
  expect([rowOf(ROWS, 1), rowOf(ROWS, 2), rowOf(ROWS, 4), rowOf(ROWS, 99), rowOf(ROWS, 0)]).toEqual([0, 0, 2, 5, -1]);
});

test("an address names the sub-agent and the line where there are any", () => {
  expect(addressOf("a", "")).toBe("sessions/a");
  expect(addressOf("a", "b", 7)).toBe("sessions/a@b/7");
});
