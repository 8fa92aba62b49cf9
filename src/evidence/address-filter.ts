import type { TextFilter } from "../domain/ports/models.ts";
import {
  addressStart,
  isDotOfHost,
  MAX_START_LENGTH,
  originalOffset,
  type Rendered,
  rendered,
  trimPunctuation,
} from "./address-detection.ts";
import {
  angleBracket,
  createKnownAddresses,
  inlineLink,
  type KnownAddresses,
  linkDefinition,
  MAX_ADDRESS_LENGTH,
  type Step,
} from "./link-targets.ts";

/** What stands for an address that no source has. */
export const REMOVED_ADDRESS = "[address removed]";
/** Characters that nobody sees and that could be strewn into an address; controls with them. */
const INVISIBLE = /[[\p{Cc}\p{Cf}\u2028\u2029]--[\t\n\r\u200c\u200d\u0600-\u0605\u06dd]]/gv;
/** Where a word ends: an address has none of these, or a renderer may not take it for one with them. */
const WORD_END = /[\s<>"|`，。；：！？、（）「」『』《》〈〉【】“”‘’…]|\](?=[(:])/g;
const ASCII = /^\p{ASCII}*/u;

/**
 * Takes every address out of a text that no source has, also the ones that a renderer of Markdown or HTML would make of it: schemes
 * and `www.`, `//host`, names of hosts with a path, mail addresses, targets of links and images, definitions of references, autolinks,
 * tags with attributes, also where entities, escapes or invisible characters hide them. What a source has stays, in the source's
 * spelling. The result does not depend on how the text is cut into pieces; at most a few thousand code units are held back, and the
 * time is linear.
 */
export function createAddressFilter(known: Iterable<string>): TextFilter {
  return new AddressFilter(createKnownAddresses(known));
}

/** `text` without the addresses that are not known; see `createAddressFilter`. */
export function stripUnknownAddresses(text: string, known: Iterable<string>): string {
  const filter = createAddressFilter(known);
  return filter.push(text) + filter.end();
}

class AddressFilter implements TextFilter {
  readonly #known: KnownAddresses;
  readonly #line = new LineBeginning();
  #held = "";
  /** Where in `#held` that begins which has not been said. */
  #at = 0;
  #out: string[] = [];
  /** In an address that has become too long to be one that is known. */
  #swallowing = false;
  #afterRemoval = false;
  /** Below this length of `#held` it is not worth looking again, unless the piece completes something. */
  #lookAt = 0;
  #halfPair = "";

  constructor(known: KnownAddresses) {
    this.#known = known;
  }

  push(piece: string): string {
    const whole = this.#halfPair + piece;
    this.#halfPair = /[\ud800-\udbff]$/.test(whole) ? whole.slice(-1) : "";
    const added = (this.#halfPair === "" ? whole : whole.slice(0, -1)).replaceAll(INVISIBLE, "");
    this.#held += added;
    return this.#held.length >= this.#lookAt || /[\s)>]/.test(added) || added.search(WORD_END) >= 0 ? this.#read(false) : "";
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
    this.#lookAt = length + (length < MAX_START_LENGTH ? 1 + (length >> 4) : MAX_START_LENGTH);
    return this.#out.splice(0).join("");
  }

  /** False where the rest has to wait. */
  #step(final: boolean): boolean {
    const text = this.#held;
    if (this.#swallowing) return this.#swallow(final);
    const mark = text.charAt(this.#at);
    if (mark === "<") return this.#take(angleBracket(text, this.#at, final, this.#known));
    const next = text.charAt(this.#at + 1);
    if (mark === "]" && next === "(") return this.#take(inlineLink(text, this.#at, final, this.#known));
    if (mark === "]" && next === ":")
      return this.#take(
        this.#line.inLabel ? linkDefinition(text, this.#at, final, this.#known) : { text: "]:", removed: false, length: 2 },
      );
    const end = wordEnd(text, this.#at, final);
    if (end === this.#at) return this.#say(text.charAt(this.#at), 1);
    return this.#word(end, final || end < text.length);
  }

  #take(step: Step): boolean {
    if (step === "wait") return false;
    this.#say(step.text, step.length);
    if (step.removed) this.#remove(0);
    return true;
  }

  /** A word up to `end`, which is whole unless more of it may come. */
  #word(end: number, whole: boolean): boolean {
    const from = Math.max(0, this.#at - 1);
    const view = rendered(this.#held.slice(from, end));
    const start = addressStart(view.text, viewOffset(view, this.#at - from));
    // Of what stands near the end of an unfinished word it is not known yet whether it begins an address.
    const decided = whole ? view.text.length : view.text.length - MAX_START_LENGTH;
    const sure = start >= 0 && start < decided ? start : Math.max(decided, 0);
    const until = Math.max(this.#at, from + originalOffset(view, Math.min(sure, view.text.length)));
    const before = start >= 0 && start < decided ? until : whole ? end : until;
    if (before > this.#at) this.#say(this.#held.slice(this.#at, before), before - this.#at);
    if (start < 0 || start >= decided) return whole;
    if (end - this.#at > MAX_ADDRESS_LENGTH) {
      this.#swallowing = true;
      return this.#remove(0);
    }
    return whole && this.#address(end);
  }

  /** An address that is whole, from `#at` to `end`. */
  #address(end: number): boolean {
    const token = this.#held.slice(this.#at, end);
    const trimmed = trimPunctuation(token);
    for (const candidate of new Set([trimmed, token, trimPunctuation(ASCII.exec(token)?.[0] ?? "")])) {
      const spelling = this.#known.spelling(rendered(candidate).text);
      if (spelling === null) continue;
      // A renderer would take what follows without a space for a part of the address.
      const next = this.#held.charAt(this.#at + candidate.length);
      return this.#say(/\P{ASCII}/u.test(next) && !/\s/.test(next) ? `${spelling} ` : spelling, candidate.length);
    }
    return this.#remove(trimmed.length || token.length);
  }

  #swallow(final: boolean): boolean {
    const end = wordEnd(this.#held, this.#at, final);
    // A closing bracket at the very end may be the beginning of a link.
    const stop = end === this.#held.length && !final && this.#held.endsWith("]") ? end - 1 : end;
    this.#at = stop;
    if (end === this.#held.length) return false;
    this.#swallowing = false;
    return true;
  }

  #remove(length: number): boolean {
    this.#say(REMOVED_ADDRESS, length);
    this.#afterRemoval = true;
    return true;
  }

  #say(text: string, length: number): boolean {
    // Next to these the word itself would become a link.
    const said = this.#afterRemoval && /^[([:]/.test(text) ? ` ${text}` : text;
    this.#afterRemoval = this.#afterRemoval && text === "";
    this.#line.pass(said);
    this.#out.push(said);
    this.#at += length;
    return true;
  }
}

/** The end of the text where the word may go on behind it. */
function wordEnd(text: string, at: number, final: boolean): number {
  WORD_END.lastIndex = at;
  for (let match = WORD_END.exec(text); match !== null; match = WORD_END.exec(text)) {
    const joins = match[0] === "。" && isDotOfHost(text, at, match.index, final);
    if (joins === false) return match.index;
    if (joins === null) return text.length;
  }
  return text.length;
}

/** The first code unit of the rendered text that begins at `offset` or behind it. */
function viewOffset({ starts }: Rendered, offset: number): number {
  if (starts === null) return offset;
  const at = starts.findIndex((start) => start >= offset);
  return at < 0 ? starts.length - 1 : at;
}

const MAX_LABEL = 999;

/** Knows while a text goes by whether it is inside a bracket that opened its line, as labels of references do. */
class LineBeginning {
  #state: "prefix" | "label" | "text" = "prefix";
  #length = 0;

  get inLabel(): boolean {
    return this.#state === "label";
  }

  pass(text: string): void {
    for (const mark of text) {
      if (this.#state === "label") this.#inLabel(mark);
      else if (mark === "\n") this.#state = "prefix";
      else if (this.#state === "prefix" && mark === "[") this.#enterLabel();
      else if (this.#state === "prefix" && !/[\s>*+\-\d.)]/.test(mark)) this.#state = "text";
    }
  }

  #enterLabel(): void {
    this.#state = "label";
    this.#length = 0;
  }

  #inLabel(mark: string): void {
    this.#length++;
    if (mark === "[") this.#length = 0;
    else if (mark === "]" || this.#length > MAX_LABEL) this.#state = "text";
  }
}
