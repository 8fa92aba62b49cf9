import type { Findings } from "../../../domain/ports/research-analyst.ts";
import type { DraftClaim } from "../../../domain/report.ts";
import { bearOut, isOfSubject } from "./bears-out.ts";
import { mostRelevant } from "./relevance.ts";
import { namesIn } from "./siblings.ts";
import { type Demands, readDemands } from "./subject-terms.ts";
import { readTold } from "./told-claims.ts";

/** So many sentences for each of several questions. */
const MAX_EACH = 5;
/** Beside what answers a question alone, so much of what else was found of its subject. */
const CONTEXT = 3;

/**
 * The sentences of an answered todo that a report shows, in their order, one of which bears the question out wherever there is one. Of
 * several todos at most five each, none about something else than its question asks about; of a year nothing else than what is told of
 * it. A question alone keeps all that is about what it names, and what leads on from there by another name; where it asks for a figure,
 * a date or a name, what tells it, and a little beside it.
 */
export function chooseClaims(question: string, findings: Findings, several: boolean): readonly DraftClaim[] {
  const demands = readDemands(question);
  const bearing = bearOut(question, findings).claims;
  if (!several) return bearing.length > 0 && demands.hasNames ? withContext(demands, findings, bearing) : findings.claims;
  const { own } = sortOut(demands, findings);
  const ofTheYear = demands.years.length > 0 && bearing.length > 0;
  const chosen = mostRelevant(ofTheYear ? bearing : own.length > 0 ? own : findings.claims, demands, MAX_EACH);
  if (bearing.length === 0 || bearing.some((claim) => chosen.includes(claim))) return chosen;
  return inOrder(findings, [...chosen.slice(0, MAX_EACH - 1), ...bearing.slice(0, 1)]);
}

function withContext(demands: Demands, findings: Findings, bearing: readonly DraftClaim[]): DraftClaim[] {
  const { own, linked } = sortOut(demands, findings);
  const isCertain = demands.answerKind !== null || demands.property !== null;
  const beside = own.filter((claim) => !bearing.includes(claim)).slice(0, isCertain ? CONTEXT : undefined);
  return inOrder(findings, [...bearing, ...beside, ...linked]);
}

/** What is about the question's own subject, and what else names somebody or something that is named there. */
function sortOut(demands: Demands, findings: Findings): { readonly own: DraftClaim[]; readonly linked: DraftClaim[] } {
  const told = readTold(findings);
  const foreign = told.filter((one) => !isOfSubject(demands, one));
  const own = findings.claims.filter((claim) => !foreign.some((one) => one.claim === claim));
  const known = new Set(own.flatMap(({ text }) => namesIn(text)).filter((name) => !demands.text.includes(name)));
  const linked = foreign.filter(({ passage }) => [...known].some((name) => passage.includes(name)));
  return { own, linked: linked.map(({ claim }) => claim) };
}

function inOrder({ claims }: Findings, chosen: readonly DraftClaim[]): DraftClaim[] {
  const kept = new Set(chosen);
  return claims.filter((claim) => kept.has(claim));
}
