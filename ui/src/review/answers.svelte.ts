/** Answers given in this window that can be taken back, each with the numbers of its decisions, the latest last. They outlive the page. */
class Answers {
  all = $state.raw<number[][]>([]);

  add(decisions: number[]) {
    if (decisions.length) this.all = [...this.all, decisions];
  }

  /** Takes out the last one. */
  take(): number[] {
    const last = this.all.at(-1) ?? [];
    this.all = this.all.slice(0, -1);
    return last;
  }

  clear() {
    this.all = [];
  }
}

export const answers = new Answers();
