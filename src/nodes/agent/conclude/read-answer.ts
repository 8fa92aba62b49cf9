import { coverageOf } from "../../../domain/citation.ts";
import type { Hit } from "../../../domain/hit.ts";
import type { Citation, Claim, Coverage } from "../../../domain/report.ts";
import { stripUnknownAddresses } from "../../../evidence/address-filter.ts";
import { stripBracketedNumbers } from "../../../evidence/citation-markers.ts";
import { readCitedText } from "../../../evidence/cited-text.ts";
import type { Evidence } from "../../../evidence/quote-location.ts";
import { stripUnknownIds } from "../../../evidence/unknown-references.ts";
import { countOrigins, originsOfCited } from "../../claim-origins.ts";

/** What is said, and on what it stands. */
export interface Answer {
  readonly claims: readonly Claim[];
  readonly citations: readonly Citation[];
  readonly coverage: Coverage;
  /** Of the cited sources, by their ids. */
  readonly origins: ReadonlyMap<string, string>;
  /** The answer as Markdown where it cites nothing; null where it is made from the claims. */
  readonly text: string | null;
}

export interface AnswerView {
  readonly question: string;
  readonly hits: readonly Hit[];
  /** Letters with which ids begin that mean a citation although there is no evidence of that kind. */
  readonly prefixes: readonly string[];
  /** The addresses that may be shown. */
  readonly known: readonly string[];
  /** What ids in the text mean. */
  readonly evidence: ReadonlyMap<string, Evidence>;
}

/** The text of a model, with its citations checked and addresses that no source has found taken out. */
export function readAnswer(said: string, { question, hits, prefixes, known, evidence }: AnswerView): Answer {
  const read = readCitedText(said, evidence, prefixes, [question], known);
  // Only now: what a citation parted may come together as an address where it is taken out.
  const ids = [JSON.stringify(hits), question, ...Array.from(evidence.values(), ({ text }) => text)];
  const clean = (words: string): string => stripUnknownAddresses(stripUnknownIds(words, ids), known);
  const told = (words: string): string => clean(stripBracketedNumbers(words)).trim();
  // Of a sentence that was nothing but a number, nothing is left.
  const claims = read.claims
    .map((claim) => ({ ...claim, text: told(claim.text), section: told(claim.section) }))
    .filter(({ text }) => text !== "");
  const { citations } = read;
  const origins = originsOfCited(citations, [...evidence.values()].map(asRead));
  // What tried to cite and could not must not look like an answer that never meant to.
  const cited = citations.length > 0 || read.faults.some(({ why }) => why === "figure_not_in_quote");
  const text = cited ? null : clean(read.text).trim();
  return { claims: countOrigins(claims, citations, origins), citations, coverage: coverageOf(claims, 0), origins, text };
}

/** A piece of evidence as origins are counted by it. */
export function asRead({ sourceId: id, title = "", text, contentHash }: Evidence): Parameters<typeof originsOfCited>[1][number] {
  return { hit: { id, origin: id }, document: { title, text, contentHash } };
}
