import type { AnswerQuestion, Matcher } from "./questions.ts";

/** A quote in a report. `document` is the id of its document. */
export interface ShownQuote {
  readonly document: string;
  readonly quote: string;
}

export type Grade = "right on top" | "partly" | "wrong" | "wrongly refused" | "wrongly answered" | "rightly refused";

/**
 * Grades an answer. It is `right on top` if the first quote matches and every matcher has a matching quote, and `partly` if any quote
 * matches. `shown` has the quotes in the order of the report; it is empty if the run gave no answer.
 */
export function gradeAnswer({ expect }: Pick<AnswerQuestion, "expect">, shown: readonly ShownQuote[]): Grade {
  if (expect.length === 0) return shown.length === 0 ? "rightly refused" : "wrongly answered";
  if (shown.length === 0) return "wrongly refused";
  const [first] = shown;
  const onTop = first !== undefined && expect.some((matcher) => matches(matcher, first));
  if (onTop && expect.every((matcher) => shown.some((one) => matches(matcher, one)))) return "right on top";
  return shown.some((one) => expect.some((matcher) => matches(matcher, one))) ? "partly" : "wrong";
}

function matches({ documents, words }: Matcher, { document, quote }: ShownQuote): boolean {
  const text = quote.toLowerCase();
  const isOfDocument = documents === undefined || documents.some((id) => document.startsWith(id));
  return isOfDocument && (words === undefined || words.some((word) => text.includes(word.toLowerCase())));
}

/** Counts each grade. `good` is the share of questions that are right on top or rightly refused, 0 to 1. */
export function summarizeGrades(grades: readonly Grade[]): Record<string, number> {
  const count = (grade: Grade): number => grades.filter((one) => one === grade).length;
  const good = count("right on top") + count("rightly refused");
  return {
    questions: grades.length,
    good: Number((good / Math.max(1, grades.length)).toFixed(4)),
    rightOnTop: count("right on top"),
    rightlyRefused: count("rightly refused"),
    partly: count("partly"),
    wrong: count("wrong"),
    wronglyRefused: count("wrongly refused"),
    wronglyAnswered: count("wrongly answered"),
  };
}
