import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { beforeEach, expect, test } from "vitest";

import { notices } from "../kit/notices.svelte";
import { canned } from "../platform/canned";
import type { Platform } from "../platform/platform";
import Export from "./Export.svelte";

beforeEach(() => (notices.all = []));

test("what would change is seen before it is written, and nothing else is", async () => {
  const written: unknown[] = [];
  let closed = false;
  const platform: Platform = { ...canned(), writeExport: async (...asked) => void written.push(asked) };
  render(Export, { platform, projects: ["shop"], close: () => (closed = true) });
  expect(screen.getByText<HTMLButtonElement>("Write the files").disabled).toBe(true);
  await fireEvent.click(screen.getByText("Choose a file…"));
  await screen.findByText(/2 lessons. 1 file would change/);
  await screen.findByText(/\+ - Use npm for scripts/);
  await fireEvent.click(screen.getByText("Write the files"));
  await waitFor(() => expect(closed).toBe(true));
  const after = (await platform.planExport({ form: "claude-md", project: null, chosen: null, to: "x" })).files.map((file) => file.after);
  expect(written).toEqual([[{ form: "claude-md", project: null, chosen: null, to: "/home/ada/shop/CLAUDE.md" }, after]]);
});

test("another form asks for another place", async () => {
  render(Export, { platform: canned(), projects: [], close: () => {} });
  await fireEvent.click(screen.getByText("Choose a file…"));
  await screen.findByText("/home/ada/shop/CLAUDE.md", { selector: "span" });
  await fireEvent.change(screen.getByLabelText("As"), { target: { value: "rules" } });
  await screen.findByText("nothing chosen yet");
  expect(screen.queryByText("Choose a folder…")).not.toBeNull();
});

test("only what is ticked goes out, and a note with a secret is named", async () => {
  const asked: (string[] | null)[] = [];
  const written: unknown[] = [];
  const platform: Platform = {
    ...canned(),
    planExport: async (request) => (asked.push(request.chosen), canned().planExport(request)),
    writeExport: async (request) => void written.push(request.chosen),
  };
  render(Export, { platform, projects: [], close: () => {} });
  await fireEvent.click(screen.getByText("Choose a file…"));
  const cents = await screen.findByLabelText<HTMLInputElement>(/Prices are integers, in cents.*a secret is taken out of it/);
  expect(screen.getByLabelText<HTMLInputElement>(/Use npm for scripts/).checked).toBe(true);
  await fireEvent.click(cents);
  await waitFor(() => expect(asked.at(-1)).toEqual(["Afterword/Preferences/npm.md"]));
  await fireEvent.click(await screen.findByText("Write the files"));
  await waitFor(() => expect(written).toEqual([["Afterword/Preferences/npm.md"]]));
  expect(asked.length).toBe(2);
});
