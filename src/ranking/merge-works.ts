import { completed, type Hit } from "../domain/hit.ts";
import { groupBySharedKeys } from "./disjoint-sets.ts";
import { workKeys } from "./work-keys.ts";

/** One work, under whichever addresses it was found. */
export interface Work {
  readonly hit: Hit;
  /** The ids of the work's other hits, in the order in which they were found. */
  readonly alternatives: readonly string[];
  /** The best place, from 1, that each source gave it. */
  readonly placeBySource: ReadonlyMap<string, number>;
}

/**
 * The works that hits are of, in the order in which they were first found; the list is taken to hold each source's hits
 * in that source's own order. A work stands at the address that brought its content, otherwise at the first one found,
 * with the longest snippet of all, and with what the hit there lacks (a date, a whole title, authors, that it was
 * retracted) from the others.
 */
export function mergeWorks(hits: readonly Hit[]): Work[] {
  const places = placesBySource(hits);
  const groups = new Map<number, number[]>();
  for (const [i, group] of groupBySharedKeys(
    hits.map(({ url, foundBy, publication }) => workKeys({ url, foundBy, ...publication })),
  ).entries()) {
    const members = groups.get(group);
    if (members) members.push(i);
    else groups.set(group, [i]);
  }
  return [...groups.values()]
    .flatMap((group) => byContent(group, hits))
    .flatMap((members) => {
      const [first, ...others] = members.flatMap((i) => hits[i] ?? []);
      if (first === undefined) return [];
      const hit = mergeHitsOfWork(first, others);
      const ids = new Set([first, ...others].map(({ id }) => id));
      ids.delete(hit.id);
      return [{ hit, alternatives: [...ids], placeBySource: bestPlaces(members, hits, places) }];
    });
}

/** One address may have brought several contents (a tool's answers): each of them is a work; what brought none goes with the first. */
function byContent(members: readonly number[], hits: readonly Hit[]): number[][] {
  const first = members.map((i) => hits[i]?.contentHash ?? null).find((hash) => hash !== null) ?? null;
  return [...Map.groupBy(members, (i) => hits[i]?.contentHash ?? first).values()];
}

function placesBySource(hits: readonly Hit[]): number[] {
  const counts = new Map<string, number>();
  return hits.map(({ foundBy }) => {
    const place = (counts.get(foundBy) ?? 0) + 1;
    counts.set(foundBy, place);
    return place;
  });
}

function bestPlaces(members: readonly number[], hits: readonly Hit[], places: readonly number[]): Map<string, number> {
  const best = new Map<string, number>();
  for (const i of members) {
    const source = hits[i]?.foundBy ?? "";
    best.set(source, Math.min(best.get(source) ?? Number.POSITIVE_INFINITY, places[i] ?? Number.POSITIVE_INFINITY));
  }
  return best;
}

function mergeHitsOfWork(first: Hit, others: readonly Hit[]): Hit {
  const found = [first, ...others];
  const lead = found.find(({ contentHash }) => contentHash !== null) ?? first;
  const titles = found.map(({ title }) => title).filter(isWhole);
  return {
    ...found.reduce(completed, lead),
    title: isWhole(lead.title) ? lead.title : longest([...titles, ...(titles.length > 0 ? [] : [lead.title])]),
    snippet: longest(found.map(({ snippet }) => snippet)),
    publishedAt: lead.publishedAt ?? found.find(({ publishedAt }) => publishedAt !== null)?.publishedAt ?? null,
  };
}

/** Neither empty nor cut short nor an address. */
function isWhole(title: string): boolean {
  return title.trim() !== "" && !/(?:…|\.\.\.)\s*$|^\s*(?:https?:\/\/|www\.)\S+\s*$/i.test(title);
}

/** Of equals the first. */
function longest(texts: readonly string[]): string {
  return texts.reduce((best, text) => (text.length > best.length ? text : best), "");
}
