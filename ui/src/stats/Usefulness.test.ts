import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { expect, test } from "vitest";

import { notices } from "../kit/notices.svelte";
import { canned } from "../platform/canned";
import type { Platform } from "../platform/platform";
import Usefulness from "./Usefulness.svelte";

test("what is said again is named, and what is unused is archived with one click and comes back with one", async () => {
  const done: [string[], boolean][] = [];
  const platform: Platform = { ...canned(), archiveMany: async (ids, archived) => void done.push([ids, archived]) };
  render(Usefulness, { platform, go: () => {} });
  await screen.findByText("4 wishes said again, in 31 sessions since the first lesson.");
  expect(screen.getByText("in 3 sessions")).toBeTruthy();
  await fireEvent.click(screen.getByText("Archive these 1"));
  await waitFor(() => expect(done).toEqual([[["lock-file"], true]]));
  await waitFor(() => expect(notices.all[0]?.act).toBeTruthy());
  notices.all[0]?.act?.run();
  await waitFor(() => expect(done.at(-1)).toEqual([["lock-file"], false]));
});

test("what is saved is told by what sessions were given and what was stopped", async () => {
  const platform: Platform = {
    ...canned(),
    usefulness: async () => ({
      ...(await canned().usefulness()),
      given: { sessions: 12, with_nothing: 1, tokens: { sessions: 12, average: 340, most: 900 }, bytes: null, since: "2026-03-02T08:00:00Z" },
      checks: { ...(await canned().usefulness()).checks, held: 3, binding: 2 },
    }),
  };
  render(Usefulness, { platform, go: () => {} });
  const saved = (await screen.findByText("What do I save?")).parentElement?.textContent;
  expect(saved).toContain("Sessions that were given lessons 12 340 tokens each on average");
  expect(saved).toContain("Calls that a binding lesson stopped 3 2 lessons binding now");
});

test("what is not known is not called nothing", async () => {
  const platform: Platform = { ...canned(), usefulness: async () => ({ ...(await canned().usefulness()), repeated: null, never_given: null, never_used: null }) };
  render(Usefulness, { platform, go: () => {} });
  await screen.findByText(/no session began after the first lesson/);
  expect(screen.getByText(/have not been given lessons for long enough/)).toBeTruthy();
  const nothing = { ...platform, usefulness: async () => ({ ...(await platform.usefulness()), given: null, checks: { ...(await platform.usefulness()).checks, held: 0, binding: 0 } }) };
  render(Usefulness, { platform: nothing, go: () => {} });
  await screen.findByText(/no session was given a lesson, and no lesson is binding/);
});
