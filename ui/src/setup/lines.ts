/** Which lines of a file change, for showing it before it happens. */

export interface Line {
  sign: "+" | "-" | " ";
  text: string;
}

/** Lines shown before and after those that change. */
const AROUND = 2;

/** The lines between what both texts begin and end with. */
export function changedLines(before: string | null, after: string | null): Line[] {
  const [old, now] = [lines(before), lines(after)];
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start++;
  let end = 0;
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  const as = (sign: Line["sign"]) => (text: string) => ({ sign, text });
  return [
    ...now.slice(Math.max(0, start - AROUND), start).map(as(" ")),
    ...old.slice(start, old.length - end).map(as("-")),
    ...now.slice(start, now.length - end).map(as("+")),
    ...now.slice(now.length - end, now.length - end + AROUND).map(as(" ")),
  ];
}

function lines(text: string | null): string[] {
  return text ? text.replace(/\n$/, "").split("\n") : [];
}
