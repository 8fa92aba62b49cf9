const WIDE = /[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]/;
/** The fewest tokens that a character takes; an answer within its limit must not be cut, so this is less than the usual estimate. */
const WIDE_TOKENS = 0.6;
const OTHER_TOKENS = 0.25;
const MORE_THAN_ASKED = 1.25;
const SLACK_TOKENS = 500;

/** How much of a response is taken from a server that does not keep to the limit it was given. */
export class OutputBound {
  #room: number;

  constructor(maxOutputTokens: number) {
    this.#room = maxOutputTokens * MORE_THAN_ASKED + SLACK_TOKENS;
  }

  /** Whether more came than was taken. */
  get full(): boolean {
    return this.#room < 0;
  }

  /** As much of a piece as there is room for. */
  take(piece: string): string {
    for (let at = 0; at < piece.length; at += 1) {
      this.#room -= WIDE.test(piece.charAt(at)) ? WIDE_TOKENS : OTHER_TOKENS;
      if (this.full) return piece.slice(0, at).replace(/[\ud800-\udbff]$/, "");
    }
    return piece;
  }
}
