/** A stretch of a Markdown text that can be parsed by itself. `plain`: its shape would take the parser too long. */
export interface MarkdownPart {
  readonly text: string;
  readonly plain: boolean;
}

/** micromark takes time quadratic in the length: 1 MB of ordinary text at once takes half a minute, in parts a second. */
const PART_LENGTH = 32_000;
const MAX_PART_LENGTH = 128_000;
/**
 * What parsing costs, in units of about 25 ns: by length, and by the square of the brackets, asterisks and the like in a
 * paragraph, which are resolved pair by pair; people need few of them, attackers many. What exceeds a bound stays plain.
 */
const COST_PER_CHARACTER = 125;
const MAX_PART_COST = 8_000_000;
const MAX_TOTAL_COST = 300_000_000;
const MARKS = /[*_~[\]!<`&]/g;
const PARAGRAPH_START = /\n(?=[ \t]*(?:\n|[-*+#]|\d{1,9}[.)]))/;
const PARAGRAPH_OR_ROW_START = /\n(?=[ \t]*(?:\n|[-*+#|]|\d{1,9}[.)]))/;
const TABLE_RULE = /^[ \t]*\|?[ \t]*:?-+:?[ \t]*\|[-:| \t]*$/m;
const DEEP_QUOTE = /^[ \t]*(?:>[ \t]*){50}/m;
const DEEP_LIST = /^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+){50}/m;
const DEFINITION = /^ {0,3}\[[^\]\n]{1,200}\]:[ \t]*\S{1,2000}[^\n]{0,200}$/gm;
const MAX_DEFINITIONS_LENGTH = 8_000;

/**
 * Cuts a text where a top-level block begins, into parts of about 32 KB; a shorter text stays whole. Link definitions
 * of a text that is cut are repeated at the end of every part, as links of any part may use them.
 */
export function splitMarkdown(text: string): MarkdownPart[] {
  const parts = cut(text);
  const definitions = parts.length > 1 ? (text.match(DEFINITION) ?? []).join("\n").slice(0, MAX_DEFINITIONS_LENGTH) : "";
  let spent = 0;
  return parts.map((part) => {
    const cost = costOf(part);
    const plain = cost > MAX_PART_COST || spent + cost > MAX_TOTAL_COST;
    if (!plain) spent += cost;
    return { text: plain ? part : withDefinitions(part, definitions), plain };
  });
}

function withDefinitions(part: string, definitions: string): string {
  return definitions === "" ? part : `${part}\n\n${definitions}`;
}

function cut(text: string): string[] {
  const parts: string[] = [];
  let start = 0;
  for (const boundary of boundaries(text)) {
    if (boundary - start < PART_LENGTH) continue;
    parts.push(text.slice(start, boundary));
    start = boundary;
  }
  return [...parts, text.slice(start)];
}

/** Offsets of lines after an empty one, not indented and not inside fenced code. */
function* boundaries(text: string): Generator<number> {
  let offset = 0;
  let fence = "";
  let afterEmpty = false;
  for (const line of text.split("\n")) {
    const mark = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line);
    if (afterEmpty && fence === "" && /^\S/.test(line)) yield offset;
    if (mark && fence === "") fence = mark[1] ?? "";
    else if (mark?.[1]?.startsWith(fence) && mark[2]?.trim() === "") fence = "";
    afterEmpty = line.trim() === "";
    offset += line.length + 1;
  }
}

function costOf(part: string): number {
  if (part.length > MAX_PART_LENGTH || DEEP_QUOTE.test(part) || DEEP_LIST.test(part)) return Number.POSITIVE_INFINITY;
  const prose = withoutFences(part);
  const paragraphs = prose.split(TABLE_RULE.test(prose) ? PARAGRAPH_OR_ROW_START : PARAGRAPH_START);
  const squares = paragraphs.map((paragraph) => (paragraph.match(MARKS)?.length ?? 0) ** 2);
  return squares.reduce((sum, square) => sum + square, Math.min(part.length, PART_LENGTH) * COST_PER_CHARACTER);
}

function withoutFences(part: string): string {
  return part.replaceAll(/^ {0,3}(`{3,}|~{3,})[^\n]*\n[\s\S]*?^ {0,3}\1[ \t]*$/gm, "");
}
