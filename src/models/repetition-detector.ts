/** A text repeats itself if a unit occurs at least three times and fills the last 3,200 characters. */
const WINDOW = 3_200;
const MIN_TIMES = 3;
const MAX_UNIT = 4_000;
const STRIDE = 512;
const TAIL = MIN_TIMES * MAX_UNIT;

export class RepetitionDetector {
  #tail = "";
  #length = 0;
  #lookedAt = 0;
  #unit = 0;
  #counted = false;

  get repeats(): boolean {
    return this.#unit > 0;
  }

  push(piece: string): void {
    if (piece === "") return;
    this.#length += piece.length;
    this.#tail += piece;
    if (this.#tail.length > 4 * TAIL) this.#tail = this.#tail.slice(-2 * TAIL);
    if (this.#length - this.#lookedAt < STRIDE || this.#tail.length < WINDOW) return;
    this.#lookedAt = this.#length;
    this.#look(this.#tail.slice(-TAIL));
  }

  shorten(text: string): string {
    if (!this.repeats) return text;
    const { plain, ends } = this.#counted ? withoutNumbers(text) : { plain: text, ends: null };
    let start = Math.max(0, plain.length - this.#unit);
    while (start > 0 && plain[start - 1] === plain[start - 1 + this.#unit]) start -= 1;
    const end = Math.min(start + this.#unit, plain.length);
    return text.slice(0, ends === null ? end : ends[end - 1]);
  }

  #look(tail: string): void {
    this.#unit = unitOf(tail);
    if (this.repeats) return;
    const { plain } = withoutNumbers(tail);
    const unit = plain.length < WINDOW ? 0 : unitOf(plain);
    this.#counted = unit > 0 && isCountedSentence(plain.slice(-unit));
    if (this.#counted) this.#unit = unit;
  }
}

function unitOf(text: string): number {
  const borders = new Uint16Array(text.length);
  const last = text.length - 1;
  let border = 0;
  // Computes the failure function of Knuth, Morris and Pratt, from the end of the text.
  for (let at = 1; at < text.length; at += 1) {
    const code = text.charCodeAt(last - at);
    while (border > 0 && code !== text.charCodeAt(last - border)) border = borders[border - 1] ?? 0;
    if (code === text.charCodeAt(last - border)) border += 1;
    borders[at] = border;
    const unit = at + 1 - border;
    if (at + 1 >= WINDOW && at + 1 >= MIN_TIMES * unit) return unit;
  }
  return 0;
}

const NUMBER = /\p{Nd}+/gu;
const STAND_IN = "0";

function withoutNumbers(text: string): { plain: string; ends: number[] } {
  const ends: number[] = [];
  const parts: string[] = [];
  let at = 0;
  const copy = (until: number): void => {
    parts.push(text.slice(at, until));
    while (at < until) ends.push(++at);
  };
  for (const { index, 0: number } of text.matchAll(NUMBER)) {
    copy(index);
    at += number.length;
    parts.push(STAND_IN);
    ends.push(at);
  }
  copy(text.length);
  return { plain: parts.join(""), ends };
}

/** A sentence with such a sign belongs to a table or to code, whose lines often differ only in numbers. */
const RECORD = /[|=;{}()[\]<>\t"]/;
const WORDS = /\p{Script=Han}|[\p{L}']+/gu;
const LEAST_WORDS = 5;

function isCountedSentence(one: string): boolean {
  return one.split(STAND_IN).length === 2 && !RECORD.test(one) && (one.match(WORDS)?.length ?? 0) >= LEAST_WORDS;
}
