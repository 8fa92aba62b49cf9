import type { Findings } from "../../../domain/ports/research-analyst.ts";
import type { Citation, DraftClaim } from "../../../domain/report.ts";

/** A claim with what stands around it. */
export interface ToldClaim {
  readonly claim: DraftClaim;
  /** Its words with those that it quotes: a model's sentence says "it", and is in another language, where its quotes name the subject. */
  readonly text: string;
  /** The same under its heading and the title of its document. */
  readonly passage: string;
  /** What says whom it is about: the same, and the sentence before it where it only refers to one. */
  readonly about: string;
  /** What says which relation it tells: the same, and what stands before it in figures of the same unit ("the other only 40 Wh/kg"). */
  readonly relation: string;
}

/** So far a sentence before it may stand, in UTF-16 code units. */
const NEAR = 250;
/** What begins with it, or goes on with more, is about what was named before. */
const REFERS =
  /^["“‘'(]?(?:it|they|he|she|its|their|his|her|this|these|the|there)(?!\p{L})|^["“]?(?:[它他她][们們]?|其(?!他|中|实|余)|[该該此这])|\b(?:they|it|also)\b|[也还](?=\p{sc=Han})/iu;
const FIGURE_WITH_UNIT = /\p{N}\s?(\p{L}[\p{L}\p{N}/²³]*)/gu;

/** The claims that hold, each with what stands around it. */
export function readTold({ claims, citations, titles = {} }: Pick<Findings, "claims" | "citations" | "titles">): ToldClaim[] {
  return claims
    .filter(({ supported }) => supported)
    .map((claim) => {
      const cited = citations.filter(({ id }) => claim.citations.includes(id));
      const quotes = cited.map(({ quote }) => quote).filter((quote) => !claim.text.includes(quote));
      const text = [claim.text, ...quotes].join("\n");
      const above = [claim.section, ...cited.flatMap(({ sourceId }) => titles[sourceId] ?? [])];
      const passage = [...above, text].join("\n");
      const before = standingBefore(cited, citations);
      const referred = REFERS.test(claim.text) ? before.slice(-1) : [];
      const alike = before.filter((quote) => sharesUnit(quote, claim.text));
      return { claim, text, passage, about: [...referred, passage].join("\n"), relation: [...referred, ...alike, passage].join("\n") };
    });
}

/** A claim of which nothing else is known. */
export function asTold(claim: DraftClaim): ToldClaim {
  const passage = `${claim.section}\n${claim.text}`;
  return { claim, text: claim.text, passage, about: passage, relation: passage };
}

/** The quotes that stand shortly before those of a claim, in their order. */
function standingBefore(cited: readonly Citation[], citations: readonly Citation[]): string[] {
  const isBefore = (one: Citation): boolean =>
    cited.some(({ contentHash, start }) => contentHash === one.contentHash && one.end <= start && start - one.end <= NEAR);
  return citations
    .filter(isBefore)
    .sort((a, b) => a.start - b.start)
    .map(({ quote }) => quote);
}

function sharesUnit(quote: string, text: string): boolean {
  const units = unitsOf(text);
  return [...unitsOf(quote)].some((unit) => units.has(unit));
}

function unitsOf(text: string): ReadonlySet<string> {
  return new Set(Array.from(text.matchAll(FIGURE_WITH_UNIT), ([, unit = ""]) => unit));
}
