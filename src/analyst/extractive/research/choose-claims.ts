import type { Findings } from "../../../domain/ports/research-analyst.ts";
import type { DraftClaim } from "../../../domain/report.ts";
import { bearOut, isOfSubject } from "./bears-out.ts";
import { mostRelevant } from "./relevance.ts";
import { type Demands, readDemands } from "./subject-terms.ts";
import { readTold } from "./told-claims.ts";

/** So many sentences for each of several questions. */
const MAX_EACH = 5;
/** Beside what answers a question alone, so much of what else was found of its subject. */
const CONTEXT = 4;

/**
 * The sentences of an answered todo that a report shows, in their order: none about something else than its question asks about, and one
 * that bears the question out wherever there is one. Of several todos at most five each; of a year nothing else than what is told of it.
 * A question alone keeps all of its own, unless it asks for a figure, a date or a name: then what tells it, and a little beside it.
 */
export function chooseClaims(question: string, findings: Findings, several: boolean): readonly DraftClaim[] {
  const demands = readDemands(question);
  const bearing = bearOut(question, findings).claims;
  if (!several) return bearing.length > 0 && isCertain(demands) ? withContext(demands, findings, bearing) : findings.claims;
  const own = ownOf(demands, findings);
  const ofTheYear = demands.years.length > 0 && bearing.length > 0;
  const chosen = mostRelevant(ofTheYear ? bearing : own.length > 0 ? own : findings.claims, demands, MAX_EACH);
  if (bearing.length === 0 || bearing.some((claim) => chosen.includes(claim))) return chosen;
  return inOrder(findings, [...chosen.slice(0, MAX_EACH - 1), ...bearing.slice(0, 1)]);
}

/** Whether it is plain what an answer has to tell, and of what. */
function isCertain({ answerKind, property, hasNames }: Demands): boolean {
  return hasNames && (answerKind !== null || property !== null);
}

function withContext(demands: Demands, findings: Findings, bearing: readonly DraftClaim[]): DraftClaim[] {
  const beside = ownOf(demands, findings).filter((claim) => !bearing.includes(claim));
  return inOrder(findings, [...bearing, ...beside.slice(0, CONTEXT)]);
}

function ownOf(demands: Demands, findings: Findings): DraftClaim[] {
  const foreign = new Set(readTold(findings).flatMap((one) => (isOfSubject(demands, one) ? [] : [one.claim])));
  return findings.claims.filter((claim) => !foreign.has(claim));
}

function inOrder({ claims }: Findings, chosen: readonly DraftClaim[]): DraftClaim[] {
  const kept = new Set(chosen);
  return claims.filter((claim) => kept.has(claim));
}
