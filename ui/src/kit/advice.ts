/** What the program advises, as the window has it: it names commands, where the window has a field or a button. */
import { wordFor, words } from "../words/words.svelte";

/** Commands in backticks that have their place in the window, and that place. */
const PLACES: [RegExp, (key: string) => string | undefined][] = [
  [/\x60afterword config set-key [^\x60]*\x60/g, () => words.common.inSettings(words.settings.sections.engine, words.settings.keys)],
  [/\x60afterword config set ([a-z]+\.[a-z_]+)[^\x60]*\x60/g, field],
  [/\x60afterword init(?: --vault [^\x60]*)?\x60/g, () => field("vault.path")],
  [/\x60afterword connections connect [^\x60]*\x60, or the button in the window/g, () => words.tasks.buttonBelow],
  [/give it with \x60--connection [^\x60]*\x60/g, () => words.tasks.tickIt],
  [/\x60afterword connections (?:add|connect|secret)[^\x60]*\x60/g, () => words.common.inSettings(words.settings.sections.tasks, words.connections.title)],
  [/start the app, or \x60afterword run\x60/g, () => words.tasks.startAgain],
  [/\x60afterword task (undo|reschedule|pause|archive|limit)[^\x60]*\x60/g, button],
  [/\x60afterword install claude-code\x60/g, () => words.common.inSettings(words.settings.sections.claude, words.settings.connected)],
];

/** The button of a task that does what `afterword task` does with this word. */
function button(step: string): string {
  const names: Record<string, string> = {
    undo: words.tasks.undoChange,
    reschedule: words.tasks.whenMore,
    pause: words.common.pause,
    archive: words.common.close,
    limit: words.tasks.limitsMore,
  };
  return words.common.button(names[step] ?? step);
}

function field(key: string): string | undefined {
  const names: Record<string, { name: string }> = words.settings.names;
  const section = wordFor(words.settings.sections, key.split(".")[0] ?? "");
  return names[key] && words.common.inSettings(section, names[key].name);
}

/** The same advice for somebody who looks at the window. What has no place there is left as it is. */
export function advice(text: string): string {
  // One runs a command, and goes to a field.
  let said = text.replace(/\brun (?=\x60afterword (?:config set|init|install claude-code))/g, words.common.goTo);
  for (const [command, place] of PLACES) said = said.replace(command, (whole, key: string) => place(key) ?? whole);
  return said;
}

/** What went wrong and what to do about it, one sentence after the other. */
export function inSentences(...parts: (string | null | undefined)[]): string {
  const sentences = parts.filter((part): part is string => !!part).map((part) => `${part.charAt(0).toUpperCase()}${part.slice(1)}`);
  return sentences.map((one) => (/[.!?。！？…]$/.test(one) ? one : `${one}${words.common.fullStop}`)).join(" ");
}
