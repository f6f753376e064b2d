import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { beforeEach, expect, test } from "vitest";

import { notices } from "../kit/notices.svelte";
import { canned } from "../platform/canned";
import type { Platform } from "../platform/platform";
import { LESSONS } from "../platform/samples";
import Write from "./Write.svelte";

beforeEach(() => (notices.all = []));

test("a lesson is written in one's own words", async () => {
  const asked: unknown[] = [];
  const platform: Platform = {
    ...canned(),
    writeLesson: async (lesson) => {
      asked.push(lesson);
      if (asked.length === 1) throw { code: "external", message: "the vault is away", hint: null };
      return { outcome: "saved", lesson: LESSONS[2] ?? null };
    },
  };
  const done: (string | undefined)[] = [];
  render(Write, { platform, projects: ["shop"], done: (line) => void done.push(line?.id), cancel: () => {} });
  await fireEvent.input(screen.getByLabelText("What is to be done, in one sentence"), { target: { value: "Restart the queue after a deploy" } });
  await fireEvent.change(screen.getByLabelText("Kind"), { target: { value: "fix" } });
  await fireEvent.click(screen.getByText("Save the lesson"));
  await screen.findByText("the vault is away");
  await fireEvent.click(screen.getByText("Save the lesson"));
  await waitFor(() => expect(done).toEqual(["lock-file"]));
  expect(asked[1]).toEqual({ kind: "fix", title: "Restart the queue after a deploy", body: "", project: null });
});
