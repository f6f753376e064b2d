import { expect, test } from "vitest";

// The reference of all settings, which the program writes itself.
import reference from "../../../docs/guide/reference/settings.md?raw";
import { choiceName, helpOf, nameOf, sectionName, sectionOf } from "./shown";

const keys = [...reference.matchAll(/^### (\S+)$/gm)].map((match) => match[1] ?? "");

test("every setting has a section, a name and help in the window's words", () => {
  expect(keys.length).toBeGreaterThan(40);
  for (const key of keys) {
    const help = helpOf({ key, about: "" });
    expect(sectionName(sectionOf({ key })), key).toMatch(/^[A-Z]/);
    expect(nameOf(key), key).toMatch(/^[A-Z][^._`]+$/);
    expect(help, key).toMatch(/^[A-Z].*\.$/);
    // Commands, keys of the file and its forms belong to the terminal.
    expect(help, key).not.toMatch(/`|afterword |--|_|"|true|\[|[a-z]\.[a-z]/);
  }
});

test("every choice has a name", () => {
  for (const part of reference.split(/^### /m).slice(1)) {
    const key = part.split("\n")[0]?.trim() ?? "";
    const choices = [...(part.match(/^\*One of (.*)\.\*/m)?.[1] ?? "").matchAll(/"([^"]+)"/g)].map((match) => match[1] ?? "");
    for (const choice of choices) expect(choiceName(key, choice), `${key}: ${choice}`).toMatch(/^[A-Z\p{Lo}]/u);
  }
});
