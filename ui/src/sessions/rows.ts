/** How the rows of a session are laid out: what was said stands by itself, what tools did between it is one fold. */
import type { Row } from "../platform/platform";
import { words } from "../words/words.svelte";

export interface Placed {
  row: Row;
  /** Its place among all rows. */
  index: number;
}

export type Part = { sort: "message"; placed: Placed } | { sort: "work"; rows: Placed[]; words: string };

const WORK = new Set<Row["voice"]>(["call", "trouble"]);

/** The parts of a session; with `onlyMe` only what the person said. */
export function parts(rows: Row[], onlyMe: boolean): Part[] {
  const parts: Part[] = [];
  let work: Placed[] = [];
  const flush = () => {
    if (work.length) parts.push({ sort: "work", rows: work, words: workWords(work.map(({ row }) => row)) });
    work = [];
  };
  rows.forEach((row, index) => {
    const placed = { row, index };
    if (onlyMe && !isMine(row)) return;
    if (WORK.has(row.voice)) return void work.push(placed);
    flush();
    parts.push({ sort: "message", placed });
  });
  flush();
  return parts;
}

/** The person said it, and not the model to a sub-agent. */
export function isMine(row: Row): boolean {
  return row.voice === "user" && !row.sidechain;
}

/** "3 calls: Bash, Edit; 1 failed". */
function workWords(rows: Row[]): string {
  const calls = rows.filter((row) => row.voice === "call");
  const failed = rows.length - calls.length;
  const names = [...new Set(calls.map((row) => row.text.split(":", 1)[0]?.trim()).filter(Boolean))];
  const some = names.slice(0, 4).join(", ") + (names.length > 4 ? ", …" : "");
  const parts = calls.length ? [words.sessions.work(calls.length, some)] : [];
  if (failed) parts.push(words.sessions.failed(failed));
  return parts.join("; ");
}

/** The row of a line, or the one before it: not every line has a row. -1 where there is none. */
export function rowOf(rows: Row[], line: number): number {
  const after = rows.findIndex((row) => row.line > line);
  return (after < 0 ? rows.length : after) - 1;
}

/** A session, or one of its sub-agents, as the address names it. */
export function addressOf(session: string, agent: string, line?: number): string {
  return `sessions/${session}${agent ? `@${agent}` : ""}${line ? `/${line}` : ""}`;
}
