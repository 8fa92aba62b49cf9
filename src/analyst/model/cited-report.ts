import type { Citation, DraftClaim } from "../../domain/report.ts";
import { stripUnknownAddresses } from "../../evidence/address-filter.ts";
import { stripBracketedNumbers } from "../../evidence/citation-markers.ts";
import { type CitationFault, type CitedStream, createCitedStream, readCitedText } from "../../evidence/cited-text.ts";
import type { Evidence } from "../../evidence/quote-location.ts";
import { createFenceRemover, sanitizeText, unwrapFences } from "../../evidence/sanitize-output.ts";
import { stripUnknownHosts } from "../../evidence/unknown-references.ts";

const NO_ANSWER = /^[\s*_#>"'“]*NO[ _]ANSWER\b[\s*_]*[:：.。—–-]?[\s*_]*/i;
const MARK = "NO ANSWER";
const MAX_REASON_LENGTH = 1_000;

/** What a text says is missing that says the passages do not answer; null for any other text. */
export function readNoAnswer(text: string): string | null {
  const match = NO_ANSWER.exec(text);
  if (match === null) return null;
  const paragraph = text.slice(match[0].length).split(/\n\s*\n/, 1)[0] ?? "";
  return paragraph.replaceAll(/\s+/g, " ").trim().slice(0, MAX_REASON_LENGTH).toWellFormed();
}

/** Whether a text that begins like this says, or may come to say, that there is no answer. */
function mayBeNoAnswer(beginning: string): boolean {
  const said = beginning
    .replace(/^[\s*_#>"'“]+/, "")
    .toUpperCase()
    .replaceAll("_", " ");
  return MARK.startsWith(said.slice(0, MARK.length));
}

/** What a model's report is worth. */
export interface ReadReport {
  /** Whether it was cut off before its end. */
  readonly cutOff: boolean;
  readonly text: string;
  /** Sentences with a citation that holds, and only these citations. */
  readonly claims: readonly DraftClaim[];
  readonly citations: readonly Citation[];
  /** All sentences in order, those that are not supported without citations. */
  readonly written: readonly DraftClaim[];
  /** Sentences that have none. */
  readonly unsupported: readonly string[];
  readonly faults: readonly CitationFault[];
  /** What is missing, where it says that the passages do not answer; empty where it does not say what. */
  readonly noAnswer: string | null;
}

interface ReadOptions {
  readonly question: string;
  readonly cutOff: boolean;
}

export function readReport(
  said: string,
  evidence: ReadonlyMap<string, Evidence>,
  known: readonly string[],
  { question, cutOff }: ReadOptions,
): ReadReport {
  const text = unwrapFences(said);
  const missing = readNoAnswer(text);
  if (missing !== null) {
    const noAnswer = sanitizeText(missing, known);
    return { cutOff, text, claims: [], citations: [], written: [], unsupported: [], faults: [], noAnswer };
  }
  const { claims, citations, faults } = readCitedText(text, evidence, [], [question], known);
  const clean = (words: string): string => stripUnknownAddresses(stripBracketedNumbers(words), known);
  const hosts = [question, ...known];
  const shown = ({ text: words, supported }: DraftClaim): string => (supported ? clean(words) : stripUnknownHosts(clean(words), hosts));
  const besides = [...hosts, ...Array.from(evidence.values(), ({ title = "", text: passage }) => `${title}\n${passage}`)];
  const headed = (section: string): string => stripUnknownHosts(clean(section), besides);
  const cleaned = claims.map((claim) => ({ ...claim, text: shown(claim), section: headed(claim.section) }));
  // Of a sentence that was nothing but a number, nothing is left.
  const written = cleaned.filter((claim) => claim.text !== "");
  return {
    cutOff,
    text,
    claims: written.filter((claim) => claim.supported),
    citations,
    written,
    unsupported: claims.filter((claim) => !claim.supported).map((claim) => claim.text),
    faults,
    noAnswer: null,
  };
}

/** Whether a sentence says what its quotes do not, or more is lost than a report can bear. */
export function needsCorrection({ claims, unsupported, faults, noAnswer }: ReadReport): boolean {
  if (noAnswer !== null) return false;
  return claims.length === 0 || unsupported.length > claims.length || faults.some(({ why }) => why === "figure_not_in_quote");
}

/** The one with more sentences that hold; of equals the one with fewer that do not, then the later. */
export function betterOf<Report extends ReadReport>(first: Report, second: Report): Report {
  if (first.claims.length !== second.claims.length) return first.claims.length > second.claims.length ? first : second;
  return first.unsupported.length < second.unsupported.length ? first : second;
}

/** What cited texts are read with. */
export interface Paper {
  readonly evidence: ReadonlyMap<string, Evidence>;
  /** The addresses that it may name. */
  readonly known: readonly string[];
  readonly question: string;
}

/** Of a cited text that arrives in pieces, what readers may see: a sentence when it is complete and one of its citations holds, never earlier. */
export class ShownProse {
  readonly #known: readonly string[];
  readonly #stream: CitedStream;
  readonly #unfenced = createFenceRemover();
  #section = "";
  /** The beginning, until it is clear that the text is an answer. */
  #head: string | null = "";

  constructor({ evidence, known, question }: Paper) {
    this.#known = known;
    this.#stream = createCitedStream(evidence, [question], known);
  }

  /** The sentences that are to be shown now, each in Markdown with its numbers and an empty line after it. */
  push(piece: string): string[] {
    return this.#take(this.#unfenced.push(piece));
  }

  end(): string[] {
    return [...this.#take(this.#unfenced.end()), ...this.#say(this.#stream.end())];
  }

  #take(piece: string): string[] {
    const waiting = this.#head;
    if (waiting === null) return this.#say(this.#stream.push(piece));
    this.#head = waiting + piece;
    if (mayBeNoAnswer(this.#head)) return [];
    const head = this.#head;
    this.#head = null;
    return this.#say(this.#stream.push(head));
  }

  #say(claims: readonly DraftClaim[]): string[] {
    return claims
      .filter(({ supported }) => supported)
      .map((claim) => {
        const heading = claim.section === this.#section || claim.section === "" ? "" : `## ${this.#clean(claim.section)}\n\n`;
        this.#section = claim.section;
        return `${heading}${this.#clean(claim.text)} ${claim.citations.map((id) => `[${id}]`).join("")}\n\n`;
      });
  }

  #clean(text: string): string {
    return stripUnknownAddresses(stripBracketedNumbers(text), this.#known);
  }
}
