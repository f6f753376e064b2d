/** What the words for problems are made of: for each error one text, or what happened and what to do about it. */
import type { FailureProblem } from "../platform/contract";

/** What happened, and what to do about it where that is not said elsewhere. */
export type Said = string | [what: string, todo: string];

type About = FailureProblem["about"];
type Of<A extends About> = Extract<FailureProblem, { about: A }>;

/** Every error with its words, by what it is about. `because` is what the error says that it came of. */
export type ProblemWords = {
  [A in About]: { [I in Of<A>["is"]]: (facts: Extract<Of<A>, { is: I }>, because: string) => Said };
};

interface Fields {
  sections: Record<string, string>;
  names: Record<string, { name: string }>;
}

/** Says where in the settings a key has its field; the key itself where it has none. */
export function placeOf({ sections, names }: Fields, inSettings: (section: string, name: string) => string) {
  return (key: string): string => {
    const section = sections[key.split(".")[0] ?? ""];
    const name = names[key]?.name;
    return section && name ? inSettings(section, name) : key;
  };
}

/** US dollars as a limit has them: "$5.00"; a call may cost less than a cent. */
export const usd = (amount: number) => `$${amount.toFixed(amount > 0 && amount < 0.01 ? 4 : 2)}`;

/** The first few of a list. */
export const some = (all: readonly string[]) => [...all].slice(0, 12).join(", ");
