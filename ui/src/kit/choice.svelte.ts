/** The one chosen in a list, held by its id: news that reorder or shorten the list do not move the choice. */
export class Choice<T> {
  #lines: () => T[];
  #key: (line: T) => string;
  #wanted = $state("");
  /** Where it stood: what comes to stand there takes its place once it is gone. */
  #place = $state(0);

  /** `lines` must read a signal, so that the choice follows the list. */
  constructor(lines: () => T[], key: (line: T) => string) {
    this.#lines = lines;
    this.#key = key;
  }

  index = $derived.by(() => {
    const lines = this.#lines();
    const found = this.#wanted ? lines.findIndex((line) => this.#key(line) === this.#wanted) : -1;
    return found >= 0 ? found : Math.max(0, Math.min(this.#place, lines.length - 1));
  });
  line = $derived.by(() => this.#lines()[this.index]);
  id = $derived.by(() => (this.line === undefined ? undefined : this.#key(this.line)));

  /** Chooses by place; past either end it stays at the end. */
  at(index: number) {
    const lines = this.#lines();
    this.#place = Math.max(0, Math.min(index, lines.length - 1));
    const line = lines[this.#place];
    this.#wanted = line === undefined ? "" : this.#key(line);
  }

  /** Chooses what has this id; says whether it is in the list. */
  reveal(id: string): boolean {
    const index = this.#lines().findIndex((line) => this.#key(line) === id);
    if (index < 0) return false;
    this.at(index);
    return true;
  }

  next() {
    this.at(this.index + 1);
  }

  previous() {
    this.at(this.index - 1);
  }

  /** Keeps the one shown now, whatever comes before it. */
  hold() {
    this.at(this.index);
  }

  /** Goes on to the first one after these; the list may still hold them, or hold them at its end. */
  pass(ids: string[]) {
    const lines = this.#lines();
    const from = this.index;
    const rest = [...lines.keys()].filter((index) => !ids.includes(this.#key(lines[index] as T)));
    const next = rest.find((index) => index > from) ?? rest.at(-1);
    if (next !== undefined) this.at(next);
  }
}
