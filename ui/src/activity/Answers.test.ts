import { fireEvent, render, screen, waitFor, within } from "@testing-library/svelte";
import { expect, test } from "vitest";

import { notices } from "../kit/notices.svelte";
import { canned } from "../platform/canned";
import type { RecordedAnswer } from "../platform/platform";
import Answers from "./Answers.svelte";

const REJECTED: RecordedAnswer = {
  id: 7,
  note: "0197d2a0-0000-7000-8000-000000000007",
  verdict: "reject",
  title: "Use tabs",
  superseded: null,
  reason: "only in Go",
  at: "2026-11-26T10:00:00Z",
  path: "Afterword/_archive/use-tabs.md",
};
const REPLACED: RecordedAnswer = { ...REJECTED, id: 6, note: null, path: null, verdict: "supersede", title: "Use pnpm", superseded: "Use yarn", reason: "" };

test("what was decided is listed with its reason and leads to the lesson, and each is taken back", async () => {
  notices.all = [];
  let standing = [REJECTED, REPLACED];
  const undone: number[] = [];
  const platform = {
    ...canned(),
    answers: async () => standing,
    undo: async (decisions: number[]) => {
      undone.push(...decisions);
      standing = standing.filter((one) => !decisions.includes(one.id));
      return { undone: [], left: [], failures: [] };
    },
  };
  const { container } = render(Answers, { platform });
  const details = container.querySelector("details") as HTMLDetailsElement;
  details.open = true;
  await fireEvent(details, new Event("toggle"));
  const list = within(await screen.findByRole("list", { name: "Your answers" }));
  const items = list.getAllByRole("listitem").map((item) => item.textContent?.replace(/\s+/g, " "));
  expect(items[0]).toMatch(/Rejected Use tabs .*only in Go/);
  expect(items[1]).toMatch(/Use pnpm .*In place of “Use yarn”/);
  expect(list.getByText("Use tabs").closest("a")?.getAttribute("href")).toBe(`#/lessons/${REJECTED.note}`);
  expect(list.getByText("Use pnpm").closest("a"), "its note is gone").toBeNull();
  await fireEvent.click(list.getAllByText("Undo")[0] as HTMLElement);
  await waitFor(() => expect(list.getAllByRole("listitem")).toHaveLength(1));
  expect(undone).toEqual([7]);
  expect(notices.all[0]?.words).toBe("Undone: Use tabs");
});
