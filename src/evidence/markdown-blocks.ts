import type { Span } from "../ranking/sentences.ts";

/** `row` is a table row and `note` a footnote. Code, rules and table heads are in no block. */
export interface MarkdownBlock extends Span {
  readonly kind: "text" | "row" | "heading" | "note";
}

export const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const HEADING = /^ {0,3}#{1,6}(?:\s|$)/;
const BOLD_HEADING = /^\s*\*\*[^*\n]{1,100}[^*\n.。!！?？:：]\*\*\s*$/;
const ITEM = /^[^\S\n]*(?:[-*+•·▪◦‣]|\d{1,3}[.)、])[^\S\n]+/;
const ROW = /^[^\S\n]*\|/;
const RULE = /^[^\S\n]*(?:(?:[-*_][^\S\n]*){3,}|\|?[^\S\n]*:?--[-:|\s]*)$/;
const DIVIDER = /^[^\S\n]*\|?[^\S\n]*:?--[-:|\s]*$/;
const NOTE = /^ {0,3}\[\^[^\]\s]{1,100}\]:/;
const QUOTED = /^[^\S\n]*(?:>[^\S\n]*)+/;

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

export function markdownBlocks(text: string): MarkdownBlock[] {
  const blocks: MarkdownBlock[] = [];
  const fences = codeFences(text);
  let open = false;
  let fence = 0;
  for (const line of lines(text)) {
    while ((fences[fence]?.end ?? text.length) < line.start) fence++;
    const isCode = (fences[fence]?.start ?? text.length) <= line.start && line.start < (fences[fence]?.end ?? 0);
    open = pushLine(blocks, line, isCode ? "" : text.slice(line.start, line.end), open);
  }
  return blocks;
}

function pushLine(blocks: MarkdownBlock[], line: Span, content: string, open: boolean): boolean {
  const above = blocks.at(-1);
  if (above?.kind === "row" && above.end + 1 === line.start && DIVIDER.test(content)) blocks.pop();
  if (content.trim() === "" || RULE.test(content)) return false;
  const kind = HEADING.test(content) || BOLD_HEADING.test(content) ? "heading" : ROW.test(content) ? "row" : null;
  if (kind !== null) {
    blocks.push({ kind, ...line });
    return false;
  }
  const marker = ITEM.exec(content) ?? QUOTED.exec(content);
  const last = blocks.at(-1);
  if (NOTE.test(content)) blocks.push({ kind: "note", ...line });
  else if (marker === null && open && last !== undefined) blocks[blocks.length - 1] = { ...last, end: line.end };
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

const TILDES = String.raw`(?<![~\\])~~(?![~\s])(?:[^~\n]|~(?!~)|\n(?![^\S\n]*\n)){0,2000}`;
const TAGGED = String.raw`<(del|s|strike)>(?:[^<\n]|<(?!\/?\1>)|\n(?![^\S\n]*\n)){0,2000}`;
const STRUCK = new RegExp(String.raw`${TILDES}?(?<=[^\s~])~~(?!~)|${TAGGED}<\/\1>`, "gi");
const OPEN_STRUCK = new RegExp(`${TILDES}~?$|${TAGGED}$`, "i");
const MAX_OPEN = 2_010;
const BLANK = "\u0000";

/** Replaces each struck-through character by a placeholder, so that offsets stay valid. `removeBlanks` removes the placeholders. */
export function blankStruckText(text: string): { readonly text: string; readonly struck: readonly Span[] } {
  if (!/~~|<(?:del|s|strike)>/i.test(text)) return { text, struck: [] };
  const struck: Span[] = [];
  const blanked = text.replaceAll(STRUCK, (whole: string, _tag: unknown, start: number) => {
    struck.push({ start, end: start + whole.length });
    return whole.replaceAll(/[^\n]/g, BLANK);
  });
  return { text: blanked, struck };
}

export function removeBlanks(text: string): string {
  return text.replaceAll(BLANK, "");
}

export function unfinishedStrikeStart(text: string): number {
  const from = Math.max(0, text.length - MAX_OPEN);
  const at = text.slice(from).search(OPEN_STRUCK);
  return at < 0 ? text.length : from + at;
}
