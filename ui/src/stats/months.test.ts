import { expect, test } from "vitest";

import { monthNames } from "./months";

/** Mondays, a week apart. */
function weeks(count: number, first = "2026-01-05"): string[] {
  return Array.from({ length: count }, (_, index) => new Date(Date.parse(first) + index * 7 * 86_400_000).toISOString().slice(0, 10));
}

test("each month is named where it begins", () => {
  const named = monthNames(weeks(12), 30, 26);
  expect(named.filter(Boolean)).toEqual(["Jan", "Feb", "Mar"]);
  expect(named.indexOf("Feb"), "the first week of February").toBe(4);
});

test("names of months never run into each other, however many weeks there are", () => {
  for (const count of [20, 52, 74, 104, 400]) {
    const step = 368 / count;
    const named = monthNames(weeks(count), step, 26);
    const places = named.flatMap((name, index) => (name ? [index * step] : []));
    expect(places.length, `${count} weeks`).toBeGreaterThan(3);
    for (const [index, place] of places.entries()) expect(place - (places[index - 1] ?? -26), `${count} weeks`).toBeGreaterThanOrEqual(26);
    expect(places.at(-1), "the last ends within the chart").toBeLessThanOrEqual(368 - 26);
  }
});

test("a first month of one week has no name", () => {
  expect(monthNames(weeks(6, "2026-01-26"), 30, 26)[0]).toBe("");
});
