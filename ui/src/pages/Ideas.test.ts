import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { beforeEach, expect, test } from "vitest";

import { forgetLoaded } from "../kit/load.svelte";
import { notices } from "../kit/notices.svelte";
import { canned } from "../platform/canned";
import { IDEAS } from "../platform/samples";
import type { Platform } from "../platform/platform";
import Ideas from "./Ideas.svelte";

beforeEach(() => {
  notices.all = [];
  forgetLoaded();
});

async function open() {
  const asked: unknown[] = [];
  const went: string[] = [];
  let ideas = IDEAS.map((idea) => ({ ...idea }));
  const platform = {
    ...canned(),
    ideas: async () => ideas,
    markIdea: async (id: string, mark: "open" | "done" | "dismissed") => {
      asked.push([id, mark]);
      ideas = ideas.map((idea) => (idea.id === id ? { ...idea, mark, done: mark !== "open" } : idea));
    },
  };
  const overview = await platform.overview();
  render(Ideas, { platform, overview, at: "", go: (route: string) => void went.push(route) });
  await screen.findByText("Undo in every list");
  return { asked, went };
}

test("an idea is done, and open again by undo", async () => {
  const { asked } = await open();
  await fireEvent.click(screen.getByText("Done", { selector: "button" }));
  await waitFor(() => expect(notices.all[0]?.words).toBe("Done: Undo in every list"));
  await screen.findByText("0 open, 2 done or dismissed. Tick them off here, or in Ideas.md.");
  notices.all[0]?.act?.run();
  await waitFor(() => expect(asked).toEqual([["undo-everywhere", "done"], ["undo-everywhere", "open"]]));
});

test("an idea is dismissed, one that is done opens again", async () => {
  const { asked } = await open();
  await fireEvent.click(screen.getByText("Dismiss"));
  await waitFor(() => expect(asked).toEqual([["undo-everywhere", "dismissed"]]));
  await fireEvent.click(screen.getAllByText("Open again")[0] as HTMLElement);
  await waitFor(() => expect(asked).toHaveLength(2));
});

test("an idea becomes a task in its own words", async () => {
  const { went } = await open();
  await fireEvent.click(screen.getByText("Make it a task…"));
  expect(went).toEqual([`tasks/new/${encodeURIComponent("Undo in every list\n\nOne undo for all lists.")}`]);
});

test("one click has an idea researched, and leads to where it is done", async () => {
  const routes: string[] = [];
  const asked: string[] = [];
  const platform: Platform = {
    ...canned(),
    researchIdea: async (idea) => {
      asked.push(idea);
      return "0190";
    },
  };
  render(Ideas, { platform, overview: await platform.overview(), at: "", go: (route) => routes.push(route) });
  await fireEvent.click(await screen.findByText("Research"));
  await waitFor(() => expect(routes).toEqual(["tasks/0190"]));
  expect(asked).toEqual([IDEAS[0]?.id]);
  expect(screen.getAllByText("Research")).toHaveLength(1);
});

test("an idea that is being researched leads to its task", async () => {
  const routes: string[] = [];
  const platform: Platform = { ...canned(), ideas: async () => IDEAS.slice(0, 1).map((idea) => ({ ...idea, research: "0191" })) };
  render(Ideas, { platform, overview: await platform.overview(), at: "", go: (route) => routes.push(route) });
  await fireEvent.click(await screen.findByText("Being researched…"));
  expect(routes).toEqual(["tasks/0191"]);
  expect(screen.queryByText("Research")).toBeNull();
});
