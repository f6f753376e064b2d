import { expect, test } from "vitest";

import { lessonEntries, lessonRoute, matching, sessionEntries, type Entry } from "./entries";
import { LESSONS, SESSIONS } from "../platform/samples";

const entry = (title: string, detail = ""): Entry => ({ key: title, sort: "Page", title, detail, run: () => {} });
const titles = (entries: Entry[]) => entries.map((one) => one.title);

test("an entry fits where every word occurs, in any order and case", () => {
  const all = [entry("Reflect now", "read what changed"), entry("Review"), entry("Settings")];
  expect(titles(matching(all, "NOW refl"))).toEqual(["Reflect now"]);
  expect(titles(matching(all, "changed"))).toEqual(["Reflect now"]);
  expect(titles(matching(all, "changed settings"))).toEqual([]);
  expect(titles(matching(all, " "))).toEqual(["Reflect now", "Review", "Settings"]);
});

test("what begins with the words comes first", () => {
  expect(titles(matching([entry("Open the review"), entry("Review")], "rev"))).toEqual(["Review", "Open the review"]);
});

test("a lesson is shown where it is answered", () => {
  expect(lessonRoute({ id: "a", kind: "idea", status: "active" })).toBe("ideas/a");
  expect(lessonRoute({ id: "a", kind: "fix", status: "inbox" })).toBe("review/a");
  expect(lessonRoute({ id: "a", kind: "fix", status: "active" })).toBe("lessons/a");
});

test("sessions are found by project and by id, lessons are taken as they were found", () => {
  const went: string[] = [];
  const go = (route: string) => void went.push(route);
  expect(sessionEntries(SESSIONS, "shop", go)).toHaveLength(2);
  expect(sessionEntries(SESSIONS, "unknown", go)).toHaveLength(1);
  expect(sessionEntries(SESSIONS, "nowhere", go)).toEqual([]);
  sessionEntries(SESSIONS, "shop", go)[0]?.run();
  lessonEntries(LESSONS, go)[0]?.run();
  expect(went).toEqual([`sessions/${SESSIONS[0]?.session}`, "lessons/use-npm"]);
});
