import { type Citation, type Claim, isChecked } from "../../domain/report.ts";
import { stripBracketedNumbers } from "../../evidence/citation-markers.ts";
import { type MissingFigure, missingFigures } from "../../evidence/figures/check-figures.ts";
import type { ReadBundle } from "./read-bundle.ts";

/** How many UTF-16 code units may be compared. Limits the check to seconds; the longest reports stay far below. */
const MAX_CHARACTERS = 5_000_000;
/** What a search for a heading costs per code unit, compared with a check of figures. */
const SEARCH_COST = 0.01;
const MAX_NAMED = 5;
const FIGURE = /[\d〇零一二三四五六七八九十]/;

/**
 * Finds numbers, dates and names with digits that a claim of the report should have from its quotes, and lacks there. A computed claim
 * should have those of its expression, a claim or heading that sums up should have its own from checked claims. Names may be in the
 * question or a title.
 */
export function checkFigures(bundle: ReadBundle): string[] {
  const check = new FigureCheck(bundle);
  const headings = bundle.blocks.flatMap(({ name, value }) =>
    value.kind === "heading" && value.support === "summary" ? [{ name, find: () => check.faultsOfSummary(value.text) }] : [],
  );
  const claims = bundle.claims.map(({ name, value }) => ({ name, find: () => check.faultsOf(value) }));
  const faults: string[] = [];
  for (const { name, find } of [...claims, ...headings]) {
    const found = find();
    if (found === null) return [...faults, `${name}: its figures and those after it are not checked, the quotes are too long`];
    faults.push(...found.map((fault) => `${name}: ${fault}`));
  }
  return faults;
}

class FigureCheck {
  readonly #citations: ReadonlyMap<number, Citation>;
  readonly #texts: ReadonlyMap<string, string>;
  readonly #known: readonly string[];
  readonly #checked: readonly string[];
  readonly #hasBlocks: boolean;
  #room = MAX_CHARACTERS;

  constructor({ blocks, citations, claims, sources, documents, run }: ReadBundle) {
    this.#hasBlocks = blocks.length > 0;
    this.#citations = new Map(citations.map(({ value }) => [value.id, value]));
    this.#texts = new Map(documents.map(({ value }) => [value.contentHash, value.text ?? ""]));
    this.#known = [...new Set([run?.question ?? "", ...[...sources, ...documents].map(({ value }) => value.title)])];
    this.#checked = claims.filter(({ value }) => isChecked(value)).map(({ value }) => value.text);
  }

  /** Returns null if the quotes are too long. */
  faultsOf(claim: Claim): string[] | null {
    if (claim.support === "summary") return this.faultsOfSummary(claim.text);
    if (!isChecked(claim)) return [];
    const citations = claim.citations.flatMap((id) => this.#citations.get(id) ?? []);
    const quotes = citations.map(({ quote }) => quote);
    // Claims have no bracketed numbers such as [1], so a claim may repeat a quote without them.
    const cited = [...new Set([...quotes, ...quotes.map(stripBracketedNumbers)])];
    const missing = this.#missing(claim.expression ?? claim.text, cited);
    const heading = this.#hasBlocks ? [] : this.#faultsOfSection(claim.section, cited, citations);
    if (this.#room < 0) return null;
    return missing.length === 0 ? heading : [`it says what none of its quotes says: ${named(missing)}`, ...heading];
  }

  faultsOfSummary(text: string): string[] | null {
    if (!FIGURE.test(text)) return [];
    const missing = this.#missing(text, this.#checked);
    if (this.#room < 0) return null;
    return missing.length === 0 ? [] : [`it says what no checked sentence says: ${named(missing)}`];
  }

  /** Without blocks, the sections of the claims are shown as headings. */
  #faultsOfSection(section: string, cited: readonly string[], citations: readonly Citation[]): string[] {
    const missing = FIGURE.test(section) ? this.#missing(section, cited).filter(({ kind }) => kind === "number") : [];
    if (missing.length === 0 || this.#isCopied(section, citations)) return [];
    return [`its heading says what none of its quotes says: ${named(missing)}`];
  }

  /** Reads question and titles only if the quotes lack a figure, because there may be many titles. */
  #missing(sentence: string, quotes: readonly string[]): readonly MissingFigure[] {
    this.#room -= charactersOf(quotes);
    if (this.#room < 0) return [];
    const missing = missingFigures(sentence, quotes, []);
    if (missing.length === 0) return missing;
    this.#room -= charactersOf(quotes) + charactersOf(this.#known);
    return this.#room < 0 ? [] : missingFigures(sentence, quotes, this.#known);
  }

  /** Whether a heading is copied from a title or a cited text, as headings of rules-only reports are. */
  #isCopied(section: string, citations: readonly Citation[]): boolean {
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
