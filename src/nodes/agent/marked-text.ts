import { arrangeBySection, type Block } from "../../domain/blocks.ts";
import { unverified } from "../../domain/citations.ts";
import type { Citation, DraftClaim, StruckSentence } from "../../domain/report.ts";
import { type CitationFault, readCitedText } from "../../evidence/cited-text.ts";
import type { Evidence } from "../../evidence/quote-location.ts";
import type { LongWork } from "../../util/turns.ts";

interface MarkedText {
  readonly claims: readonly DraftClaim[];
  readonly citations: readonly Citation[];
  readonly blocks: readonly Block[];
  readonly struck: readonly StruckSentence[];
  readonly text: string;
}

interface TextView {
  readonly question: string;
  readonly prefixes: readonly string[];
  readonly known: readonly string[];
  readonly evidence: ReadonlyMap<string, Evidence>;
}

/** Reads a cited text and keeps sentences with invented citations as `unverified`. */
export function* readMarkedText(markdown: string, { question, prefixes, known, evidence }: TextView): LongWork<MarkedText> {
  const read = yield* readCitedText(markdown, evidence, prefixes, [question], known);
  const claims = read.claims.map((claim) => withKind(withReason(claim, read.faults), read.citations));
  return { claims, citations: read.citations, blocks: arrangeBySection(claims), struck: [], text: read.text };
}

function withReason(claim: DraftClaim, faults: readonly CitationFault[]): DraftClaim {
  const fault = claim.support === "unverified" ? faults.find(({ sentence }) => sentence === claim.text) : undefined;
  if (fault === undefined || fault.why === "figure_not_in_quote") return claim;
  return { ...claim, ...unverified(fault.why === "unknown_id" ? "unknown_source" : fault.why) };
}

function withKind(claim: DraftClaim, citations: readonly Citation[]): DraftClaim {
  const quotes = citations.filter(({ id }) => claim.citations.includes(id));
  const isQuoted = quotes.some(({ quote }) => quote.includes(claim.text.replace(/[.。]$/, "")));
  return claim.support !== "quoted" || isQuoted ? claim : { ...claim, support: "paraphrased" };
}
