import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { expect, test } from "vitest";

import { canned } from "../platform/canned";
import type { Platform } from "../platform/platform";
import { SETUP } from "../platform/samples";
import Welcome from "./Welcome.svelte";

function open(change: Partial<Platform> = {}) {
  return render(Welcome, { platform: { ...canned(), ...change }, done: () => {} });
}

const primaries = (page: HTMLElement) => [...page.querySelectorAll("button.primary")].map((one) => one.textContent);

test("what is done collapses, and one primary button is in view", async () => {
  const { container } = open();
  await screen.findByText("Where should notes go?");
  expect(primaries(container)).toEqual(["Use this folder"]);
  await fireEvent.click(screen.getByText("Use this folder"));
  await screen.findByText("Not now");
  expect(screen.queryByRole("radio"), "the vault is chosen").toBeNull();
  expect(primaries(container)).toEqual(["Connect Claude Code"]);
  await fireEvent.click(screen.getByText("Not now"));
  await screen.findByText("Read 12 sessions");
  expect(primaries(container)).toEqual(["Read 12 sessions"]);
  expect(screen.queryByText(/files? would change/), "what would change is not shown any more").toBeNull();
  await fireEvent.click(screen.getByText("Connect Claude Code"));
  expect(await screen.findByText(/1 file would change/)).toBeTruthy();
});

test("Claude Code's folder can be chosen, and others that have sessions are offered", async () => {
  const set: unknown[] = [];
  let setup = { ...SETUP, sessions: 0, bytes: 0, other_claude: ["/mnt/c/Users/ada/.claude"] };
  open({
    setup: async () => setup,
    pickFolder: async () => "/srv/claude",
    setSetting: async (key, values) => {
      set.push([key, values]);
      setup = { ...SETUP, claude: values[0] ?? "", other_claude: [] };
    },
  });
  await fireEvent.click(await screen.findByText("Use /mnt/c/Users/ada/.claude"));
  expect(await screen.findByText("/mnt/c/Users/ada/.claude")).toBeTruthy();
  await fireEvent.click(screen.getByText("Choose another…"));
  await waitFor(() => expect(screen.getByText("/srv/claude")).toBeTruthy());
  expect(set).toEqual([
    ["claude.config_dir", ["/mnt/c/Users/ada/.claude"]],
    ["claude.config_dir", ["/srv/claude"]],
  ]);
});

test("a second folder of Claude Code is followed with the first", async () => {
  const set: unknown[] = [];
  let setup = { ...SETUP, other_claude: ["/home/ada/.claude-work"] };
  open({
    setup: async () => setup,
    pickFolder: async () => "/srv/claude",
    addToSetting: async (key, items) => {
      set.push([key, items]);
      setup = { ...SETUP, also_followed: [...setup.also_followed, ...items], other_claude: [] };
    },
  });
  await fireEvent.click(await screen.findByText("Also follow /home/ada/.claude-work"));
  expect(await screen.findByText("/home/ada/.claude-work")).toBeTruthy();
  expect(screen.getByText("/home/ada/.claude"), "the first is followed still").toBeTruthy();
  await fireEvent.click(screen.getByText("Also follow another…"));
  await waitFor(() => expect(screen.getByText("/srv/claude")).toBeTruthy());
  expect(set).toEqual([
    ["claude.other_dirs", ["/home/ada/.claude-work"]],
    ["claude.other_dirs", ["/srv/claude"]],
  ]);
});

test("a folder that the environment names is not offered to be changed", async () => {
  open({ setup: async () => ({ ...SETUP, may_choose_claude: false }) });
  await screen.findByText("/home/ada/.claude");
  expect(screen.queryByText("Choose another…")).toBeNull();
});

test("whether Claude Code's sessions are to be kept is asked with their size, and nothing is kept unasked", async () => {
  const set: unknown[] = [];
  open({ setup: async () => ({ ...SETUP, bytes: 880_000_000 }), setSetting: async (key, values) => void set.push([key, values]) });
  await fireEvent.click(await screen.findByText("Use this folder"));
  await screen.findByText("Keep what Claude Code deletes?");
  expect(screen.getByText(/about 110.0 MB for what there is now/)).toBeTruthy();
  const keeps = screen.getByLabelText<HTMLInputElement>("Keep a copy of every session");
  expect([keeps.checked, set]).toEqual([false, []]);
  await fireEvent.click(keeps);
  await waitFor(() => expect(set).toEqual([["archive.sessions", ["true"]]]));
  await waitFor(() => expect([keeps.checked, keeps.disabled]).toEqual([true, false]));
  await fireEvent.click(keeps);
  await waitFor(() => expect(set.at(-1)).toEqual(["archive.sessions", []]));
});
