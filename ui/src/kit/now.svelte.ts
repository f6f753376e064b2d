/** The time that words such as "3 minutes ago" count from: it goes on while one looks. */

/** Milliseconds between two looks at the clock. */
const EVERY = 20_000;

class Now {
  date = $state.raw(new Date());

  constructor() {
    setInterval(() => (this.date = new Date()), EVERY);
    // A machine that slept, or a window that was hidden.
    if (typeof document !== "undefined") document.addEventListener("visibilitychange", () => (this.date = new Date()));
  }
}

export const now = new Now();
