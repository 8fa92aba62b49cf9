import type { PlannedTodo } from "../../../domain/plan.ts";
import type { Findings } from "../../../domain/ports/research-analyst.ts";
import type { DraftClaim } from "../../../domain/report.ts";
import type { AnswerKind } from "../answer-kind.ts";
import { holdsKind } from "../answer-signs.ts";
import type { Concept } from "../question.ts";
import { namesNumber, namesSibling } from "./siblings.ts";
import { type Demands, meets, readDemands, termsOf } from "./subject-terms.ts";
import { readTold, type ToldClaim } from "./told-claims.ts";

/** Of a question without names so much of the words must occur. */
const REQUIRED = 0.5;
/** What somebody did is what is asked, whatever else is told of the same thing. */
const DEED = /\bwho\s+(?:\p{Ll}+ly\s+|first\s+)?(\p{Ll}+)|(毕业|就读|留学|出生|去世|病逝|退休|入伍|辞职)/iu;
/** Who leads is a person, or a body, with a name; "runs" and "heads" are said of much else. */
const LEADING = /^\s*who\s+(?:\p{Ll}+ly\s+|now\s+)?(?:runs?|ran|leads?|led|heads?|headed|chairs?|chaired)\b/iu;
/** Lighter words only frame a question. */
const TELLING_WEIGHT = 1;

/** Whether passages answer a question, and what they leave open. */
export interface Bearing {
  readonly holds: boolean;
  /** Those that do. */
  readonly claims: readonly DraftClaim[];
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

/** Whether a todo was asked once, as the user's whole question in the user's words, so that nothing was found for anything less. */
export function isAskedOnce(todo: Pick<PlannedTodo, "description" | "doneCriteria">, question: string, rounds: number): boolean {
  return rounds === 1 && todo.description === question.trim() && !isAskedAgain(todo);
}

/**
 * Whether claims with their quotes bear a question out: one of them is about its subject, by its words, its heading, the title of its
 * document or the sentence that it refers to; holds what kind of thing is asked for; says what is asked of the subject; and names the
 * year: neither is a timetable an owner nor a year a height, nor are the ships ordered in a year the revenue of that year.
 */
export function bearOut(question: string, findings: Pick<Findings, "claims" | "citations" | "titles">): Bearing {
  const demands = readDemands(question);
  const told = readTold(findings);
  const terms = termsOf(told.map(({ passage }) => passage).join("\n"));
  const unnamed = demands.subject.filter((concept) => !meets(concept, terms)).map(({ surface }) => surface);
  const years = demands.years.filter((year) => !told.some(({ passage }) => passage.includes(year)));
  const missing = [...unnamed, ...years];
  const named = demands.hasNames ? missing.length === 0 : isMostlyMet(demands, missing);
  const ofTheKind = told.filter((one) => tellsKind(demands, one) && isOfSubject(demands, one));
  const bearing = ofTheKind.filter((one) => saysWhatIsAsked(demands, one));
  const eachYear = demands.years.every((year) => bearing.some(({ passage }) => passage.includes(year)));
  const ofTheYear = bearing.filter(({ passage }) => demands.years.length === 0 || demands.years.some((year) => passage.includes(year)));
  const kindHeld = ofTheKind.length > 0;
  const { answerKind, property } = demands;
  return {
    holds: named && eachYear && bearing.length > 0,
    claims: ofTheYear.map(({ claim }) => claim),
    missing,
    lacks: kindHeld || property !== null ? null : answerKind,
    lacksProperty: kindHeld ? null : (property?.surface ?? null),
    untold: askedOf(demands).flatMap((concept) =>
      meets(concept, terms) || /^\p{sc=Han}$/u.test(concept.surface) ? [] : [concept.surface],
    ),
    passages: told.length,
  };
}

/**
 * Whether the claims answer a question whose parts were asked in vain: one of them speaks of all that is named in it, and of what is
 * asked, as a comparison does.
 */
export function answersTogether(question: string, parts: readonly string[], findings: Pick<Findings, "claims" | "citations">): boolean {
  const whole = readDemands(question);
  const each = parts.map(readDemands);
  const told = readTold(findings);
  const speaksOfAll = (one: ToldClaim): boolean => {
    const terms = termsOf(one.passage);
    const says = each.every((part) => saysWhatIsAsked(part, one) && comparesKind(part, one));
    return says && [whole, ...each].every(({ subject }) => subject.every((concept) => meets(concept, terms)));
  };
  return whole.years.every((year) => told.some(({ passage }) => passage.includes(year))) && told.some(speaksOfAll);
}

/** Whether a claim is about one of the names, and about no other of its kind: the guests of the mill are none of the mast's. */
export function isOfSubject({ text: question, hasNames, subject }: Demands, { about, text, passage }: ToldClaim): boolean {
  if (namesSibling(question, text, passage)) return false;
  const terms = termsOf(about);
  return (!hasNames || subject.some((concept) => meets(concept, terms))) && namesNumber(question, about);
}

/** "Twice as deep" gives no figure; a part that asks in no words of weight asks by its kind alone. */
function comparesKind(part: Demands, told: ToldClaim): boolean {
  if (part.property?.isMeasure) return part.property.isSpokenOf(told.claim.text);
  return askedOf(part).length > 0 || tellsKind(part, told);
}

/** Whether the claim speaks of most of what is asked of the names. */
function saysWhatIsAsked(demands: Demands, { relation }: ToldClaim): boolean {
  const asked = askedOf(demands);
  const terms = termsOf(relation);
  const met = asked.filter((concept) => meets(concept, terms)).length;
  const deed = DEED.exec(demands.text)
    ?.slice(1)
    .find((word) => word !== undefined);
  if (asked.some((concept) => concept.surface === deed && !meets(concept, terms))) return false;
  // Without names the subject is among them, which alone is not enough.
  return demands.hasNames ? met >= asked.length * REQUIRED : met > asked.length * REQUIRED;
}

/**
 * The year is no part of it: that something was bought in it tells nothing else of it. Neither is a character that is left of a name,
 * beside words.
 */
function askedOf({ concepts, subject, hasNames, years }: Demands): Concept[] {
  const isTelling = ({ surface, weight }: Concept): boolean => weight >= TELLING_WEIGHT && !years.includes(surface);
  const asked = concepts.filter((concept) => isTelling(concept) && !(hasNames && subject.includes(concept)));
  const words = asked.filter(({ surface }) => !/^\p{sc=Han}$/u.test(surface));
  return words.length > 0 ? words : asked;
}

function isMostlyMet({ subject, years }: Demands, missing: readonly string[]): boolean {
  return years.every((year) => !missing.includes(year)) && missing.length <= subject.length * (1 - REQUIRED);
}

/** Whether a claim tells something of the kind that is asked for, of something that is asked about. */
export function tellsKind({ answerKind, property, text: question, concepts }: Demands, { text, passage, relation }: ToldClaim): boolean {
  if (property && !property.isNamedIn(property.isMeasure ? text : passage)) return false;
  const terms = termsOf(relation);
  // A measure is told of something.
  const touched = (answerKind === null && !property?.isMeasure) || concepts.length === 0 || concepts.some((one) => meets(one, terms));
  if (LEADING.test(question) && !holdsKind("person", text, question)) return false;
  return touched && (answerKind === null || holdsKind(answerKind, text, question));
}
