/** What the window asks of the program around it. Every screen talks to this, never to Tauri. */
export interface Platform {
  about(): Promise<About>;
}

export interface About {
  /** The version of the running program, as in its package. */
  version: string;
}
