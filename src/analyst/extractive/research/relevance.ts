import type { DraftClaim } from "../../../domain/report.ts";
import { tellsKind } from "./bears-out.ts";
import { type Demands, meets, termsOf } from "./subject-terms.ts";
import { asTold } from "./told-claims.ts";

/** Lighter words only frame a question. */
const TELLING_WEIGHT = 0.5;
/** What a heading names counts less than what the sentence says. */
const BY_HEADING = 0.8;
const OF_THE_KIND = 0.5;
/** Beside a figure of the very measure that is asked for, what else is said of its subject is no answer. */
const OF_THE_MEASURE = 1;
/** Of the best claim's score; what has less speaks of the subject, but not of what is asked. */
const FLOOR = 0.75;

/** How much of what a question names a claim speaks of, and whether it tells what kind of thing is asked for. */
export function relevanceOf(claim: DraftClaim, demands: Demands): number {
  const said = termsOf(claim.text);
  const above = termsOf(claim.section);
  const met = demands.concepts
    .filter(({ weight }) => weight >= TELLING_WEIGHT)
    .reduce((sum, concept) => sum + concept.weight * (meets(concept, said) ? 1 : meets(concept, above) ? BY_HEADING : 0), 0);
  if ((demands.answerKind === null && demands.property === null) || !tellsKind(demands, asTold(claim))) return met;
  return met + (demands.property?.isMeasure ? OF_THE_MEASURE : OF_THE_KIND);
}

/** The claims that speak of what is asked, at most so many, the best ones, in their order; never none of some. */
export function mostRelevant(claims: readonly DraftClaim[], demands: Demands, limit: number): DraftClaim[] {
  const scored = claims.map((claim, index) => ({ claim, index, score: relevanceOf(claim, demands) }));
  const best = scored.reduce((most, { score }) => Math.max(most, score), 0);
  const ranked = scored.filter(({ score }) => score >= best * FLOOR).sort((a, b) => b.score - a.score || a.index - b.index);
  return ranked
    .slice(0, limit)
    .sort((a, b) => a.index - b.index)
    .map(({ claim }) => claim);
}
