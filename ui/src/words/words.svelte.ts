/** The words that the window shows, in the language that was chosen. What reads them follows the choice. */
import { de } from "./de/index";
import { en, type Words } from "./en/index";
import { zh } from "./zh/index";

export const LANGUAGES: Record<string, Words> = { en, de, zh };

let current = $state.raw<Words>(en);

/** Each section is looked up where it is read, so that another language shows at once. */
export const words = Object.defineProperties(
  {},
  Object.fromEntries(Object.keys(en).map((section) => [section, { get: () => current[section as keyof Words], enumerable: true }])),
) as Words;

/** The first of the system's languages that there are words in, else English. */
export function languageOf(system: readonly string[]): string {
  const known = system.map((one) => one.split("-")[0]?.toLowerCase() ?? "");
  return known.find((one) => one in LANGUAGES) ?? "en";
}

/** `system` takes the language of the desktop. */
export function setLanguage(wanted: string) {
  const name = wanted in LANGUAGES ? wanted : languageOf(navigator.languages);
  current = LANGUAGES[name] ?? en;
  document.documentElement.lang = current.locale;
}

/** The word for something the program names; its name where there is no word for it. */
export function wordFor(of: Record<string, string>, name: string): string {
  return of[name] ?? name;
}
