import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { beforeEach, expect, test } from "vitest";

import { notices } from "../kit/notices.svelte";
import { canned } from "../platform/canned";
import type { Answer, Platform } from "../platform/platform";
import { answers as given } from "../review/answers.svelte";
import Review from "./Review.svelte";

let answers: Answer[];

beforeEach(() => {
  answers = [];
  notices.all = [];
  given.clear();
});

async function open(change: Partial<Platform> = {}) {
  const data = canned();
  const platform: Platform = {
    ...data,
    answer: (answer) => {
      answers.push(answer);
      return data.answer(answer);
    },
    ...change,
  };
  const overview = await platform.overview();
  const page = render(Review, { platform, overview, at: "", go: () => {}, refresh: () => {} });
  await shown("Use pnpm for scripts");
  return page;
}

const shown = (title: string) => screen.findByText(title, { selector: "h2" });
const press = (key: string) => fireEvent.keyDown(window, { key });

test("a approves, the next one comes, u takes it back", async () => {
  await open();
  await press("a");
  await shown("Never amend a pushed commit");
  expect(answers).toEqual([{ verdict: "approve", ids: ["use-pnpm"] }]);
  await press("u");
  await waitFor(() => expect(document.querySelectorAll("[role=option]").length).toBe(2));
});

test("j and k move through what waits", async () => {
  await open();
  await press("j");
  await shown("Never amend a pushed commit");
  await press("j");
  await press("k");
  await shown("Use pnpm for scripts");
});

test("what is asked for is shown, also where it came after the queue was read", async () => {
  const all = await canned().queue();
  let known = 1;
  const page = await open({ queue: () => Promise.resolve(all.slice(0, known)) });
  known = 2;
  await page.rerender({ at: "no-amend" });
  await shown("Never amend a pushed commit");
});

test("r asks for a reason and how far the no reaches", async () => {
  await open();
  await press("r");
  await fireEvent.input(await screen.findByPlaceholderText(/One-off/), { target: { value: "only that day" } });
  await fireEvent.click(screen.getByLabelText("Never again anywhere"));
  await fireEvent.submit(screen.getByRole("form", { name: "Reject" }));
  await shown("Never amend a pushed commit");
  expect(answers).toEqual([{ verdict: "reject", ids: ["use-pnpm"], reason: "only that day", everywhere: true }]);
});

test("keys typed into a field answer nothing", async () => {
  await open();
  await press("r");
  await fireEvent.keyDown(await screen.findByPlaceholderText(/One-off/), { key: "a" });
  await press("Escape");
  expect(answers).toEqual([]);
});

test("e saves in the person's words", async () => {
  await open();
  await press("e");
  await fireEvent.input(await screen.findByLabelText("Title"), { target: { value: "Use pnpm" } });
  await fireEvent.submit(screen.getByRole("form", { name: "Edit the lesson" }));
  await shown("Never amend a pushed commit");
  expect(answers).toEqual([{ verdict: "edit", id: "use-pnpm", title: "Use pnpm", body: "Use pnpm for scripts" }]);
});

test("p shows both sides and replaces the older lesson", async () => {
  await open();
  await press("p");
  await fireEvent.click(await screen.findByRole("button", { name: "Replace" }).then((button) => waitFor(() => {
    expect((button as HTMLButtonElement).disabled).toBe(false);
    return button;
  })));
  await shown("Never amend a pushed commit");
  expect(answers).toEqual([{ verdict: "supersede", id: "use-pnpm", old: "use-npm", title: null, body: null }]);
});

test("what likely replaces an older lesson says so, and both can be kept", async () => {
  const data = canned();
  await open({ item: async (id) => ({ ...(await data.item(id)), may_supersede: id === "use-pnpm" ? "use-npm" : null }) });
  expect(await screen.findByText("What it likely replaces")).toBeTruthy();
  expect(screen.getByText("you said this before")).toBeTruthy();
  await fireEvent.click(screen.getByRole("button", { name: "Keep both" }));
  await shown("Never amend a pushed commit");
  expect(answers).toEqual([{ verdict: "keepboth", ids: ["use-pnpm"] }]);
  expect(screen.queryByRole("button", { name: "Keep both" })).toBeNull();
});

test("x marks, and an answer goes to all that is marked", async () => {
  await open();
  await press("x");
  await press("j");
  await press("x");
  await press("a");
  await waitFor(() => expect(answers).toEqual([{ verdict: "approve", ids: ["use-pnpm", "no-amend"] }]));
});

