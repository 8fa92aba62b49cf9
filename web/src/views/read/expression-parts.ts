import type { Claim } from "../../../../src/domain/report.ts";

/** What has the operands of a calculation. */
interface Quoted {
  readonly passage: { readonly quote: string };
}

/** A piece of a calculation: an operator or bracket, or an operand with the quote it comes from. */
export interface ExpressionPart<Note extends Quoted> {
  readonly text: string;
  readonly note: Note | null;
}

const SIGNS: Readonly<Record<string, string>> = { " - ": " − ", " / ": " ÷ ", " * ": " × " };

/** Splits calculations such as `($5.2 billion - $4.68 billion) / $4.68 billion`, joined by `; `, and finds the quote of each operand. */
export function expressionParts<Note extends Quoted>(expression: string, notes: readonly Note[]): ExpressionPart<Note>[] {
  return expression.split(/( [-+*/] |[()]|; )/).flatMap((text) => {
    if (text === "") return [];
    const isOperator = /^(?: [-+*/] |[()]|; )$/.test(text);
    return { text: SIGNS[text] ?? text, note: isOperator ? null : noteWith(text.trim(), notes) };
  });
}

/** Returns the first quote that has the operand; if none has it word for word, the only one that has its number. */
function noteWith<Note extends Quoted>(operand: string, notes: readonly Note[]): Note | null {
  const exact = notes.find(({ passage }) => passage.quote.includes(operand));
  if (exact !== undefined) return exact;
  const number = /\d[\d.,]*\d|\d/.exec(operand)?.[0];
  const having = number === undefined ? [] : notes.filter(({ passage }) => passage.quote.includes(number));
  return having.length === 1 ? (having[0] ?? null) : null;
}

type Numbered = Quoted & { readonly number: number | null };

/** Returns the calculations of a report as text, such as `1931 [2] − 1872 [1]`, by the number of the first note that each is made of. */
export function workingsByNote(
  { claims }: { readonly claims: readonly Pick<Claim, "expression" | "citations">[] },
  notes: ReadonlyMap<number, Numbered>,
): ReadonlyMap<number, readonly string[]> {
  const workings = claims.flatMap(({ expression, citations }) => {
    if (expression === null || citations.length === 0) return [];
    const cited = citations.flatMap((number) => notes.get(number) ?? []);
    const parts = expressionParts(expression, cited).map(({ text, note }) => (note === null ? text : `${text} [${note.number}]`));
    return { first: Math.min(...citations), text: parts.join("") };
  });
  const byNote = Map.groupBy(workings, ({ first }) => first);
  return new Map([...byNote].map(([number, members]) => [number, [...new Set(members.map(({ text }) => text))]]));
}
