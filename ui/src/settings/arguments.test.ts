import { expect, test } from "vitest";

import { splitArguments } from "./arguments";

test("a command line is split as a terminal would", () => {
  expect(splitArguments("npx -y  tracker")).toEqual(["npx", "-y", "tracker"]);
  expect(splitArguments(`node "my server.js" 'a "b"' c\\ d ""`)).toEqual(["node", "my server.js", 'a "b"', "c d", ""]);
  expect(splitArguments('node "open')).toBeUndefined();
  expect(splitArguments("  ")).toEqual([]);
});
