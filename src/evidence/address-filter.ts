import type { TextFilter } from "../domain/ports/models.ts";
import type { LongWork } from "../util/turns.ts";
import { addressStart, isDotOfHost, MAX_START_LENGTH, type Rendered, resolveEntities, trimPunctuation } from "./address-detection.ts";
import {
  createKnownAddresses,
  MAX_ADDRESS_LENGTH,
  readAngleBracket,
  readInlineLink,
  readLinkDefinition,
  type Step,
} from "./link-targets.ts";

export const REMOVED_ADDRESS = "[address removed]";
const INVISIBLE = /[[\p{Cc}\p{Cf}\u2028\u2029]--[\t\n\r\u200c\u200d\u0600-\u0605\u06dd]]/gv;
const WORD_END = /[\s<>"|`，。；：！？、（）「」『』《》〈〉【】“”‘’…]|\](?=[(:])/g;
/** Without 。, which may belong to a host name: a word of many dots would be read again at each of them. */
const CERTAIN_END = /[\s<>"|`，；：！？、（）「」『』《》〈〉【】“”‘’…)]|\](?=[(:])/;
const ASCII = /^\p{ASCII}*/u;

export function stripUnknownAddresses(text: string, known: Iterable<string>): string {
  const filter = new AddressFilter(known);
  return filter.push(text) + filter.end();
}

/** In UTF-16 code units: less than a millisecond for most texts. */
const PIECE_LENGTH = 8_192;

/** Like `stripUnknownAddresses`, as long work. */
export function* strippedAddresses(text: string, known: Iterable<string>): LongWork<string> {
  const filter = new AddressFilter(known);
  const kept: string[] = [];
  for (let at = 0; at < text.length; at += PIECE_LENGTH) {
    kept.push(filter.push(text.slice(at, at + PIECE_LENGTH)));
    yield;
  }
  return kept.join("") + filter.end();
}

/** Removes URLs, mail addresses and link targets that are not in `known`, also if they are disguised. Takes linear time. */
export class AddressFilter implements TextFilter {
  readonly #known: ReturnType<typeof createKnownAddresses>;
  readonly #line = new LineLabel();
  #held = "";
  #at = 0;
  #out: string[] = [];
  #inLongAddress = false;
  #afterRemoval = false;
  /** The length of `#held` at which it is parsed again. Parsing it after each small piece would take quadratic time. */
  #readAt = 0;
  #halfPair = "";

  constructor(known: Iterable<string>) {
    this.#known = createKnownAddresses(known);
  }

  push(piece: string): string {
    const whole = this.#halfPair + piece;
    this.#halfPair = /[\ud800-\udbff]$/.test(whole) ? whole.slice(-1) : "";
    const added = (this.#halfPair === "" ? whole : whole.slice(0, -1)).replaceAll(INVISIBLE, "");
    this.#held += added;
    return this.#held.length >= this.#readAt || CERTAIN_END.test(added) ? this.#read(false) : "";
  }

  end(): string {
    this.#held += this.#halfPair;
    this.#halfPair = "";
    return this.#read(true);
  }

  #read(final: boolean): string {
    while (this.#at < this.#held.length && this.#step(final));
    const kept = Math.max(0, this.#at - 1);
    this.#held = this.#held.slice(kept);
    this.#at -= kept;
    const { length } = this.#held;
    this.#readAt = length + (length < MAX_START_LENGTH ? 1 + (length >> 4) : MAX_START_LENGTH);
    return this.#out.splice(0).join("");
  }

  #step(final: boolean): boolean {
    const text = this.#held;
    if (this.#inLongAddress) return this.#skipLongAddress(final);
    const mark = text.charAt(this.#at);
    if (mark === "<") return this.#take(readAngleBracket(text, this.#at, final, this.#known));
    const next = text.charAt(this.#at + 1);
    if (mark === "]" && next === "(") return this.#take(readInlineLink(text, this.#at, final, this.#known));
    if (mark === "]" && next === ":" && this.#line.inLabel) return this.#take(readLinkDefinition(text, this.#at, final, this.#known));
    if (mark === "]" && next === ":") return this.#write("]:", 2);
    const end = wordEnd(text, this.#at, final);
    return end === this.#at ? this.#write(mark, 1) : this.#word(end, final || end < text.length);
  }

  #take(step: Step): boolean {
    if (step === "wait") return false;
    this.#write(step.text, step.length);
    return !step.removed || this.#remove(0);
  }

  #word(end: number, whole: boolean): boolean {
    const from = Math.max(0, this.#at - 1);
    const view = resolveEntities(this.#held.slice(from, end));
    const start = addressStart(view.text, viewOffset(view, this.#at - from));
    const decided = whole ? view.text.length : Math.max(0, view.text.length - MAX_START_LENGTH);
    const isAddress = start >= 0 && start < decided;
    const viewed = isAddress ? start : decided;
    const until = Math.max(this.#at, from + (view.starts?.[viewed] ?? viewed));
    const before = whole && !isAddress ? end : until;
    if (before > this.#at) this.#write(this.#held.slice(this.#at, before), before - this.#at);
    if (!isAddress) return whole;
    if (end - this.#at > MAX_ADDRESS_LENGTH) {
      this.#inLongAddress = true;
      return this.#remove(0);
    }
    return whole && this.#address(end);
  }

  #address(end: number): boolean {
    const token = this.#held.slice(this.#at, end);
    const trimmed = trimPunctuation(token);
    for (const candidate of new Set([trimmed, token, trimPunctuation(ASCII.exec(token)?.[0] ?? "")])) {
      const spelling = this.#known(resolveEntities(candidate).text);
      if (spelling === null) continue;
      // Without a space, Markdown renderers would read the next non-ASCII character as a part of the address.
      const next = this.#held.charAt(this.#at + candidate.length);
      return this.#write(/\P{ASCII}/u.test(next) && !/\s/.test(next) ? `${spelling} ` : spelling, candidate.length);
    }
    return this.#remove(trimmed.length || token.length);
  }

  #skipLongAddress(final: boolean): boolean {
    const end = wordEnd(this.#held, this.#at, final);
    if (end < this.#held.length) {
      this.#at = end;
      this.#inLongAddress = false;
      return true;
    }
    // A `]` at the end may be the first half of `](`.
    this.#at = !final && this.#held.endsWith("]") ? end - 1 : end;
    return false;
  }

  #remove(length: number): boolean {
    this.#write(REMOVED_ADDRESS, length);
    this.#afterRemoval = true;
    return true;
  }

  #write(text: string, length: number): boolean {
    // `[address removed]` directly before `(`, `[` or `:` would become a link.
    const written = this.#afterRemoval && /^[([:]/.test(text) ? ` ${text}` : text;
    this.#afterRemoval = this.#afterRemoval && text === "";
    this.#line.pass(written);
    this.#out.push(written);
    this.#at += length;
    return true;
  }
}

function wordEnd(text: string, at: number, final: boolean): number {
  WORD_END.lastIndex = at;
  for (let match = WORD_END.exec(text); match !== null; match = WORD_END.exec(text)) {
    const joins = match[0] === "。" && isDotOfHost(text, at, match.index, final);
    if (joins === false) return match.index;
    if (joins === null) return text.length;
  }
  return text.length;
}

function viewOffset({ starts }: Rendered, offset: number): number {
  if (starts === null) return offset;
  const at = starts.findIndex((start) => start >= offset);
  return at < 0 ? starts.length - 1 : at;
}

const MAX_LABEL = 999;

/** Tracks whether the text is inside the brackets of a possible link definition, such as `[label]: address`. */
class LineLabel {
  #state: "prefix" | "label" | "text" = "prefix";
  #length = 0;

  get inLabel(): boolean {
    return this.#state === "label";
  }

  pass(text: string): void {
    for (const mark of text) {
      if (this.#state === "label") this.#passLabel(mark);
      else if (mark === "\n") this.#state = "prefix";
      else if (this.#state === "prefix" && mark === "[") {
        this.#state = "label";
        this.#length = 0;
      } else if (this.#state === "prefix" && !/[\s>*+\-\d.)]/.test(mark)) this.#state = "text";
    }
  }

  #passLabel(mark: string): void {
    this.#length = mark === "[" ? 0 : this.#length + 1;
    if (mark === "]" || this.#length > MAX_LABEL) this.#state = "text";
  }
}
