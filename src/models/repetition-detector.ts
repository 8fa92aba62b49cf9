/** A text repeats itself if a unit occurs at least three times and fills the last 3,200 characters. */
const WINDOW = 3_200;
const MIN_TIMES = 3;
const MAX_UNIT = 4_000;
const STRIDE = 512;
const PROBE = 200;
const TAIL = MIN_TIMES * MAX_UNIT;

export class RepetitionDetector {
  #tail = "";
  #length = 0;
  #lookedAt = 0;
  #unit = 0;

  get repeats(): boolean {
    return this.#unit > 0;
  }

  push(piece: string): void {
    this.#length += piece.length;
    this.#tail += piece;
    if (this.#tail.length > 4 * TAIL) this.#tail = this.#tail.slice(-2 * TAIL);
    if (this.#length - this.#lookedAt < STRIDE || this.#tail.length < WINDOW) return;
    this.#lookedAt = this.#length;
    this.#unit = unitOf(this.#tail.slice(-TAIL));
  }

  /** Returns the text up to the end of the first unit. */
  shorten(text: string): string {
    if (!this.repeats) return text;
    let start = Math.max(0, text.length - this.#unit);
    while (start > 0 && text[start - 1] === text[start - 1 + this.#unit]) start -= 1;
    return text.slice(0, start + this.#unit);
  }
}

/** The distance at which the end of the text stands before; 0 unless the text repeats itself at this distance. */
function unitOf(text: string): number {
  const probe = text.slice(-PROBE);
  const unit = text.length - PROBE - text.lastIndexOf(probe, text.length - PROBE - 1);
  const length = Math.max(WINDOW, MIN_TIMES * unit);
  return length <= text.length && text.slice(-length, -unit) === text.slice(unit - length) ? unit : 0;
}
