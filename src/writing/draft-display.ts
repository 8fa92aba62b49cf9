import { type Block, keepSentences } from "../domain/blocks.ts";
import type { Effects } from "../domain/ports/effects.ts";
import type { Answers } from "../domain/report.ts";
import { type CitedPart, createCitedStream } from "../evidence/cited-text.ts";
import { ClosingLines } from "../evidence/closing-lines.ts";
import { isChinese } from "../ranking/language.ts";
import { blocksToMarkdown } from "./cited-markdown.ts";
import { type Cleaner, cleanPart, createCleaner, reasonOf } from "./clean-text.ts";
import { ComponentDisplay } from "./components/component-display.ts";
import { answerIn, MAX_HEAD_LENGTH, readNoAnswer, readOptions, SUMMARY_FORMAT, type TextContext } from "./read-text.ts";
import { type ReportPart, WRITING_NODE } from "./text-roles.ts";

/** Shows a text while a model writes it. */
export interface TextDisplay {
  push(piece: string): void;
  end?(): void;
  restart(reason: string): void;
  /** Shows the text that was chosen: a correction may have replaced what was pushed. */
  finish?(chosen: { readonly text: string; readonly answers: Answers | null; readonly missing: readonly string[] }): void;
}

/** A part of a report is shown as such: its heading at once, and nothing that belongs to other parts. */
export function createDraftDisplay(context: TextContext, effects: Effects, part?: ReportPart): TextDisplay {
  const callId = effects.nextId();
  let number = 1;
  const emit = (blocks: readonly string[]): void => {
    for (const delta of blocks)
      effects.emit({ type: "content", node: WRITING_NODE, callId, try: number, delta, ...(part && { part: part.number }) });
  };
  const begin = (): CitedProseFilter => {
    if (part?.heading != null) emit([`## ${part.heading}\n\n`]);
    return new CitedProseFilter(context, part);
  };
  let prose = begin();
  return {
    push: (piece) => emit(prose.push(piece)),
    end: () => emit(prose.end()),
    restart(reason) {
      number += 1;
      effects.emit({ type: "call-restarted", callId, try: number, reason });
      prose = begin();
    },
  };
}

/** Shows the component of a summary while the model writes it: of its answer whole sections, once they are checked. */
export function createSummaryDisplay(context: TextContext, effects: Effects): TextDisplay {
  let prose = new CitedProseFilter(context);
  let length = 0;
  let shown = "";
  const read = (text: string) => {
    const answer = answerIn(text);
    shown += prose.push(answer.text.slice(length)).join("");
    length = answer.text.length;
    return shown === "" ? null : { [answer.name]: shown.trim() };
  };
  const component = new ComponentDisplay({ name: SUMMARY_FORMAT.name, node: WRITING_NODE, read }, effects);
  const restart = (reason: string): void => {
    prose = new CitedProseFilter(context);
    [length, shown] = [0, ""];
    component.restart(reason);
  };
  return {
    push: (piece) => component.push(piece),
    restart,
    finish({ text, answers, missing }) {
      const whole = new CitedProseFilter(context);
      const answer = [...whole.push(text), ...whole.end()].join("").trim();
      if (!answer.startsWith(shown.trim())) restart("More sentences of the first answer are checked, so it is used.");
      component.end({ [answerIn(component.text).name]: answer, answers, missing: [...missing] });
    },
  };
}

/** Shows a cited text while a model writes it: whole sections, once they are checked. */
export class CitedProseFilter {
  readonly #stream: ReturnType<typeof createCitedStream>;
  readonly #cleaner: Cleaner;
  readonly #context: TextContext;
  readonly #part: ReportPart | undefined;
  readonly #closing = new ClosingLines({ isReport: true });
  /** The beginning of the text, which may be `NO ANSWER`. */
  #head = "";
  /** Whether a block of the part was read, and whether all of them were. */
  #hasBegun = false;
  #isOver = false;

  constructor(context: TextContext, part?: ReportPart) {
    this.#stream = createCitedStream(context.evidence, readOptions(context));
    this.#cleaner = createCleaner(context);
    this.#context = context;
    this.#part = part;
  }

  /** Returns blocks as Markdown with citation numbers. Each ends with an empty line. */
  push(piece: string): string[] {
    return this.#take(this.#closing.push(piece));
  }

  end(): string[] {
    return [...this.#take(this.#closing.end()), ...this.#show(this.#stream.end())];
  }

  #take(text: string): string[] {
    this.#head += text.slice(0, MAX_HEAD_LENGTH - this.#head.length);
    return this.#show(this.#stream.push(text));
  }

  #show(parts: readonly CitedPart[]): string[] {
    if (parts.length === 0 || readNoAnswer(this.#head) !== null) return [];
    const { showsUnverified } = this.#context;
    const words = isChinese(this.#context) ? "zh" : "en";
    return parts.flatMap(({ claims, blocks }) => {
      const cleaned = cleanPart({ claims, blocks: this.#ownBlocks(blocks) }, this.#cleaner);
      const shown = keepSentences(cleaned, ({ support }) => showsUnverified || support !== "unverified", reasonOf);
      return blocksToMarkdown(shown.blocks, shown.claims, words);
    });
  }

  /** Leaves out what follows the lead of a report, and the heading that a section repeats. */
  #ownBlocks(blocks: readonly Block[]): readonly Block[] {
    if (this.#part === undefined || this.#isOver) return this.#isOver ? [] : blocks;
    if (this.#part.heading === null) {
      const end = blocks.findIndex(({ kind }) => kind === "heading");
      this.#isOver = end >= 0;
      return end < 0 ? blocks : blocks.slice(0, end);
    }
    const [first] = blocks;
    const isRepeated = !this.#hasBegun && first?.kind === "heading" && first.level <= 2;
    this.#hasBegun ||= first !== undefined;
    return isRepeated ? blocks.slice(1) : blocks;
  }
}
