import { type Citation, type Claim, isChecked } from "../../domain/report.ts";
import { type MissingFigure, missingFigures } from "../../evidence/figures/check-figures.ts";
import { EXPRESSION_SEPARATOR, figuresOf, type Judgement } from "../../evidence/support/judge.ts";
import { judgeLabel, judgeSummedFigures, type ReadSummed, readSummed } from "../../evidence/support/judge-sum.ts";
import { type QuotedPlace, quoteText } from "../../evidence/support/quote-texts.ts";
import { type ReadAgain, readAgain } from "../../evidence/support/report-blocks.ts";
import { judgeReport, type SummedSentence, summedBy } from "../../evidence/support/report-sums.ts";
import { siteOf } from "../../ranking/canonical-url.ts";
import { type ReadBundle, valuesOf } from "./read-bundle.ts";

/** How many UTF-16 code units may be compared. Limits the check to seconds; the longest reports stay far below. */
const MAX_CHARACTERS = 5_000_000;
/** What a search for a heading costs per code unit, compared with a check of figures. */
const SEARCH_COST = 0.01;
/** In code units, besides the length of the quote: the head of its table is searched. */
const PLACE_COST = 100;
const MAX_NAMED = 5;
const FIGURE = /[\d〇零一二三四五六七八九十]/;

/**
 * Finds numbers and dates that a claim of the report should have from its quotes and its calculation, and lacks there.
 * Claims that sum up should have their own from checked claims, and labels from these and their quotes. The functions that judged the report
 * judge it again.
 */
export function checkFigures(bundle: ReadBundle): string[] {
  const check = new FigureCheck(bundle);
  const claims = bundle.claims.map(({ name, value }, index) => ({ name, find: () => check.faultsOf(value, index) }));
  const labels = bundle.blocks.map(({ name }, index) => ({ name, find: () => check.faultsOfLabel(index) }));
  const faults: string[] = [];
  for (const { name, find } of [...claims, ...labels]) {
    const found = find();
    if (check.isOver) return [...faults, `${name}: its figures and those after it are not checked, the quotes are too long`];
    faults.push(...found.map((fault) => `${name}: ${fault}`));
  }
  return faults;
}

class FigureCheck {
  readonly #texts: ReadonlyMap<string, string>;
  readonly #names: readonly string[];
  readonly #titles: readonly string[];
  readonly #read: ReadAgain;
  readonly #hasBlocks: boolean;
  #whole: ReadSummed | null = null;
  #isReadBySection = false;
  #room = MAX_CHARACTERS;

  constructor(bundle: ReadBundle) {
    const [blocks, claims, citations] = [valuesOf(bundle.blocks), valuesOf(bundle.claims), valuesOf(bundle.citations)];
    this.#hasBlocks = blocks.length > 0;
    this.#texts = new Map(bundle.documents.map(({ value }) => [value.contentHash, value.text ?? ""]));
    this.#names = namesOf(bundle);
    this.#titles = titlesOf(bundle);
    this.#read = readAgain({ claims, citations, blocks }, createPlaces(bundle, this.#texts));
  }

  /** Whether the quotes were too long, so that the last result says nothing. */
  get isOver(): boolean {
    return this.#room < 0;
  }

  faultsOf(claim: Claim, index: number): string[] {
    const sentence = this.#read.sentences[index];
    if (sentence === undefined) return [];
    if (claim.support === "summary")
      return this.#faultsOfSum(
        (summed) => judgeSummedFigures(sentence, summed),
        () => sentence.judgement,
      );
    if (!isChecked(claim)) return [];
    return [...this.#faultsOfFigures(claim, sentence), ...(this.#hasBlocks ? [] : this.#faultsOfSection(claim.section, sentence.places))];
  }

