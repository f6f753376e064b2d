/** An error of the program in the window's language: by which error it is, not by its English words. */
import type { FailureProblem } from "../platform/contract";
import type { Said } from "../words/problems";
import { advice, inSentences } from "./advice";
import { words } from "../words/words.svelte";

type Of = Record<string, Record<string, (facts: FailureProblem, because: string) => Said>>;

/** What happened and what to do about it; nothing where there are no words for it, as for the error of a newer program. */
export function problemSaid(problem: FailureProblem): { what: string; todo: string | null } | undefined {
  const say = (words.problems as unknown as Of)[problem.about]?.[problem.is];
  if (!say) return undefined;
  const reason = "because" in problem && problem.because ? problemSaid(problem.because) : undefined;
  if ("because" in problem && !reason) return undefined;
  const said = say(problem, reason?.what ?? "");
  const [what, todo] = typeof said === "string" ? [said, null] : said;
  return { what: what.replace(/([.。!?])[.。]$/, "$1"), todo: todo ?? reason?.todo ?? null };
}

/** The same as sentences; what the program says in English where there are no words for it. */
export function problemSentences(problem: FailureProblem | null, english: string): string {
  const said = problem && problemSaid(problem);
  return said ? inSentences(said.what, said.todo) : advice(english);
}
