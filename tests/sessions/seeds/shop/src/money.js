export function round(value) {
  return Math.round(value * 100) / 100;
}

export function show(value) {
  return "€ " + value.toFixed(2);
}
