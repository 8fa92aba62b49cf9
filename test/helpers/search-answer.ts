import type { Hit } from "../../src/domain/hit.ts";
import type { CallContext, SearchQuery, SearchSource } from "../../src/domain/ports/sources.ts";

type Find = (query: SearchQuery, context: CallContext) => readonly Hit[] | Promise<readonly Hit[]>;

/** The search of a source that looks through all that it has, for the words of the query as they stand. */
export function finding(find: Find): SearchSource["search"] {
  return async (query, context) => ({ hits: await find(query, context), gaps: null, sent: query.text });
}
