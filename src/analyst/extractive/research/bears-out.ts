import type { PlannedTodo } from "../../../domain/plan.ts";
import type { Findings } from "../../../domain/ports/research-analyst.ts";
import type { DraftClaim } from "../../../domain/report.ts";
import type { AnswerKind } from "../answer-kind.ts";
import { holdsKind } from "../answer-signs.ts";
import type { Concept } from "../question.ts";
import { type Demands, meets, readDemands, termsOf } from "./subject-terms.ts";

/** Of a question without names so much of the words must occur. */
const REQUIRED = 0.5;
/** What somebody did is what is asked, whatever else is told of the same thing. */
const DEED = /\bwho\s+(?:\p{Ll}+ly\s+|first\s+)?(\p{Ll}+)/iu;
/** Lighter words only frame a question. */
const TELLING_WEIGHT = 1;

/** Whether passages answer a question, and what they leave open. */
export interface Bearing {
  readonly holds: boolean;
  /** What none of them names. */
  readonly missing: readonly string[];
  /** What is asked for and none of them tells: a kind of thing, or a property as the question spells it. */
  readonly lacks: AnswerKind | null;
  readonly lacksProperty: string | null;
  /** What is asked of the subject and no passage speaks of. */
  readonly untold: readonly string[];
  readonly passages: number;
}

/** What a todo asks: a done criterion that is a question is what has to be answered, in whatever words it is looked for. */
export function questionOf({ description, doneCriteria }: Pick<PlannedTodo, "description" | "doneCriteria">): string {
  return /[?？]\s*$/u.test(doneCriteria) ? doneCriteria : description;
}

/** Whether a plan asks this a second time: its criterion is a question. */
export function isAskedAgain(todo: Pick<PlannedTodo, "description" | "doneCriteria">): boolean {
  return questionOf(todo) === todo.doneCriteria;
}

/** Whether a todo was looked for in fewer words than it asks in, so that what was found may be about less. */
export function isLoosened(todo: Pick<PlannedTodo, "description" | "doneCriteria">, rounds: number): boolean {
  return rounds > 1 || questionOf(todo) !== todo.description;
}

/**
 * Whether the claims with their quotes name the subject of the question and its years, and one of them holds what kind of thing is
 * asked for and says what is asked of the subject: neither is a timetable an owner nor a year a height. A heading speaks for the claims
 * below it.
 */
export function bearOut(question: string, { claims, citations }: Pick<Findings, "claims" | "citations">): Bearing {
  const demands = readDemands(question);
  const quotes = new Map(citations.map(({ id, quote }) => [id, quote]));
  const hashes = new Map(citations.map(({ id, contentHash }) => [id, contentHash]));
  const told = claims.filter(({ supported }) => supported).map((claim) => withQuotes(claim, quotes));
  const terms = termsOf(told.map(passageOf).join("\n"));
  const missing = [
    ...demands.subject.filter((concept) => !meets(concept, terms)).map(({ surface }) => surface),
    ...missingYears(demands, told),
  ];
  const named = demands.hasNames ? missing.length === 0 : isMostlyMet(demands, missing);
  const ofTheKind = told.filter((claim) => tellsKind(demands, claim) && isOfSubject(demands, claim, told, hashes));
  const kindHeld = ofTheKind.length > 0;
  const { answerKind, property } = demands;
  return {
    holds: named && ofTheKind.some((claim) => saysWhatIsAsked(demands, claim)),
    missing,
    lacks: kindHeld || property !== null ? null : answerKind,
    lacksProperty: kindHeld ? null : (property?.surface ?? null),
    untold: askedOf(demands).flatMap((concept) => (meets(concept, terms) ? [] : [concept.surface])),
    passages: told.length,
  };
}

/**
 * Whether the claims answer a question whose parts were asked in vain: one of them speaks of all that is named in it, and of what is
 * asked, as a comparison does.
 */
