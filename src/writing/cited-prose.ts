import { keepSentences } from "../domain/blocks.ts";
import { type CitedPart, createCitedStream } from "../evidence/cited-text.ts";
import { ClosingLines } from "../evidence/closing-lines.ts";
import { isChinese } from "../ranking/language.ts";
import { blocksToMarkdown } from "./cited-markdown.ts";
import { type CitedContext, readOptions } from "./cited-report.ts";
import { type Cleaner, cleanPart, createCleaner, reasonOf } from "./clean-text.ts";
import { mayBeNoAnswer, readNoAnswer } from "./no-answer.ts";

export interface StreamContext extends CitedContext {
  readonly language: string;
  readonly showsUnverified: boolean;
}

/** Shows a cited text while a model writes it: whole sections, once they are checked. */
export class CitedProseFilter {
  readonly #stream: ReturnType<typeof createCitedStream>;
  readonly #cleaner: Cleaner;
  readonly #showsUnverified: boolean;
  readonly #words: "en" | "zh";
  readonly #closing = new ClosingLines();
  /** The beginning of the text while it may still become `NO ANSWER`; null after that. */
  #head: string | null = "";
  #isNoAnswer = false;

  constructor(context: StreamContext) {
    this.#stream = createCitedStream(context.evidence, readOptions(context));
    this.#cleaner = createCleaner(context);
    this.#showsUnverified = context.showsUnverified;
    this.#words = isChinese(context) ? "zh" : "en";
  }

  /** Returns blocks as Markdown with citation numbers. Each ends with an empty line. */
  push(piece: string): string[] {
    return this.#take(this.#closing.push(piece));
  }

  end(): string[] {
    const last = this.#closing.end();
    const shown = [...this.#take(last), ...this.#release()];
    for (const part of this.#stream.end()) shown.push(...this.#showPart(part));
    return shown;
  }

  #take(piece: string): string[] {
    if (this.#isNoAnswer) return [];
    if (this.#head === null) return this.#show(this.#stream.push(piece));
    this.#head += piece;
    return mayBeNoAnswer(this.#head) ? [] : this.#release();
  }

  #release(): string[] {
    const head = this.#head ?? "";
    this.#head = null;
    this.#isNoAnswer ||= readNoAnswer(head) !== null;
    return this.#isNoAnswer ? [] : this.#show(this.#stream.push(head));
  }

  #show(parts: readonly CitedPart[]): string[] {
    return parts.flatMap((part) => this.#showPart(part));
  }

  #showPart(part: CitedPart): string[] {
    const cleaned = cleanPart(part, this.#cleaner);
    const shown = keepSentences(cleaned, ({ support }) => this.#showsUnverified || support !== "unverified", reasonOf);
    return blocksToMarkdown(shown.blocks, shown.claims, this.#words);
  }
}
