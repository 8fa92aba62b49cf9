import type { Hit } from "../domain/hit.ts";
import type { Citation, Report, Source } from "../domain/report.ts";
import type { ThreadReading } from "../domain/task.ts";

export interface EndedRun {
  readonly id: string;
  readonly report: Report | null;
  /** In milliseconds since 1970. */
  readonly ended_at: number | null;
}

const MAX_CITED = 30;
/** The documents of a deep run. */
const MAX_UNCITED = 60;
/** In UTF-16 code units. */
const MAX_SNIPPET = 1_000;
/** The documents of the user are searched as they are now, and data of a market or of a tool is soon out of date. */
const LEFT_OUT: readonly Source["kind"][] = ["upload", "corpus", "market", "tool"];

/** Returns the documents that runs read: first those that they cited, each as the latest of them read it. `runs` are in order, the latest first. */
export function readingsOf(runs: readonly EndedRun[]): ThreadReading[] {
  const cited = new Map<string, ThreadReading>();
  const uncited = new Map<string, ThreadReading>();
  for (const { id: run, report, ended_at } of runs) {
    const quotes = Map.groupBy(report?.citations ?? [], ({ sourceId }) => sourceId);
    for (const source of report?.sources ?? []) {
      const { contentHash } = source;
      if (contentHash === null || source.status !== "read" || LEFT_OUT.includes(source.kind)) continue;
      const readAt = source.readAt ?? new Date(ended_at ?? 0).toISOString();
      const quoted = quotes.get(source.id) ?? [];
      const reading = { run, contentHash, hit: toHit({ ...source, readAt }, quoted) };
      if (quoted.length === 0) addFirst(uncited, { ...reading, uncited: true });
      else addFirst(cited, reading);
    }
  }
  const others = [...uncited.values()].filter(({ hit }) => !cited.has(hit.id));
  return [...[...cited.values()].slice(0, MAX_CITED), ...others.slice(0, MAX_UNCITED)];
}

function addFirst(readings: Map<string, ThreadReading>, reading: ThreadReading): void {
  if (!readings.has(reading.hit.id)) readings.set(reading.hit.id, reading);
}

/** What was quoted stands for the document where it is ranked. */
export function toHit(source: Source, cited: readonly Citation[]): Hit {
  const { id, kind, title, url, publishedAt, foundBy, publication, readAt } = source;
  const snippet = cited
    .map(({ quote }) => quote)
    .join(" ")
    .slice(0, MAX_SNIPPET)
    .toWellFormed();
  const of = { ...(publication !== undefined && { publication }), ...(readAt !== undefined && { readAt }) };
  return { id, kind, title, url, publishedAt, foundBy, contentHash: null, snippet, ...of };
}
