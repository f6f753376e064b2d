/** A command line as a terminal would split it: quotation marks hold words together, a backslash takes the next sign as it is. */
export function splitArguments(line: string): string[] | undefined {
  const found: string[] = [];
  let current = "";
  let quote = "";
  let isWord = false;
  for (let at = 0; at < line.length; at++) {
    const sign = line[at] ?? "";
    if (sign === "\\" && quote !== "'" && at + 1 < line.length) {
      current += line[++at];
      isWord = true;
    } else if (quote) {
      if (sign === quote) quote = "";
      else current += sign;
    } else if (sign === '"' || sign === "'") {
      quote = sign;
      isWord = true;
    } else if (/\s/.test(sign)) {
      if (isWord) found.push(current);
      current = "";
      isWord = false;
    } else {
      current += sign;
      isWord = true;
    }
  }
  if (quote) return undefined;
  if (isWord) found.push(current);
  return found;
}
