import type { Span } from "../ranking/sentences.ts";

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
