import { fireEvent, render, screen, waitFor, within } from "@testing-library/svelte";
import { beforeEach, expect, test, vi } from "vitest";

import { forgetLoaded } from "../kit/load.svelte";
import { notices } from "../kit/notices.svelte";
import { canned } from "../platform/canned";
import type { FindResult, Platform, SessionLine } from "../platform/platform";
import { SESSIONS, TIMELINE } from "../platform/samples";
import Sessions from "./Sessions.svelte";

const FIRST = SESSIONS[0]?.session ?? "";

beforeEach(() => {
  notices.all = [];
  forgetLoaded();
});

async function open(change: Partial<Platform> = {}, at = "") {
  const went: string[] = [];
  const platform: Platform = { ...canned(), ...change };
  const overview = await platform.overview();
  const go = (route: string) => void went.push(route);
  const page = render(Sessions, { platform, overview, at, go, refresh: () => {} });
  await screen.findByText("Copy all");
  return { page, went };
}

const type = (words: string) => fireEvent.input(screen.getByLabelText("Find what was said and done"), { target: { value: words } });

test("a session is listed by its title, or the first words said in it, with how it ended", async () => {
  await open();
  const options = within(screen.getByRole("listbox")).getAllByRole("option");
  expect(options[0]?.textContent).toContain("Prices in cents");
  expect(options[0]?.textContent).toContain("ended well");
  expect(options[1]?.textContent).toContain("why does the nightly import stop halfway?");
  expect(options[3]?.textContent).toContain("a copy is left");
});

test("the latest sessions are shown while the others are looked at", async () => {
  let rest: (all: SessionLine[]) => void = () => {};
  const sessions: Platform["sessions"] = (latest) => (latest ? Promise.resolve(SESSIONS.slice(0, 2)) : new Promise((done) => (rest = done)));
  const last = SESSIONS.at(-1);
  await open({ sessions }, last?.session);
  expect(within(screen.getByRole("listbox")).getAllByRole("option")).toHaveLength(2);
  expect(screen.getByRole("status").textContent, "nobody has counted them").toBe("");
  expect(notices.all, "the one that is asked for may be among the others").toEqual([]);
  rest(SESSIONS);
  await waitFor(() => expect(screen.getByRole("status").textContent).toBe(`${SESSIONS.length} sessions`));
  expect(within(screen.getByRole("listbox")).getByRole("option", { selected: true }).id).toBe(`row-${last?.session}`);
});

test("what was found is listed with the words, and opened at its line", async () => {
  const asked: unknown[] = [];
  await open({
    timeline: async (session, agent = "", line) => {
      asked.push([session, agent, line]);
      return { ...TIMELINE, session, agent };
    },
  });
  await type("prices");
  await waitFor(() => expect(screen.getByRole("status").textContent).toContain("1 session"));
  const [option] = within(screen.getByRole("listbox")).getAllByRole("option");
  expect(option?.querySelector("mark")?.textContent).toBe("prices");
  await waitFor(() => expect(asked.at(-1)).toEqual([FIRST, "", 2]));
  await waitFor(() => expect(document.querySelector("[aria-current='location']")?.textContent).toContain("I will use"));
  await screen.findByText(/Found here, and in 4 further lines/);
});

test("nothing found is said, and an answer to older words does not come back", async () => {
  let late: (found: FindResult) => void = () => {};
  const nothing: FindResult = { sessions: [], has_some_words: false, files: 12 };
  await open({
    find: ({ query }) => (query === "pri" ? new Promise((done) => (late = done)) : Promise.resolve(nothing)),
  });
  await type("pri");
  await type("zzzqqq");
  await screen.findByText("Nothing found in 12 transcripts");
  late({ ...nothing, sessions: (await canned().find({ query: "prices", project: null, onlyMe: false })).sessions });
  await new Promise((done) => setTimeout(done));
  expect(screen.getByRole("status").textContent).toBe("Nothing found in 12 transcripts");
});

test("only me leaves what the person said", async () => {
  await open();
  await screen.findByText("please use npm for scripts", { selector: "p.text" });
  expect(screen.queryByText(/1 call: Bash/)).not.toBeNull();
  await fireEvent.click(screen.getByLabelText("Only me"));
  await waitFor(() => expect(screen.queryByText(/1 call: Bash/)).toBeNull());
  expect(screen.queryByText("please use npm for scripts", { selector: "p.text" })).not.toBeNull();
});

test("the model's words are markdown, a tool's result comes when it is asked for", async () => {
  await open();
  const strong = await screen.findByText("npm", { selector: "strong" });
  expect(strong).not.toBeNull();
  await fireEvent.click(screen.getByText(/1 call: Bash/));
  expect(screen.queryByText(/added 130 packages/)).toBeNull();
  await fireEvent.click(screen.getByText("Result"));
  await screen.findByText(/added 130 packages/);
});

