import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { expect, test } from "vitest";

import { canned } from "../platform/canned";
import type { Platform, ProjectChangeRequest } from "../platform/platform";
import Projects from "./Projects.svelte";

test("what joining would change is said before it is done", async () => {
  const done: ProjectChangeRequest[] = [];
  const platform: Platform = { ...canned(), changeProjects: async (wish) => (done.push(wish), canned().changeProjects(wish)) };
  render(Projects, { platform, changed: () => {} });
  await screen.findByText("shop-2");
  await fireEvent.click(screen.getAllByText("Join…")[1] as HTMLElement);
  await fireEvent.change(screen.getByLabelText("Counts as"), { target: { value: "shop" } });
  await screen.findByText(/From shop-2 to shop:.*3 sessions and 1 note would change/);
  expect(done).toEqual([]);
  await fireEvent.click(screen.getByText("Join the projects"));
  await waitFor(() => expect(done).toEqual([{ kind: "join", into: "shop", from: "shop-2" }]));
});

test("a split that is refused says why and cannot be done", async () => {
  const platform: Platform = {
    ...canned(),
    pickFolder: async () => "/elsewhere",
    planProjects: async () => Promise.reject({ code: "invalid", message: "no session of shop is below it", hint: null }),
  };
  render(Projects, { platform, changed: () => {} });
  await screen.findByText("shop");
  await fireEvent.click(screen.getAllByText("Split…")[0] as HTMLElement);
  await fireEvent.click(screen.getByText("Choose the folder…"));
  await screen.findByText("no session of shop is below it");
  expect(screen.getByText<HTMLButtonElement>("Split the project").disabled).toBe(true);
});
