/** What just happened, shown for a moment in a strip of its own; what went wrong until it is dismissed. */

import { inSentences } from "./advice";
import { asFailure } from "./load.svelte";

export interface Notice {
  id: number;
  words: string;
  bad: boolean;
  act?: { name: string; key?: string; run: () => void };
}

/** How long a notice stays, in milliseconds: long enough to reach for "Undo". */
const STAYS = 7000;

class Notices {
  all = $state<Notice[]>([]);
  #next = 0;

  say(words: string, act?: Notice["act"]) {
    this.#add({ id: this.#next++, words, bad: false, ...(act && { act }) });
  }

  complain(words: string) {
    this.#add({ id: this.#next++, words, bad: true });
  }

  /** What was asked of the program did not work: says why. */
  failed(error: unknown) {
    const { message, hint } = asFailure(error);
    this.complain(hint ? inSentences(message, hint) : message);
  }

  /** Does what was asked of the program, and says why where it did not work; tells whether it did. */
  async attempt(work: () => Promise<unknown>, said?: string): Promise<boolean> {
    try {
      await work();
      if (said) this.say(said);
      return true;
    } catch (error) {
      this.failed(error);
      return false;
    }
  }

  drop(id: number) {
    this.all = this.all.filter((notice) => notice.id !== id);
  }

  #add(notice: Notice) {
    // One at a time: the latest is the one that counts.
    this.all = [notice];
    if (!notice.bad) setTimeout(() => this.drop(notice.id), STAYS);
  }
}

export const notices = new Notices();
