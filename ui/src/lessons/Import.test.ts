import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { expect, test } from "vitest";

import { canned } from "../platform/canned";
import type { ImportSource, Platform } from "../platform/platform";
import Import from "./Import.svelte";

test("what is found is shown first, and only what is ticked is written", async () => {
  const written: [ImportSource, string[]][] = [];
  let closed = false;
  const platform: Platform = {
    ...canned(),
    writeImport: async (source, chosen) => (written.push([source, chosen]), canned().writeImport(source, chosen)),
  };
  render(Import, { platform, projects: ["shop"], close: () => (closed = true) });
  await screen.findByText("2 lessons found");
  expect(screen.getByText(/3 in your vault already/)).toBeTruthy();
  expect(written).toEqual([]);
  await fireEvent.click(screen.getByLabelText(/test database/));
  await fireEvent.click(screen.getByText("Import 1 lesson"));
  await waitFor(() => expect(closed).toBe(true));
  expect(written).toEqual([[{ from: "memory" }, ["Afterword/Workflows/run-the-linter.md"]]]);
});

test("a file of rules is chosen before anything is looked for, with the project it belongs to", async () => {
  const asked: ImportSource[] = [];
  const platform: Platform = { ...canned(), planImport: async (source) => (asked.push(source), canned().planImport(source)) };
  render(Import, { platform, projects: ["shop"], close: () => {} });
  await screen.findByText("2 lessons found");
  await fireEvent.change(screen.getByLabelText("From"), { target: { value: "rules" } });
  expect(screen.getByText("nothing chosen yet")).toBeTruthy();
  await fireEvent.click(screen.getByText("Choose a file…"));
  await fireEvent.change(screen.getByLabelText("They belong to"), { target: { value: "shop" } });
  await waitFor(() => expect(asked.at(-1)).toEqual({ from: "rules", file: "/home/ada/shop/CLAUDE.md", project: "shop" }));
});
