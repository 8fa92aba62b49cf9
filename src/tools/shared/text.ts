import { decodeHTMLStrict } from "entities";
import type { ToolSource } from "../../domain/tool.ts";

/** `maxLength` counts UTF-16 code units. A character is never cut in two. */
export function cutText(text: string, maxLength: number): string {
  const cut = text.slice(0, maxLength);
  return cut.isWellFormed() ? cut : cut.slice(0, -1).toWellFormed();
}

const TAG = /<\/?[a-z][\w:.-]*(?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'|[^\s"'<>]+))*\s*\/?>/gi;
/** These tags occur inside words, as in H<sub>2</sub>O, and are removed without a space. */
const INLINE = /^<\/?(?:b|i|u|em|strong|span|sub|sup|mark|sc|jats:(?:italic|bold|sub|sup|sc|underline))\b/i;

/** Removes tags and entities from a field of an API. Not for whole HTML pages. */
export function plainText(text: string): string {
  const stripped = text
    .toWellFormed()
    .replaceAll("\0", "")
    .replaceAll(TAG, (tag) => (INLINE.test(tag) ? "" : " "));
  return decodeHTMLStrict(stripped).replaceAll(/\s+/g, " ").trim();
}

/** Makes each row a block that can be cited alone, so a row must name its unit, time and origin. */
export function rowText(rows: readonly string[]): Required<Pick<ToolSource, "blocks">> & { readonly text: string } {
  const lines = rows.map((row) => row.toWellFormed().replaceAll("\0", "").replaceAll(/\s+/g, " ").trim()).filter((row) => row !== "");
  let start = 0;
  const blocks = lines.map((line) => {
    const block = { kind: "list-item" as const, start, end: start + line.length, level: 1 };
    start = block.end + 1;
    return block;
  });
  return { text: lines.join("\n"), blocks };
}
