/** Offsets in UTF-16 code units; `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

const segmenter = new Intl.Segmenter("en", { granularity: "sentence" });
const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Abbreviations after which a full stop never ends a sentence. */
const TITLES =
  /(?:^|[\s(["'“‘])(?:e\.g|i\.e|cf|vs|viz|approx|ca|Dr|Mr|Mrs|Ms|Prof|St|Fig|Figs|Eq|Eqs|No|Nos|Vol|Sec|Ch|pp|p|Gen|Col|Lt|Sgt|Capt|Rep|Sen|Gov|Rev|Hon|Mt|Ft|\p{Lu})\.$/u;
/** A full stop after these abbreviations ends a sentence only before a word of FRESH_START. */
const SHORTENED =
  /(?:^|[\s(["'“‘.])(?:etc|al|Mio|Mrd|Inc|Ltd|Co|Corp|Bros|Jr|Sr|Ph\.D|dept|est|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|a\.m|p\.m|\p{Lu}\.\p{Lu}(?:\.\p{Lu})*)\.$/u;
const FRESH_START =
  /^["“‘'(]?(?:The|This|That|These|Those|It|Its|In|On|At|He|She|They|We|You|I|A|An|As|By|For|From|If|When|After|But|And|However)\b/;
const NUMBERING = /^[([]?(?:\d{1,3}|[a-zA-Z])[.)]$/;
const MARK = /^(?:\p{M}|\u200d)/u;
const MAX_CONTEXT = 24;

/** Empty lines and 。！？； end a sentence. Single line breaks and the full stop of an abbreviation or a decimal do not. */
export function splitSentences(text: string, start = 0, end = text.length): Span[] {
  const spans: Span[] = [];
  let from = start;
  for (const gap of text.slice(start, end).matchAll(/\n[^\S\n]*\n\s*/g)) {
    pushParagraph(text, { start: from, end: start + gap.index }, spans);
    from = start + gap.index + gap[0].length;
  }
  pushParagraph(text, { start: from, end }, spans);
  return spans;
}

function pushParagraph(text: string, paragraph: Span, into: Span[]): void {
  // The segmenter would end a sentence at each line break. Spaces prevent that and keep the offsets.
  const flat = text.slice(paragraph.start, paragraph.end).replaceAll(/[\r\n\u2028\u2029\u0085]/g, " ");
  let from = 0;
  for (const { segment, index } of segmenter.segment(flat)) {
    const to = index + segment.length;
    if (to < flat.length && isContinued(flat, from, to)) continue;
    pushClauses(text, { start: paragraph.start + from, end: paragraph.start + to }, into);
    from = to;
  }
}

function isContinued(text: string, from: number, to: number): boolean {
  const tail = text.slice(Math.max(from, to - MAX_CONTEXT), to).trimEnd();
  if (!/[.)]$/.test(tail)) return false;
  if (TITLES.test(tail) || NUMBERING.test(text.slice(from, to).trim())) return true;
  return SHORTENED.test(tail) && !FRESH_START.test(text.slice(to, to + MAX_CONTEXT));
}

function pushClauses(text: string, sentence: Span, into: Span[]): void {
  let from = sentence.start;
  for (const mark of text.slice(sentence.start, sentence.end).matchAll(/；(?!\p{M}|\u200d)/gu)) {
    const to = sentence.start + mark.index + 1;
    pushTrimmed(text, { start: from, end: to }, into);
    from = to;
  }
  pushTrimmed(text, { start: from, end: sentence.end }, into);
}

function pushTrimmed(text: string, span: Span, into: Span[]): void {
  const trimmed = trimSpan(text, span);
  if (trimmed.end > trimmed.start) into.push(trimmed);
}

/** Trims a span, but keeps leading white space that carries a combining mark. */
export function trimSpan(text: string, { start, end }: Span): Span {
  const inside = text.slice(start, end);
  const from = end - inside.trimStart().length;
  const first = from > start && MARK.test(text.slice(from, from + 2)) ? from - 1 : from;
  return { start: first, end: Math.max(first, start + inside.trimEnd().length) };
}

/** Cuts at a comma or the like, otherwise at a space, otherwise between graphemes. `maxLength` is in UTF-16 code units. */
export function cutLongSpan(text: string, span: Span, maxLength: number): Span[] {
  if (span.end - span.start <= maxLength) return [span];
  const pieces: Span[] = [];
  let { start } = span;
  let reached = start;
  for (const clauseEnd of cutEnds(text, span, maxLength)) {
    if (clauseEnd - start > maxLength) {
      if (reached > start) pushTrimmed(text, { start, end: reached }, pieces);
      start = clauseEnd - reached > maxLength ? clauseEnd : reached;
    }
    reached = clauseEnd;
  }
  if (reached > start) pushTrimmed(text, { start, end: reached }, pieces);
  return pieces;
}

const MAX_GRAPHEME = 32;

function cutEnds(text: string, span: Span, maxLength: number): number[] {
  const marks = text.slice(span.start, span.end).matchAll(/[,;:–](?=\s)|\n|[，；：、](?!\p{M}|\u200d)/gu);
  const ends: number[] = [];
  let from = span.start;
  for (const end of [...Array.from(marks, ({ index }) => span.start + index + 1), span.end]) {
    while (end - from > maxLength) {
      // The slice limits the search: `text.lastIndexOf` would scan back to the beginning of the text.
      const blank = from + text.slice(from, from + maxLength).lastIndexOf(" ");
      const latest = blank > from + maxLength / 2 ? blank : from + maxLength;
      const cut = lastBoundary(text, Math.max(from + 1, latest - MAX_GRAPHEME), latest);
      if (cut !== null) ends.push(cut);
      from = cut ?? latest;
    }
    ends.push(end);
    from = end;
  }
  return ends;
}

function lastBoundary(text: string, earliest: number, latest: number): number | null {
  for (let at = latest; at >= earliest; at--) if (isGraphemeBoundary(text, at)) return at;
  return null;
}

export function isGraphemeBoundary(text: string, offset: number): boolean {
  if (offset <= 0 || offset >= text.length) return true;
  // Two characters below U+0300 are one grapheme only if they are CR LF.
  if (text.charCodeAt(offset) < 0x300 && text.charCodeAt(offset - 1) < 0x300) return text.slice(offset - 1, offset + 1) !== "\r\n";
  const from = Math.max(0, offset - 64);
  return graphemes.segment(text.slice(from, offset + 64)).containing(offset - from)?.index === offset - from;
}
