/** Puts the page in the place of the frame that index.html begins with. */
import { mount } from "svelte";

import App from "./App.svelte";
import { platform } from "./platform/tauri";

export function begin(target: HTMLElement) {
  // The page begins with the same frame.
  target.replaceChildren();
  mount(App, { target, props: { platform: platform() } });
}
