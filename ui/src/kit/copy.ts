/** Puts words on the clipboard, and says so. */

import { notices } from "./notices.svelte";

export async function copy(words: string, notice: string) {
  try {
    await navigator.clipboard.writeText(words);
    notices.say(notice);
  } catch {
    if (copyOld(words)) notices.say(notice);
    else notices.complain("The clipboard cannot be reached: select the words and copy them.");
  }
}

/** For webviews that know no other way. */
function copyOld(words: string): boolean {
  const field = document.createElement("textarea");
  field.value = words;
  field.style.position = "fixed";
  field.style.opacity = "0";
  document.body.append(field);
  field.select();
  const done = document.execCommand?.("copy") ?? false;
  field.remove();
  return done;
}
