import { fireEvent, render, screen } from "@testing-library/svelte";
import { expect, test } from "vitest";

import { canned } from "../platform/canned";
import type { Injection } from "../platform/platform";
import { GIVEN } from "../platform/samples";
import GivenTo from "./GivenTo.svelte";

async function open(given: Injection[]) {
  const gone: string[] = [];
  let asked = 0;
  const platform = { ...canned(), given: async () => (asked++, given) };
  render(GivenTo, { platform, session: "one", go: (route: string) => gone.push(route) });
  expect(asked, "nothing is asked before it is opened").toBe(0);
  const details = document.querySelector("details") as HTMLDetailsElement;
  details.open = true;
  await fireEvent(details, new Event("toggle"));
  return gone;
}

test("what was given and what not is told with its reason, and leads to the lesson", async () => {
  const gone = await open(GIVEN);
  await screen.findByText("a rule you stated, of this project");
  await screen.findByText("no room in `recall.token_budget`");
  await screen.findByText(/nothing fits the prompt/);
  expect(screen.getAllByText(/^(not )?given$/).map((one) => one.textContent)).toEqual(["given", "not given"]);
  await fireEvent.click(screen.getByText("Use npm for scripts"));
  expect(gone).toEqual(["lessons/one"]);
});

test("a session that no hook told of says so", async () => {
  await open([]);
  await screen.findByText(/no hook reported its start/);
});
