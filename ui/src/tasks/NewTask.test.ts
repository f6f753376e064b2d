import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { expect, test } from "vitest";

import { canned } from "../platform/canned";
import type { NewTask as Wanted, Platform } from "../platform/platform";
import NewTask from "./NewTask.svelte";

test("what a task asks for is ticked before it is made, and what it lacks is said", async () => {
  const made: Wanted[] = [];
  const platform: Platform = {
    ...canned(),
    taskNeeds: async (words) =>
      words.includes("logs")
        ? {
            tools: [
              { tool: "Read", because: "it speaks of “logs”", changes: false },
              { tool: "Edit", because: "it speaks of “fix”", changes: true },
            ],
            connections: ["tracker"],
            missing: [
              { what: "Claude Code was not found", advice: "install Claude Code" },
              { what: "nothing it may use reaches your mail", advice: "add a tool server with `afterword connections add mail …`, and give it with `--connection mail`" },
            ],
          }
        : { tools: [], connections: [], missing: [] },
    newTask: async (wanted) => {
      made.push(wanted);
      return "0190";
    },
  };
  render(NewTask, { platform, made: () => {}, cancel: () => {} });
  await fireEvent.input(screen.getByLabelText(/What should Claude do/), { target: { value: "fix what the logs say" } });
  const read = await screen.findByLabelText<HTMLInputElement>(/Read/);
  expect(read.checked).toBe(false);
  expect(screen.getByText(/it may change something/)).toBeTruthy();
  expect(screen.getByText(/Claude Code was not found/)).toBeTruthy();
  expect(screen.getByText("add a tool server with Settings, Tasks, “Connections”, and tick it here"), "no command").toBeTruthy();
  await fireEvent.click(read);
  await fireEvent.click(screen.getByLabelText(/tracker/));
  await fireEvent.click(screen.getByText("Start chat"));
  await waitFor(() => expect(made).toHaveLength(1));
  expect(made[0]).toMatchObject({ allowed_tools: ["Read"], connections: ["tracker"] });
});
