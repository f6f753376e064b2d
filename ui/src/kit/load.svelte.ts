import type { Failure } from "../platform/platform";
import { advice } from "./advice";
import { problemSaid } from "./problem";

/** What was loaded last under a name, for the page that comes back: it is shown until the news is there. */
const last = new Map<string, unknown>();

/** Forgets it all. */
export function forgetLoaded() {
  last.clear();
}

/** Loads something under a name before the page that shows it is opened. Where that fails, the page asks again and says why. */
export async function loadAhead<T>(name: string, work: () => Promise<T>) {
  if (last.has(name)) return;
  try {
    const value = await work();
    // The page may have been opened meanwhile.
    if (!last.has(name)) last.set(name, value);
  } catch {
    return;
  }
}

/** Something asked of the program: under way, there, or failed. What came first stays until the next is there. */
export class Load<T> {
  #name: string | undefined;
  value = $state.raw<T | undefined>();
  failure = $state.raw<Failure | undefined>();
  busy = $state(false);
  #asked = 0;

  /** With a name it begins with what was loaded last under it. */
  constructor(name?: string) {
    this.#name = name;
    if (name) this.value = last.get(name) as T | undefined;
  }

  async run(work: () => Promise<T>): Promise<T | undefined> {
    const asked = ++this.#asked;
    this.busy = true;
    try {
      const value = await work();
      // An answer to an older question must not replace a newer one.
      if (asked !== this.#asked) return undefined;
      this.value = value;
      this.failure = undefined;
      if (this.#name) last.set(this.#name, value);
      return value;
    } catch (error) {
      if (asked === this.#asked) this.failure = asFailure(error);
      return undefined;
    } finally {
      if (asked === this.#asked) this.busy = false;
    }
  }

  /** Takes a value that is newer than whatever is under way. */
  put(value: T | undefined) {
    this.#asked++;
    this.busy = false;
    this.failure = undefined;
    this.value = value;
    if (this.#name) last.set(this.#name, value);
  }
}

/** What was thrown, as a failure: the program throws failures, the page itself may throw anything. */
export function asFailure(error: unknown): Failure {
  if (typeof error === "object" && error && "message" in error && "code" in error) {
    const { code, message, hint, problem } = error as Failure;
    const said = problem && problemSaid(problem);
    // What is in English is better than nothing: an error without words of its own says what the program said.
    return said ? { code, problem, message: said.what, hint: said.todo } : { code, problem: null, message: advice(message), hint: hint && advice(hint) };
  }
  return { code: "bug", message: error instanceof Error ? error.message : String(error), hint: null, problem: null };
}
