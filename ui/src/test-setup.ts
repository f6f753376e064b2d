import { configure } from "@testing-library/svelte";
import { beforeEach } from "vitest";

import { forgetLoaded } from "./kit/load.svelte";

beforeEach(forgetLoaded);

// What is waited for comes at once; only a machine under load takes its time.
configure({ asyncUtilTimeout: 30_000 });

/** What jsdom does not have and the pages use. It lays nothing out, so an observer has nothing to tell. */
globalThis.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
};

HTMLDialogElement.prototype.showModal ??= function (this: HTMLDialogElement) {
  this.open = true;
  this.querySelector<HTMLElement>("input, button")?.focus();
};
