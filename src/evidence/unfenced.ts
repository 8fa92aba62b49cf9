import type { TextFilter } from "../domain/text-filter.ts";

const FENCE = /^ {0,3}(`{3,}|~{3,})[^\S\n]*([^`\n]*?)[^\S\n]*$/;
/** How a line begins that may still come to be a fence. */
const MAY_BE_FENCE = /^ {0,3}(?:`{0,2}|~{0,2}|(?:`{3,}|~{3,})[^\n]*)$/;
const MARKDOWN = /^(?:markdown|md)$/i;
/** A longer line is no fence. */
const MAX_LINE = 80;

/**
 * Takes away the fences that some models put around a whole report: one that says it holds Markdown, or one without a word at the very
 * beginning. What stands in them is read on as text; fences of code within and behind them stay. The result does not depend on how
 * the text is cut into pieces, and nothing is held back but the beginning of a line that may be a fence.
 */
export function createUnfenced(): TextFilter {
  return new Unfenced();
}

/** `text` without the fences around a report; see `createUnfenced`. */
export function unfenced(text: string): string {
  const filter = createUnfenced();
  return filter.push(text) + filter.end();
}

class Unfenced implements TextFilter {
  #held = "";
  /** In a line that is no fence. */
  #inLine = false;
  #said = false;
  #outer: string | null = null;
  #inner: string | null = null;

  push(piece: string): string {
    const lines = (this.#held + piece).split("\n");
    this.#held = lines.pop() ?? "";
    const out = lines.map((line) => this.#line(`${line}\n`)).join("");
    return out + this.#begun();
  }

  end(): string {
    const last = this.#held;
    this.#held = "";
    return this.#line(last);
  }

  /** Of a line that has not ended, what can be no fence any more. */
  #begun(): string {
    if (this.#held === "" || (!this.#inLine && this.#held.length <= MAX_LINE && MAY_BE_FENCE.test(this.#held))) return "";
    const out = this.#held;
    this.#held = "";
    this.#inLine = true;
    this.#said = true;
    return out;
  }

  #line(line: string): string {
    const fence = this.#inLine || line.length > MAX_LINE ? null : FENCE.exec(line.replace(/\r?\n$/, ""));
    const kept = fence === null || this.#isKept(fence[1] ?? "", fence[2] ?? "") ? line : "";
    this.#said ||= line.trim() !== "";
    this.#inLine = false;
    return kept;
  }

  #isKept(mark: string, word: string): boolean {
    if (this.#inner !== null) {
      if (word === "" && mark.startsWith(this.#inner)) this.#inner = null;
      return true;
    }
    if (this.#outer !== null && word === "" && mark.startsWith(this.#outer)) {
      this.#outer = null;
      return false;
    }
    if (this.#outer === null && (MARKDOWN.test(word) || (word === "" && !this.#said))) {
      this.#outer = mark;
      return false;
    }
    this.#inner = mark;
    return true;
  }
}
