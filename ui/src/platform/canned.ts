import type { Platform } from "./platform";

/** Answers from fixed data, so that the window runs and can be photographed in a plain browser. */
export function canned(): Platform {
  return {
    about: async () => ({ version: "0.0.0" }),
  };
}
