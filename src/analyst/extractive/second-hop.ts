import { STOP_TERMS, UNSPACED_STOP_WORDS } from "../../ranking/stop-words.ts";
import { tokenise } from "../../ranking/tokenise.ts";
import type { Evidence } from "./evidence.ts";
import { textOf } from "./passages.ts";
import type { Scored } from "./scoring.ts";

/** More sentences name more, but what the fourth names leads astray more often than on (measured on HotpotQA). */
const SEEDS = 3;
const MAX_TERMS = 40;
/** Terms in a larger share of the sentences lead nowhere in particular. */
const MAX_SHARE = 0.05;
/** In a short text even a telling name takes up a large share. */
const MAX_FREQUENCY = 3;
/** The most that a second hop adds, where a full match of the question is 1. */
const WEIGHT = 0.2;
/** Names, identifiers, quoted words, figures with their units. */
const ENTITY =
  /\p{Lu}[\p{L}\p{N}]*(?:[-'. ]\p{Lu}[\p{L}\p{N}]*)*|[\p{L}\p{N}]+(?:_[\p{L}\p{N}]+)+|["“「『《]([^"”」』》]{2,60})["”」』》]|\p{N}[\p{N}.,]*\s?(?:%|[kKMG]?B|ms|GHz|km|kg|年|月|亿|万)?/gu;
const words = new Intl.Segmenter("zh", { granularity: "word" });

/**
 * Adds to each score what it owes to a second hop: names, identifiers, quoted words, figures and rare Chinese words of
 * the best sentences widen the question, with a lower weight, so that a sentence that speaks of what the first ones
 * mention is found although the question does not name it.
 */
export function addSecondHop(evidence: Evidence, scored: readonly Scored[]): Scored[] {
  const bridges = findBridges(evidence, scored);
  if (bridges.size === 0) return [...scored];
  const reach = scored.map(({ sentence, index }) => hop(bridges, sentence.terms, index) + hop(bridges, sentence.section.titleTerms, index));
  // Math.max over so many arguments could overflow the stack.
  const most = reach.reduce((highest, value) => Math.max(highest, value), 0);
  return scored.map((entry, i) => ({ ...entry, score: entry.score + (most > 0 ? (WEIGHT * (reach[i] ?? 0)) / most : 0) }));
}

/** A term that leads on; `only` is the one sentence that named it, or null where several did. */
interface Bridge {
  readonly weight: number;
  readonly only: number | null;
}

/** What a sentence reaches by the terms that others named: its own names must not speak for it. */
function hop(bridges: ReadonlyMap<string, Bridge>, terms: readonly string[], index: number): number {
  let sum = 0;
  for (const term of new Set(terms)) {
    const bridge = bridges.get(term);
    if (bridge && bridge.only !== index) sum += bridge.weight;
  }
  return sum;
}

function findBridges(evidence: Evidence, scored: readonly Scored[]): Map<string, Bridge> {
  const asked = new Set(evidence.concepts.flatMap(({ whole, parts }) => (whole ? [whole, ...parts] : parts)));
  const limit = Math.max(MAX_FREQUENCY, scored.length * MAX_SHARE);
  const bridges = new Map<string, Bridge>();
  for (const seed of best(scored)) {
    for (const term of new Set(entityTerms(textOf(seed.sentence)))) {
      const frequency = evidence.frequency(term);
      if (asked.has(term) || STOP_TERMS.has(term) || frequency > limit) continue;
      const known = bridges.get(term);
      const weight = Math.max(known?.weight ?? 0, seed.score / Math.log2(2 + frequency));
      bridges.set(term, { weight, only: known ? null : seed.index });
    }
  }
  return new Map([...bridges].sort(([, a], [, b]) => b.weight - a.weight).slice(0, MAX_TERMS));
}

function best(scored: readonly Scored[]): Scored[] {
  const sorted = scored.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score || a.index - b.index);
  return sorted.slice(0, SEEDS);
}

/** The terms of what `text` names. */
function entityTerms(text: string): string[] {
  const named = Array.from(text.matchAll(ENTITY), (match) => match[1] ?? match[0]);
  const unspaced = Array.from(words.segment(text), ({ segment }) => segment).filter(
    (word) => word.length > 1 && /^\p{sc=Han}/u.test(word) && !UNSPACED_STOP_WORDS.has(word),
  );
  return [...named, ...unspaced].flatMap(tokenise).filter((term) => term.length > 1);
}
