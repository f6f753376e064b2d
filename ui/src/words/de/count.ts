/** Zahlen, und Zahlen von Dingen, auf Deutsch. */
const figures = new Intl.NumberFormat("de");

export const num = (count: number) => figures.format(count);
export const some = (count: number, one: string, many: string) => `${num(count)} ${count === 1 ? one : many}`;
export const lessons = (count: number) => some(count, "Erkenntnis", "Erkenntnisse");
export const sessions = (count: number) => some(count, "Sitzung", "Sitzungen");
