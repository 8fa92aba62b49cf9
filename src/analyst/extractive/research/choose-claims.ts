import type { Findings } from "../../../domain/ports/research-analyst.ts";
import type { DraftClaim } from "../../../domain/report.ts";
import { bearOut, isOfSubject } from "./bears-out.ts";
import { mostRelevant } from "./relevance.ts";
import { readDemands } from "./subject-terms.ts";
import { readTold } from "./told-claims.ts";

/** So many sentences for each of several questions. */
const MAX_EACH = 5;

/**
 * The sentences of a todo that a report shows, in their order. Of several todos at most five, none of them about something else than its
 * question asks about, and one that bears the question out wherever there is one. A question alone keeps all of its own.
 */
export function chooseClaims(question: string, findings: Findings, several: boolean): readonly DraftClaim[] {
  if (!several) return findings.claims;
  const demands = readDemands(question);
  const told = readTold(findings);
  const foreign = new Set(told.filter((one) => !isOfSubject(demands, one)).map(({ claim }) => claim));
  const own = findings.claims.filter((claim) => !foreign.has(claim));
  const chosen = mostRelevant(own.length > 0 ? own : findings.claims, demands, MAX_EACH);
  const bearing = bearOut(question, findings).claims;
  if (bearing.length === 0 || bearing.some((claim) => chosen.includes(claim))) return chosen;
  const added = new Set([...chosen.slice(0, MAX_EACH - 1), ...bearing.slice(0, 1)]);
  return findings.claims.filter((claim) => added.has(claim));
}
