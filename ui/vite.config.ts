import { svelte } from "@sveltejs/vite-plugin-svelte";
import { svelteTesting } from "@testing-library/svelte/vite";
import { defineConfig } from "vitest/config";

export default defineConfig({
  plugins: [svelte(), svelteTesting()],
  // The window is the system's own webview, never an old browser.
  build: { target: "es2022" },
  // Tests hold the window against the reference of settings, which the program writes.
  server: { fs: { allow: [".", "../docs/guide/reference"] } },
  // Far longer than anything takes; a machine under load is no failure.
  test: { environment: "jsdom", setupFiles: ["src/test-setup.ts"], testTimeout: 120_000, hookTimeout: 120_000 },
});
