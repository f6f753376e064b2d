import { invoke, isTauri } from "@tauri-apps/api/core";

import { canned } from "./canned";
import type { About, Platform } from "./platform";

/** The program itself where the window runs in it, canned data in a browser. */
export function platform(): Platform {
  return isTauri() ? tauri() : canned();
}

function tauri(): Platform {
  return {
    about: () => invoke<About>("about"),
  };
}
