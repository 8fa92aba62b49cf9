import { isGraphemeBoundary, type Span } from "../ranking/sentences.ts";
import { firstIndex } from "./first-index.ts";
import { type FoldedText, foldText, unitLength } from "./fold-text.ts";

/** A passage that a model may quote. `text` is the whole document, of which the model sees `start` to `end`. */
export interface Evidence {
  readonly id: string;
  readonly sourceId: string;
  /** Sentences may use names from the title, but citations cannot quote the title. */
  readonly title?: string;
  readonly contentHash: string;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

interface EvidenceSource {
  readonly hit: { readonly id: string; readonly title: string };
  readonly document: { readonly title: string; readonly contentHash: string; readonly text: string };
}

export function evidenceAt(id: string, { hit, document }: EvidenceSource, { start, end }: Span): Evidence {
  const { contentHash, text } = document;
  return { id, sourceId: hit.id, title: `${document.title} ${hit.title}`, contentHash, text, start, end };
}

/** In characters. Chinese, Japanese and Korean ones count as two. Shorter quotes would match almost anywhere. */
const MIN_WEIGHT = 8;
const MAX_QUOTE_LENGTH = 2_000;
const MAX_PARTS = 4;
const MAX_PLACES = 50;
const WIDE_CHARACTER = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u;
const CUT_BEFORE = /\p{Nd}[.,]?\p{Nd}$/u;
const CUT_BEHIND = /^\p{Nd}[.,]?\p{Nd}/u;
const POWER_BEHIND = /^\p{Nd}[\u00b2\u00b3\u00b9\u2070-\u2079]/u;
const ELLIPSIS = /\s*(?:\[\s*(?:\.{3,}|…+)\s*\]|\(\s*(?:\.{3,}|…+)\s*\)|\.{3,}|…+)\s*/;

/** A quote is searched this far before and after the passage that the model saw. */
const REACH = 50_000;
/** Each has at most twice `REACH` and a passage. */
const MAX_CACHED = 20;
const MAX_LOCATED = 500;

/** Ends a quote in the writer's sentence. */
const END = /[\s.,;:!?'"’”」』，；：！？。、…]/;

/**
 * Finds a quote in the passage that the model saw, otherwise near it: exact text first, then text normalized by `foldText`, then the quote without end punctuation. A quote with ellipses may give up to four spans. Quotes below 8 characters
 * are found only in an equally short passage, or if they have a digit and stand at one place only.
 */
export function createQuoteLocator(): (quote: string, evidence: Evidence) => Span[] {
  const fold = cachedFold();
  /** A quote is looked for once to find where its citation ends, again to cite it, and often in several sentences. */
  const located = new Map<string, Span[]>();
  return (quote, evidence) => {
    const whole = quote.trim();
    if (whole.length === 0 || whole.length > MAX_QUOTE_LENGTH || !whole.isWellFormed()) return [];
    const key = `${evidence.contentHash} ${evidence.start} ${evidence.end} ${whole}`;
    const known = located.get(key);
    if (known !== undefined) return known;
    const asWritten = locateWhole(whole, evidence, fold);
    const found = asWritten.length > 0 ? asWritten : locateWhole(withoutEnd(whole), evidence, fold);
    if (located.size === MAX_LOCATED) located.clear();
    located.set(key, found);
    return found;
  };
}

function withoutEnd(quote: string): string {
  let end = quote.length;
  while (end > 0 && END.test(quote.charAt(end - 1))) end--;
  return quote.slice(0, end);
}

type Place = Span & Pick<Evidence, "text" | "contentHash">;

type Fold = (place: Place) => FoldedText;

function cachedFold(): Fold {
  const known = new Map<string, FoldedText>();
  return ({ text, contentHash, start, end }) => {
    const key = `${contentHash} ${start} ${end}`;
    const folded = known.get(key) ?? foldText(text.slice(start, end));
    if (known.size >= MAX_CACHED) known.clear();
    known.set(key, folded);
    return folded;
  };
}

function locateWhole(quote: string, evidence: Evidence, fold: Fold): Span[] {
  const found = locateOne(quote, evidence, 0, fold);
  return found === null ? locateParts(quote, evidence, fold) : [found];
}

function locateParts(quote: string, evidence: Evidence, fold: Fold): Span[] {
  const parts = quote.split(ELLIPSIS).filter((part) => part !== "");
  if ((parts.length === 1 && parts[0] === quote) || parts.length > MAX_PARTS) return [];
  const spans: Span[] = [];
  for (const part of parts) {
    const span = locateOne(part, evidence, spans.at(-1)?.end ?? 0, fold);
    if (span === null) return [];
    spans.push(span);
  }
  return spans;
}

function locateOne(quote: string, evidence: Evidence, from: number, fold: Fold): Span | null {
  const { text, contentHash } = evidence;
  if (!isLongEnough(quote, evidence)) return findUnique(quote, evidence, from);
  const shown = { start: Math.max(from, evidence.start), end: Math.max(from, evidence.end) };
  const near = { start: Math.max(0, evidence.start - REACH), end: Math.min(text.length, evidence.end + REACH) };
  const exact = findExact(quote, text, shown) ?? findExact(quote, text, { start: Math.max(from, near.start), end: near.end });
  if (exact !== null) return exact;
  const isNested = shown.end - shown.start <= (near.end - near.start) / 2;
  const inShown = isNested && findFolded(quote, { text, contentHash, ...shown }, from, fold);
  return inShown || findFolded(quote, { text, contentHash, ...near }, from, fold);
}

function isLongEnough(quote: string, { text, start, end }: Evidence): boolean {
  if (!/[\p{L}\p{N}]/u.test(quote)) return false;
  const weight = weightOf(quote);
  return weight >= MIN_WEIGHT || (end - start <= MIN_WEIGHT && weight >= weightOf(text.slice(start, end)));
}

/** Whether a quote is too short to be found, because its few characters stand in the document but may stand anywhere. */
export function isShortQuoteOf(quote: string, evidence: Evidence | undefined): boolean {
  const words = quote.trim();
  return evidence !== undefined && /[\p{L}\p{N}]/u.test(words) && !isLongEnough(words, evidence) && evidence.text.includes(words);
}

function weightOf(text: string): number {
  let weight = 0;
  for (const character of text) {
    if (/\s/.test(character)) continue;
    weight += WIDE_CHARACTER.test(character) ? 2 : 1;
    if (weight >= MIN_WEIGHT) break;
  }
  return weight;
}

function findExact(quote: string, text: string, { start, end }: Span): Span | null {
  const spanAt = (at: number): Span => ({ start: start + at, end: start + at + quote.length });
  return bestSpan(text, placesOf(quote, text.slice(start, end), 0), spanAt);
}

function* placesOf(words: string, text: string, from: number): Generator<number> {
  for (let at = text.indexOf(words, from); at >= 0; at = text.indexOf(words, at + 1)) yield at;
}

/** Returns the first span that cuts no number, else the first one that may be a quote. */
function bestSpan(text: string, places: Generator<number>, spanAt: (place: number) => Span): Span | null {
  let cut: Span | null = null;
  for (const place of places.take(MAX_PLACES)) {
    const span = spanAt(place);
    if (!isPossible(text, span)) continue;
    if (!cutsNumber(text, span)) return span;
    cut ??= span;
  }
  return cut;
}

/** A quote below the least length that has a digit is found if it stands at one place of the passage only. */
function findUnique(quote: string, { text, start, end }: Evidence, from: number): Span | null {
  const found = /\p{Nd}/u.test(quote) ? findExact(quote, text, { start, end }) : null;
  const again = found === null ? null : text.slice(found.start + 1, end).indexOf(quote);
  return again === -1 && found !== null && found.start >= from ? found : null;
}

/** A span must not split a character or a power: `costs $9` is not in `costs $9⁹`. */
function isPossible(text: string, { start, end }: Span): boolean {
  return isGraphemeBoundary(text, start) && isGraphemeBoundary(text, end) && !POWER_BEHIND.test(text.slice(end - 1, end + 1));
}

/** Whether only a part of a number is in the span. Places with the whole number are preferred. */
function cutsNumber(text: string, { start, end }: Span): boolean {
  return CUT_BEFORE.test(text.slice(Math.max(0, start - 2), start + 1)) || CUT_BEHIND.test(text.slice(end - 1, end + 2));
}

function findFolded(quote: string, place: Place, from: number, fold: Fold): Span | null {
  const wanted = foldText(quote).text;
  return wanted === "" ? null : placeOf(wanted, fold(place), place.text, place.start, from);
}

function placeOf(wanted: string, { text: folded, starts }: FoldedText, text: string, offset: number, from: number): Span | null {
  const first = firstIndex(starts.length, (i) => (starts[i] ?? 0) >= from - offset);
  return bestSpan(text, placesOf(wanted, folded, first), (at) => {
    const last = offset + (starts[at + wanted.length - 1] ?? 0);
    return { start: offset + (starts[at] ?? 0), end: last + unitLength(text, last) };
  });
}
