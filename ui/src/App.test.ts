import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/svelte";
import { expect, test } from "vitest";

import index from "../index.html?raw";
import App from "./App.svelte";
import { forgetLoaded } from "./kit/load.svelte";
import { canned } from "./platform/canned";
import type { Platform } from "./platform/platform";
import { LESSONS, SESSIONS } from "./platform/samples";

/** An element with its attributes, without the classes that only scope a style, its own words and what is in it. */
function shape(of: Element | null | undefined): unknown {
  if (!of) return of;
  const attributes = [...of.attributes].map(({ name, value }) => [name, value.replace(/ ?svelte-\w+/g, "")]).filter(([name, value]) => name !== "class" || value);
  const own = [...of.childNodes].filter((one) => one.nodeType === Node.TEXT_NODE).map((one) => one.textContent?.trim());
  return [of.tagName, attributes.sort(), own.filter(Boolean), [...of.children].map(shape)];
}

test("opens with the review, and says how many wait", async () => {
  render(App, { platform: canned() });
  expect(await screen.findByText("Use pnpm for scripts", { selector: "h2" })).toBeTruthy();
  expect(screen.getByRole("link", { name: /Review 2\s*to review/ }).getAttribute("aria-current")).toBe("page");
});

test("begins with the frame that stands there before it", async () => {
  const { container } = render(App, { platform: { ...canned(), overview: () => new Promise(() => {}) } });
  const before = new DOMParser().parseFromString(index, "text/html").querySelector("#app");
  expect(before?.textContent).toContain("Afterword");
  expect(shape(container.querySelector(".frame"))).toEqual(shape(before?.firstElementChild));
});

test("the strip below the page says what it is for until something happens", async () => {
  render(App, { platform: canned() });
  const hint = await screen.findByText(/finds pages, lessons, sessions/);
  await screen.findByText("Use pnpm for scripts", { selector: "h2" });
  await fireEvent.keyDown(window, { key: "a" });
  await screen.findByText(/^Approved/);
  expect(hint.isConnected).toBe(false);
});

test("begins with the first run where there is no vault", async () => {
  const platform = canned();
  const overview = { ...(await platform.overview()), vault: null };
  render(App, { platform: { ...platform, overview: async () => overview } });
  expect(await screen.findByText("Where should notes go?")).toBeTruthy();
});

test("says why the program cannot work, and what to do", async () => {
  const failure = { code: "invalid", message: "config.toml:3: `vault.paht` does not exist", hint: "did you mean `vault.path`?" };
  render(App, { platform: { ...canned(), overview: () => Promise.reject(failure) } });
  expect(await screen.findByText(/did you mean/)).toBeTruthy();
});

test("what takes long on other pages is looked at before they are opened", async () => {
  forgetLoaded();
  const asked: string[] = [];
  const platform = canned();
  const once = <T>(name: string, first: Promise<T>) => (asked.includes(name) ? new Promise<T>(() => {}) : (asked.push(name), first));
  const sessions: Platform["sessions"] = (latest) => (latest ? once("sessions", platform.sessions(latest)) : new Promise(() => {}));
  render(App, { platform: { ...platform, sessions, stats: () => once("stats", platform.stats()) } });
  await waitFor(() => expect(asked).toEqual(["sessions", "stats"]), { timeout: 20_000 });
  await fireEvent.click(await screen.findByRole("link", { name: /Sessions/ }));
  await screen.findByLabelText("Find what was said and done");
  expect(within(screen.getByRole("listbox")).getAllByRole("option")).toHaveLength(SESSIONS.length);
  await fireEvent.click(screen.getByRole("link", { name: /Stats/ }));
  expect(await screen.findByText("Approval rate")).toBeTruthy();
  location.hash = "";
});

async function palette(platform = canned()) {
  render(App, { platform });
  await screen.findByText("Use pnpm for scripts", { selector: "h2" });
  await fireEvent.keyDown(window, { key: "k", ctrlKey: true });
  return (await screen.findByRole("combobox", { name: "Go to, or do" })) as HTMLInputElement;
}

const options = () => screen.queryAllByRole("option").filter((one) => one.closest("dialog")).map((one) => one.textContent ?? "");
const selected = () => document.querySelector('dialog [aria-selected="true"]');

test("the palette goes to a page by the keys alone", async () => {
  const field = await palette();
  expect(document.activeElement).toBe(field);
  await fireEvent.input(field, { target: { value: "set" } });
  await waitFor(() => expect(options()[0]).toContain("Settings"));
  expect(field.getAttribute("aria-activedescendant")).toBe(selected()?.id);
  await fireEvent.keyDown(field, { key: "Enter" });
  await waitFor(() => expect(location.hash).toBe("#/settings"));
  expect(document.querySelector("dialog")).toBeNull();
  location.hash = "";
});

test("the palette finds lessons as the program does, and sessions; arrows choose", async () => {
  const field = await palette();
  await fireEvent.input(field, { target: { value: "shop" } });
  await waitFor(() => expect(options().length).toBe(LESSONS.length + 2));
  const first = selected();
  await fireEvent.keyDown(field, { key: "ArrowUp" });
  await waitFor(() => expect(selected()).not.toBe(first));
  await fireEvent.keyDown(field, { key: "Enter" });
  await waitFor(() => expect(location.hash).toMatch(/^#\/sessions\/.+/));
  location.hash = "";
});

test("Escape closes the palette, answers nothing and gives the focus back", async () => {
  let answers = 0;
  const platform = canned();
  const link = async () => (await screen.findByRole("link", { name: /Lessons/ })) as HTMLElement;
  render(App, { platform: { ...platform, answer: async (answer) => (answers++, platform.answer(answer)) } });
  await screen.findByText("Use pnpm for scripts", { selector: "h2" });
  const before = await link();
  before.focus();
  await fireEvent.keyDown(window, { key: "k", metaKey: true });
  const field = await screen.findByRole("combobox", { name: "Go to, or do" });
  await fireEvent.keyDown(field, { key: "a" });
  await fireEvent.keyDown(field, { key: "Escape" });
  await waitFor(() => expect(document.querySelector("dialog")).toBeNull());
  expect(document.activeElement).toBe(before);
  expect(answers).toBe(0);
});

test("the palette pauses, and offers no work where another program does it", async () => {
  const paused: boolean[] = [];
  const platform = canned();
  const field = await palette({ ...platform, pause: async (on) => void paused.push(on) });
  await fireEvent.input(field, { target: { value: "pause" } });
  await waitFor(() => expect(options()[0]).toContain("Pause"));
  await fireEvent.keyDown(field, { key: "Enter" });
  await waitFor(() => expect(paused).toEqual([true]));
  cleanup();
  const elsewhere = { ...(await platform.overview()), works_here: false };
  await palette({ ...platform, overview: async () => elsewhere });
  expect(options().some((one) => one.includes("Reflect now") || one.includes("Pause"))).toBe(false);
  expect(options().some((one) => one.includes("Open the vault"))).toBe(true);
});
