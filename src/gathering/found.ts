import { type Hit, mergeHits, sourceFieldsOf } from "../domain/hit.ts";
import type { Effects } from "../domain/ports/effects.ts";
import type { PlannedQuery } from "../domain/queries.ts";
import type { Task } from "../domain/task.ts";
import { addressesIn, hideAddresses, stripUnknownAddresses } from "../evidence/address-filter.ts";
import { SOURCE_KINDS } from "../evidence/source-kinds.ts";

/** Returns the addresses that readers may see: those of found sources and those in the user's question. */
export function knownAddresses({ task, hits }: { readonly task: Pick<Task, "question">; readonly hits: readonly Hit[] }): string[] {
  const found = hits.flatMap(({ url, publication }) => [url, ...(publication?.fullTextUrl ? [publication.fullTextUrl] : [])]);
  return [...new Set([...found, ...addressesIn(task.question)])];
}

/** Returns a query as readers may see it: without addresses that nobody knows. */
export function shownQuery(query: PlannedQuery, known: readonly string[]): PlannedQuery {
  const shown = (text: string): string => stripUnknownAddresses(text, known);
  return { ...query, text: shown(query.text), ...(query.unused && { unused: query.unused.map(shown) }) };
}

/** Emits `source-found` for every new hit. Returns the total number of hits. */
export function emitFound(known: readonly Hit[], found: readonly Hit[], effects: Effects): number {
  const ids = new Set(known.map((hit) => hit.id));
  const all = mergeHits(known, found);
  for (const hit of all.filter(({ id }) => !ids.has(id))) {
    const source = sourceFieldsOf(hit);
    effects.emit({
      type: "source-found",
      source: { ...source, title: stripUnknownAddresses(source.title, [source.url]), score: null, status: "found", failure: null },
    });
  }
  return all.length;
}

const FIRST_LINE_LENGTH = 200;

/** Returns what a model is shown of a hit. */
export function firstLines({ title, publishedAt, snippet }: Hit) {
  return { title, publishedAt, firstLine: snippet.split("\n", 1).join("").slice(0, FIRST_LINE_LENGTH) };
}

export function countBySource(hits: readonly Hit[]): Record<string, number> {
  return Object.fromEntries([...Map.groupBy(hits, ({ foundBy }) => foundBy)].map(([source, found]) => [source, found.length]));
}

const MAX_TITLE_LENGTH = 200;

export function titleOf({ title }: Pick<Hit, "title">): string {
  return hideAddresses(title.replace(/\s+/g, " ").slice(0, MAX_TITLE_LENGTH).toWellFormed());
}

/** Describes a source for a model in one line: `Title (publisher, date, kind, where it was found)`, without its address. */
export function describeSource(hit: Pick<Hit, "title" | "kind" | "publishedAt" | "foundBy" | "publication" | "readAt">): string {
  const { kind, publishedAt, foundBy, publication, readAt } = hit;
  const read = readAt && `read on ${readAt.slice(0, 10)}`;
  const about = [publication?.venue, publishedAt, SOURCE_KINDS[kind], foundBy, read]
    .filter((part) => part != null && part !== "")
    .join(", ");
  const line = `${publication?.retracted === true ? "RETRACTED " : ""}${titleOf(hit)} (${about})`;
  return hideAddresses(line.replace(/\s+/g, " ")).toWellFormed();
}
