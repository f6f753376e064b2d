import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { expect, test } from "vitest";

import { notices } from "../kit/notices.svelte";
import { canned } from "../platform/canned";
import type { Platform, Question, Task, TaskDetail } from "../platform/platform";
import Tasks from "./Tasks.svelte";

function task(question: Question | null): Task {
  return {
    id: "0190",
    title: "look at my mail",
    status: question ? "waiting_input" : "background",
    paused: false,
    task: "look at my mail",
    schedule: { type: "cron", cron_expression: "0 9 * * *", time_zone: "UTC" },
    schedule_text: "at 09:00 (UTC; cron 0 9 * * *)",
    next_run_at: null,
    step: "start",
    data: {},
    pending_question: question,
    claude_session_id: null,
    directory: "/home/ada",
    allowed_tools: [],
    connections: ["mail"],
    most_usd: 0.5,
    most_seconds: 600,
    spent_usd: 0,
    last_success_at: null,
    finished_at: null,
    running: false,
    muted: false,
    unseen: 0,
    can_undo: false,
    created_at: "2026-03-02T08:00:00Z",
    updated_at: "2026-03-02T08:00:00Z",
  };
}

async function open(question: Question | null) {
  const asked: unknown[] = [];
  let waits = question;
  const detail = (): TaskDetail => ({ conversation: task(waits), messages: [], runs: [] });
  const platform: Platform = {
    ...canned(),
    tasks: async () => [task(waits)],
    task: async () => detail(),
    sayInTask: async (_, words) => {
      asked.push(["say", words]);
      waits = null;
      return "answered";
    },
    connect: async (name) => {
      asked.push(["connect", name]);
      waits = null;
      return { connection: name, going_on: ["0190"] };
    },
    planTask: async (when) => ({ schedule: { type: "cron", cron_expression: "unusual", time_zone: "UTC" }, text: `understood ${when}`, next: [], zone: "UTC" }),
    rescheduleTask: async (id, when) => {
      asked.push(["reschedule", id, when]);
    },
    connections: async () => [],
    limitTask: async (id, limits) => {
      asked.push(["limit", id, limits]);
    },
  };
  render(Tasks, { platform, overview: await platform.overview(), at: "0190", go: () => {} });
  return asked;
}

test("a lost connection is signed in to with one button", async () => {
  const asked = await open({ type: "confirmation", prompt: "Sign in again. Go on now?", concern: { reconnect: "mail" } });
  await fireEvent.click(await screen.findByText("Sign in to mail…"));
  await waitFor(() => expect(asked).toEqual([["connect", "mail"]]));
  await waitFor(() => expect(screen.queryByText("Sign in to mail…")).toBeNull());
});

test("each type of question is answered", async () => {
  const confirmation = await open({ type: "confirmation", prompt: "Send it?" });
  await fireEvent.click(await screen.findByText("yes"));
  await waitFor(() => expect(confirmation).toEqual([["say", "yes"]]));
});

test("a choice is answered with its option", async () => {
  const choice = await open({ type: "choice", prompt: "Which?", options: ["the long one", "the short one"] });
  await fireEvent.click(await screen.findByText("the short one"));
  await waitFor(() => expect(choice).toEqual([["say", "the short one"]]));
});

test("free words answer what asks for them", async () => {
  const input = await open({ type: "input", prompt: "What now?" });
  const field = await screen.findByLabelText("Your answer");
  await fireEvent.input(field, { target: { value: "look again" } });
  await fireEvent.click(screen.getByText("Answer"));
  await waitFor(() => expect(input).toEqual([["say", "look again"]]));
});

test("another schedule is read back before it is kept", async () => {
  const asked = await open(null);
  await fireEvent.click(await screen.findByText("When…"));
  await fireEvent.input(screen.getByLabelText("When?"), { target: { value: "every day at 7" } });
  await screen.findByText(/understood every day at 7/);
  await fireEvent.click(screen.getByText("Save"));
  await waitFor(() => expect(asked).toEqual([["reschedule", "0190", "every day at 7"]]));
});

test("what a run may do is changed later, and nothing else with it", async () => {
  const asked = await open(null);
  await fireEvent.click(await screen.findByText("Limits…"));
  const tools = screen.getByLabelText<HTMLTextAreaElement>(/Tools it may use/);
  expect(tools.value).toBe("");
  await fireEvent.input(tools, { target: { value: "Read\n\n  Bash(git log:*)  " } });
  await fireEvent.input(screen.getByLabelText("US dollars a run"), { target: { value: "0.25" } });
  await fireEvent.click(screen.getByText("Save"));
  const limits = { allowed_tools: ["Read", "Bash(git log:*)"], connections: ["mail"], most_usd: 0.25, most_minutes: 10 };
  await waitFor(() => expect(asked).toEqual([["limit", "0190", limits]]));
  await waitFor(() => expect(screen.queryByText("Save")).toBeNull());
});

