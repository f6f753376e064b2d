import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { expect, test } from "vitest";

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
    schedule_text: "At 09:00 (UTC, cron 0 9 * * *)",
    next_run_at: null,
    step: "start",
    pending_question: question,
    directory: "/home/ada",
    allowed_tools: [],
    connections: ["mail"],
    most_usd: 0.5,
    most_seconds: 600,
    spent_usd: 0,
    last_success_at: null,
    finished_at: null,
    running: false,
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
    planTask: async (when) => ({ text: `understood ${when}`, next: [], zone: "UTC" }),
    rescheduleTask: async (id, when) => {
      asked.push(["reschedule", id, when]);
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
  await fireEvent.click(screen.getByText("Keep it"));
  await waitFor(() => expect(asked).toEqual([["reschedule", "0190", "every day at 7"]]));
});
