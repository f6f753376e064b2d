import { render, screen } from "@testing-library/svelte";
import { expect, test } from "vitest";

import { canned } from "../platform/canned";
import { SPEND } from "../platform/samples";
import Spending from "./Spending.svelte";

test("what was paid for is told in plain words", async () => {
  const [sum] = SPEND.sums;
  if (!sum) throw new Error("there are sums");
  const sums = [{ ...sum, purpose: "conversation", project: "" }, { ...sum, purpose: "idea-research", project: "/home/ada/shop" }];
  render(Spending, { platform: { ...canned(), spend: async () => ({ ...SPEND, sums }) } });
  await screen.findByText("Tasks");
  const cells = screen.getAllByRole("row").slice(1).map((row) => [...row.querySelectorAll("td")].map((cell) => cell.textContent));
  expect(cells.map(([purpose, , project]) => [purpose, project])).toEqual([["Tasks", "–"], ["Research of ideas", "shop"]]);
});
