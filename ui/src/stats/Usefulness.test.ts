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

test("what is not known is not called nothing", async () => {
  const platform: Platform = { ...canned(), usefulness: async () => ({ ...(await canned().usefulness()), repeated: null, never_given: null, never_used: null }) };
  render(Usefulness, { platform, go: () => {} });
  await screen.findByText(/no session began after the first lesson/);
  expect(screen.getByText(/have not been given lessons for long enough/)).toBeTruthy();
});
