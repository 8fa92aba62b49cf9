import type { Reading } from "../../domain/ports/analyst.ts";
import { detectLanguage } from "../../ranking/language.ts";
import { holdsKind } from "./answer-signs.ts";
import { coverage, type Evidence, either, type Match, NOTHING } from "./evidence.ts";
import { type Sentence, textOf } from "./passages.ts";
import type { Question } from "./question.ts";

/** A sentence and how much it bears on the question, 0 to a little above 1. */
export interface Scored {
  readonly index: number;
  readonly sentence: Sentence;
  readonly score: number;
  /** Whether its document is one that the question, or one of the best sentences, names by its title. */
  readonly linked?: boolean;
}

/** What a word counts that stands not in the sentence but above or beside it. */
const HEADING = 0.55;
const TITLE = 0.65;
const LEAD_IN = 0.65;
/** An answer seldom repeats the question before it, and is worth more than what only speaks of the same. */
const ASKED = 0.8;
/** An item's part of the score of the sentence before its list. */
const INHERITED = 0.75;
const NEIGHBOUR = 0.3;
/** What is named in the sentence that a pronoun refers to is nearly said. */
const ANTECEDENT = 0.6;
/** A line of code is rarely a good answer. */
const CODE = 0.4;
/** What may tip the scales between sentences that speak of the same things. */
const PROXIMITY_BONUS = 0.04;
const KIND_BONUS = 0.08;
/** A figure of the very measure that is asked for is the answer, if anything is. */
const MEASURE_BONUS = 0.3;
const DEFINITION_BONUS = 0.15;
const OPENING_BONUS = 0.05;
const OPENING_TERMS = 6;
const IS_SOMETHING = /^.{1,80}?(?:\b(?:is|are|was|were|means)\s+(?:an?|the|one|any)\b|是|指|とは)/u;
/** What a sentence in another script than the question's counts: enough to be found where there is nothing else. */
const OTHER_LANGUAGE = 0.5;
/** Longer sentences meet more words by chance, and are harder to read. */
const COMFORTABLE_TERMS = 45;

/** Scores every sentence for the question; sentences that nothing connects to it score 0. In their own order. */
export function scoreSentences(question: Question, evidence: Evidence): Scored[] {
  const isForeign = foreignTo(question.text);
  return evidence.sentences.map((sentence, index) => {
    const score = scoreOne(question, evidence, index);
    return { index, sentence, score: score > 0 && isForeign(sentence.reading) ? score * OTHER_LANGUAGE : score };
  });
}

/** Gives the items of a list, or of a table, a good part of the score of the sentence that introduces them. */
export function inheritFromLeadIns(scored: readonly Scored[]): Scored[] {
  const scores = new Map(scored.map(({ sentence, score }) => [sentence, score]));
  return scored.map((entry) => {
    const leadIn = entry.sentence.leadIn;
    return leadIn ? { ...entry, score: Math.max(entry.score, INHERITED * (scores.get(leadIn) ?? 0)) } : entry;
  });
}

/** What a sentence says together with its neighbours of the same section, its lead-in, headings and title. */
export function passageMatch(
  evidence: Evidence,
  index: number,
  factors: { neighbour: number; antecedent: number; leadIn: number; asked: number; heading: number; title: number },
): Match {
  let match = evidence.own[index] ?? NOTHING;
  for (const beside of [index - 1, index + 1]) {
    const neighbour = evidence.sentences[beside];
    // What cannot be quoted must not carry what is quoted instead of it.
    if (!evidence.quotable[beside]) continue;
    if (neighbour?.section === evidence.sentences[index]?.section && neighbour?.kind !== "code") {
      match = either(match, evidence.own[beside] ?? NOTHING, factors.neighbour);
    }
  }
  const antecedent = evidence.antecedents[index] ?? null;
  if (antecedent !== null) match = either(match, evidence.own[antecedent] ?? NOTHING, factors.antecedent);
  match = either(match, leadInMatch(evidence, index), factors.leadIn);
  const asked = evidence.sentences[index]?.asked;
  if (asked) match = either(match, evidence.match(asked.question.terms), factors.asked * asked.closeness);
  const { headingTerms = [], titleTerms = [] } = evidence.sentences[index]?.section ?? {};
  match = either(match, evidence.match(headingTerms), factors.heading);
  return either(match, evidence.match(titleTerms), factors.title);
}

