import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { expect, test } from "vitest";

import { canned } from "../platform/canned";
import type { Platform } from "../platform/platform";
import Connections from "./Connections.svelte";

test("a program with its arguments is added as a connection", async () => {
  const added: unknown[] = [];
  const platform: Platform = { ...canned(), addConnection: async (...given) => void added.push(given) };
  render(Connections, { platform });
  await screen.findByText("tracker-mcp --read");
  await fireEvent.click(screen.getByText("Add a connection…"));
  await fireEvent.input(screen.getByLabelText(/^Name/), { target: { value: "notes" } });
  await fireEvent.change(screen.getByLabelText("How it is reached"), { target: { value: "stdio" } });
  await fireEvent.input(screen.getByLabelText(/^Program/), { target: { value: 'npx "my notes' } });
  await fireEvent.click(screen.getByText("Add the connection"));
  await screen.findByText("A quotation mark is not closed.");
  await fireEvent.input(screen.getByLabelText(/^Program/), { target: { value: 'npx "my notes"' } });
  await fireEvent.click(screen.getByText("Add the connection"));
  await waitFor(() => expect(added).toEqual([["notes", { type: "stdio", command: "npx", arguments: ["my notes"], variables: {}, passed_on: [] }]]));
});

test("one signs out of a server, and removes one", async () => {
  const done: string[] = [];
  const platform: Platform = {
    ...canned(),
    disconnect: async (name) => void done.push(`out ${name}`),
    removeConnection: async (name) => void done.push(`gone ${name}`),
  };
  render(Connections, { platform });
  await fireEvent.click(await screen.findByText("Sign out"));
  await fireEvent.click(screen.getAllByText("Remove")[1] as HTMLElement);
  await waitFor(() => expect(done).toEqual(["out mail", "gone tracker"]));
});
