import { fireEvent, render, screen } from "@testing-library/svelte";
import { expect, test } from "vitest";

import { canned } from "../platform/canned";
import type { Conflict, Platform } from "../platform/platform";
import Conflicts from "./Conflicts.svelte";

const TWO: Conflict = {
  path: "Afterword/Preferences/use-pnpm.md",
  title: "Use `pnpm`",
  copy: "Afterword/Preferences/use-pnpm.sync-conflict-20260314-101112-ABCDEFG.md",
  tool: "Syncthing",
  here: "Use pnpm, said here.",
  there: "Use pnpm, said there.",
  can_be_joined: false,
};

async function open(conflicts: Conflict[]) {
  const resolved: unknown[] = [];
  const platform: Platform = {
    ...canned(),
    conflicts: async () => conflicts,
    resolveConflict: async (path, resolution) => {
      resolved.push([path, resolution]);
      conflicts = [];
      return true;
    },
  };
  render(Conflicts, { platform, overview: await platform.overview(), at: "", go: () => {}, refresh: () => {} });
  return resolved;
}

test("both versions are shown, what differs is marked, and the kept one is told", async () => {
  const resolved = await open([TWO]);
  await screen.findByText(/left by Syncthing/);
  expect(screen.getByRole("heading", { level: 2 }).textContent).toBe("Use pnpm");
  expect(screen.getAllByText(/here\.|there\./, { selector: "mark" }).map((mark) => mark.textContent)).toEqual(["here.", "there."]);
  expect(screen.queryByText("Join them")).toBeNull();
  const keep = screen.getAllByText("Keep this one");
  await fireEvent.click(keep[1] as HTMLElement);
  expect(resolved).toEqual([[TWO.path, "there"]]);
  await screen.findByText("Every note has one version");
});

test("what git left in one file cannot be kept as two notes", async () => {
  await open([{ ...TWO, copy: null, tool: "git", can_be_joined: true }]);
  await screen.findByText("Join them");
  expect(screen.queryByText("Keep both as two notes")).toBeNull();
});
