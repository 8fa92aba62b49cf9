import type { BundledDocument } from "../../domain/bundle.ts";
import { citationHolds } from "../../domain/citations.ts";
import { contentHashOf } from "../../domain/document.ts";
import type { Citation, Claim, Passage } from "../../domain/report.ts";
import { stripBracketedNumbers } from "../../evidence/citation-markers.ts";
import { type MissingFigure, missingFigures } from "../../evidence/figures/check-figures.ts";
import type { ReadBundle } from "./read-bundle.ts";

const shortHash = (hash: string): string => (hash.length > 12 ? `${hash.slice(0, 12)}…` : hash);

/** The documents by their stated content hash. `hashMatches`: the text really has this hash. */
type Texts = ReadonlyMap<string, { readonly text: string | null; readonly hashMatches: boolean }>;

export function checkDocuments({ documents }: ReadBundle): { texts: Texts; faults: string[] } {
  const texts = new Map<string, { text: string | null; hashMatches: boolean }>();
  const faults: string[] = [];
  for (const { name, value } of documents) {
    const own = faultsOfDocument(value).map((fault) => `${name} (${shortHash(value.contentHash)}): ${fault}`);
    const isSecond = texts.has(value.contentHash);
    if (isSecond) own.push(`${name} (${shortHash(value.contentHash)}): there is another one of that name`);
    faults.push(...own);
    if (!isSecond)
      texts.set(value.contentHash, {
        text: value.text,
        hashMatches: value.text === null || contentHashOf(value.text) === value.contentHash,
      });
  }
  return { texts, faults };
}

function faultsOfDocument({ text, contentHash, characters }: BundledDocument): string[] {
  if (text === null) return [];
  const hash = contentHashOf(text);
  return [
    ...(hash === contentHash ? [] : [`its text has the hash ${shortHash(hash)}`]),
    ...(text.length === characters ? [] : [`it is said to have ${characters} characters and has ${text.length}`]),
  ];
}

export function checkCitations({ citations, sources }: ReadBundle, texts: Texts): { holding: ReadonlySet<number>; faults: string[] } {
  const holding = new Set<number>();
  const faults: string[] = [];
  const hashes = hashesOf(sources);
  for (const { name, place, value } of citations) {
    const why = quoteFault(value, texts);
    if (why === null) holding.add(value.id);
    else faults.push(`${name}: ${why}`);
    if (value.id !== place) faults.push(`${name}: its id is ${value.id}, and ids count from 1 in order`);
    faults.push(...wrongSource(value, hashes).map((fault) => `${name}: ${fault}`));
  }
  return { holding, faults };
}

export function checkClosest({ closest, sources }: ReadBundle, texts: Texts): string[] {
  const hashes = hashesOf(sources);
  return closest.flatMap(({ name, value }) => {
    const why = quoteFault(value, texts);
    return [...(why === null ? [] : [why]), ...wrongSource(value, hashes)].map((fault) => `${name}: ${fault}`);
  });
}

function hashesOf(sources: ReadBundle["sources"]): ReadonlyMap<string, string | null> {
  return new Map(sources.map(({ value }) => [value.id, value.contentHash]));
}

function quoteFault(passage: Passage, texts: Texts): string | null {
  const { contentHash, start, end } = passage;
  const document = texts.get(contentHash);
  if (document === undefined) return `there is no document ${shortHash(contentHash)}`;
  if (document.text === null) return `the text of document ${shortHash(contentHash)} is not in the bundle`;
  if (!citationHolds(passage, document.text)) return `the quote does not stand at ${start}–${end} of document ${shortHash(contentHash)}`;
  return document.hashMatches ? null : `the text of document ${shortHash(contentHash)} is not the one it was cited from`;
}

function wrongSource({ sourceId, contentHash }: Passage, hashes: ReadonlyMap<string, string | null>): string[] {
  const hash = hashes.get(sourceId);
  if (hash === undefined) return [`there is no source ${sourceId}`];
  return hash === contentHash ? [] : [`its source ${sourceId} was read as ${hash === null ? "nothing" : `document ${shortHash(hash)}`}`];
}

export function checkClaims({ claims, citations, coverage }: ReadBundle, holding: ReadonlySet<number>): string[] {
  const ids = new Set(citations.map(({ value }) => value.id));
  const faults = claims.flatMap(({ name, value }) => [
    ...value.citations.filter((id) => !ids.has(id)).map((id) => `${name}: there is no citation ${id}`),
    ...(value.supported && !value.citations.some((id) => holding.has(id))
      ? [`${name}: it is called supported, and none of its citations holds`]
      : []),
  ]);
  if (coverage === null) return faults;
  const supported = claims.filter(({ value }) => value.supported).length;
  const counts = { sentences: claims.length, supported, unsupported: claims.length - supported };
  const wrong = (["sentences", "supported", "unsupported"] as const).filter((what) => coverage[what] !== counts[what]);
  return [...faults, ...wrong.map((what) => `coverage: ${what} is ${coverage[what]}, and the claims make ${counts[what]}`)];
}

export function checkSources({ sources }: ReadBundle): string[] {
  return [...Map.groupBy(sources, ({ value }) => value.id)].flatMap(([id, [, ...others]]) =>
    others.map(({ name }) => `${name}: there is another one with the id ${id}`),
  );
}

/** How many UTF-16 code units may be compared. Limits the check to seconds; the longest reports stay far below. */
const MAX_CHARACTERS = 5_000_000;
/** What a search for a heading costs per code unit, compared with a check of figures. */
const SEARCH_COST = 0.01;
const MAX_NAMED = 5;
const FIGURE = /[\d〇零一二三四五六七八九十]/;

/** Finds numbers, dates and names with digits in supported claims that their quotes lack. Names may be in the question or a title. */
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
  readonly #known: readonly string[];
  #room = MAX_CHARACTERS;

  constructor({ citations, sources, documents, run }: ReadBundle) {
    this.#citations = new Map(citations.map(({ value }) => [value.id, value]));
    this.#texts = new Map(documents.map(({ value }) => [value.contentHash, value.text ?? ""]));
    this.#known = [...new Set([run?.question ?? "", ...[...sources, ...documents].map(({ value }) => value.title)])];
  }

  faultsOf({ text, section, citations: ids }: Claim): string[] | null {
    const citations = ids.flatMap((id) => this.#citations.get(id) ?? []);
    const quotes = citations.map(({ quote }) => quote);
    // Claims have no bracketed numbers such as [1], so a claim may repeat a quote without them.
    const cited = [...new Set([...quotes, ...quotes.map(stripBracketedNumbers)])];
    const missing = this.#missing(text, cited);
    const heading = FIGURE.test(section) ? this.#missing(section, cited).filter(({ kind }) => kind === "number") : [];
    const isCopied = heading.length === 0 || this.#isCopied(section, citations);
    if (this.#room < 0) return null;
    return [
      ...(missing.length === 0 ? [] : [`it says what none of its quotes says: ${named(missing)}`]),
      ...(isCopied ? [] : [`its heading says what none of its quotes says: ${named(heading)}`]),
    ];
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
