import { render, screen, within } from "@testing-library/svelte";
import { expect, test } from "vitest";

import { forgetLoaded } from "../kit/load.svelte";
import { canned } from "../platform/canned";
import { JOBS, SESSIONS } from "../platform/samples";
import Activity from "./Activity.svelte";

test("a job is told by its session's title, or the first words said in it, and leads there", async () => {
  forgetLoaded();
  const [titled, said] = SESSIONS;
  if (!titled || !said) throw new Error("two sessions");
  const words = "why does the nightly import stop halfway, ".repeat(5);
  const job = JOBS.find((job) => job.type === "reflection");
  if (!job) throw new Error("a reflection");
  const platform = {
    ...canned(),
    sessions: async () => [titled, { ...said, title: "", first_words: words }],
    activity: async () => ({
      jobs: [titled.session, said.session, "9ec243be-6281-4ecd-9803-cd7c5795abc5"].map((subject, id) => ({ ...job, id: `${id}`, subject })),
      watched: [],
    }),
  };
  render(Activity, { platform, overview: await platform.overview(), refresh: () => {} });
  const link = await screen.findByText(`“${titled.title}”`);
  expect(link.getAttribute("href")).toBe(`#/sessions/${titled.session}`);
  expect(screen.getByText(`“${words.slice(0, 59).trimEnd()}…”`)).toBeTruthy();
  expect(screen.getByText("session 9ec243be"), "one that nobody knows any more").toBeTruthy();
});

test("the import of the first run stands among what ran, and not that nothing did", async () => {
  forgetLoaded();
  const watched = [{ at: "2026-03-01T09:00:00Z", sessions: 60, failed: 2, notes: 103 }];
  const platform = { ...canned(), activity: async () => ({ jobs: [], watched }) };
  render(Activity, { platform, overview: await platform.overview(), refresh: () => {} });
  const entry = (await screen.findByText("of all that had changed")).closest("article");
  if (!entry) throw new Error("an entry");
  expect(within(entry).getByText(/60 sessions read, 103 notes written\./).textContent).toContain("2 sessions could not be read.");
  expect(screen.queryByText("Nothing has run yet")).toBeNull();
});
