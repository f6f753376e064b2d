import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { beforeEach, expect, test } from "vitest";

import { notices } from "../kit/notices.svelte";
import { canned } from "../platform/canned";
import type { Answer, Platform } from "../platform/platform";
import Review from "./Review.svelte";

let answers: Answer[];

beforeEach(() => {
  answers = [];
  notices.all = [];
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
  await waitFor(() => expect(screen.getAllByRole("option").length).toBe(2));
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
  await fireEvent.input(screen.getByPlaceholderText(/One-off/), { target: { value: "only that day" } });
  await fireEvent.click(screen.getByLabelText("Never again anywhere"));
  await fireEvent.submit(screen.getByRole("form", { name: "Reject" }));
  await shown("Never amend a pushed commit");
  expect(answers).toEqual([{ verdict: "reject", ids: ["use-pnpm"], reason: "only that day", everywhere: true }]);
});

test("keys typed into a field answer nothing", async () => {
  await open();
  await press("r");
  await fireEvent.keyDown(screen.getByPlaceholderText(/One-off/), { key: "a" });
  await press("Escape");
  expect(answers).toEqual([]);
});

test("e saves in the person's words", async () => {
  await open();
  await press("e");
  await fireEvent.input(screen.getByLabelText("Title"), { target: { value: "Use pnpm" } });
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

test("x marks, and an answer goes to all that is marked", async () => {
  await open();
  await press("x");
  await press("j");
  await press("x");
  await press("a");
  await waitFor(() => expect(answers).toEqual([{ verdict: "approve", ids: ["use-pnpm", "no-amend"] }]));
});

test("an answer that fails is told, and the lesson stays", async () => {
  await open({ answer: () => Promise.reject({ code: "external", message: "the disk is full", hint: null }) });
  await press("a");
  await waitFor(() => expect(notices.all[0]?.words).toBe("the disk is full"));
  await shown("Use pnpm for scripts");
});

test("the transcript's words are text, never markup", async () => {
  await open();
  expect(screen.getByText(/<img src=x onerror/)).toBeTruthy();
  expect(document.querySelector("img")).toBeNull();
});