  faultsOfLabel(index: number): string[] {
    const block = this.#read.blocks[index];
    const words = block?.words ?? null;
    if (block === undefined || words === null) return [];
    return this.#faultsOfSum(
      (summed) => judgeLabel(words, summed),
      () => block.label,
    );
  }

  #faultsOfFigures(claim: Claim, { text, head, places }: SummedSentence): string[] {
    const statement = { text, head, expressions: claim.expression?.split(EXPRESSION_SEPARATOR) ?? [] };
    if (!this.#pay(places.map(({ start, end }) => end - start + PLACE_COST))) return [];
    const { missing, calculations, computedBy } = figuresOf(statement, places, []);
    // The names are read only if the quotes lack a figure. The titles are those of what is quoted, as when the report was written.
    const names = missing.length > 0 ? [...new Set([...this.#names, ...places.flatMap(({ title }) => title ?? [])])] : [];
    const left = missing.length > 0 && this.#pay(names.map(({ length }) => length)) ? figuresOf(statement, places, names).missing : [];
    const faults = left.length === 0 ? [] : [`it says what none of its quotes says: ${named(left)}`];
    if (claim.support !== "computed" || computedBy !== null) return faults;
    const operand = calculations.find(({ fault }) => fault === "operand_not_in_quote");
    if (operand?.fault == null) return [...faults, "its calculation does not have the value that it states"];
    return [...faults, `it calculates with what none of its quotes says: ${operand.words}`];
  }

  /** Judges by the whole report, which is read once. If that does not hold, judges by section. A longer text may have too many figures. */
  #faultsOfSum(judge: (whole: ReadSummed) => Judgement | null, bySection: () => Judgement | null): string[] {
    this.#whole ??= this.#readWhole();
    const why = this.isOver ? null : judge(this.#whole)?.why;
    if (why == null) return [];
    if (!this.#isReadBySection) this.#readBySection();
    return bySection()?.why === null ? [] : [`it says what no checked sentence says${why.words === "" ? "" : `: ${why.words}`}`];
  }

  #readWhole(): ReadSummed {
    const summed = summedBy(this.#read.sentences);
    const isShort = this.#pay([...summed.texts, ...summed.quotes, ...this.#names].map(({ length }) => length));
    return readSummed(isShort ? summed : summedBy([]), { names: isShort ? this.#names : [], addresses: [] });
  }

  #readBySection(): void {
    const { texts, quotes } = summedBy(this.#read.sentences);
    this.#isReadBySection = true;
    if (!this.#pay([...texts, ...quotes, ...this.#names].map(({ length }) => length))) return;
    judgeReport(this.#read.blocks, { names: this.#names, addresses: [] }, judgeSummedFigures);
  }

  /** Without blocks, the sections of the claims are shown as headings. */
  #faultsOfSection(section: string, places: readonly QuotedPlace[]): string[] {
    if (!FIGURE.test(section)) return [];
    const quotes = places.map(quoteText);
    const names = [...this.#names, ...this.#titles];
    if (!this.#pay([...quotes, ...names].map(({ length }) => length))) return [];
    const missing = missingFigures(section, quotes, names).filter(({ kind }) => kind === "number");
    if (missing.length === 0 || this.#isCopied(section, places)) return [];
    return [`its heading says what none of its quotes says: ${named(missing)}`];
  }

  /** Whether a heading is copied from a title or a cited text, as headings of rules-only reports are. */
  #isCopied(section: string, places: readonly QuotedPlace[]): boolean {
    const texts = [...new Set(places.map(({ contentHash }) => this.#texts.get(contentHash) ?? ""))];
    return (
      this.#pay(texts.map(({ length }) => length * SEARCH_COST)) &&
      [...this.#names, ...this.#titles, ...texts].some((text) => text.includes(section))
    );
  }

  #pay(costs: readonly number[]): boolean {
    this.#room -= costs.reduce((sum, cost) => sum + cost, 0);
    return !this.isOver;
  }
}

/** What a report may name without a quote: the question's words and publishers. */
function namesOf({ run, sources, documents }: ReadBundle): string[] {
  const publishers = sources.flatMap(({ value: { url, publication } }) => [siteOf(url), publication?.venue ?? ""]);
  return [...new Set([run?.question ?? "", ...publishers, ...documents.map(({ value }) => siteOf(value.url ?? ""))])];
}

/** Headings of reports without blocks may be copied from titles. */
function titlesOf({ sources, documents }: ReadBundle): string[] {
  return [...new Set([...sources, ...documents].map(({ value }) => value.title))];
}

/** Returns the place of a citation in its document, or in the quote alone if the document is not there. */
function createPlaces({ sources, documents }: ReadBundle, texts: ReadonlyMap<string, string>): (citation: Citation) => QuotedPlace {
  const titles = Map.groupBy([...sources, ...documents], ({ value }) => value.contentHash);
  return ({ contentHash, start, end, quote }) => {
    const text = texts.get(contentHash) ?? "";
    const title = [...new Set((titles.get(contentHash) ?? []).map(({ value }) => value.title))].join("\n");
    return text.slice(start, end) === quote
      ? { text, contentHash, title, start, end }
      : { text: quote, contentHash, title, start: 0, end: quote.length };
  };
}

function named(missing: readonly MissingFigure[]): string {
  const texts = missing.slice(0, MAX_NAMED).map(({ text }) => text);
  const rest = missing.length - texts.length;
  return [...texts, ...(rest > 0 ? [`${rest} more`] : [])].join(", ");
}
