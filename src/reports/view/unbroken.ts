import { readAmounts } from "../../evidence/figures/amounts.ts";

/** Joins the parts of each amount by spaces at which no line breaks: "$27.2 billion". Only for pages, as copied text should have plain spaces. */
export function unbroken(text: string): string {
  const parts: string[] = [];
  let from = 0;
  for (const { start, end } of readAmounts(text, false)) {
    if (start < from) continue;
    parts.push(text.slice(from, start), text.slice(start, end).replaceAll(" ", "\u00a0"));
    from = end;
  }
  return [...parts, text.slice(from)].join("");
}