export function answersTogether(question: string, parts: readonly string[], { claims }: Pick<Findings, "claims">): boolean {
  const whole = readDemands(question);
  const each = parts.map(readDemands);
  const told = claims.filter(({ supported }) => supported);
  const speaksOfAll = (claim: DraftClaim): boolean => {
    const terms = termsOf(passageOf(claim));
    const says = each.every((part) => saysWhatIsAsked(part, claim) && comparesKind(part, claim));
    return says && [whole, ...each].every(({ subject }) => subject.every((concept) => meets(concept, terms)));
  };
  return missingYears(whole, told).length === 0 && told.some(speaksOfAll);
}

/** Whether what is quoted of the claim's document names one of the names: the guests of the mill are none of the mast's. */
function isOfSubject(
  { hasNames, subject }: Demands,
  claim: DraftClaim,
  told: readonly DraftClaim[],
  hashes: ReadonlyMap<number, string>,
): boolean {
  const documents = new Set(claim.citations.map((id) => hashes.get(id)));
  const beside = told.filter(({ citations }) => citations.some((id) => documents.has(hashes.get(id))));
  const terms = termsOf([claim, ...beside].map(passageOf).join("\n"));
  return !hasNames || subject.some((concept) => meets(concept, terms));
}

/** "Twice as deep" gives no figure; a part that asks in no words of weight asks by its kind alone. */
function comparesKind(part: Demands, claim: DraftClaim): boolean {
  if (part.property?.isMeasure) return part.property.isSpokenOf(claim.text);
  return askedOf(part).length > 0 || tellsKind(part, claim);
}

/** A sentence that a model has written says "it", and is in another language, where the words that it quotes name the subject. */
function withQuotes(claim: DraftClaim, quotes: ReadonlyMap<number, string>): DraftClaim {
  const quoted = claim.citations.flatMap((id) => quotes.get(id) ?? []).filter((quote) => !claim.text.includes(quote));
  return quoted.length === 0 ? claim : { ...claim, text: [claim.text, ...quoted].join("\n") };
}

/** Whether the claim speaks of most of what is asked of the names. */
function saysWhatIsAsked(demands: Demands, claim: DraftClaim): boolean {
  const asked = askedOf(demands);
  const terms = termsOf(passageOf(claim));
  const met = asked.filter((concept) => meets(concept, terms)).length;
  const deed = DEED.exec(demands.text)?.[1];
  if (asked.some((concept) => concept.surface === deed && !meets(concept, terms))) return false;
  // Without names the subject is among them, which alone is not enough.
  return demands.hasNames ? met >= asked.length * REQUIRED : met > asked.length * REQUIRED;
}

function askedOf({ concepts, subject, hasNames }: Demands): Concept[] {
  return concepts.filter((concept) => concept.weight >= TELLING_WEIGHT && !(hasNames && subject.includes(concept)));
}

function missingYears({ years }: Demands, told: readonly DraftClaim[]): string[] {
  return years.filter((year) => !told.some((claim) => passageOf(claim).includes(year)));
}

function isMostlyMet({ subject, years }: Demands, missing: readonly string[]): boolean {
  return years.every((year) => !missing.includes(year)) && missing.length <= subject.length * (1 - REQUIRED);
}

/** Whether a claim tells something of the kind that is asked for, of something that is asked about. */
export function tellsKind({ answerKind, property, text, concepts }: Demands, claim: DraftClaim): boolean {
  if (property && !property.isNamedIn(property.isMeasure ? claim.text : passageOf(claim))) return false;
  // A measure is told of something.
  const touched = (answerKind === null && !property?.isMeasure) || concepts.length === 0 || touches(concepts, claim);
  return touched && (answerKind === null || holdsKind(answerKind, claim.text, text));
}

/** Whether a claim, or the heading above it, speaks of one of the concepts. */
function touches(concepts: readonly Concept[], claim: DraftClaim): boolean {
  const terms = termsOf(passageOf(claim));
  return concepts.some((concept) => meets(concept, terms));
}

function passageOf({ section, text }: DraftClaim): string {
  return `${section}\n${text}`;
}
