import { flushSync } from "svelte";
import { expect, test, vi } from "vitest";

import { ago } from "./words";

test("times that are shown go on while one looks, and after the window was hidden", () => {
  vi.useFakeTimers({ now: new Date("2026-11-27T10:00:00Z"), toFake: ["Date"] });
  const shown: string[] = [];
  const end = $effect.root(() => {
    $effect(() => void shown.push(ago("2026-11-27T09:58:00Z")));
  });
  try {
    flushSync();
    vi.setSystemTime(new Date("2026-11-27T10:01:00Z"));
    document.dispatchEvent(new Event("visibilitychange"));
    flushSync();
    expect(shown).toEqual(["2 minutes ago", "3 minutes ago"]);
  } finally {
    end();
    vi.useRealTimers();
  }
});