test("sub-agents are inside, and lead back", async () => {
  const { went, page } = await open();
  await fireEvent.click(screen.getByText("find every place that builds a price"));
  expect(went.at(-1)).toBe(`sessions/${FIRST}@a77`);
  await page.rerender({ at: `${FIRST}@a77` });
  await fireEvent.click(await screen.findByText("← The session it worked for"));
  expect(went.at(-1)).toBe(`sessions/${FIRST}`);
});

test("a session is copied, exported and gone on with", async () => {
  const copied = vi.fn(async () => {});
  Object.defineProperty(navigator, "clipboard", { configurable: true, value: { writeText: copied } });
  const [written, resumed]: [boolean[], string[]] = [[], []];
  await open({
    resumeSession: async (session) => void resumed.push(session),
    exportSession: async (_session, html) => {
      written.push(html);
      return "/home/ada/prices.html";
    },
  });
  const actions = within(screen.getByRole("group", { name: "This session" }));
  await fireEvent.click(actions.getByText("Resume in a terminal"));
  await waitFor(() => expect(resumed).toEqual([FIRST]));
  await fireEvent.click(actions.getByText("Copy resume command"));
  await waitFor(() => expect(copied).toHaveBeenLastCalledWith(TIMELINE.resume));
  await fireEvent.click(actions.getByText("Copy all"));
  await waitFor(() => expect(copied).toHaveBeenLastCalledWith("# Prices in cents\n"));
  await fireEvent.click(actions.getByText("Export HTML…"));
  await waitFor(() => expect(notices.all[0]?.words).toBe("Written to /home/ada/prices.html"));
  expect(written).toEqual([true]);
});

test("of a session that is gone the copy is shown, and can be restored", async () => {
  const restored: string[] = [];
  await open(
    {
      timeline: async (session, agent = "") => ({ ...TIMELINE, session, agent, resume: null, is_copy: true }),
      restoreSession: async (session) => void restored.push(session),
    },
    SESSIONS[3]?.session,
  );
  await screen.findByText(/this is the copy/);
  await fireEvent.click(screen.getByText("Restore for Claude Code"));
  await waitFor(() => expect(restored).toEqual([SESSIONS[3]?.session]));
});

test("a session says that its project switches hooks off", async () => {
  const settings = "/home/ada/shop/.claude/settings.json";
  await open({ timeline: async (session, agent = "") => ({ ...TIMELINE, session, agent, hooks_off: settings }) }, SESSIONS[0]?.session);
  await screen.findByText(new RegExp(`${settings} has disableAllHooks`));
});

test("what is only close in meaning is marked as such", async () => {
  const said = { line: 7, agent: "", time: null, voice: "user" as const, what: "", sidechain: false, by_meaning: true, snippet: [{ text: "count the pears", is_match: false }] };
  await open({
    find: async () => ({
      sessions: [{ session: SESSIONS[0]?.session ?? "", project: "/home/ada/orchard", title: "Fruit", first_words: "", started_at: null, ended_at: null, place: "transcript", score: 1, lines: [said], more: 0 }],
      has_some_words: true,
      files: 12,
    }),
  });
  await type("number of fruits");
  await screen.findByText(/with some of these words, or close in meaning/);
  expect(screen.getAllByText(/· close in meaning/).length).toBeGreaterThan(0);
});

test("of a session of which only prompts are left these are shown", async () => {
  const prompt = { line: 7, agent: "", time: null, voice: "user" as const, what: "prompt", sidechain: false, by_meaning: false, snippet: [{ text: "count the pears", is_match: true }] };
  await open({
    find: async () => ({
      sessions: [{ session: "gone", project: "/home/ada/orchard", title: "", first_words: "", started_at: null, ended_at: null, place: "prompts", score: 1, lines: [prompt], more: 0 }],
      has_some_words: false,
      files: 12,
    }),
  });
  await type("pears");
  await screen.findByText(/This is left of what you typed in it/);
});

test("what happened to a session is told, also that it crashed and why reading it failed", async () => {
  const platform = canned();
  render(Sessions, { platform, overview: await platform.overview(), at: "", go: () => {}, refresh: () => {} });
  const events = (await screen.findByText("When it ran and was read")).closest("details") as HTMLDetailsElement;
  events.open = true;
  await fireEvent(events, new Event("toggle"));
  await screen.findByText(/It crashed/);
  expect(screen.getByText(/recovered after a crash/)).toBeTruthy();
  expect(screen.getByText(/the disk is full/)).toBeTruthy();
});
