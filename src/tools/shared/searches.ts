import type { CallContext, SearchQuery } from "../../domain/ports/sources.ts";
import type { SearchFunctions } from "./entry.ts";
import type { FoundWork } from "./hits.ts";
import { allThenAny, type Operator } from "./query.ts";

type Choose<Words> = (text: string, written: SearchQuery["written"]) => Words;

/** A search with one line of words. Without words it finds nothing, and nothing is sent. */
export function searchByLine(
  lineOf: Choose<string>,
  search: (line: string, query: SearchQuery, context: CallContext) => Promise<readonly FoundWork[]>,
): SearchFunctions {
  const wordsOf = ({ text, written }: SearchQuery): string => lineOf(text, written);
  return {
    wordsOf,
    async search(query, context) {
      const line = wordsOf(query);
      return { found: line === "" ? [] : await search(line, query, context) };
    },
  };
}

/** A search for all words, and then, if nothing has all of them, for any. */
export function searchByWords(
  wordsOf: Choose<string[]>,
  search: (words: readonly string[], operator: Operator, query: SearchQuery, context: CallContext) => Promise<readonly FoundWork[]>,
): SearchFunctions {
  return {
    wordsOf: ({ text, written }) => wordsOf(text, written).join(" "),
    async search(query, context) {
      const words = wordsOf(query.text, query.written);
      return { found: await allThenAny(words, (operator) => search(words, operator, query, context)) };
    },
  };
}
