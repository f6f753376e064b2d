/** Puts words on the clipboard, and says so. */

import { notices } from "./notices.svelte";
import { words } from "../words/words.svelte";

export async function copy(text: string, notice: string) {
  try {
    await navigator.clipboard.writeText(text);
    notices.say(notice);
  } catch {
    if (copyOld(text)) notices.say(notice);
    else notices.complain(words.common.clipboard);
  }
}

/** For webviews that know no other way. */
function copyOld(text: string): boolean {
  const field = document.createElement("textarea");
  field.value = text;
  field.style.position = "fixed";
  field.style.opacity = "0";
  document.body.append(field);
  field.select();
  const done = document.execCommand?.("copy") ?? false;
  field.remove();
  return done;
}
