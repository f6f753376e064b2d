import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { beforeEach, expect, test } from "vitest";

import { notices } from "../kit/notices.svelte";
import { canned } from "../platform/canned";
import type { Platform, Problem } from "../platform/platform";
import Settings from "./Settings.svelte";

beforeEach(() => {
  notices.all = [];
});

async function open(change: Partial<Platform> = {}) {
  const platform: Platform = { ...canned(), ...change };
  render(Settings, { platform, overview: await platform.overview(), refresh: () => {} });
  return (await screen.findByLabelText("Folder")) as HTMLInputElement;
}

async function write(field: HTMLElement, value: string) {
  await fireEvent.input(field, { target: { value } });
  await fireEvent.blur(field);
}

test("what would not work is not saved, and the field says why", async () => {
  const because: Problem = { about: "setting", is: "not-a-folder" };
  const problem: Problem = { about: "config", is: "bad-value", key: "vault.path", because };
  const field = await open({ setSetting: () => Promise.reject({ code: "invalid", message: "`vault.path`: this is not a folder", hint: null, problem }) });
  await write(field, "/etc/passwd");
  expect((await screen.findByText("Not saved: This is not a folder.")).closest(".setting")?.contains(field)).toBe(true);
  expect(field.value).toBe("/etc/passwd");
  expect(field.getAttribute("aria-invalid")).toBe("true");
  expect(notices.all).toEqual([]);
});

test("a folder that is no vault yet is set up after a question", async () => {
  const chosen: string[] = [];
  const field = await open({
    setSetting: () => Promise.reject({ code: "precondition", message: "/home/ada/New: not a vault", hint: null }),
    chooseVault: async (vault) => (chosen.push(vault), { vault, in_obsidian: false, installed: 7 }),
  });
  await write(field, "/home/ada/New");
  const button = await screen.findByRole("button", { name: "Set up the vault here" });
  expect(chosen).toEqual([]);
  await fireEvent.click(button);
  await waitFor(() => expect(chosen).toEqual(["/home/ada/New"]));
  await waitFor(() => expect(notices.all[0]?.words).toContain("7 new files"));
});

test("what is being typed stays while another setting is saved", async () => {
  const { settings } = canned();
  const kept = new Map<string, string[]>();
  const field = await open({
    settings: async () => (await settings()).map((one) => ({ ...one, values: kept.get(one.key) ?? one.values })),
    setSetting: async (key, values) => void kept.set(key, values),
  });
  await fireEvent.input(field, { target: { value: "/home/ada/Half" } });
  await fireEvent.change(screen.getByLabelText("Light or dark"), { target: { value: "dark" } });
  await waitFor(() => expect(notices.all[0]?.words).toBe("Saved."));
  await waitFor(() => expect((screen.getByLabelText("Light or dark") as HTMLSelectElement).value).toBe("dark"));
  expect(field.value).toBe("/home/ada/Half");
  expect(field.isConnected).toBe(true);
});

test("a search leaves the settings that hold its words", async () => {
  await open();
  expect(screen.getByLabelText("Light or dark")).toBeTruthy();
  await fireEvent.input(screen.getByLabelText("Search the settings"), { target: { value: "Light dark" } });
  await waitFor(() => expect(screen.queryByLabelText("Folder")).toBeNull());
  expect(screen.getByLabelText("Light or dark")).toBeTruthy();
  await fireEvent.input(screen.getByLabelText("Search the settings"), { target: { value: "zzzqqq" } });
  expect(await screen.findByText("No setting says that.")).toBeTruthy();
});

test("only the chosen engine's fields are shown", async () => {
  const { settings } = canned();
  const engine = async (name: string) => (await settings()).map((one) => (one.key === "engine.name" ? { ...one, values: [name] } : one));
  let chosen = "builtin";
  await open({ settings: () => engine(chosen), setSetting: async (_, values) => void (chosen = values[0] ?? "") });
  expect(screen.queryByLabelText("Model")).toBeNull();
  await fireEvent.change(screen.getByLabelText("What finds the lessons"), { target: { value: "claude-code" } });
  expect(await screen.findByLabelText("Model")).toBeTruthy();
});

test("the chosen engine, and one with a key, is asked a test question", async () => {
  const { settings } = canned();
  const asked: string[] = [];
  let works = true;
  await open({
    settings: async () => (await settings()).map((one) => (one.key === "engine.name" ? { ...one, values: ["openai-compatible"] } : one)),
    tryEngine: async (engine) => {
      asked.push(engine);
      if (!works) throw { code: "external", message: "nothing listens there", hint: "start the server", problem: null };
      return { engine, input_tokens: 400, output_tokens: 30, usd: 0.002, seconds: 1.4 };
    },
  });
  const [chosen, ofKey] = await waitFor(() => {
    const buttons = screen.getAllByRole("button", { name: "Ask a test question" });
    expect(buttons.length).toBe(2);
    return buttons as [HTMLElement, HTMLElement];
  });
  await fireEvent.click(chosen);
  expect(await screen.findByText("It answered in 1.4 s for $0.002.")).toBeTruthy();
  works = false;
  await fireEvent.click(ofKey);
  expect(await screen.findByText("It does not work: Nothing listens there. Start the server.")).toBeTruthy();
  expect(asked).toEqual(["openai-compatible", "anthropic"]);
});
