import type { Sentence } from "./passages.ts";
import type { Concept } from "./question.ts";

const COMPOUND = /^\p{sc=Han}{4,}$/u;
const MIN_HALF = 2;

/**
 * The concepts, of which a Chinese compound that stands nowhere as a whole is two where one document speaks of both halves: 地铁票价
 * in a text about the 地铁 that names its 票价. Halves that stand in different documents only are no sign of a compound.
 */
export function splitCompounds(concepts: readonly Concept[], sentences: readonly Sentence[]): Concept[] {
  if (!concepts.some(({ surface }) => COMPOUND.test(surface))) return [...concepts];
  const vocabularies = collectVocabularies(sentences);
  return concepts.flatMap((concept) => {
    const at = COMPOUND.test(concept.surface) ? findJoint(concept.parts, vocabularies) : -1;
    if (at < 0) return [concept];
    const characters = Array.from(concept.surface);
    const half = (from: number, to: number): Concept => ({
      ...concept,
      surface: characters.slice(from, to).join(""),
      parts: concept.parts.slice(from, to - 1),
      weight: Math.min(concept.weight, 1),
    });
    return [half(0, at), half(at, characters.length)];
  });
}

/** The terms of each document, its title and its headings included. */
function collectVocabularies(sentences: readonly Sentence[]): ReadonlySet<string>[] {
  const vocabularies = new Map<string, Set<string>>();
  const sections = new Set<Sentence["section"]>();
  for (const { reading, section, terms } of sentences) {
    const vocabulary = vocabularies.get(reading.document.contentHash) ?? new Set(section.titleTerms);
    vocabularies.set(reading.document.contentHash, vocabulary);
    for (const term of terms) vocabulary.add(term);
    if (sections.has(section)) continue;
    sections.add(section);
    for (const term of section.headingTerms) vocabulary.add(term);
  }
  return [...vocabularies.values()];
}

/** Where the second half begins, or -1: at the only pair of characters that stands in no document. */
function findJoint(pairs: readonly string[], vocabularies: readonly ReadonlySet<string>[]): number {
  const joints = pairs.flatMap((pair, i) => (vocabularies.some((vocabulary) => vocabulary.has(pair)) ? [] : [i + 1]));
  const [at = -1] = joints;
  const isJoint = joints.length === 1 && at >= MIN_HALF && at <= pairs.length + 1 - MIN_HALF;
  const together = vocabularies.some((vocabulary) => pairs.every((pair, i) => i + 1 === at || vocabulary.has(pair)));
  return isJoint && together ? at : -1;
}
