import { fireEvent, render, screen } from "@testing-library/svelte";
import { expect, test } from "vitest";

import { canned } from "../platform/canned";
import type { Binding as Bound, Platform } from "../platform/platform";
import { BINDING } from "../platform/samples";
import Binding from "./Binding.svelte";

function open(first: Partial<Bound>, more: Partial<Platform> = {}) {
  const asked: unknown[] = [];
  let now: Bound = { ...BINDING, ...first };
  const platform: Platform = {
    ...canned(),
    binding: async (_, given) => (now = given.length > 0 ? { ...now, checks: given, source: "given" } : now),
    bind: async (id, given, seen) => {
      asked.push(["bind", id, given, seen]);
      return (now = { ...now, binds: true });
    },
    unbind: async (id, once) => {
      asked.push(["unbind", id, once]);
      if (!once) now = { ...now, binds: false };
      return "done";
    },
    ...more,
  };
  render(Binding, { platform, id: "one", close: () => asked.push("closed"), go: (route: string) => asked.push(route) });
  return asked;
}

test("nothing binds before what it would have stopped was shown and a yes was said", async () => {
  const asked = open({});
  await screen.findByText("never run `yarn`, run `npm`");
  await screen.findByText(/It would have stopped 2 of 320 calls/);
  await screen.findByText("yarn add left-pad");
  expect(asked).toEqual([]);
  await fireEvent.click(screen.getByText("Make it binding"));
  expect(asked).toEqual([["bind", "one", [], ["never run `yarn`, run `npm`"]]]);
  await screen.findByText("Lift it for good");
  expect(screen.queryByText("Make it binding")).toBeNull();
});

test("a check of the person's own is tried before it binds", async () => {
  const asked = open({ checks: [], source: "words" });
  await fireEvent.click(await screen.findByText("Write a check"));
  await fireEvent.input(screen.getByRole("textbox"), { target: { value: "never write to `dist/**`\n\n" } });
  await fireEvent.click(screen.getByText("Try it"));
  await fireEvent.click(await screen.findByText("Make it binding"));
  expect(asked).toEqual([["bind", "one", ["never write to `dist/**`"], ["never write to `dist/**`"]]]);
});

test("it is lifted once or for good", async () => {
  const asked = open({ binds: true });
  await fireEvent.click(await screen.findByText("Lift it for the session it stopped last"));
  await fireEvent.click(await screen.findByText("Lift it for good"));
  expect(asked).toEqual([["unbind", "one", true], ["unbind", "one", false]]);
  await screen.findByText("Make it binding");
});

test("a check that cannot be read says so and keeps what was written", async () => {
  const failure = { code: "invalid", message: "`x` is no check", hint: "a check is one of: …" };
  open({}, { binding: async (_, given) => (given.length > 0 ? Promise.reject(failure) : BINDING) });
  await fireEvent.click(await screen.findByText("Change the check"));
  await fireEvent.input(screen.getByRole("textbox"), { target: { value: "x" } });
  await fireEvent.click(screen.getByText("Try it"));
  await screen.findByText(/`x` is no check/);
  expect(screen.getByRole<HTMLTextAreaElement>("textbox").value).toBe("x");
});

test("where nobody asks the check yet, one click lets Claude Code ask", async () => {
  let joined = false;
  open({ binds: true, is_asked: false }, { setHooks: async () => void (joined = true) });
  await fireEvent.click(await screen.findByText("Let it ask"));
  expect(joined).toBe(true);
});
