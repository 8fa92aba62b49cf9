import { questionClauses } from "./en-clauses.ts";
import { askOfOne } from "./en-pronouns.ts";

/** "how they fail", in a list of respects. */
const HOW_THEY = /^(?:in\s+)?how\s+(?:they|each)\s+(?:is|are\s+)?(\p{Ll}.*)$/iu;
const OF_THEM = /(?<!\p{L})(?:they|them|their)(?!\p{L})/iu;

/** "when were they founded, and who leads them", asked of each of the items; null where a clause says of whom it asks in another way. */
export function askOfEach(asked: string, items: readonly string[]): string[] | null {
  const clauses = questionClauses(asked);
  if (!clauses.every((clause) => OF_THEM.test(clause))) return null;
  return items.flatMap((item) => clauses.map((clause) => `${asFirst(askOfOne(clause, item))}?`));
}

function asFirst(clause: string): string {
  return `${clause.charAt(0).toUpperCase()}${clause.slice(1)}`;
}

/** The respects of "energy density and in how they fail"; null where none of them is a clause. */
export function respectsWithHow(respect: string): string[] | null {
  const respects = respect.split(/\s*,\s*(?:and\s+)?(?:in\s+)?|\s+and\s+(?:in\s+)?/u);
  return respects.some((one) => HOW_THEY.test(one)) ? respects : null;
}

/** "How do lead-acid batteries fail?" for "how they fail"; null for what is no clause. */
export function askHow(respect: string, item: string): string | null {
  const does = HOW_THEY.exec(respect)?.[1];
  return does === undefined ? null : `How do ${item} ${does}?`;
}
