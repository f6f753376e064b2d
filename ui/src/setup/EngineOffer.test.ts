import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { expect, test } from "vitest";

import { canned } from "../platform/canned";
import type { Platform } from "../platform/platform";
import EngineOffer from "./EngineOffer.svelte";

test("the price is said before, and one click takes it into use", async () => {
  const asked: number[] = [];
  const platform: Platform = {
    ...canned(),
    useClaudeCode: async (daily) => {
      asked.push(daily);
      return { engine: "claude-code", input_tokens: 900, output_tokens: 20, usd: 0.004, seconds: 3.1 };
    },
  };
  render(EngineOffer, { platform });
  await screen.findByText(/About 8,400 tokens a session/);
  expect(screen.getByText(/About \$1\.80 for the 40 sessions there are, \$0\.50 a week at your pace/)).toBeTruthy();
  await fireEvent.input(screen.getByLabelText("US dollars a day"), { target: { value: "2" } });
  await fireEvent.click(screen.getByText("Use my Claude Code"));
  await screen.findByText(/answered the test question in 3.1 s for \$0\.004/);
  expect(asked).toEqual([2]);
});

test("what the price was told for is bought with one click, and goes on where it stopped", async () => {
  let read = 0;
  const platform: Platform = {
    ...canned(),
    reflectAll: async () => ({ ...(await canned().reflectAll()), sessions: 12, notes: 9, stopped: ++read === 1 }),
  };
  render(EngineOffer, { platform });
  await fireEvent.click(await screen.findByText("Use my Claude Code"));
  await fireEvent.click(await screen.findByText("Read the 40 sessions there are with it, about $1.80"));
  await screen.findByText(/12 sessions read, 9 notes written, then stopped/);
  await fireEvent.click(screen.getByText("Continue"));
  await waitFor(() => expect(screen.queryByText("Continue")).toBeNull());
  expect(read).toBe(2);
});

test("one that cannot work is not offered, with the reason, and one that fails its test changes nothing", async () => {
  const platform: Platform = { ...canned(), engineOffer: async () => ({ ...(await canned().engineOffer()), problem: "Claude Code was not found; install it" }) };
  const { unmount } = render(EngineOffer, { platform });
  await screen.findByText(/Claude Code was not found/);
  expect(screen.getByText<HTMLButtonElement>("Use my Claude Code").disabled).toBe(true);
  unmount();
  const signedOut: Platform = { ...canned(), useClaudeCode: async () => Promise.reject({ code: "failed", message: "claude-code: not signed in" }) };
  render(EngineOffer, { platform: signedOut });
  await fireEvent.click(await screen.findByText("Use my Claude Code"));
  await waitFor(() => expect(screen.getByText(/not signed in/)).toBeTruthy());
  expect(screen.getByText("Use my Claude Code")).toBeTruthy();
});
