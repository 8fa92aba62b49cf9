import type { AnswerQuestion, Matcher } from "./questions.ts";

/** A quote of a report and the id of its document. */
export interface Shown {
  readonly document: string;
  readonly quote: string;
}

export type Grade = "right on top" | "partly" | "wrong" | "wrongly refused" | "wrongly answered" | "rightly refused";

/**
 * How a report answers: `right on top` where its first quote meets a matcher and every matcher is met by some quote, `partly` where any
 * quote meets any. `shown` has the quotes in the order of the report; it is empty where the run refused.
 */
export function gradeAnswer({ expect }: Pick<AnswerQuestion, "expect">, shown: readonly Shown[]): Grade {
  if (expect.length === 0) return shown.length === 0 ? "rightly refused" : "wrongly answered";
  if (shown.length === 0) return "wrongly refused";
  const [first] = shown;
  const onTop = first !== undefined && expect.some((matcher) => meets(matcher, first));
  if (onTop && expect.every((matcher) => shown.some((one) => meets(matcher, one)))) return "right on top";
  return shown.some((one) => expect.some((matcher) => meets(matcher, one))) ? "partly" : "wrong";
}

function meets({ documents, words }: Matcher, { document, quote }: Shown): boolean {
  const text = quote.toLowerCase();
  const isOfDocument = documents === undefined || documents.some((id) => document.startsWith(id));
  return isOfDocument && (words === undefined || words.some((word) => text.includes(word.toLowerCase())));
}

/** How many questions got each grade, and the share that is good: right on top or rightly refused. */
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
