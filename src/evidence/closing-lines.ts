import type { TextFilter } from "../domain/ports/models.ts";
import type { Answers } from "../domain/report.ts";

const WORDS: Readonly<Record<string, Answers>> = {
  ...{ fully: "fully", partly: "partly", partially: "partly", not: "not" },
  ...{ 完全: "fully", 完整: "fully", 部分: "partly", 没有: "not" },
};
const VALUE = String.raw`^[>*_#\s-]{0,20}(?:ANSWERS|回答)[\s*_]{0,9}[:：][\s*_\x60"“]{0,9}(${Object.keys(WORDS).join("|")})`;
/** The line of a text that is asked for it. A remark may follow the value. */
const ANSWERS = new RegExp(String.raw`${VALUE}(?![\p{L}\p{N}])(?:[\s.。*_\x60"”]{0,9}$|\s{0,9}[(（,，;；—–-])`, "iu");
/** The line of a text of any form. Only a remark in brackets may follow the value: after a comma it may be a sentence that answers. */
const ANSWERS_ALONE = new RegExp(String.raw`${VALUE}[\s.。*_]{0,9}(?:[(（][^()（）]{0,500}[)）])?[\s.。*_\x60"”]{0,9}$`, "iu");
const MISSING = /^[>*_#\s-]{0,20}MISSING[\s*_]{0,9}[:：][\s*_]{0,9}/;
/** In other spellings, the line counts only below ANSWERS. Elsewhere it may be a sentence. */
const MISSING_AFTER_ANSWERS = /^[>*_#\s-]{0,20}(?:MISSING|缺少)[\s*_]{0,9}[:：][\s*_]{0,9}/i;
const DECORATION = /^[>*_#\s-]{0,20}/;
const LABELS = ["answers", "回答", "missing", "缺少"];
const ITEM = /^(?:[-*•]|\d{1,2}[.)、])\s*/;
const NONE = /^(?:none|nothing|n\/a|无|没有|[-–—])[.。]?$/i;
/** In UTF-16 code units. A longer line, and longer closing lines at an end, are text. */
const MAX_LINE = 4_000;
const MAX_BLOCK = 10_000;
const FENCE = /^ {0,3}(`{3,}|~{3,})[^\S\n]*([^`\n]*?)[^\S\n]*$/;
const MAY_BE_FENCE = /^ {0,3}(?:`{0,2}|~{0,2}|(?:`{3,}|~{3,})[^\n]*)$/;
const MARKDOWN = /^(?:markdown|md)$/i;
const MAX_FENCE = 80;
const MAX_ITEM = 500;
const MAX_ITEMS = 12;

/**
 * Takes the lines `ANSWERS: fully|partly|not` and `MISSING: one; another`, also in Chinese, out of a model's text, unless they are code. List items
 * below an empty `MISSING:` are taken too. Takes out a code fence around a report, too, if its label is `markdown` or `md`, or if it has no label and
 * begins the text. The result is the same however the text is split into pieces. Holds the beginning of a line only while it may be one of these.
 */
export class ClosingLines implements TextFilter {
  readonly #onlyAtEnd: boolean;
  /** The line that has begun, unless its beginning was shown. */
  #line = "";
  /** Whether the line that has begun is shown in part. */
  #isShown = false;
  #hasText = false;
  /** The fences around the report, and around code. */
  #outer: string | null = null;
  #inner: string | null = null;
  /** Lines that were taken and are text if other text follows. */
  #held = "";
  #after: "text" | "answers" | "missing" | "missing-list" = "text";
  #answers: Answers | null = null;
  #missing: string[] = [];

  /** @param onlyAtEnd for a text of any form: the lines begin with ANSWERS, nothing follows them, and fences stay. Otherwise they may stand everywhere. */
  constructor(onlyAtEnd = false) {
    this.#onlyAtEnd = onlyAtEnd;
  }

  /** The last value that the text gave. */
  get answers(): Answers | null {
    return this.#answers;
  }

  get missing(): readonly string[] {
    return this.#missing;
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
    const line = this.#line;
    if (line === "" || this.#mayBeTaken(line) || this.#mayBeFence(line)) return "";
    this.#line = "";
    this.#isShown = true;
    return this.#show(line);
  }

  #mayBeTaken(line: string): boolean {
    const isText = this.#isShown || this.#inner !== null || line.length > MAX_LINE || this.#held.length + line.length > MAX_BLOCK;
    if (isText || this.#after !== "text") return !isText;
    const words = line.replace(DECORATION, "").toLowerCase();
    return LABELS.some((label) => label.startsWith(words.slice(0, label.length)));
  }

  #mayBeFence(line: string): boolean {
    return !this.#isShown && line.length <= MAX_FENCE && MAY_BE_FENCE.test(line);
  }

  #endLine(line: string): string {
    const fence = this.#isShown || line.length > MAX_FENCE ? null : FENCE.exec(line.replace(/\r?\n$/, ""));
    if (fence !== null && !this.#isKept(fence[1] ?? "", fence[2] ?? "")) return "";
    if (fence === null && this.#mayBeTaken(line) && this.#isTaken(line.trim())) {
      if (this.#onlyAtEnd) this.#held += line;
      return "";
    }
    this.#isShown = false;
    return this.#show(line);
  }

  /** Whether a fence is one of code. */
  #isKept(mark: string, label: string): boolean {
    const closes = (open: string | null): boolean => open !== null && label === "" && mark.startsWith(open);
    if (this.#inner !== null) {
      if (closes(this.#inner)) this.#inner = null;
    } else if (closes(this.#outer)) {
      this.#outer = null;
      return false;
    } else if (this.#outer === null && !this.#onlyAtEnd && (MARKDOWN.test(label) || (label === "" && !this.#hasText))) {
      this.#outer = mark;
      return false;
    } else this.#inner = mark;
    return true;
  }

  /** Returns what was held, and the piece of a line that is text. */
  #show(piece: string): string {
    const shown = this.#held + piece;
    this.#held = "";
    this.#after = "text";
    if (this.#onlyAtEnd) [this.#answers, this.#missing] = [null, []];
    this.#hasText ||= piece.trim() !== "";
    return shown;
  }

  #isTaken(words: string): boolean {
    if (words === "") return this.#after !== "text";
    const answers = (this.#onlyAtEnd ? ANSWERS_ALONE : ANSWERS).exec(words)?.[1];
    if (answers !== undefined) {
      this.#answers = WORDS[answers.toLowerCase()] ?? null;
      this.#after = "answers";
      return true;
    }
    if (this.#onlyAtEnd && this.#after === "text") return false;
    const label = (this.#after === "text" ? MISSING : MISSING_AFTER_ANSWERS).exec(words)?.[0];
    const isListed = this.#after === "missing-list" && (ITEM.test(words) || this.#missing.length === 0);
    if (label === undefined && !isListed) return false;
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

interface ClosedText {
  readonly text: string;
  readonly answers: Answers | null;
  readonly missing: readonly string[];
}

/** Removes a code fence around the text, and its closing lines. */
export function readClosingLines(whole: string): ClosedText {
  return closed(whole, new ClosingLines());
}

/** Removes the closing lines at the end of an answer of any form. `text` is empty if it has nothing else. */
export function readClosingBlock(answer: string): ClosedText {
  return closed(answer, new ClosingLines(true));
}

function closed(whole: string, lines: ClosingLines): ClosedText {
  const text = (lines.push(whole) + lines.end()).trimEnd();
  return { text, answers: lines.answers, missing: lines.missing };
}
