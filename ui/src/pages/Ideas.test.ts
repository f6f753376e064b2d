import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { expect, test } from "vitest";

import { canned } from "../platform/canned";
import { IDEAS } from "../platform/samples";
import type { Platform } from "../platform/platform";
import Ideas from "./Ideas.svelte";

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
