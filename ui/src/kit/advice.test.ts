import { expect, test } from "vitest";

import { setLanguage } from "../words/words.svelte";
import { advice, inSentences } from "./advice";

test("advice names the window's fields where the program names commands", () => {
  const cases: [string, string][] = [
    [
      "install Claude Code, or say where it is with `afterword config set claude.binary PATH`",
      "install Claude Code, or say where it is with Settings, Claude Code, “Claude Code's program”",
    ],
    ["`afterword config set-key anthropic`", "Settings, Engine, “Keys”"],
    ["choose one with `afterword init --vault DIR`", "choose one with Settings, Vault, “Folder”"],
    ["raise it with `afterword config set budget.daily_usd N`", "raise it with Settings, Budget, “US dollars a day, for everything”"],
    [
      "where the vault was moved, run `afterword init --vault DIR`; `afterword init` begins an empty one there",
      "where the vault was moved, go to Settings, Vault, “Folder”; Settings, Vault, “Folder” begins an empty one there",
    ],
    ["`afterword install claude-code` connects Claude Code", "Settings, Claude Code, “Connection to Claude Code” connects Claude Code"],
    [
      "add a tool server with `afterword connections add mail …`, and give it with `--connection mail`",
      "add a tool server with Settings, Tasks, “Connections”, and tick it here",
    ],
    ["`afterword connections connect mail`", "Settings, Tasks, “Connections”"],
    [
      "The connection `mail` has to be signed in to: `afterword connections connect mail`, or the button in the window. Go on now?",
      "The connection `mail` has to be signed in to: the button below. Go on now?",
    ],
    ["`afterword task undo 0190` takes it back; so does saying so.", "“Undo the last change” takes it back; so does saying so."],
    [
      "make it yourself: `afterword task reschedule 0190 WHEN`, `afterword task pause 0190` or `afterword task archive 0190`.",
      "make it yourself: “When…”, “Pause” or “Close”.",
    ],
    ["only you can allow more, in the window or with `afterword task limit`", "only you can allow more, in the window or with “Limits…”"],
    ["start the app, or `afterword run`", "start Afterword again"],
  ];
  for (const [said, expected] of cases) expect(advice(said)).toBe(expected);
});

test("advice without a place in the window is left as it is", () => {
  for (const said of ["run `afterword logs`", "`afterword config set no.such_key X`", "free some space"]) expect(advice(said)).toBe(said);
});

test("advice names the fields in the window's language", () => {
  setLanguage("de");
  expect(advice("`afterword config set vault.path DIR`")).toContain("Einstellungen");
  setLanguage("en");
});

test("what went wrong and what to do are two sentences", () => {
  expect(inSentences("the vault is not there", "bring back the folder")).toBe("The vault is not there. Bring back the folder.");
  expect(inSentences("It is full.", null)).toBe("It is full.");
});
