import type { TextFilter } from "../domain/ports/models.ts";
import type { Answers } from "../domain/report.ts";
import { ANSWERS, ANSWERS_ALONE, ClosingLines, DECORATION } from "./closing-lines.ts";
import { FENCE } from "./markdown-blocks.ts";

const LABELS = ["answers", "回答"];
/** In UTF-16 code units. A longer line, and a longer block, is text. */
const MAX_FIRST_LINE = 600;
const MAX_BLOCK = 10_000;
const FENCE_REACH = 40;

/**
 * Takes the closing lines (see `ClosingLines`) out of an answer of any form: only at its end, from a line `ANSWERS: fully|partly|not` that is not
 * code. Holds what may be such a block, and gives it back if other text follows. The result is the same however the text is split into pieces.
 */
export class ClosingBlock implements TextFilter {
  #line = "";
  /** Whether the beginning of the line was shown. */
  #inLine = false;
  #lineStart = "";
  #fence: string | null = null;
  #held = "";
  #lines: ClosingLines | null = null;

  get answers(): Answers | null {
    return this.#lines?.answers ?? null;
  }

  get missing(): readonly string[] {
    return this.#lines?.missing ?? [];
  }

  push(piece: string): string {
    const lines = (this.#line + piece).split("\n");
    this.#line = lines.pop() ?? "";
    return lines.map((line) => this.#endLine(`${line}\n`)).join("") + this.#beginningOfLine();
  }

  end(): string {
    const last = this.#line;
    this.#line = "";
    return last === "" ? "" : this.#endLine(last);
  }

  #beginningOfLine(): string {
    if (this.#line === "" || (!this.#inLine && this.#mayBeTaken(this.#line))) return "";
    const beginning = this.#show(this.#line);
    this.#line = "";
    this.#inLine = true;
    return beginning;
  }

  #mayBeTaken(line: string): boolean {
    if (this.#lines !== null) return this.#held.length + line.length <= MAX_BLOCK;
    if (this.#fence !== null || line.length > MAX_FIRST_LINE) return false;
    const words = line.replace(DECORATION, "").toLowerCase();
    return LABELS.some((label) => label.startsWith(words.slice(0, label.length)));
  }

  #endLine(line: string): string {
    const isTaken = !this.#inLine && this.#isNext(line);
    this.#inLine = false;
    if (isTaken) {
      this.#held += line;
      return "";
    }
    const shown = this.#show(line);
    const mark = FENCE.exec(this.#lineStart)?.[1];
    if (this.#fence === null) this.#fence = mark ?? null;
    else if (mark?.startsWith(this.#fence)) this.#fence = null;
    this.#lineStart = "";
    return shown;
  }

  #isNext(line: string): boolean {
    if (!this.#mayBeTaken(line)) return false;
    const written = line.trimEnd();
    if (this.#lines !== null) return !ANSWERS.test(written) && !FENCE.test(written) && takes(this.#lines, line);
    if (!ANSWERS_ALONE.test(written)) return false;
    this.#lines = new ClosingLines();
    return takes(this.#lines, line);
  }

  /** Returns what was held, and the piece of a line that shows that it is text. */
  #show(piece: string): string {
    const shown = this.#held + piece;
    this.#held = "";
    this.#lines = null;
    this.#lineStart += piece.slice(0, FENCE_REACH - this.#lineStart.length);
    return shown;
  }
}

function takes(lines: ClosingLines, line: string): boolean {
  return lines.push(line.endsWith("\n") ? line : `${line}\n`) === "";
}

export interface ClosedAnswer {
  readonly text: string;
  readonly answers: Answers | null;
  readonly missing: readonly string[];
}

/** Removes the closing lines at the end of an answer. `text` is empty if it has nothing else. */
export function readClosingBlock(answer: string): ClosedAnswer {
  const block = new ClosingBlock();
  const text = (block.push(answer) + block.end()).trimEnd();
  return { text, answers: block.answers, missing: block.missing };
}
