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
  readonly lineHyphens: boolean;
}

/** `cut` removes a hyphen and the line break after it, `hyphen` removes only the line break, `left` removes neither. */
export type LineHyphen = "cut" | "hyphen" | "left";
export const LINE_HYPHENS: readonly LineHyphen[] = ["cut", "hyphen", "left"];

/** White space beside these Chinese and Japanese characters has no meaning. */
const WIDE =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\u3000-\u303f\uff01\uff02\uff07-\uff0a\uff0c\uff0e\uff1a\uff1b\uff1f\uff3b-\uff40\uff5b-\uffdf]/u;
const IGNORED = /^[\p{Cc}\p{Cf}]/u;
const QUOTATION = /["'`´‘’‚‛“”„‟«»‹›′″「」『』〝〞＂＇]/;
const DASH = /[-‐‑‒–—―−﹘﹣－]/;
const MARK = /\p{M}/u;
const MAX_MARKS = 16;
const LINE_HYPHEN = /^[-‐\u00ad][^\S\n]*\n\s*(?=\p{L})/u;
const MAX_LINE_HYPHEN = 80;

/** Turns white space into one space, quotation marks into `'` and dashes into `-`. Normalizes all other characters to NFKC, and folds case and diacritics. */
export function foldText(text: string, lineHyphen: LineHyphen): FoldedText {
  const folded = new FoldedWriter(text.length);
  /** Texts have few different characters, and folding one takes six patterns. */
  const known = new Map<string, ReturnType<typeof foldUnit>>();
  let lineHyphens = false;
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
    const hyphen = lineHyphenLength(text, at, unit);
    lineHyphens ||= hyphen > 0;
    if (hyphen > 0 && lineHyphen !== "left") {
      if (lineHyphen === "hyphen") folded.put("-", at, false);
      at += hyphen;
      continue;
    }
    const one = known.get(unit) ?? foldUnit(unit);
    known.set(unit, one);
    if (one.isSpace) folded.space(at);
    else if (!one.isIgnored) folded.put(one.text, at, one.isWide);
    at += length;
  }
  return { ...folded.end(), lineHyphens };
}

function isPlain(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  const isLetter = (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || (code >= 0x30 && code <= 0x39);
  return isLetter && (at + 1 === text.length || text.charCodeAt(at + 1) < 0x300);
}

export function unitLength(text: string, at: number): number {
  let end = at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);
  for (let marks = 0; marks < MAX_MARKS && end < text.length && text.charCodeAt(end) >= 0x300; marks++) {
    if (isUnmarked(text.charCodeAt(end))) break;
    const next = String.fromCodePoint(text.codePointAt(end) ?? 0);
    if (!MARK.test(next)) break;
    end += next.length;
  }
  return end - at;
}

/** Whether a code unit lies in the large range from Bopomofo to the ideographs, which has no combining marks. */
function isUnmarked(code: number): boolean {
  return code >= 0x3100 && code <= 0x9fff;
}

function lineHyphenLength(text: string, at: number, unit: string): number {
  if ((unit !== "-" && unit !== "‐" && unit !== "\u00ad") || at === 0 || !/\p{L}/u.test(text.charAt(at - 1))) return 0;
  return LINE_HYPHEN.exec(text.slice(at, at + MAX_LINE_HYPHEN))?.[0].length ?? 0;
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
  #starts: Int32Array;
  #length = 0;
  #spaceAt = -1;
  #afterWide = true;

  constructor(length: number) {
    this.#starts = new Int32Array(length);
  }

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

  end(): Pick<FoldedText, "text" | "starts"> {
    return { text: this.#parts.join(""), starts: this.#starts.slice(0, this.#length) };
  }

  #write(folded: string, at: number, step: 0 | 1): void {
    const end = this.#length + folded.length;
    if (end > this.#starts.length) this.#grow(end);
    for (let place = at; this.#length < end; place += step) this.#starts[this.#length++] = place;
    this.#parts.push(folded);
  }

  /** NFKC makes some characters longer. */
  #grow(least: number): void {
    const longer = new Int32Array(Math.max(least, 2 * this.#starts.length));
    longer.set(this.#starts);
    this.#starts = longer;
  }
}
