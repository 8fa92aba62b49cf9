import { holdsKind } from "./answer-signs.ts";
import { isCompanyRow } from "./company-rows.ts";
import { coverage, type Evidence, type Match } from "./evidence.ts";
import { readFacets } from "./facets.ts";
import { type Sentence, textOf } from "./passages.ts";
import type { Concept, Question } from "./question.ts";
import { passageMatch } from "./scoring.ts";
import type { TitleLinks } from "./title-links.ts";

/** A passage is a sentence with its neighbours, under its headings; a title speaks for the document, less for a passage. */
const PASSAGE = { neighbour: 0.9, antecedent: 0.9, leadIn: 1, asked: 0.9, heading: 0.9, title: 0.7 };
/** A figure, a date or a name belongs to its own sentence: what the next one speaks of is seldom what it counts. */
const PASSAGE_OF_KIND = { ...PASSAGE, neighbour: 0.5 };
/** An example or a request in code names things without telling anything of them. */
const CODE = 0.5;
/** The share of the question's weight that one passage must cover, for short questions and for long ones. */
const REQUIRED = 0.55;
const REQUIRED_OF_LONG = 0.3;
/** The share of the weight that names must have where all of them are known. */
const REQUIRED_OF_NAMES = 0.4;
/** Between so many concepts the requirement falls from the one to the other. */
const SHORT = 4;
const LONG = 14;
/** How much of a full name must occur somewhere. */
const KNOWN_NAME = 0.7;
/** Below this a concept is not met, only touched. */
const MET = 0.5;
/** Of so few concepts each one matters. */
const FEW = 3;
/** What stands in more than this share of the documents, of at least so many, says nothing by itself. */
const COMMON_SHARE = 1 / 3;
const MIN_DOCUMENTS = 3;
const COMPARED = 2;
const FACETS_TOLD = 2;
/** Lighter words only frame the question. */
const TELLING_WEIGHT = 0.5;
/** Says only that several are asked about. */
const EACH = /^(?:分别|各自|respectively|each)$/iu;

export interface Judgement {
  readonly answered: boolean;
  /** The concepts that occur nowhere. */
  readonly missing: readonly Concept[];
  /** What the best passage speaks of that would be an answer if it named what is asked for; empty where there is none. */
  readonly spokenOf: readonly Concept[];
}

/**
 * Whether the sentences can answer the question at all: whether one passage speaks of most of what the question names,
 * rare things counting more, and holds something of the kind that is asked for. What is scattered over many passages
 * answers nothing, and neither do passages about everything but a person or a thing that is named in full.
 */
export function judge(question: Question, evidence: Evidence, titles: TitleLinks): Judgement {
  const { concepts } = evidence;
  const met = concepts.map(() => 0);
  const passages = evidence.sentences.map((_, index) => {
    const match = passageMatch(evidence, index, question.answerKind ? PASSAGE_OF_KIND : PASSAGE);
    match.forEach((strength, i) => {
      met[i] = Math.max(met[i] ?? 0, strength);
    });
    return match;
  });
  const bearing = findBearing(evidence, passages);
  const unknown = new Set(concepts.filter((concept, i) => isUnknown(concept, met[i] ?? 0, concepts.length)));
  const told = bearing.some((index) => holdsAnswer(question, evidence, index));
  const best = bearing[0];
  return {
    answered:
      comparesTitles(question, titles, unknown) ||
      (unknown.size === 0 &&
        (told || comparesKnownNames(evidence, met) || isToldByTables(question, evidence) || tellsFacets(question, evidence, passages))),
    missing: concepts.filter((concept, i) => unknown.has(concept) || ((met[i] ?? 0) === 0 && !EACH.test(concept.surface))),
    spokenOf: best === undefined || told || unknown.size > 0 ? [] : concepts.filter(isSpokenOf(passages[best] ?? [], question)),
  };
}

function isSpokenOf(match: Match, { property }: Question): (concept: Concept, index: number) => boolean {
  return ({ surface }, i) => surface !== property?.surface && (match[i] ?? 0) >= MET;
}

/** Whether there is no answering without this concept, which is met no better than `met` anywhere. */
function isUnknown({ fullName, weight }: Concept, met: number, concepts: number): boolean {
  return fullName ? met < KNOWN_NAME : concepts <= FEW && weight >= 1 && met < MET;
}

/** The indexes of the sentences whose passages speak of enough, best first. */
function findBearing(evidence: Evidence, passages: readonly Match[]): number[] {
  const required = requiredCoverage(evidence.concepts.length);
  const common = evidence.concepts.length <= FEW ? findCommon(evidence) : [];
  const covered = passages.map((match, index) => {
    const sentence = evidence.sentences[index];
    if (!sentence || !evidence.quotable[index] || evidence.ofAnother[index] || saysOnly(evidence.concepts, common, match)) return 0;
    return coverage(evidence.weights, match) * (sentence.kind === "code" ? CODE : 1);
  });
  const indexes = Array.from(covered.keys()).filter((index) => (covered[index] ?? 0) >= required);
  return indexes.sort((a, b) => (covered[b] ?? 0) - (covered[a] ?? 0) || a - b);
}