test("limits that are refused stay to be mended", async () => {
  const refusing: Platform = {
    ...canned(),
    tasks: async () => [task(null)],
    task: async () => ({ conversation: task(null), messages: [], runs: [] }),
    limitTask: async () => Promise.reject({ code: "invalid", message: "`rm` is no tool", hint: null }),
  };
  render(Tasks, { platform: refusing, overview: await refusing.overview(), at: "0190", go: () => {} });
  await fireEvent.click(await screen.findByText("Limits…"));
  const tools = screen.getByLabelText<HTMLTextAreaElement>(/Tools it may use/);
  await fireEvent.input(tools, { target: { value: "(rm" } });
  await fireEvent.click(screen.getByText("Save"));
  await waitFor(() => expect(notices.all.some((one) => one.words.includes("is no tool"))).toBe(true));
  expect(screen.getByLabelText<HTMLTextAreaElement>(/Tools it may use/).value).toBe("(rm");
});

test("words that cannot be replied to are kept once and not offered a second time", async () => {
  const messages: TaskDetail["messages"] = [];
  const poor: Platform = {
    ...canned(),
    tasks: async () => [task(null)],
    task: async () => ({ conversation: task(null), messages: [...messages], runs: [] }),
    sayInTask: async (_, content) => {
      messages.push({ id: "m1", role: "user", source: "chat", content, relayed: false, created_at: "2026-03-02T08:00:00Z" });
      return Promise.reject({ code: "precondition", message: "today's 1.00 dollars of `budget.daily_usd` are spent" });
    },
  };
  render(Tasks, { platform: poor, overview: await poor.overview(), at: "0190", go: () => {} });
  const field = await screen.findByLabelText<HTMLTextAreaElement>("Say something");
  await fireEvent.input(field, { target: { value: "and the dog" } });
  await fireEvent.click(screen.getByText("Send"));
  await screen.findByText("and the dog", { selector: ".text" });
  await waitFor(() => expect(field.value).toBe(""));
  expect(notices.all.some((one) => one.words.includes("budget.daily_usd"))).toBe(true);
});

test("a task is muted with one click, and one that reported something is marked", async () => {
  const asked: unknown[] = [];
  const platform: Platform = {
    ...canned(),
    tasks: async () => [{ ...task(null), unseen: 2 }],
    task: async () => ({ conversation: task(null), messages: [], runs: [] }),
    muteTask: async (id, muted) => void asked.push([id, muted]),
  };
  render(Tasks, { platform, overview: await platform.overview(), at: "0190", go: () => {} });
  await screen.findByTitle("It reported something");
  await fireEvent.click(await screen.findByText("Mute"));
  await waitFor(() => expect(asked).toEqual([["0190", true]]));
});

test("a task runs once now, and its last change is undone", async () => {
  const steps: string[] = [];
  const data = canned();
  const platform: Platform = {
    ...data,
    moveTask: async (_id, step) => void steps.push(step),
    task: async (id) => {
      const shown = await data.task(id);
      return { ...shown, conversation: { ...shown.conversation, status: "background", can_undo: true } };
    },
  };
  render(Tasks, { platform, overview: await platform.overview(), at: "t2", go: () => {} });
  await fireEvent.click(await screen.findByText("Run once now"));
  await waitFor(() => expect(notices.all[0]?.words).toBe("It runs now, once. Its schedule stays."));
  await fireEvent.click(screen.getByText("Undo the last change"));
  await waitFor(() => expect(steps).toEqual(["run", "undo"]));
});

test("what the program says in a task names the window's buttons, and what people say stays as it is", async () => {
  const at = "2026-03-02T08:00:00Z";
  const said = (id: string, role: "user" | "system", content: string) => ({ id, role, source: "chat" as const, content, relayed: false, created_at: at });
  const messages: TaskDetail["messages"] = [
    said("m1", "user", "what does `afterword task undo` do?"),
    said("m2", "system", "Changed: it runs every hour.\n`afterword task undo 0190` takes it back; so does saying so."),
    said("m3", "system", "Nothing was changed. If you asked for a change, make it yourself: `afterword task reschedule 0190 WHEN`."),
  ];
  const prompt = "The connection `mail` has to be signed in to: `afterword connections connect mail`, or the button in the window. Go on now?";
  const platform: Platform = {
    ...canned(),
    tasks: async () => [task(null)],
    task: async () => ({ conversation: task({ type: "confirmation", prompt, concern: { reconnect: "mail" } }), messages, runs: [] }),
  };
  render(Tasks, { platform, overview: await platform.overview(), at: "0190", go: () => {} });
  await screen.findByText("what does `afterword task undo` do?");
  expect(screen.getByText(/“Undo the last change” takes it back/)).toBeTruthy();
  expect(screen.getByText(/Nothing was changed.*“When…”/)).toBeTruthy();
  expect(screen.getByText(/has to be signed in to: the button below/)).toBeTruthy();
});