test("an answer waits until the card that was chosen is on the screen", async () => {
  const data = canned();
  let load = () => {};
  const loaded = new Promise<void>((done) => (load = done));
  await open({ item: async (id) => (id === "no-amend" && (await loaded), data.item(id)) });
  await press("j");
  await press("a");
  await new Promise((done) => setTimeout(done));
  expect(answers).toEqual([]);
  load();
  await waitFor(() => expect(answers).toEqual([{ verdict: "approve", ids: ["no-amend"] }]));
});

test("keys that come faster than the cards are done one after another, and a held key answers once", async () => {
  await open();
  await press("a");
  await fireEvent.keyDown(window, { key: "a", repeat: true });
  await press("k");
  await press("s");
  await press("a");
  await waitFor(() => expect(answers.length).toBe(3));
  expect(answers).toEqual([
    { verdict: "approve", ids: ["use-pnpm"] },
    { verdict: "skip", ids: ["no-amend"] },
    { verdict: "approve", ids: ["no-amend"] },
  ]);
});

test("nothing is answered while the keys are shown or two lessons are compared", async () => {
  await open();
  await press("?");
  await screen.findByText("next, previous");
  await press("a");
  await press("Escape");
  await press("p");
  await screen.findByRole("button", { name: "Replace" });
  await press("a");
  await press("Escape");
  expect(answers).toEqual([]);
});

test("many marked lessons are asked about, go with one answer and come back with one undo, selected", async () => {
  const data = canned();
  const base = await data.item("use-pnpm");
  const ids = Array.from({ length: 12 }, (_, index) => `lesson-${index}`);
  let waiting = [...ids];
  const undone: number[][] = [];
  await open({
    queue: async () => waiting.map((id) => ({ ...base, id, title: `Lesson ${id}` })),
    item: async (id) => ({ ...base, id, title: id === "lesson-0" ? "Use pnpm for scripts" : id }),
    answer: async (answer) => {
      answers.push(answer);
      if (answer.verdict !== "approve") throw new Error(answer.verdict);
      waiting = waiting.filter((id) => !answer.ids.includes(id));
      return { failures: [], decisions: answer.ids.map((id) => ({ id: ids.indexOf(id), verdict: "approve", note: id, title: id, path: "", superseded: null })) };
    },
    undo: async (decisions) => {
      undone.push(decisions);
      waiting = ids.filter((id, index) => decisions.includes(index) || waiting.includes(id));
      return { undone: decisions.map((id) => ({ id, verdict: "approve", title: "", path: null, kept_changes: false })), left: [], failures: [] };
    },
  });
  await press("j");
  await press("j");
  for (const _ of ids.slice(0, 9)) {
    await press("x");
    await press("j");
  }
  await screen.findByText("9 lessons marked");
  await press("Escape");
  await waitFor(() => expect(screen.queryByText("9 lessons marked")).toBeNull());
  await press("x");
  await fireEvent.click(await screen.findByRole("button", { name: "Mark all 12" }));
  expect(screen.getAllByRole("toolbar").length).toBe(1);
  await press("a");
  await screen.findByText(/Approve 12 lessons at once/);
  expect(answers).toEqual([]);
  await fireEvent.click(screen.getByRole("button", { name: "Approve 12" }));
  await screen.findByText("Nothing to review");
  notices.all[0]?.act?.run();
  await waitFor(() => expect(undone).toEqual([[...ids.keys()].reverse()]));
  await shown("Use pnpm for scripts");
});

test("what was answered is taken back also after another page, and what could not be can be tried again", async () => {
  const asked: number[][] = [];
  const data = canned();
  const failing: Partial<Platform> = {
    undo: async (decisions) => {
      asked.push(decisions);
      return { undone: [], left: decisions.slice(0, 1), failures: [{ code: "external", message: "the disk is full", hint: null, problem: null }] };
    },
  };
  const page = await open(failing);
  await press("x");
  await press("j");
  await press("x");
  await press("a");
  await waitFor(() => expect(answers.length).toBe(1));
  page.unmount();
  const overview = await data.overview();
  render(Review, { platform: { ...data, ...failing }, overview, at: "", go: () => {}, refresh: () => {} });
  await shown("Use pnpm for scripts");
  await press("u");
  await waitFor(() => expect(notices.all[0]?.words).toMatch("the disk is full"));
  await press("u");
  await waitFor(() => expect(asked.length).toBe(2));
  expect(asked[1]).toEqual(asked[0]?.slice(0, 1));
});