/** What introduces an item: the sentence before its list, the header of its table. */
function leadInMatch(evidence: Evidence, index: number): Match {
  const sentence = evidence.sentences[index];
  const leadIn = sentence?.leadIn ? evidence.match(sentence.leadIn.terms) : NOTHING;
  return sentence?.header ? either(leadIn, evidence.match(sentence.header.terms), 1) : leadIn;
}

/** Whether a document is written in another script than the question; each document is looked at once. */
function foreignTo(question: string): (reading: Reading) => boolean {
  const language = detectLanguage(question);
  const known = new Map<Reading, boolean>();
  return (reading) => {
    const foreign = known.get(reading) ?? detectLanguage(reading.document.text) !== language;
    known.set(reading, foreign);
    return foreign;
  };
}

function scoreOne(question: Question, evidence: Evidence, index: number): number {
  const sentence = evidence.sentences[index];
  const own = evidence.own[index] ?? NOTHING;
  if (!sentence || evidence.ofAnother[index] || (own === NOTHING && !mayLiveOnContext(question, evidence, index))) return 0;
  const match = passageMatch(evidence, index, {
    neighbour: NEIGHBOUR,
    antecedent: ANTECEDENT,
    leadIn: LEAD_IN,
    asked: ASKED,
    heading: HEADING,
    title: TITLE,
  });
  let score = coverage(evidence.rankWeights, match);
  if (score === 0) return 0;
  score += PROXIMITY_BONUS * proximity(evidence, index);
  if (question.answerKind && holdsKind(question.answerKind, textOf(sentence), question.text)) score += KIND_BONUS;
  if (question.property?.isNamedIn(textOf(sentence))) score += question.property.isMeasure ? MEASURE_BONUS : KIND_BONUS;
  if (question.asksForDefinition && defines(evidence, index)) score += DEFINITION_BONUS;
  if (opens(evidence, index)) score += OPENING_BONUS;
  if (sentence.kind === "code") score *= CODE;
  return score / (1 + Math.max(0, sentence.terms.length - COMFORTABLE_TERMS) / 150);
}

/** Whether a sentence begins with what the question asks for and goes on to say what it is. */
function defines(evidence: Evidence, index: number): boolean {
  const sentence = evidence.sentences[index];
  const opening = evidence.match(sentence?.terms.slice(0, OPENING_TERMS) ?? []);
  return opening !== NOTHING && sentence !== undefined && IS_SOMETHING.test(textOf(sentence));
}

/** Items and rows are understood from what stands above them, and so are the first sentence under a heading and the answer to a question. */
function mayLiveOnContext({ answerKind, property, text }: Question, evidence: Evidence, index: number): boolean {
  const sentence = evidence.sentences[index];
  if (sentence?.kind === "list-item" || sentence?.kind === "table-row" || sentence?.asked) return true;
  // "The tower is 90 metres tall.", under the name of what it is the tower of.
  if (sentence && property?.isMeasure && property.isNamedIn(textOf(sentence))) return true;
  // "It was built in 1931."
  const refersBack = (evidence.antecedents[index] ?? null) !== null;
  if (sentence && refersBack && answerKind && holdsKind(answerKind, textOf(sentence), text)) return true;
  return opens(evidence, index);
}

/** Whether a sentence is the first under its heading, or of its document. */
function opens(evidence: Evidence, index: number): boolean {
  return evidence.sentences[index - 1]?.section !== evidence.sentences[index]?.section;
}

/** The share of neighbouring concepts of the question that stand close together here, too. */
function proximity({ concepts, own, sentences }: Evidence, index: number): number {
  const match = own[index] ?? NOTHING;
  if (match === NOTHING || concepts.length < 2) return 0;
  const terms = sentences[index]?.terms ?? [];
  let close = 0;
  for (let i = 1; i < concepts.length; i++) {
    if ((match[i] ?? 0) < 0.5 || (match[i - 1] ?? 0) < 0.5) continue;
    const before = concepts[i - 1]?.parts.at(-1);
    const after = concepts[i]?.parts[0];
    const at = terms.findIndex((term, t) => term === before && terms.slice(t + 1, t + 5).some((next) => next === after));
    if (at >= 0) close++;
  }
  return close / (concepts.length - 1);
}
