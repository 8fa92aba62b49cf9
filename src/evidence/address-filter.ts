import type { Span } from "../ranking/sentences.ts";
import { codeMark, splitCode } from "../util/code-spans.ts";
import { addressStart, resolveEntities, trimPunctuation } from "./address-detection.ts";
import { createKnownAddresses, type FindKnownAddress } from "./known-addresses.ts";

const INVISIBLE = /[[\p{Cc}\p{Cf}\u2028\u2029]--[\t\n\r\u200c\u200d\u0600-\u0605\u06dd]]/gv;
/** What no address goes beyond. `\0` stands where marks of emphasis were. */
const WORD_END = /[\0\s<>"|`，。；：！？、（）「」『』《》〈〉【】“”‘’…]|\](?=[(:])/g;
const ASCII = /^\p{ASCII}*/u;
/** Characters that renderers leave out at the end of an address, also if a report escapes the next character. */
const AFTER_ADDRESS = /^[.,:;!?)'"]*(?:\s|$)/;
/** The same in Markdown, which closes links and emphasis. */
const AFTER_IN_MARKDOWN = /^[.,:;!?)\]'"*_~]*(?:[\s<>]|$)/;
const MARKS = { en: " (not retrieved)", zh: "（未检索到的地址）" } as const;

/** Tabs and line breaks stay. Invisible characters could split an address that a renderer joins. */
export function removeInvisible(text: string): string {
  return text.replaceAll(INVISIBLE, "");
}

/** In UTF-16 code units: a few milliseconds for most texts. */
const PIECE_LENGTH = 8_192;
/** In UTF-16 code units: an address begins within the last ones of a longer word. */
export const MAX_START_LENGTH = 700;

/**
 * Marks the web and mail addresses of a plain text that are not in `known`, also disguised ones, and puts them into code spans, which no
 * renderer links. Code spans stay as they are.
 */
export function stripUnknownAddresses(text: string, known: Iterable<string>): string {
  const find = createKnownAddresses(known);
  const visible = removeInvisible(text);
  const form = unknownForm(visible);
  const marked: string[] = [];
  const parts = splitCode(visible);
  for (const [i, { text: part, isCode }] of parts.entries()) {
    for (let at = 0; at < part.length; ) {
      const piece = isCode ? part : pieceOf(part, at);
      at += piece.length;
      const around = { before: marked.at(-1)?.slice(-1) ?? "", after: part.charAt(at) || (parts[i + 1]?.text.charAt(0) ?? "") };
      marked.push(isCode ? piece : replaceAddresses(piece, find, form, around));
    }
  }
  return marked.join("");
}

/** Returns the next piece of a long text. It ends before white space or, in a longer word, where no address is cut. */
export function pieceOf(text: string, at: number): string {
  const piece = text.slice(at, at + PIECE_LENGTH);
  if (piece.length < PIECE_LENGTH) return piece;
  const space = piece.search(/\s\S*$/);
  if (space > 0) return piece.slice(0, space);
  let end = PIECE_LENGTH - MAX_START_LENGTH;
  for (const found of addressesOf(piece, () => null)) {
    if (found.end <= end) continue;
    // An address that fills the piece is longer than any that is known.
    end = found.start > 0 ? Math.min(end, found.start) : found.end;
    break;
  }
  return piece.slice(0, end);
}

/** Removes addresses from a text that a model reads, so that it cannot use or repeat them. */
export function hideAddresses(text: string): string {
  return replaceAddresses(
    removeInvisible(text),
    () => null,
    () => "[address removed]",
  );
}

export function isMarked(text: string): boolean {
  return Object.values(MARKS).some((mark) => text.includes(mark));
}

/** Returns the mark behind an unknown address, in the language of the text. */
export function markIn(text: string): string {
  return MARKS[/\p{sc=Han}/u.test(text) ? "zh" : "en"];
}

/** How an unknown address is written in a text. */
export function unknownForm(text: string): (address: string) => string {
  const mark = markIn(text);
  const ticks = codeMark(text);
  // In a table, a pipe would end the cell.
  return (address) => `${ticks}${address.replaceAll(/[`|\s]/g, encodeURIComponent)}${ticks}${mark}`;
}

export interface FoundAddress extends Span {
  /** As renderers read it. */
  readonly address: string;
  readonly known: string | null;
}

/** Replaces unknown addresses by their `form`, known ones by their known spelling. `before` and `after` are the characters around the text. */
export function replaceAddresses(
  text: string,
  known: FindKnownAddress,
  form: (address: string) => string,
  { before = "", after = "", isMarkdown }: { readonly before?: string; readonly after?: string; readonly isMarkdown?: true } = {},
): string {
  const ending = isMarkdown === true ? AFTER_IN_MARKDOWN : AFTER_ADDRESS;
  const out: string[] = [];
  let from = 0;
  for (const { start, end, address, known: spelling } of addressesOf(text, known)) {
    const prose = text.slice(from, start);
    // Renderers would read a character that follows directly as a part of the address.
    const isJoined = spelling !== null && !ending.test(text.slice(end, end + 64) + after);
    // Both would keep a code span from beginning here.
    const gap = spelling === null && /[\\`]$/.test(prose || (out.at(-1)?.slice(-1) ?? before)) ? " " : "";
    out.push(prose, spelling === null ? `${gap}${form(address)}` : `${spelling}${isJoined ? " " : ""}`);
    from = end;
  }
  return out.join("") + text.slice(from);
}

export function* addressesOf(text: string, known: FindKnownAddress): Generator<FoundAddress> {
  const view = resolveEntities(text);
  const originOf = (offset: number): number => view.starts?.[offset] ?? offset;
  for (let at = 0; at < view.text.length; ) {
    WORD_END.lastIndex = at;
    const wordEnd = WORD_END.exec(view.text)?.index ?? view.text.length;
    const from = Math.max(0, at - 1);
    const start = from + addressStart(view.text.slice(from, wordEnd), at - from);
    if (start < from) {
      at = Math.max(at + 1, wordEnd);
      continue;
    }
    const token = view.text.slice(start, wordEnd);
    const trimmed = trimPunctuation(token) || token;
    const named = [trimmed, token, trimPunctuation(ASCII.exec(token)?.[0] ?? "")].find((candidate) => known(candidate) !== null);
    const address = named ?? trimmed;
    at = start + address.length;
    // A backslash behind an address escapes what follows.
    const end = originOf(at) - (text.charAt(originOf(at) - 1) === "\\" ? 1 : 0);
    yield { start: originOf(start), end, address, known: named === undefined ? null : known(named) };
  }
}

const MAX_ADDRESSES = 20;

/** Returns at most the first 20 web addresses. Adds `https://` to addresses without a scheme. */
export function addressesIn(text: string): string[] {
  const found = addressesOf(text, () => null).flatMap(({ address }) => {
    if (/^https?:\/\//i.test(address)) return [address];
    return /^[a-z][a-z0-9+.-]*:|^[\\/]|@/i.test(address) ? [] : [`https://${address}`];
  });
  return [...found.take(MAX_ADDRESSES)];
}
