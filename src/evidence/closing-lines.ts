import type { TextFilter } from "../domain/ports/models.ts";
import type { Answers } from "../domain/report.ts";

const WORDS: Readonly<Record<string, Answers>> = {
  ...{ fully: "fully", partly: "partly", partially: "partly", not: "not" },
  ...{ 完全: "fully", 完整: "fully", 部分: "partly", 没有: "not" },
};
const DECORATION = /^[>*_#\s-]{0,20}/;
/** Only a remark in brackets may follow the value: after a comma it may be a sentence that answers. */
const ANSWERS = new RegExp(
  String.raw`${DECORATION.source}(?:ANSWERS|回答)[\s*_]{0,9}[:：][\s*_\x60"“]{0,9}(${Object.keys(WORDS).join("|")})[\s.。*_]{0,9}(?:[(（][^()（）]{0,500}[)）])?[\s.。*_\x60"”]{0,9}$`,
  "iu",
);
const MISSING = new RegExp(String.raw`${DECORATION.source}(?:MISSING|缺少)[\s*_]{0,9}[:：][\s*_]{0,9}`, "im");
const LABELS = ["answers", "回答"];
const ITEM = /^(?:[-*•]|\d{1,2}[.)、])\s*/;
const NONE = /^(?:none|nothing|n\/a|无|没有|[-–—])[.。]?$/i;
/** In UTF-16 code units. Longer closing lines are text. */
const MAX_BLOCK = 10_000;
const MAX_ITEM = 500;
const MAX_ITEMS = 12;
const FENCE = /^ {0,3}(`{3,}|~{3,})[^\S\n]*([^`\n]*?)\s*$/;
const MAY_BE_FENCE = /^ {0,3}(?:`{0,2}|~{0,2}|(?:`{3,}|~{3,})[^\n]*)$/;
const MARKDOWN = /^(?:markdown|md)$/i;
const MAX_FENCE = 80;

/**
 * Takes `ANSWERS: fully|partly|not` and below it `MISSING: one; another`, also in Chinese or as a list, from the end of a model's text. Of a report,
 * takes out a code fence around it too, if its label is `markdown` or `md`, or if it has no label and begins the text. The result is the same
 * however the text is split into pieces. Holds the beginning of a line only while it may be one of these.
 */
export class ClosingLines implements TextFilter {
  readonly #isReport: boolean;
  /** The line that has begun, unless its beginning was shown. */
  #line = "";
  #isShown = false;
  #hasText = false;
  /** The fences around the report, and around code. */
  #outer: string | null = null;
  #inner: string | null = null;
  /** Lines that are taken, and are text if other text follows. */
  #held = "";

  constructor({ isReport }: { readonly isReport: boolean }) {
    this.#isReport = isReport;
  }

  /** The values of the closing lines, such as `ANSWERS:` and `MISSING:`. */
  get closing(): ReturnType<typeof readLines> {
    return readLines(this.#held);
  }

  push(piece: string): string {
    const lines = (this.#line + piece).split("\n");
    this.#line = lines.pop() ?? "";
    return lines.map((line) => this.#endLine(`${line}\n`)).join("") + this.#beginLine();
  }

  end(): string {
    const last = this.#line;
    this.#line = "";
    return last === "" ? "" : this.#endLine(last);
  }

  #beginLine(): string {
    const line = this.#line;
    if (line === "" || this.#mayClose(line) || this.#mayBeFence(line)) return "";
    this.#line = "";
    this.#isShown = true;
    return this.#show(line);
  }

  #mayClose(line: string): boolean {
    if (this.#isShown || this.#held.length + line.length > MAX_BLOCK) return false;
    const words = line.replace(DECORATION, "").toLowerCase();
    return this.#held !== "" || LABELS.some((label) => label.startsWith(words.slice(0, label.length)));
  }

  #mayBeFence(line: string): boolean {
    return this.#isReport && !this.#isShown && line.length <= MAX_FENCE && MAY_BE_FENCE.test(line);
  }

  #endLine(line: string): string {
    if (this.#mayBeFence(line.trimEnd()) && this.#isAroundReport(line)) return "";
    if (this.#mayClose(line) && this.#isTaken(line.trim())) {
      this.#held += line;
      return "";
    }
    this.#isShown = false;
    return this.#show(line);
  }

  #isAroundReport(line: string): boolean {
    const [, mark, label] = FENCE.exec(line) ?? [];
    if (mark === undefined) return false;
    const closes = (open: string | null): boolean => open !== null && label === "" && mark.startsWith(open);
    if (this.#inner !== null) {
      if (closes(this.#inner)) this.#inner = null;
      return false;
    }
    const isClosing = closes(this.#outer);
    const isOpening = this.#outer === null && (MARKDOWN.test(label ?? "") || (label === "" && !this.#hasText));
    if (isClosing || isOpening) this.#outer = isOpening ? mark : null;
    else this.#inner = mark;
    return isClosing || isOpening;
  }

  /** Returns what was held, and the piece of a line that is text. */
  #show(piece: string): string {
    const shown = this.#held + piece;
    this.#held = "";
    this.#hasText ||= piece.trim() !== "";
    return shown;
  }

  #isTaken(words: string): boolean {
    if (words === "" || this.#held === "") return this.#held !== "" || ANSWERS.test(words);
    return ANSWERS.test(words) || MISSING.test(words) || (ITEM.test(words) && MISSING.test(this.#held));
  }
}

function readLines(held: string) {
  let answers: Answers | null = null;
  const missing: string[] = [];
  for (const line of held.split("\n").map((one) => one.trim())) {
    const value = ANSWERS.exec(line)?.[1];
    if (value !== undefined) answers = WORDS[value.toLowerCase()] ?? null;
    else missing.push(...line.replace(MISSING, "").replace(ITEM, "").split(/[;；]/));
  }
  const named = missing.map((item) => item.replaceAll(/[*_`]{2,}/g, "").trim()).filter((item) => item !== "" && !NONE.test(item));
  return { answers, missing: named.slice(0, MAX_ITEMS).map((item) => item.slice(0, MAX_ITEM).toWellFormed()) };
}

/** Returns a text without its closing lines, and what they say. `text` is empty if there is nothing else. */
export function readClosingLines(whole: string, form: { readonly isReport: boolean }) {
  const lines = new ClosingLines(form);
  const text = (lines.push(whole) + lines.end()).trimEnd();
  return { text, ...lines.closing };
}
