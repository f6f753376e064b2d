import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { beforeEach, expect, test } from "vitest";

import { notices } from "../kit/notices.svelte";
import { canned } from "../platform/canned";
import type { Platform } from "../platform/platform";
import Export from "./Export.svelte";
import Write from "./Write.svelte";

beforeEach(() => (notices.all = []));

test("what would change is seen before it is written, and nothing else is", async () => {
  const written: unknown[] = [];
  let closed = false;
  const platform: Platform = { ...canned(), writeExport: async (...asked) => void written.push(asked) };
  render(Export, { platform, projects: ["shop"], close: () => (closed = true) });
  expect(screen.getByText<HTMLButtonElement>("Write it").disabled).toBe(true);
  await fireEvent.click(screen.getByText("Choose a file…"));
  await screen.findByText(/2 lessons. 1 file would change/);
  await screen.findByText(/\+ - Use npm for scripts/);
  await fireEvent.click(screen.getByText("Write it"));
  await waitFor(() => expect(closed).toBe(true));
  const after = (await platform.planExport({ form: "claude-md", project: null, to: "x" })).files.map((file) => file.after);
  expect(written).toEqual([[{ form: "claude-md", project: null, to: "/home/ada/shop/CLAUDE.md" }, after]]);
});

test("another form asks for another place", async () => {
  render(Export, { platform: canned(), projects: [], close: () => {} });
  await fireEvent.click(screen.getByText("Choose a file…"));
  await screen.findByText("/home/ada/shop/CLAUDE.md", { selector: "span" });
  await fireEvent.change(screen.getByLabelText("As"), { target: { value: "rules" } });
  await screen.findByText("nothing chosen yet");
  expect(screen.queryByText("Choose a folder…")).not.toBeNull();
});

test("a lesson is written in one's own words", async () => {
  const asked: unknown[] = [];
  const platform: Platform = {
    ...canned(),
    writeLesson: async (lesson) => {
      asked.push(lesson);
      if (asked.length === 1) throw { code: "external", message: "the vault is away", hint: null };
      return { outcome: "saved", path: "Afterword/Fixes/x.md" };
    },
  };
  const done: (string | null)[] = [];
  render(Write, { platform, projects: ["shop"], done: (path) => void done.push(path), cancel: () => {} });
  await fireEvent.input(screen.getByLabelText("What is to be done, in one sentence"), { target: { value: "Restart the queue after a deploy" } });
  await fireEvent.change(screen.getByLabelText("Kind"), { target: { value: "fix" } });
  await fireEvent.click(screen.getByText("Save the lesson"));
  await screen.findByText("the vault is away");
  await fireEvent.click(screen.getByText("Save the lesson"));
  await waitFor(() => expect(done).toEqual(["Afterword/Fixes/x.md"]));
  expect(asked[1]).toEqual({ kind: "fix", title: "Restart the queue after a deploy", body: "", project: null });
});
