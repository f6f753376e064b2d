import assert from "node:assert/strict";
import test from "node:test";
import { total } from "../src/cart.js";

test("adds up the lines", () => {
  const cart = { lines: [{ price: 4.5, quantity: 2 }, { price: 10, quantity: 1 }] };
  assert.equal(total(cart), 19);
});
