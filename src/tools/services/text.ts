import type { ToolSource } from "../../domain/tool.ts";

/** The first `maxLength` UTF-16 code units of a text, or one less where that would cut a character in two. */
export function cutText(text: string, maxLength: number): string {
  const cut = text.slice(0, maxLength);
  return cut.isWellFormed() ? cut : cut.slice(0, -1).toWellFormed();
}

const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  ndash: "–",
  mdash: "—",
  lsquo: "‘",
  rsquo: "’",
  ldquo: "“",
  rdquo: "”",
  hellip: "…",
  deg: "°",
  micro: "µ",
  plusmn: "±",
  times: "×",
  middot: "·",
};

/** A tag and nothing else: "a<b and c>d" holds none. */
const TAG = /<\/?[a-z][\w:.-]*(?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'|[^\s"'<>]+))*\s*\/?>/gi;
/** Tags inside words and formulas, which leave no gap: H<sub>2</sub>O. */
const INLINE = /^<\/?(?:b|i|u|em|strong|span|sub|sup|mark|sc|jats:(?:italic|bold|sub|sup|sc|underline))\b/i;

/** Text out of a field of an API: without tags and entities, white space collapsed. Not for pages, which are extracted. */
export function plainText(text: string): string {
  const stripped = text
    .toWellFormed()
    .replaceAll("\0", "")
    .replaceAll(TAG, (tag) => (INLINE.test(tag) ? "" : " "));
  return decodeEntities(stripped).replaceAll(/\s+/g, " ").trim();
}

/** The characters that `&amp;`, `&#233;` and `&#xe9;` stand for; entities that are not known stay as they are. */
export function decodeEntities(text: string): string {
  return text.replaceAll(/&(?:#(\d+)|#x([\da-f]+)|([a-z]+));/gi, (whole, decimal, hex, name) => decodeEntity(whole, decimal, hex, name));
}

function decodeEntity(whole: string, decimal?: string, hex?: string, name?: string): string {
  const code = decimal !== undefined ? Number(decimal) : hex !== undefined ? Number.parseInt(hex, 16) : null;
  if (code === null) return NAMED[name?.toLowerCase() ?? ""] ?? whole;
  return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : whole;
}

/**
 * Text of rows, a line each, so that each can be quoted alone: a row is a whole statement, with what it is about, its
 * unit, its time and where it comes from, in one sentence.
 */
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
