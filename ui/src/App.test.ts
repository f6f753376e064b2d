import { render, screen } from "@testing-library/svelte";
import { expect, test } from "vitest";

import App from "./App.svelte";
import { canned } from "./platform/canned";

test("opens with the review, and says how many wait", async () => {
  render(App, { platform: canned() });
  expect(await screen.findByText("Use pnpm for scripts", { selector: "h2" })).toBeTruthy();
  expect(screen.getByRole("link", { name: /Review 2\s*waiting/ }).getAttribute("aria-current")).toBe("page");
});

test("begins with the first run where there is no vault", async () => {
  const platform = canned();
  const overview = { ...(await platform.overview()), vault: null };
  render(App, { platform: { ...platform, overview: async () => overview } });
  expect(await screen.findByText("Where should notes go?")).toBeTruthy();
});

test("says why the program cannot work, and what to do", async () => {
  const failure = { code: "invalid", message: "config.toml:3: `vault.paht` does not exist", hint: "did you mean `vault.path`?" };
  render(App, { platform: { ...canned(), overview: () => Promise.reject(failure) } });
  expect(await screen.findByText(/did you mean/)).toBeTruthy();
});
