import { round } from "./money.js";

export function lineTotal(line) {
  return round(line.price * line.quantity);
}

export function total(cart) {
  return round(cart.lines.reduce((sum, line) => sum + lineTotal(line), 0));
}
