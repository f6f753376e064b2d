/** What the command palette offers, and what of it fits the words typed. */
import { ago, nameOf } from "../kit/words";
import type { FoundSession, LessonLine, SessionLine } from "../platform/platform";
import { addressOf } from "../sessions/rows";
import { words } from "../words/words.svelte";

export interface Entry {
  key: string;
  /** What sort of thing it is, in the window's language. */
  sort: string;
  title: string;
  detail: string;
  run: () => void;
}

/** Sessions shown at most: who looks for one types more of its name. */
const SESSIONS = 8;
const LESSONS = 8;

/** The entries in which every word occurs, those whose title begins with the words first. */
export function matching(entries: Entry[], query: string): Entry[] {
  const wanted = query.trim().toLowerCase();
  const words = wanted.split(/\s+/).filter(Boolean);
  const fits = (entry: Entry) => {
    const text = `${entry.title} ${entry.detail} ${entry.sort}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
  const begins = (entry: Entry) => entry.title.toLowerCase().startsWith(wanted);
  const found = entries.filter(fits);
  return [...found.filter(begins), ...found.filter((entry) => !begins(entry))];
}

/** Where a lesson is shown. */
export function lessonRoute(line: Pick<LessonLine, "id" | "kind" | "status">): string {
  if (line.kind === "idea") return `ideas/${line.id}`;
  if (line.status === "inbox") return `review/${line.id}`;
  return `lessons/${line.id}`;
}

/** Lessons as the program found them: by words and by meaning, so that they are not filtered again. */
export function lessonEntries(lines: LessonLine[], go: (route: string) => void): Entry[] {
  return lines.slice(0, LESSONS).map((line) => ({
    key: `lesson-${line.id}`,
    sort: words.app.lesson,
    title: line.title,
    // Two projects may end alike: the program names them apart.
    detail: line.project ?? "",
    run: () => go(lessonRoute(line)),
  }));
}

/** The sessions whose title, first words, project or id fits. */
export function sessionEntries(lines: SessionLine[], query: string, go: (route: string) => void): Entry[] {
  const entries = lines.map((line): Entry => ({
    key: `session-${line.session}`,
    sort: words.app.session,
    title: line.title || line.first_words || nameOf(line.project) || words.palette.unknownProject,
    detail: [nameOf(line.project), line.session.slice(0, 8), ago(line.modified)].filter(Boolean).join(", "),
    run: () => go(`sessions/${line.session}`),
  }));
  return matching(entries, query).slice(0, SESSIONS);
}

/** What was said in sessions, a line of each, as the program found it; without those that are offered already. */
export function passageEntries(found: FoundSession[], offered: Entry[], go: (route: string) => void): Entry[] {
  const entries = found
    .filter((session) => session.session && session.place !== "prompts" && session.lines.length)
    .map((session): Entry => {
      const line = session.lines[0];
      return {
        key: `session-${session.session}`,
        sort: words.app.session,
        title: line?.snippet.map((piece) => piece.text).join("") ?? "",
        detail: [session.title || session.first_words, ago(session.ended_at)].filter(Boolean).join(", "),
        run: () => go(addressOf(session.session, line?.agent ?? "", line?.line)),
      };
    });
  return entries.filter((entry) => !offered.some((one) => one.key === entry.key)).slice(0, SESSIONS);
}
