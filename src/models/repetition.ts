/** How many characters must be one unit again and again before it counts, and how long the unit may be. */
const WINDOW = 3_200;
const LONGEST_UNIT = 200;
/** After how many more characters it is looked at again. */
const STRIDE = 512;

/** Watches a text that grows for a tail that says the same again and again. Costs a few steps for each character. */
export class RepetitionWatch {
  #tail = "";
  #length = 0;
  #lookedAt = 0;
  /** The length of what is repeated; 0 while nothing is. */
  #unit = 0;

  get repeats(): boolean {
    return this.#unit > 0;
  }

  push(piece: string): void {
    this.#length += piece.length;
    this.#tail += piece;
    if (this.#length - this.#lookedAt < STRIDE || this.#tail.length < WINDOW) return;
    this.#lookedAt = this.#length;
    const window = this.#tail.slice(-WINDOW);
    const unit = periodOf(window);
    if (unit <= LONGEST_UNIT) this.#unit = unit;
    if (this.#tail.length > 4 * WINDOW) this.#tail = window;
  }

  /** `text`, the whole of what was watched, with one occurrence of what it repeats at its end. */
  shorten(text: string): string {
    if (!this.repeats) return text;
    let start = text.length - this.#unit;
    while (start > 0 && text[start - 1] === text[start - 1 + this.#unit]) start -= 1;
    return text.slice(0, start + this.#unit);
  }
}

/** The shortest length by which the text can be shifted onto itself (the failure function of Knuth, Morris and Pratt). */
function periodOf(text: string): number {
  const borders = new Uint16Array(text.length);
  let border = 0;
  for (let at = 1; at < text.length; at += 1) {
    while (border > 0 && text.charCodeAt(at) !== text.charCodeAt(border)) border = borders[border - 1] ?? 0;
    if (text.charCodeAt(at) === text.charCodeAt(border)) border += 1;
    borders[at] = border;
  }
  return text.length - border;
}
