/** Numbers in Chinese, where a measure word stands before the thing and nothing has a plural. */
const figures = new Intl.NumberFormat("zh-CN");

export const num = (count: number) => figures.format(count);
export const some = (count: number, thing: string) => `${num(count)} ${thing}`;
export const lessons = (count: number) => some(count, "条经验");
export const sessions = (count: number) => some(count, "个会话");
