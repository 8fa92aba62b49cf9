import { kindsOf, type PlannedQuery } from "../../domain/queries.ts";
import type { Task } from "../../domain/request.ts";
import type { Search } from "./search-sources.ts";

const REASON =
  "Sources are told no search operators, no kinds and languages that are not known, no dates that are no days or end before they begin, and no more than six queries.";

/** Tells a model what of its queries no source was told and why, and which went to other sources than it named; empty if nothing is to tell. */
export function queryNotes(queries: readonly PlannedQuery[], searches: readonly Search[], task: Task): string {
  const unused = [...new Set(queries.flatMap((query) => query.unused ?? []))].map((value) => JSON.stringify(value));
  const left = unused.length === 0 ? [] : [`Left out of the queries: ${unused.join(", ")}. ${REASON}`];
  return [...left, ...movedNotes(queries, searches, task)].join(" ");
}

function movedNotes(queries: readonly PlannedQuery[], searches: readonly Search[], { sourceFacts = {} }: Task): string[] {
  const moved = searches.filter(({ asked = {} }) => asked.askedGeneral === true || asked.askedAll === true);
  if (moved.length === 0) return [];
  const texts = new Set(moved.map(({ query }) => query.text));
  const kinds = [...new Set(queries.filter(({ text }) => texts.has(text)).flatMap((query) => query.kinds))];
  const known = kindsOf(sourceFacts).filter((kind) => !kinds.includes(kind));
  const others = known.length === 0 ? "" : ` It has: ${known.join(", ")}.`;
  const asked = [...new Set(moved.map(({ source }) => source))].join(", ");
  const named = kinds.length === 0 ? "that was named" : kinds.join(", ");
  return [`This run has no source of the kind ${named}, so instead these were asked: ${asked}.${others}`];
}
