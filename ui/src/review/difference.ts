/** What two texts have in common, word by word, for showing them side by side. */
import { words } from "../words/words.svelte";

export interface Part {
  text: string;
  /** Only this side has it. */
  own: boolean;
}

/** Words compared at most; of longer texts the rest counts as different. */
const MOST = 1200;

/** Both texts in parts, by their longest common sequence of words. */
export function difference(one: string, other: string): [Part[], Part[]] {
  const [left, right] = [wordsOf(one), wordsOf(other)];
  const [rows, columns] = [Math.min(left.length, MOST), Math.min(right.length, MOST)];
  // common[i][j]: words in common from left[i] and right[j] on.
  const common = Array.from({ length: rows + 1 }, () => new Uint16Array(columns + 1));
  for (let i = rows - 1; i >= 0; i--) {
    for (let j = columns - 1; j >= 0; j--) {
      const here = common[i] as Uint16Array;
      const below = common[i + 1] as Uint16Array;
      here[j] = same(left[i], right[j]) ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, here[j + 1] ?? 0);
    }
  }
  const parts: [Part[], Part[]] = [[], []];
  let [i, j] = [0, 0];
  while (i < rows && j < columns) {
    if (same(left[i], right[j])) {
      add(parts[0], left[i++] ?? "", false);
      add(parts[1], right[j++] ?? "", false);
    } else if ((common[i + 1]?.[j] ?? 0) >= (common[i]?.[j + 1] ?? 0)) {
      add(parts[0], left[i++] ?? "", true);
    } else {
      add(parts[1], right[j++] ?? "", true);
    }
  }
  while (i < left.length) add(parts[0], left[i++] ?? "", true);
  while (j < right.length) add(parts[1], right[j++] ?? "", true);
  return parts;
}

/** Words with the space behind them, so that joining gives back the text. */
function wordsOf(text: string): string[] {
  return text.match(/\s*\S+\s*/g) ?? [];
}

function same(one: string | undefined, other: string | undefined): boolean {
  return one?.trim() === other?.trim();
}

function add(parts: Part[], text: string, own: boolean) {
  const last = parts.at(-1);
  if (last && last.own === own) last.text += text;
  else parts.push({ text, own });
}

/** Equal lines that stay beside what differs. */
const CONTEXT = 2;

/** Two texts without what they have in common at their beginning and end; a line says how much that is. */
export function apart(here: string, there: string): [string, string] {
  const [one, other] = [here.split("\n"), there.split("\n")];
  const most = Math.min(one.length, other.length);
  let head = 0;
  while (head < most && one[head] === other[head]) head++;
  let tail = 0;
  while (tail < most - head && one.at(-1 - tail) === other.at(-1 - tail)) tail++;
  const [before, after] = [Math.max(0, head - CONTEXT), Math.max(0, tail - CONTEXT)];
  const equal = (count: number) => (count > 1 ? [words.conflicts.equalLines(count)] : []);
  const cut = (lines: string[]) =>
    [...equal(before), ...lines.slice(before > 1 ? before : 0, lines.length - (after > 1 ? after : 0)), ...equal(after)].join("\n");
  return [cut(one), cut(other)];
}
