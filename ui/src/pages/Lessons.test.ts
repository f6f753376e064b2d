import { fireEvent, render, screen, waitFor, within } from "@testing-library/svelte";
import { beforeEach, expect, test } from "vitest";

import { forgetLoaded } from "../kit/load.svelte";
import { notices } from "../kit/notices.svelte";
import { canned } from "../platform/canned";
import type { LessonLine, Platform } from "../platform/platform";
import { lesson, LESSONS } from "../platform/samples";
import Lessons from "./Lessons.svelte";

const WRITTEN: LessonLine = { ...(LESSONS[0] as LessonLine), id: "queue", title: "Restart the queue after a deploy" };
const TITLE = "What is to be done, in one sentence";

beforeEach(forgetLoaded);

/** The page with its address, which leads where the page goes. */
async function open(change: Partial<Platform>, at = "") {
  const platform: Platform = { ...canned(), ...change };
  const overview = await platform.overview();
  const page = render(Lessons, { platform, overview, at, go: (route: string) => void page.rerender({ at: route.replace(/^lessons\/?/, "") }) });
  return page;
}

const shown = () => screen.findByRole("heading", { level: 2 });
const chosen = () => within(screen.getByRole("listbox", { name: "Lessons" })).getByRole("option", { selected: true });
const list = (lessons: LessonLine[]) => ({ lessons, projects: {} });

test("the lesson that was written is the one shown, though the list is read again meanwhile", async () => {
  let changed = () => {};
  let all = LESSONS;
  await open(
    {
      lessons: async () => list(all),
      lesson: async (id) => ({ ...lesson(id), ...(id === "queue" ? WRITTEN : {}) }),
      writeLesson: async () => {
        all = [...LESSONS, WRITTEN];
        changed();
        return { outcome: "saved", lesson: WRITTEN };
      },
      on: (news, handler) => {
        if (news === "changed") changed = handler as () => void;
        return () => {};
      },
    },
    "write",
  );
  await fireEvent.input(await screen.findByLabelText(TITLE), { target: { value: WRITTEN.title } });
  await fireEvent.click(screen.getByText("Save the lesson"));
  await screen.findByText(WRITTEN.title, { selector: "h2" });
  await waitFor(() => expect(chosen().textContent).toContain(WRITTEN.title));
});

test("a written lesson that the filters leave out is shown all the same", async () => {
  await open({ lesson: async (id) => ({ ...lesson(id), ...(id === "queue" ? WRITTEN : {}) }), writeLesson: async () => ({ outcome: "saved", lesson: WRITTEN }) }, "write");
  await fireEvent.input(await screen.findByLabelText(TITLE), { target: { value: WRITTEN.title } });
  await fireEvent.click(screen.getByText("Save the lesson"));
  await screen.findByText(WRITTEN.title, { selector: "h2" });
});

test("the address leads to its lesson also where an older list is at hand", async () => {
  const first = await open({});
  await waitFor(async () => expect((await shown()).textContent).toBe("Use npm for scripts"));
  first.unmount();
  let answer = () => {};
  await open({ lessons: () => new Promise((done) => (answer = () => done(list(LESSONS)))) }, "lock-file");
  await waitFor(async () => expect((await shown()).textContent).toBe("A stale lock file stops the build"));
  answer();
  await Promise.resolve();
  await waitFor(async () => expect((await shown()).textContent).toBe("A stale lock file stops the build"));
  expect(chosen().textContent).toContain("A stale lock file");
});

test("what is written so far outlives a look at another lesson", async () => {
  await open({}, "write");
  await fireEvent.input(await screen.findByLabelText(TITLE), { target: { value: "Half a" } });
  await fireEvent.click(screen.getByText("A stale lock file stops the build"));
  await waitFor(async () => expect((await shown()).textContent).toBe("A stale lock file stops the build"));
  await fireEvent.click(screen.getByText("Write a lesson…"));
  expect(((await screen.findByLabelText(TITLE)) as HTMLInputElement).value).toBe("Half a");
});

test("the evidence leads to its line, and the session back to the lesson", async () => {
  const platform = canned();
  const overview = await platform.overview();
  const routes: string[] = [];
  render(Lessons, { platform, overview, at: "use-npm", go: (route: string) => void routes.push(route) });
  await fireEvent.click(await screen.findByRole("link", { name: "0f0e0d0c, line 3" }));
  expect(routes).toEqual(["sessions/0f0e0d0c-0000-7000-8000-000000000001/3/use-npm/lessons"]);
});

test("a lesson is put in other words and deleted, each with an undo, and its life is told", async () => {
  const done: unknown[] = [];
  const data = canned();
  const decision = { id: 7, verdict: "edit" as const, note: "use-npm", title: "", path: "", superseded: null };
  const platform: Platform = {
    ...data,
    answer: async (answer) => (done.push(answer), { decisions: [decision], failures: [] }),
    undo: async (decisions) => (done.push(decisions), { undone: [], left: [], failures: [] }),
  };
  render(Lessons, { platform, overview: await platform.overview(), at: "use-npm", go: () => {} });
  await fireEvent.click(await screen.findByText("Edit…"));
  await fireEvent.input(screen.getByLabelText("Title"), { target: { value: "Always npm" } });
  await fireEvent.submit(screen.getByRole("form", { name: "Edit the lesson" }));
  await waitFor(() => expect(done).toEqual([{ verdict: "edit", id: "use-npm", title: "Always npm", body: "Use npm for scripts." }]));
  await waitFor(() => expect(notices.all[0]?.words).toBe("Saved in your words: Always npm"));
  notices.all[0]?.act?.run();
  await waitFor(() => expect(done.at(-1)).toEqual([7]));

  await fireEvent.click(await screen.findByText("Delete…"));
  await fireEvent.submit(screen.getByRole("form", { name: "Delete" }));
  await waitFor(() => expect(done.at(-1)).toEqual({ verdict: "reject", ids: ["use-npm"], reason: "", everywhere: false }));

  const history = screen.getByText("History").closest("details") as HTMLDetailsElement;
  history.open = true;
  await fireEvent(history, new Event("toggle"));
  await screen.findByText(/Given to a session/);
  expect(screen.getByText("the build ran with npm at once")).toBeTruthy();
});
