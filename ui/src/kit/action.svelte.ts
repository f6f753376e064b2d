import type { Failure } from "../platform/platform";
import { asFailure } from "./load.svelte";

/** Something the person does: under way, and how it failed the last time. */
export class Action {
  busy = $state(false);
  failure = $state.raw<Failure | undefined>();

  /** Does it. */
  run = async (work: () => Promise<void>) => {
    this.busy = true;
    this.failure = undefined;
    try {
      await work();
    } catch (error) {
      this.failure = asFailure(error);
    } finally {
      this.busy = false;
    }
  };
}
