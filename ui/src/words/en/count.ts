/** Numbers, and numbers of things, in English. */
const figures = new Intl.NumberFormat("en");

export const num = (count: number) => figures.format(count);
export const some = (count: number, one: string, many = `${one}s`) => `${num(count)} ${count === 1 ? one : many}`;
export const lessons = (count: number) => some(count, "lesson");
export const sessions = (count: number) => some(count, "session");
