/** Joins the lines of a regular expression's alternatives by `|`. */
export function alternatives(lines: string): string {
  return lines
    .trim()
    .split(/\s*\n\s*/)
    .join("|");
}
