import type { Block } from "../../domain/document.ts";
import { isQuestion } from "./sentence-end.ts";

/** A question in a text, seen from a sentence of its answer. */
export interface Asked<S> {
  readonly question: S;
  /** 1 for what follows at once, less for what comes later. */
  readonly closeness: number;
}

/** An item that begins with a question of its own. */
const ASKS_AND_ANSWERS = /[?？؟]["'”’」』)）*_]*\s*\S/;
const LATER = 0.7;
/** An answer of more sentences than this has moved on to something else. */
const ANSWER_SENTENCES = 3;

/**
 * Tells which sentences answer a question of their own text, going through them in order. A question at the beginning of
 * a block, or alone in one, is answered by what follows to the end of the block it is answered in, and by the items of a
 * list; a question amid a paragraph by one sentence.
 */
export class QuestionFollower<S extends { readonly terms: readonly string[] }> {
  #question: S | null = null;
  #left = 0;
  #closeness = 1;
  #atStart = true;
  #answered = false;
  #open = false;
  #opening = false;

  /** To be called before the sentences of a block. */
  enterBlock(kind: Block["kind"]): void {
    const isItem = kind === "list-item" || kind === "table-row";
    if (this.#answered && !(this.#opening && (this.#open || isItem))) this.#question = null;
    this.#atStart = true;
    if (isItem || this.#open) this.#renew();
  }

  /** What a sentence with this text answers. */
  questionBefore(text: string): Asked<S> | null {
    if (isQuestion(text) || ASKS_AND_ANSWERS.test(text)) this.#question = null;
    if (!this.#question || this.#left === 0) return null;
    return { question: this.#question, closeness: this.#closeness };
  }

  /** Goes on behind a sentence; what has no word in it (a mark of emphasis) is passed over. */
  pass(sentence: S, text: string): void {
    if (isQuestion(text)) this.#ask(sentence);
    else if (sentence.terms.length > 0) this.#answer(text);
  }

  #ask(question: S): void {
    this.#opening = this.#atStart;
    this.#left = this.#opening ? ANSWER_SENTENCES : 1;
    this.#question = question;
    this.#closeness = 1;
    this.#answered = false;
    this.#open = false;
  }

  #answer(text: string): void {
    this.#atStart = false;
    this.#answered = true;
    this.#open = /[:：]\s*$/.test(text);
    this.#left = Math.max(0, this.#left - 1);
    this.#closeness = LATER;
  }

  #renew(): void {
    this.#left = ANSWER_SENTENCES;
    this.#closeness = 1;
  }
}
