import type { Concept, Question } from "./question.ts";

const FACET = String.raw`(?:(?:its|their|his|her|the)\s+)?\p{Ll}[\p{Ll}\-]+`;
const LIST = String.raw`${FACET}(?:,\s*${FACET}){1,8},?\s+(?:and|or)\s+${FACET}(?![\p{L}\p{N}])`;
/** Three or more of what somebody wants to know of one thing: "its habitat, diet and size", "the habitat, diet and size of the quokka". */
const LISTED = new RegExp(String.raw`(?<=(?:\b(?:its|their|his|her)|'s|s')\s+)${LIST}|(?<![\p{L}\p{N}])${LIST}(?=\s+of\s)`, "gu");
const LISTED_IN_CHINESE = /(?<=的|其)\p{sc=Han}{2,6}(?:、\p{sc=Han}{2,6}){1,8}(?:以及|[和与與及]|、)\p{sc=Han}{2,6}/gu;
const MIN_FACETS = 3;

/** What a question asks of one thing, by the indexes of its concepts; null where it is no list of facets. */
export interface Facets {
  readonly subject: readonly number[];
  readonly facets: readonly number[];
}

/** The list of facets in a question of which `concepts` are what it names. */
export function readFacets({ text }: Question, concepts: readonly Concept[]): Facets | null {
  const lists = [...text.matchAll(LISTED), ...text.matchAll(LISTED_IN_CHINESE)].map(({ 0: list }) => list);
  if (lists.length !== 1) return null;
  const isFacet = ({ surface }: Concept): boolean => lists.some((list) => list.includes(surface));
  const facets = concepts.flatMap((concept, i) => (isFacet(concept) ? [i] : []));
  const subject = concepts.flatMap((concept, i) => (isFacet(concept) ? [] : [i]));
  return facets.length >= MIN_FACETS && subject.length > 0 ? { subject, facets } : null;
}
