import type { TextFilter } from "../domain/ports/models.ts";
import type { Answers } from "../domain/report.ts";
import type { LongWork } from "../util/turns.ts";
import { unwrapFences } from "./sanitize-output.ts";

const WORDS: Readonly<Record<string, Answers>> = {
  ...{ fully: "fully", partly: "partly", partially: "partly", not: "not" },
  ...{ 完全: "fully", 部分: "partly", 没有: "not" },
};
const VALUE = String.raw`^[>*_#\s-]{0,20}(?:ANSWERS|回答)[\s*_]{0,9}[:：][\s*_\x60"“]{0,9}(${Object.keys(WORDS).join("|")})`;
/** The line of a text that is asked for it. A remark may follow the value. */
export const ANSWERS = new RegExp(String.raw`${VALUE}(?![\p{L}\p{N}])(?:[\s.。*_\x60"”]{0,9}$|\s{0,9}[(（,，;；—–-])`, "iu");
/** The line of a text of any form. Only a remark in brackets may follow the value: after a comma it may be a sentence that answers. */
export const ANSWERS_ALONE = new RegExp(String.raw`${VALUE}[\s.。*_]{0,9}(?:[(（][^()（）]{0,500}[)）])?[\s.。*_\x60"”]{0,9}$`, "iu");
const MISSING = /^[>*_#\s-]{0,20}MISSING[\s*_]{0,9}[:：][\s*_]{0,9}/;
/** In other spellings, the line counts only below ANSWERS. Elsewhere it may be a sentence. */
const MISSING_AFTER_ANSWERS = /^[>*_#\s-]{0,20}(?:MISSING|缺少)[\s*_]{0,9}[:：][\s*_]{0,9}/i;
export const DECORATION = /^[>*_#\s-]{0,20}/;
const LABELS = ["answers", "回答", "missing", "缺少"];
const ITEM = /^(?:[-*•]|\d{1,2}[.)、])\s*/;
const NONE = /^(?:none|nothing|n\/a|无|没有|[-–—])[.。]?$/i;
/** In UTF-16 code units. A longer line is text. */
const MAX_LINE = 4_000;
const MAX_ITEM = 500;
const MAX_ITEMS = 12;

/**
 * Takes the lines `ANSWERS: fully|partly|not` and `MISSING: one; another`, also in Chinese, out of a model's text. List items below an empty
 * `MISSING:` are taken too. The result is the same however the text is split into pieces. Holds the beginning of a line only while it may be one
 * of these.
 */
export class ClosingLines implements TextFilter {
  #held = "";
  #inLine = false;
  #after: "text" | "answers" | "missing" | "missing-list" = "text";
  #answers: Answers | null = null;
  readonly #missing: string[] = [];

  /** The last value that the text gave. */
  get answers(): Answers | null {
    return this.#answers;
  }

  get missing(): readonly string[] {
    return this.#missing;
  }

  push(piece: string): string {
    this.#held += piece;
    if (!piece.includes("\n")) return this.#isText() ? this.#beginningOfLine() : "";
    const lines = this.#held.split("\n");
    this.#held = lines.pop() ?? "";
    return lines.map((line) => this.#line(`${line}\n`)).join("");
  }

  end(): string {
    const last = this.#held;
    this.#held = "";
    return this.#line(last);
  }

  /** Whether the line that has begun is text, however it goes on. */
  #isText(): boolean {
    if (this.#inLine || this.#held.length > MAX_LINE) return true;
    const words = this.#held.replace(DECORATION, "").toLowerCase();
    return this.#after === "text" && !LABELS.some((label) => label.startsWith(words.slice(0, label.length)));
  }

  #beginningOfLine(): string {
    const beginning = this.#held;
    this.#held = "";
    this.#inLine = true;
    this.#after = "text";
    return beginning;
  }

  #line(line: string): string {
    const words = line.trim();
    const isText = this.#inLine || line.length > MAX_LINE || (words === "" && this.#after === "text") || !this.#isTaken(words);
    this.#inLine = false;
    return isText ? line : "";
  }

  #isTaken(words: string): boolean {
    if (words === "") return true;
    const answers = ANSWERS.exec(words)?.[1];
    if (answers !== undefined) {
      this.#answers = WORDS[answers.toLowerCase()] ?? null;
      this.#after = "answers";
      return true;
    }
    const label = (this.#after === "text" ? MISSING : MISSING_AFTER_ANSWERS).exec(words)?.[0];
    const isListed = this.#after === "missing-list" && (ITEM.test(words) || this.#missing.length === 0);
    if (label === undefined && !isListed) {
      this.#after = "text";
      return false;
    }
    const items = words.slice(label?.length ?? 0).replace(ITEM, "");
    if (label !== undefined) this.#after = items === "" ? "missing-list" : "missing";
    this.#add(items.split(/[;；]/));
    return true;
  }

  #add(items: readonly string[]): void {
    const named = items.map((item) => item.replaceAll(/[*_`]{2,}/g, "").trim()).filter((item) => item !== "" && !NONE.test(item));
    const free = MAX_ITEMS - this.#missing.length;
    this.#missing.push(...named.slice(0, Math.max(0, free)).map((item) => item.slice(0, MAX_ITEM).toWellFormed()));
  }
}

export interface ClosedText {
  readonly text: string;
  readonly answers: Answers | null;
  readonly missing: readonly string[];
}

/** Removes a code fence around the text, and its closing lines. */
export function* readClosingLines(whole: string): LongWork<ClosedText> {
  const lines = new ClosingLines();
  const unwrapped = unwrapFences(whole);
  yield;
  const text = lines.push(unwrapped) + lines.end();
  yield;
  return { text: text.trimEnd(), answers: lines.answers, missing: lines.missing };
}
