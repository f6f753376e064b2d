/** The names of months below a chart of weeks. */
import { month } from "../kit/words";

/**
 * The name that stands below each week: where a month begins, and only where it does not run into the name before it or past the end.
 * All is measured in the units of the chart.
 */
export function monthNames(mondays: string[], step: number, room: number): string[] {
  let free = 0;
  return mondays.map((monday, index) => {
    const at = index * step;
    const before = mondays[index - 1];
    const begins = before ? month(before) !== month(monday) : startsWhole(mondays);
    if (!begins || at < free || at + room > mondays.length * step) return "";
    free = at + room;
    return month(monday);
  });
}

/** The first month may have so few weeks that the next one's name would stand on its own. */
function startsWhole(mondays: string[]): boolean {
  const [first, second] = mondays;
  return !first || !second || month(first) === month(second);
}