test("u that is pressed while a form's answer is under way comes after it", async () => {
  const data = canned();
  let done = () => {};
  const finished = new Promise<void>((resolve) => (done = resolve));
  const asked: number[][] = [];
  await open({
    answer: async (answer) => (await finished, data.answer(answer)),
    undo: (decisions) => (asked.push(decisions), data.undo(decisions)),
  });
  await press("r");
  await fireEvent.submit(await screen.findByRole("form", { name: "Reject" }));
  await press("u");
  expect(asked).toEqual([]);
  done();
  await waitFor(() => expect(asked).toEqual([[1]]));
});

test("nothing is taken back where no answer was given", async () => {
  await open();
  expect((screen.getByRole("button", { name: /Undo/ }) as HTMLButtonElement).disabled).toBe(true);
  await press("u");
  await waitFor(() => expect(notices.all[0]?.words).toBe("There is no answer to undo."));
  expect(notices.all[0]?.bad).toBe(false);
});

test("undo selects what it brought back", async () => {
  await open();
  await press("a");
  await shown("Never amend a pushed commit");
  await press("u");
  await shown("Use pnpm for scripts");
});

test("no answer comes or goes with the lesson", async () => {
  await open();
  const names = () => screen.getAllByRole("button").map((button) => button.textContent?.trim());
  const before = names();
  await press("j");
  await shown("Never amend a pushed commit");
  expect(names().filter((name) => before.includes(name)).length).toBeGreaterThanOrEqual(7);
  expect((screen.getByRole("button", { name: /Replace/ }) as HTMLButtonElement).disabled).toBe(true);
});

test("an answer that fails is told, and the lesson stays", async () => {
  await open({ answer: () => Promise.reject({ code: "external", message: "the disk is full", hint: null, problem: null }) });
  await press("a");
  await waitFor(() => expect(notices.all[0]?.words).toBe("the disk is full"));
  await shown("Use pnpm for scripts");
});

test("the transcript's words are text, never markup", async () => {
  await open();
  expect(screen.getByText(/<img src=x onerror/)).toBeTruthy();
  expect(document.querySelector("img")).toBeNull();
});

test("what waits is narrowed down and ordered, and an answer to all goes to those alone", async () => {
  const data = canned();
  const base = await data.item("use-pnpm");
  const rows = [0, 40, 100].map((age_days, at) => ({ ...base, id: `old-${at}`, title: at ? `old-${at}` : "Use pnpm for scripts", age_days, project: at === 1 ? "engine" : "shop" }));
  await open({
    queue: async () => rows,
    item: async (id) => rows.find((row) => row.id === id) ?? base,
    answer: async (answer) => (answers.push(answer), { decisions: [], failures: [] }),
  });
  const listed = () => screen.getAllByRole("option").filter((one) => one.closest("[role=listbox]")).map((one) => one.textContent);
  await fireEvent.change(screen.getByLabelText("Order"), { target: { value: "oldest" } });
  await waitFor(() => expect(listed()[0]).toContain("old-2"));
  await fireEvent.change(screen.getByLabelText("Age"), { target: { value: "30" } });
  await screen.findByText(/2 lessons of 3/);
  await fireEvent.change(screen.getByLabelText("Project"), { target: { value: "shop" } });
  await screen.findByText(/1 lesson of 3/);
  await shown("old-2");
  await press("a");
  await waitFor(() => expect(answers).toEqual([{ verdict: "approve", ids: ["old-2"] }]));
  await fireEvent.change(screen.getByLabelText("Age"), { target: { value: "365" } });
  await fireEvent.click(await screen.findByText("Show all 3"));
  await shown("Use pnpm for scripts");
});

test("what is old is archived with one answer that says how many, and comes back with one undo", async () => {
  const all = await canned().queue();
  await open({ queue: async () => all.map((line) => ({ ...line, age_days: line.id === "no-amend" ? 120 : 3 })) });
  await fireEvent.click(screen.getByText("Archive older…"));
  const days = screen.getByRole("spinbutton");
  expect(screen.getByText("Archive 1 lesson")).toBeTruthy();
  await fireEvent.input(days, { target: { value: "300" } });
  expect(screen.getByText<HTMLButtonElement>("Archive 0 lessons").disabled).toBe(true);
  await fireEvent.input(days, { target: { value: "90" } });
  await fireEvent.submit(screen.getByRole("form", { name: "Archive what is old" }));
  await waitFor(() => expect(answers).toEqual([{ verdict: "archive", ids: ["no-amend"] }]));
  await waitFor(() => expect(notices.all[0]?.words).toBe("Archived: Never amend a pushed commit"));
  expect(given.all.length).toBe(1);
});
