import { expect, test } from "vitest";
import { plain } from "./words";

test("a schedule is told without its zone, its expression and the day it is counted from", () => {
  expect(plain("at 09:00 (UTC; cron 0 9 * * *)")).toBe("at 09:00");
  expect(plain("every 2 days at 09:00, counted from Friday, 6 March 2026 (Europe/Berlin)")).toBe("every 2 days at 09:00");
  expect(plain("every 90 minutes, counted from Friday, 6 March 2026 at 11:20 (Europe/Berlin)")).toBe("every 90 minutes");
  expect(plain("once, on Friday, 1 January 2027 at 14:30 (Europe/Berlin)")).toBe("once, on Friday, 1 January 2027 at 14:30");
  expect(plain("at once")).toBe("at once");
});
