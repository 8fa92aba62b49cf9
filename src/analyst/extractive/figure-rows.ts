import { figuresIn } from "../../domain/companies/figures.ts";
import { isCompanyRow } from "./company-rows.ts";
import type { Evidence } from "./evidence.ts";
import { textOf } from "./passages.ts";
import type { Question } from "./question.ts";
import type { Scored } from "./scoring.ts";

const MET = 0.7;
/** Of the best row's score; enough for a place in the report. */
const OF_THE_YEARS_BETWEEN = 0.7;
const YEAR = /(?<!\d)(?:19|20)\d\d(?!\d)/g;

/**
 * Where a question asks for figures of companies and there are rows that tell them: without the rows of other figures,
 * which are worded alike, so that the profit of the year that is asked for looks like its revenue; and where it names a
 * first and a last year, with the years between.
 */
export function preferAskedFigures(question: Question, evidence: Evidence, scored: readonly Scored[]): Scored[] {
  const asked = new Set(namesOf(question.text));
  const rows = asked.size === 0 ? [] : scored.filter(({ score, sentence }) => score > 0 && isCompanyRow(sentence));
  const names = new Map(rows.map((row) => [row, namesOf(textOf(row.sentence))]));
  const told = new Set(rows.filter((row) => names.get(row)?.some((name) => asked.has(name))));
  if (told.size === 0) return [...scored];
  const addsSomething = createComparison(evidence, [...told]);
  const isWanted = (row: Scored): boolean => told.has(row) || (names.get(row)?.length === 0 && addsSomething(row));
  const least = new Set(question.text.match(YEAR)).size < 2 ? 0 : OF_THE_YEARS_BETWEEN * Math.max(...[...told].map(({ score }) => score));
  return scored
    .filter((row) => !names.has(row) || isWanted(row))
    .map((row) => (told.has(row) ? { ...row, score: Math.max(row.score, least) } : row));
}

/** Whether a row stands in another table than `told`, or speaks of something that is asked for and that they do not tell. */
function createComparison({ concepts, own }: Evidence, told: readonly Scored[]): (row: Scored) => boolean {
  const meets = (row: Scored, concept: number): boolean => (own[row.index]?.[concept] ?? 0) >= MET;
  const open = Array.from(concepts.keys()).filter((concept) => !told.some((row) => meets(row, concept)));
  const tables = new Set(told.map(hashOf));
  return (row) => !tables.has(hashOf(row)) || open.some((concept) => meets(row, concept));
}

function hashOf({ sentence }: Scored): string {
  return sentence.reading.document.contentHash;
}

function namesOf(text: string): string[] {
  return figuresIn(text).map(({ name }) => name);
}
