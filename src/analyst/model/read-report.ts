import type { Citation, Claim } from "../../domain/report.ts";
import { stripUnknownAddresses } from "../../evidence/address-filter.ts";
import { type CitationFault, readCitedText } from "../../evidence/cited-text.ts";
import type { Evidence } from "../../evidence/evidence.ts";
import { withoutOwnNumbers } from "../../evidence/own-numbers.ts";
import { shownText } from "../../evidence/shown-text.ts";
import { unfenced } from "../../evidence/unfenced.ts";
import { readNoAnswer } from "./no-answer.ts";

/** What a model's report is worth. */
export interface ReadReport {
  /** Whether it was cut off before its end. */
  readonly cutOff: boolean;
  readonly text: string;
  /** Sentences with a citation that holds, and only these citations. */
  readonly claims: readonly Claim[];
  readonly citations: readonly Citation[];
  /** Sentences that have none. */
  readonly unsupported: readonly string[];
  readonly faults: readonly CitationFault[];
  /** What is missing, where it says that the passages do not answer; empty where it does not say what. */
  readonly noAnswer: string | null;
}

export function readReport(written: string, evidence: ReadonlyMap<string, Evidence>, known: readonly string[], cutOff = false): ReadReport {
  const text = unfenced(written);
  const missing = readNoAnswer(text);
  if (missing !== null) {
    return { cutOff, text, claims: [], citations: [], unsupported: [], faults: [], noAnswer: shownText(missing, known) };
  }
  const { claims, citations, faults } = readCitedText(text, evidence);
  const supported = claims.filter((claim) => claim.supported);
  const clean = (words: string): string => stripUnknownAddresses(withoutOwnNumbers(words), known);
  const shown = supported.map((claim) => ({ ...claim, text: clean(claim.text), section: clean(claim.section) }));
  return {
    cutOff,
    text,
    // Of a sentence that was nothing but a number, nothing is left.
    claims: shown.filter((claim) => claim.text !== ""),
    citations,
    unsupported: claims.filter((claim) => !claim.supported).map((claim) => claim.text),
    faults,
    noAnswer: null,
  };
}

/** Whether more is lost than a report can bear. */
export function needsCorrection({ claims, unsupported, noAnswer }: ReadReport): boolean {
  return noAnswer === null && (claims.length === 0 || unsupported.length > claims.length);
}

/** The one with more sentences that hold; of equals the one with fewer that do not, then the later. */
export function betterOf(first: ReadReport, second: ReadReport): ReadReport {
  if (first.claims.length !== second.claims.length) return first.claims.length > second.claims.length ? first : second;
  return first.unsupported.length < second.unsupported.length ? first : second;
}
