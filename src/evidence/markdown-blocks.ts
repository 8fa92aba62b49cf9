import type { Span } from "../ranking/sentences.ts";

/**
 * A stretch of Markdown that is read as one thing. Headings, the notes that footnotes lead to, and what nobody says (code, rules, heads
 * of tables) have no sentences.
 */
export interface CitedBlock extends Span {
  readonly kind: "text" | "row" | "heading" | "note";
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const HEADING = /^ {0,3}#{1,6}(?:\s|$)/;
/** A line of nothing but bold words, as models write headings. */
const BOLD_HEADING = /^\s*\*\*[^*\n]{1,100}[^*\n.。!！?？:：]\*\*\s*$/;
const ITEM = /^[^\S\n]*(?:[-*+•·▪◦‣]|\d{1,3}[.)、])[^\S\n]+/;
const ROW = /^[^\S\n]*\|/;
const RULE = /^[^\S\n]*(?:(?:[-*_][^\S\n]*){3,}|\|?[^\S\n]*:?-{2,}[-:|\s]*)$/;
const DIVIDER = /^[^\S\n]*\|?[^\S\n]*:?-{2,}[-:|\s]*$/;
const NOTE = /^ {0,3}\[\^[^\]\s]{1,100}\]:/;
const QUOTED = /^[^\S\n]*(?:>[^\S\n]*)+/;

/** The stretches of `text` that lie in code fences; the last one may be open. */
export function codeFences(text: string): Span[] {
  const fences: Span[] = [];
  let open: { start: number; mark: string } | null = null;
  for (const { start, end } of lines(text)) {
    const mark = FENCE.exec(text.slice(start, Math.min(end, start + 40)))?.[1];
    if (open === null && mark !== undefined) open = { start, mark };
    else if (open !== null && mark?.startsWith(open.mark)) {
      fences.push({ start: open.start, end });
      open = null;
    }
  }
  if (open !== null) fences.push({ start: open.start, end: text.length });
  return fences;
}

/** The blocks of a Markdown text in order: paragraphs, items and quotes as `text`, rows of tables, headings, notes. */
export function citedBlocks(text: string): CitedBlock[] {
  const blocks: CitedBlock[] = [];
  const fences = codeFences(text);
  let open = false;
  let fence = 0;
  for (const line of lines(text)) {
    while ((fences[fence]?.end ?? text.length) < line.start) fence++;
    const coded = (fences[fence]?.start ?? text.length) <= line.start && line.start < (fences[fence]?.end ?? 0);
    const content = coded ? "" : text.slice(line.start, line.end);
    open = pushLine(blocks, line, content, open);
  }
  return blocks;
}

/** Whether the next line may go on with the last block. */
function pushLine(blocks: CitedBlock[], line: Span, content: string, open: boolean): boolean {
  const above = blocks.at(-1);
  if (above?.kind === "row" && above.end + 1 === line.start && DIVIDER.test(content)) blocks.pop();
  if (content.trim() === "" || RULE.test(content)) return false;
  if (HEADING.test(content) || BOLD_HEADING.test(content)) {
    blocks.push({ kind: "heading", ...line });
    return false;
  }
  if (ROW.test(content)) {
    blocks.push({ kind: "row", ...line });
    return false;
  }
  if (NOTE.test(content)) {
    blocks.push({ kind: "note", ...line });
    return true;
  }
  const marker = ITEM.exec(content) ?? QUOTED.exec(content);
  const last = blocks.at(-1);
  if (marker === null && open && last !== undefined) blocks[blocks.length - 1] = { ...last, end: line.end };
  else blocks.push({ kind: "text", start: line.start + (marker?.[0].length ?? 0), end: line.end });
  return true;
}

function* lines(text: string): Generator<Span> {
  let start = 0;
  while (start <= text.length) {
    const at = text.indexOf("\n", start);
    const end = at < 0 ? text.length : at;
    yield { start, end };
    start = end + 1;
  }
}

/** What is struck through in Markdown or HTML, within a paragraph. */
const STRUCK =
  /(?<![~\\])~~(?![~\s])(?:[^~\n]|~(?!~)|\n(?![^\S\n]*\n)){0,2000}?(?<=[^\s~])~~(?!~)|<(del|s|strike)>(?:[^<\n]|<(?!\/?\1>)|\n(?![^\S\n]*\n)){0,2000}<\/\1>/gi;
/** Of the last paragraph, what may still come to be struck through. */
const OPEN =
  /(?<![~\\])~~(?![~\s])(?:[^~\n]|~(?!~)|\n(?![^\S\n]*\n)){0,2000}~?$|<(del|s|strike)>(?:[^<\n]|<(?!\/?\1>)|\n(?![^\S\n]*\n)){0,2000}$/i;
const MAX_OPEN = 2_010;

/** Stands for what was taken out, so that words which touched it are parted by nothing. */
const GONE = "\u0000";

/** `text` without the marks that stand for what was struck through. */
export function withoutGone(text: string): string {
  return text.replaceAll(GONE, "");
}

/** `text`, of the same length, with marks for what its writer took back (see `withoutGone`); and where that stood. */
export function withoutStruck(text: string): { readonly text: string; readonly struck: readonly Span[] } {
  if (!/~~|<(?:del|s|strike)>/i.test(text)) return { text, struck: [] };
  const struck: Span[] = [];
  const marked = text.replaceAll(STRUCK, (whole: string, _tag: unknown, start: number) => {
    struck.push({ start, end: start + whole.length });
    return whole.replaceAll(/[^\n]/g, GONE);
  });
  return { text: marked, struck };
}

/** Where in an unfinished text the first words begin that may yet be struck through; its length where there are none. */
export function openStrike(text: string): number {
  const from = Math.max(0, text.length - MAX_OPEN);
  const at = text.slice(from).search(OPEN);
  return at < 0 ? text.length : from + at;
}
