import { foldLetters } from "../ranking/fold-letters.ts";

/** NFKC would change what superscripts, subscripts, circled characters and fractions mean: 9⁹ would become 99. */
const NOT_FOLDED = /[\u00b2\u00b3\u00b9\u2070-\u209c\u00bc-\u00be\u2150-\u215f\u2189\u2460-\u24ff\u2776-\u2793\u3248-\u325f\u32b1-\u32bf]/;
const RUNS = new RegExp(`${NOT_FOLDED.source}+|[^${NOT_FOLDED.source.slice(1, -1)}]+`, "g");

export function foldWidth(text: string): string {
  if (!NOT_FOLDED.test(text)) return text.normalize("NFKC");
  return text.replaceAll(RUNS, (run) => (NOT_FOLDED.test(run) ? run.normalize("NFC") : run.normalize("NFKC")));
}

/** A text normalized for comparing quotes. `starts[i]` is the offset of `text[i]` in the original text. */
export interface FoldedText {
  readonly text: string;
  readonly starts: Int32Array;
}

/** White space beside these Chinese and Japanese characters has no meaning. */
const WIDE =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\u3000-\u303f\uff01\uff02\uff07-\uff0a\uff0c\uff0e\uff1a\uff1b\uff1f\uff3b-\uff40\uff5b-\uffdf]/u;
const IGNORED = /^[\p{Cc}\p{Cf}]/u;
const QUOTATION = /["'`´‘’‚‛“”„‟«»‹›′″「」『』〝〞＂＇]/;
const DASH = /[-‐‑‒–—―−﹘﹣－]/;
const MARK = /\p{M}/u;
const MAX_MARKS = 16;
/** A hyphen between letters, maybe with a line break behind it. */
const HYPHEN = /(?<=\p{L})[-‐\u00ad](?:[^\S\n]{0,20}\n\s{0,60})?(?=\p{L})/uy;
/** No emphasis stands between two letters or digits: `5*3` is not 53. */
const EMPHASIS = /(?<![\p{L}\p{N}*_])[*_]{1,3}|[*_]{1,3}(?![\p{L}\p{N}*_])/uy;

/**
 * Turns white space into one space, quotation marks into `'` and dashes into `-`. Removes hyphens in words and the marks of emphasis. Normalizes all
 * other characters to NFKC, and folds case and diacritics.
 */
export function foldText(text: string): FoldedText {
  const folded = new FoldedWriter();
  /** Texts have few different characters, and folding one takes six patterns. */
  const known = new Map<string, ReturnType<typeof foldUnit>>();
  let at = 0;
  while (at < text.length) {
    const from = at;
    while (at < text.length && isPlain(text, at)) at++;
    if (at > from) {
      folded.put(foldLetters(text.slice(from, at)), from, false, 1);
      continue;
    }
    const length = unitLength(text, at);
    const unit = text.slice(at, at + length);
    const mark = markLength(text, at, unit);
    if (mark > 0) {
      at += mark;
      continue;
    }
    const one = known.get(unit) ?? foldUnit(unit);
    known.set(unit, one);
    if (one.isSpace) folded.space(at);
    else if (!one.isIgnored) folded.put(one.text, at, one.isWide);
    at += length;
  }
  return folded.end();
}

function isPlain(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  const isLetter = (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || (code >= 0x30 && code <= 0x39);
  return isLetter && (at + 1 === text.length || text.charCodeAt(at + 1) < 0x300);
}

export function unitLength(text: string, at: number): number {
  let end = at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);
  for (let marks = 0; marks < MAX_MARKS && end < text.length && text.charCodeAt(end) >= 0x300; marks++) {
    const next = String.fromCodePoint(text.codePointAt(end) ?? 0);
    if (!MARK.test(next)) break;
    end += next.length;
  }
  return end - at;
}

/** The length of a hyphen or of emphasis that begins at `at`; 0 if there is none. */
function markLength(text: string, at: number, unit: string): number {
  const pattern = /[-‐\u00ad]/.test(unit) ? HYPHEN : /[*_]/.test(unit) ? EMPHASIS : null;
  if (pattern === null) return 0;
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0].length ?? 0;
}

function foldUnit(unit: string) {
  return { isSpace: /^\s/.test(unit), isIgnored: IGNORED.test(unit), isWide: WIDE.test(unit), text: foldLetters(foldedForm(unit)) };
}

function foldedForm(unit: string): string {
  if (QUOTATION.test(unit)) return "'";
  if (DASH.test(unit)) return "-";
  return unit.charCodeAt(0) < 0x80 && unit.length === 1 ? unit : foldWidth(unit);
}

class FoldedWriter {
  readonly #parts: string[] = [];
  readonly #starts: number[] = [];
  #spaceAt = -1;
  #afterWide = true;

  space(at: number): void {
    if (this.#spaceAt < 0) this.#spaceAt = at;
  }

  /** `step` is 1 if each code unit of `folded` stands for one of the text, and 0 if all stand for the character at `at`. */
  put(folded: string, at: number, wide: boolean, step: 0 | 1 = 0): void {
    if (this.#spaceAt >= 0 && !wide && !this.#afterWide) this.#write(" ", this.#spaceAt, 0);
    this.#spaceAt = -1;
    this.#afterWide = wide;
    this.#write(folded, at, step);
  }

  end(): FoldedText {
    return { text: this.#parts.join(""), starts: Int32Array.from(this.#starts) };
  }

  #write(folded: string, at: number, step: 0 | 1): void {
    for (let i = 0; i < folded.length; i++) this.#starts.push(at + i * step);
    this.#parts.push(folded);
  }
}
