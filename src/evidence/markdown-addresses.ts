import type { Nodes, Root } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import type { Span } from "../ranking/sentences.ts";
import { codeMark } from "../util/code-spans.ts";
import { isLinkDestination } from "./address-detection.ts";
import { addressesOf, markIn, replaceAddresses, unknownForm } from "./address-filter.ts";
import type { FindKnownAddress } from "./known-addresses.ts";

const MAY_BE_ACTIVE = /<[a-z/!?]|\]\s*[(:[]/i;
/** Tags that reports understand. Others are code. */
const PLAIN_TAG = /^<\/?(?:br|su[bp])\s*\/?>$/i;
/** micromark takes time in proportion to the square of these. */
const COSTLY = /[*_~[\]!<`&>]|[-+](?=\s)/g;
const MAX_COSTLY = 500;
export const MAX_LENGTH = 30_000;
/** A link that is taken away may make one of the brackets around it. */
const MAX_PASSES = 8;

/**
 * Marks what a renderer of these whole blocks of Markdown would link or load although it is not known, and puts it into code spans: links,
 * images, definitions, HTML, addresses in prose. Code stays as it is, and so do the first `shown` characters, which hold none of these.
 */
export function markBlocks(source: string, known: FindKnownAddress, shown = 0): string {
  const rest = source.slice(shown);
  if (!MAY_BE_ACTIVE.test(rest) && addressesOf(rest, known).next().done === true) return source;
  const form = unknownForm(source);
  let text = source;
  for (let pass = 0; isParsed(source) && pass < MAX_PASSES; pass++) {
    const before = text;
    text = new BlockMarker(text, known, form).mark();
    if (text === before) return text;
  }
  return source.slice(0, shown) + replaceAddresses(escaped(rest), known, form);
}

/** Returns words in which Markdown has no link, HTML or code. */
export function escaped(words: string): string {
  return words.replaceAll(/[\\[\]<`~]/g, "\\$&");
}

/** Its transforms would add links that have no place in the source. */
const TO_TREE = gfmFromMarkdown().map(({ transforms: _, ...extension }) => extension);

function parse(source: string): Root {
  return fromMarkdown(source, { extensions: [gfm()], mdastExtensions: TO_TREE });
}

function isParsed(source: string): boolean {
  return source.length <= MAX_LENGTH && (source.match(COSTLY)?.length ?? 0) <= MAX_COSTLY;
}

/** Whether blocks end in code that is in no list or quotation. */
export function endsInCode(source: string): boolean {
  return isParsed(source) && parse(source).children.at(-1)?.type === "code";
}

interface Part extends Span {
  readonly isActive: boolean;
  readonly isMarked: boolean;
}

class BlockMarker {
  readonly #source: string;
  readonly #known: FindKnownAddress;
  readonly #form: (address: string) => string;

  constructor(source: string, known: FindKnownAddress, form: (address: string) => string) {
    this.#source = source;
    this.#known = known;
    this.#form = form;
  }

  mark(): string {
    let out = "";
    let from = 0;
    for (const part of joined(this.#partsIn(parse(this.#source)))) {
      out += this.#prose(from, part.start) + (part.isActive ? this.#asCode(part) : this.#source.slice(part.start, part.end));
      from = part.end;
    }
    return out + this.#prose(from, this.#source.length);
  }

  #prose(start: number, end: number): string {
    const around = { before: this.#source.charAt(start - 1), after: this.#source.charAt(end), isMarkdown: true } as const;
    return replaceAddresses(this.#source.slice(start, end), this.#known, this.#form, around);
  }

  /** Returns the code, and what is to become code. */
  *#partsIn(node: Nodes): Generator<Part> {
    const start = node.position?.start.offset ?? 0;
    const end = node.position?.end.offset ?? 0;
    if (node.type === "code" || node.type === "inlineCode") yield { start, end, isActive: false, isMarked: false };
    else if (this.#isActive(node, this.#source.slice(start, end))) {
      yield { start, end, isActive: true, isMarked: "url" in node && isLinkDestination(node.url) };
    } else if ("children" in node) for (const child of node.children) yield* this.#partsIn(child);
  }

  #isActive(node: Nodes, written: string): boolean {
    if (node.type === "html") return !PLAIN_TAG.test(node.value);
    if (node.type !== "link" && node.type !== "image" && node.type !== "definition") return false;
    const spelling = this.#known(node.url);
    if (node.url.startsWith("#") || spelling === node.url || this.#known(written) === written) return false;
    // Others are prose, in which addresses are replaced.
    const isBracketed = /^[[<!]/.test(written);
    return (isBracketed && spelling === null) || replaceAddresses(written, this.#known, this.#form, { isMarkdown: true }) === written;
  }

  /** Each line is a code span, because a blank line ends one. */
  #asCode({ start, end, isMarked }: Part): string {
    const ticks = codeMark(this.#source);
    const isFree = (at: number): string => (/[\\`]/.test(this.#source.charAt(at)) ? " " : "");
    const code = this.#source.slice(start, end).replaceAll(/[^\s>].*$/gm, (line) => {
      const pad = /^`|`$/.test(line) ? " " : "";
      return `${ticks}${pad}${line}${pad}${ticks}`;
    });
    const hasUnknown = isMarked || addressesOf(this.#source.slice(start, end), this.#known).some(({ known }) => known === null);
    return `${isFree(start - 1)}${code}${hasUnknown ? markIn(this.#source) : isFree(end)}`;
  }
}

function joined(parts: Iterable<Part>): Part[] {
  const all: Part[] = [];
  for (const part of parts) {
    const last = all.at(-1);
    if (last?.isActive === true && part.isActive && last.end >= part.start)
      all[all.length - 1] = { ...last, end: Math.max(last.end, part.end), isMarked: last.isMarked || part.isMarked };
    else all.push(part);
  }
  return all;
}