/** By the index of the concept: whether it stands in so many of the documents that it tells them not apart. */
function findCommon({ sentences, concepts, own }: Evidence): boolean[] {
  const documents = new Set(sentences.map(hashOf));
  return concepts.map((_, i) => {
    const holding = new Set(sentences.filter((_, index) => (own[index]?.[i] ?? 0) >= MET).map(hashOf));
    return documents.size >= MIN_DOCUMENTS && holding.size > documents.size * COMMON_SHARE;
  });
}

function hashOf({ reading }: Sentence): string {
  return reading.document.contentHash;
}

/** Whether of several things asked for a passage speaks of a common one only: of the product in its own manual. */
function saysOnly(concepts: readonly Concept[], common: readonly boolean[], match: Match): boolean {
  const telling = concepts.flatMap(({ weight }, i) => (weight >= TELLING_WEIGHT ? [i] : []));
  const met = telling.filter((i) => (match[i] ?? 0) >= MET);
  return telling.length > 1 && met.length === 1 && met.every((i) => common[i]);
}

/**
 * Whether a sentence, with what introduces it, holds something of the kind that is asked for, and speaks of what is asked
 * at all, or answers a question in the text that does; and names the property that is asked for, or a value of it.
 */
function holdsAnswer({ answerKind, property, text }: Question, { sentences, antecedents, match }: Evidence, index: number): boolean {
  const sentence = sentences[index];
  if (!sentence) return false;
  const parts = [sentence.leadIn, sentence.header, sentence].filter((part) => part !== null);
  const said = parts.map(textOf).join("\n");
  if (property && ![said, sentence.section.heading].some(property.isNamedIn)) return false;
  if (answerKind === null) return true;
  const antecedent = sentences[antecedents[index] ?? -1];
  const { headingTerms, titleTerms } = sentence.section;
  // A measure is told of what the heading names: "The tower is 90 metres tall."
  const above = property?.isMeasure ? [headingTerms, titleTerms] : [];
  const telling = [...parts, sentence.asked?.question, antecedent].flatMap((part) => (part ? [part.terms] : []));
  return [...telling, ...above].some((terms) => match(terms).some((met) => met >= MET)) && holdsKind(answerKind, said, text);
}

/** A question of many words, such as a whole task, is not met by one passage word for word. */
function requiredCoverage(concepts: number): number {
  const length = Math.min(1, Math.max(0, (concepts - SHORT) / (LONG - SHORT)));
  return REQUIRED + (REQUIRED_OF_LONG - REQUIRED) * length;
}

/**
 * Tables of companies were fetched for the names in the question. That of each company speaks of it only, so what a
 * question compares stands in several passages; nothing of it may be missing.
 */
function isToldByTables({ answerKind, property, text }: Question, { concepts, sentences, own }: Evidence): boolean {
  const tells = (sentence: Sentence): boolean =>
    isCompanyRow(sentence) &&
    (property === null || property.isNamedIn(textOf(sentence))) &&
    (answerKind === null || holdsKind(answerKind, textOf(sentence), text));
  const rows = sentences.flatMap((sentence, index) => (tells(sentence) ? [index] : []));
  const telling = concepts.flatMap(({ weight }, i) => (weight >= 1 ? [i] : []));
  return telling.length > 0 && telling.every((i) => rows.some((index) => (own[index]?.[i] ?? 0) >= KNOWN_NAME));
}

/** A list of facets is answered by several passages, each of which speaks of the one thing and of one of them; half of them have to be told. */
function tellsFacets(question: Question, { concepts, quotable }: Evidence, passages: readonly Match[]): boolean {
  const listed = question.answerKind === null && question.property === null ? readFacets(question, concepts) : null;
  if (listed === null) return false;
  const { subject, facets } = listed;
  const about = passages.filter((match, index) => quotable[index] && subject.every((i) => (match[i] ?? 0) >= MET));
  const told = facets.filter((i) => about.some((match) => (match[i] ?? 0) >= MET));
  return told.length >= FACETS_TOLD && told.length * 2 >= facets.length;
}

/** What two documents are about by their titles is told of there, in whatever words: which of both is older, what they have in common. */
function comparesTitles({ text }: Question, titles: TitleLinks, unknown: ReadonlySet<Concept>): boolean {
  const namesUnknown = [...unknown].some(({ fullName }) => fullName);
  return !namesUnknown && titles.namedIn(text).size >= COMPARED;
}

/** "Who was born first, A or B?" is answered by two passages, each about one of them, in words of their own. */
function comparesKnownNames({ concepts, weights }: Evidence, met: Match): boolean {
  const names = concepts.map(({ fullName }) => (fullName ? 1 : 0));
  const known = concepts.map(({ fullName }, i) => (fullName && (met[i] ?? 0) === 1 ? 1 : 0));
  const count = names.filter((name) => name === 1).length;
  return count >= 2 && coverage(weights, names) === coverage(weights, known) && coverage(weights, names) >= REQUIRED_OF_NAMES;
}
