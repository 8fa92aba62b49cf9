import { figuresIn } from "../../domain/companies/figures.ts";
import { type Candidate, COMFORTABLE_LENGTH, MAX_QUOTES, type Quote } from "./choose-quotes.ts";
import type { Evidence } from "./match.ts";
import type { Question } from "./question.ts";
import { type Sentence, textOf } from "./sentences.ts";

const COMPANY_KINDS: ReadonlySet<string> = new Set(["market", "filing"]);

/**
 * Rows, each of which is one figure or fact of one company: those of the asked figure alone, the closest first; without such rows all of
 * them, in their order and several to a quote. The documents take turns. Empty where no tool was asked. `areAsked`: whether they are of the
 * asked figure, so that nothing else has to be quoted.
 */
export function chooseCompanyRows(question: Question, { sentences: all, closeness }: Evidence): { quotes: Quote[]; areAsked: boolean } {
  const asked = new Set(figuresIn(question.text).map(({ name }) => name));
  const rows = all.flatMap((sentence, index): Candidate[] =>
    isCompanyRow(sentence) ? [{ index, sentence, score: closeness[index] ?? 0 }] : [],
  );
  const ofDocuments = Map.groupBy(rows, ({ sentence }) => sentence.section.reading.document.contentHash);
  const documents = [...ofDocuments.values()];
  const tellsAsked = ({ sentence }: Candidate): boolean => figuresIn(textOf(sentence)).some(({ name }) => asked.has(name));
  const ofFigure = documents.map((own) => own.filter(tellsAsked).sort((a, b) => b.score - a.score)).filter(({ length }) => length > 0);
  const lists = ofFigure.length > 0 ? ofFigure.map((own) => own.map(({ sentence }) => [sentence])) : documents.map(groupRows);
  const quotes = takeTurns(lists)
    .slice(0, MAX_QUOTES)
    .map((sentences) => ({ sentences, above: sentences[0]?.above ?? [] }));
  return { quotes, areAsked: ofFigure.length > 0 };
}

/** Whether a sentence is of what a tool brought about a company. */
export function isOfCompany({ section }: Sentence): boolean {
  return COMPANY_KINDS.has(section.reading.hit.kind);
}

/** Whether it is a figure or a fact by itself, not prose of a filing. */
export function isCompanyRow(sentence: Sentence): boolean {
  return isOfCompany(sentence) && (sentence.kind === "list-item" || sentence.kind === "table-row");
}

/** Neighboring rows together, as long as they are short. */
function groupRows(rows: readonly Candidate[]): Sentence[][] {
  const groups: Sentence[][] = [];
  for (const { sentence: row } of rows) {
    const group = groups.at(-1);
    if (group?.[0]?.section === row.section && row.end - group[0].start <= COMFORTABLE_LENGTH) group.push(row);
    else groups.push([row]);
  }
  return groups;
}

/** The first of each list, then the second of each, and so on. */
function takeTurns<T>(lists: readonly (readonly T[])[]): T[] {
  const placed = lists.flatMap((list) => list.map((item, place) => ({ item, place })));
  return placed.sort((a, b) => a.place - b.place).map(({ item }) => item);
}
