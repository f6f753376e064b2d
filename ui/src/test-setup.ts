/** What jsdom does not have and the pages use. It lays nothing out, so an observer has nothing to tell. */
globalThis.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
};
