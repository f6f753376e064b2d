import { expect, test } from "vitest";

const sources = import.meta.glob<string>("../**/*.{ts,svelte}", { query: "?raw", import: "default", eager: true });

test("only this folder knows Tauri", () => {
  const outside = Object.entries(sources).filter(([path]) => path.startsWith("../"));
  expect(outside.length).toBeGreaterThan(2);
  expect(outside.filter(([, text]) => text.includes("@tauri-apps/")).map(([path]) => path)).toEqual([]);
});
