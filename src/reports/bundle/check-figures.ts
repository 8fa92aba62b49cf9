import type { Citation, Claim } from "../../domain/report.ts";
import { stripBracketedNumbers } from "../../evidence/citation-markers.ts";
import { type MissingFigure, missingFigures } from "../../evidence/figures/check-figures.ts";
import type { ReadBundle } from "./read-bundle.ts";

/** The most characters in which figures are looked for; many times what the longest report has, and some seconds of work. */
const MAX_CHARACTERS = 5_000_000;
/** To look for a heading in a text takes so much less time. */
const SEARCH_COST = 0.01;
/** The most that is named of one claim. */
const MAX_NAMED = 5;
const FIGURE = /[\d〇零一二三四五六七八九十]/;

/**
 * Supported claims that state a number, a date or a name with digits which the quotes they cite do not, and figures in their headings, by the rules by which
 * claims are supported when a report is written. Names may also stand in the question and in any title: of which hit the title
 * was known when the claim was written is not kept. Addresses are not compared.
 */
export function checkFigures(bundle: ReadBundle): string[] {
  const check = new FigureCheck(bundle);
  const faults: string[] = [];
  for (const { name, value } of bundle.claims) {
    const found = value.supported ? check.faultsOf(value) : [];
    if (found === null)
      return [...faults, `${name}: its figures and those of the claims behind it are not checked, the quotes are too long`];
    faults.push(...found.map((fault) => `${name}: ${fault}`));
  }
  return faults;
}

class FigureCheck {
  readonly #citations: ReadonlyMap<number, Citation>;
  readonly #texts: ReadonlyMap<string, string>;
  /** The question and all titles. */
  readonly #known: readonly string[];
  #room = MAX_CHARACTERS;

  constructor({ citations, sources, documents, run }: ReadBundle) {
    this.#citations = new Map(citations.map(({ value }) => [value.id, value]));
    this.#texts = new Map(documents.map(({ value }) => [value.contentHash, value.text ?? ""]));
    this.#known = [...new Set([run?.question ?? "", ...[...sources, ...documents].map(({ value }) => value.title)])];
  }

  /** Null where there is no more room for its quotes. */
  faultsOf({ text, section, citations: ids }: Claim): string[] | null {
    const citations = ids.flatMap((id) => this.#citations.get(id) ?? []);
    const quotes = citations.map(({ quote }) => quote);
    // Of a claim that repeats a quote the numbers in brackets were taken away.
    const cited = [...new Set([...quotes, ...quotes.map(stripBracketedNumbers)])];
    const missing = this.#missing(text, cited);
    const heading = FIGURE.test(section) ? this.#missing(section, cited).filter(({ kind }) => kind === "number") : [];
    const isTaken = heading.length === 0 || this.#isTaken(section, citations);
    if (this.#room < 0) return null;
    return [
      ...(missing.length === 0 ? [] : [`it says what none of its quotes says: ${named(missing)}`]),
      ...(isTaken ? [] : [`its heading says what none of its quotes says: ${named(heading)}`]),
    ];
  }

  /** Titles are many, and seldom needed. */
  #missing(sentence: string, quotes: readonly string[]): readonly MissingFigure[] {
    this.#room -= charactersOf(quotes);
    if (this.#room < 0) return [];
    const missing = missingFigures(sentence, quotes, []);
    if (missing.length === 0) return missing;
    this.#room -= charactersOf(quotes) + charactersOf(this.#known);
    return this.#room < 0 ? [] : missingFigures(sentence, quotes, this.#known);
  }

  /** Rules take headings from titles and from the texts that they cite. */
  #isTaken(section: string, citations: readonly Citation[]): boolean {
    const texts = [...new Set(citations.map(({ contentHash }) => this.#texts.get(contentHash) ?? ""))];
    this.#room -= charactersOf(texts) * SEARCH_COST;
    return [...this.#known, ...texts].some((text) => text.includes(section));
  }
}

function charactersOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.length, 0);
}

function named(missing: readonly MissingFigure[]): string {
  const texts = missing.slice(0, MAX_NAMED).map(({ text }) => text);
  const rest = missing.length - texts.length;
  return [...texts, ...(rest > 0 ? [`${rest} more`] : [])].join(", ");
}
