import { expect, test } from "vitest";

import { Action } from "./action.svelte";

test("what fails is said until it is tried again, and nothing is under way then", async () => {
  const action = new Action();
  let busy = false;
  await action.run(async () => {
    busy = action.busy;
    throw new Error("no room");
  });
  expect([busy, action.busy, action.failure?.message]).toEqual([true, false, "no room"]);
  await action.run(async () => {});
  expect(action.failure).toBe(undefined);
});
