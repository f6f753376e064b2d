import { render, screen, within } from "@testing-library/svelte";
import { expect, test } from "vitest";

import { forgetLoaded } from "../kit/load.svelte";
import { canned } from "../platform/canned";
import type { Overview, Platform, Stats as Figures } from "../platform/platform";
import { STATS } from "../platform/samples";
import Stats from "./Stats.svelte";

async function open(change: Partial<Figures> = {}, standing: Partial<Overview> = {}) {
  forgetLoaded();
  const platform: Platform = { ...canned(), stats: async () => ({ ...STATS, ...change }) };
  const overview = { ...(await platform.overview()), ...standing };
  render(Stats, { platform, overview, go: () => {} });
  // It is drawn after what stands above it.
  await screen.findByText("Sessions that ended well", { selector: "h3" });
}

const tile = (name: string) => screen.getAllByText(name).find((one) => one.tagName === "DT")?.parentElement?.textContent ?? "";
const card = (title: string) => screen.getByText(title, { selector: "h3" }).closest("section") as HTMLElement;

test("what waits has the numbers that the review has", async () => {
  await open({ statuses: { active: 23, inbox: 93, archived: 2 } }, { waiting: 44, inbox: 5 });
  const places = within(screen.getByText("Where notes are", { selector: "h2" }).closest("section") as HTMLElement);
  const rows = places.getAllByRole("row").map((row) => row.textContent?.replace(/\s+/g, " ").trim());
  expect(rows).toEqual(expect.arrayContaining([expect.stringMatching(/To review.*44/), expect.stringMatching(/Inbox.*5/)]));
  expect(rows.join()).not.toContain("93");
});

test("a rate stands only where something was counted, above what it was counted of", async () => {
  await open({ decisions: {}, ended: [0, 0], use_weeks: STATS.use_weeks.map((week) => ({ ...week, attempts: 0, succeeded: 0 })) });
  expect(tile("Approval rate")).toMatch(/–.*no answers yet/);
  expect(tile("Sessions that ended well")).toContain("–");
  expect(card("Sessions that ended well").textContent).toContain("Nothing in these weeks.");
});

test("charts reach as far back as there are lessons", async () => {
  const weeks = Array.from({ length: 60 }, (_, week) => {
    const monday = new Date(Date.UTC(2025, 0, 6 + 7 * week)).toISOString().slice(0, 10);
    return { monday, learned: { preference: week === 0 ? 3 : 0 } };
  });
  await open({ weeks });
  const chart = screen.getByText("New lessons per week", { selector: "h2" }).closest("section");
  expect(chart?.querySelectorAll("svg rect")).toHaveLength(1);
});
