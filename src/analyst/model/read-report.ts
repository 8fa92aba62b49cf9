import type { Citation, DraftClaim } from "../../domain/report.ts";
import { stripUnknownAddresses } from "../../evidence/address-filter.ts";
import { stripBracketedNumbers } from "../../evidence/citation-markers.ts";
import { type CitationFault, readCitedText } from "../../evidence/cited-text.ts";
import type { Evidence } from "../../evidence/quote-location.ts";
import { sanitizeText, unwrapFences } from "../../evidence/sanitize-output.ts";
import { stripUnknownHosts } from "../../evidence/unknown-references.ts";
import { readNoAnswer } from "./no-answer.ts";

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
