import { render, screen } from "@testing-library/svelte";
import { expect, test } from "vitest";

import App from "./App.svelte";
import { canned } from "./platform/canned";

test("shows the version of the program around it", async () => {
  render(App, { platform: { ...canned(), about: async () => ({ version: "1.2.3" }) } });
  expect(await screen.findByText("Version 1.2.3")).toBeTruthy();
});
