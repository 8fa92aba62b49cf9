import type { Hit } from "../domain/hit.ts";
import type { Citation, Report, Source } from "../domain/report.ts";
import type { ThreadReading } from "../domain/request.ts";

interface EndedRun {
  readonly id: string;
  readonly report: Report | null;
  /** In milliseconds since 1970. */
  readonly ended_at: number | null;
}

const MAX_READINGS = 30;
/** In UTF-16 code units. */
const MAX_SNIPPET = 1_000;
/** The documents of the user are searched as they are now, and data of a market or of a tool is soon out of date. */
const LEFT_OUT: readonly Source["kind"][] = ["upload", "corpus", "market", "tool"];

/** Returns the documents that runs cited, each as the latest of them read it. `runs` are in order, the latest first. */
export function readingsOf(runs: readonly EndedRun[]): ThreadReading[] {
  const readings = new Map<string, ThreadReading>();
  for (const { id: run, report, ended_at } of runs) {
    const quotes = Map.groupBy(report?.citations ?? [], ({ sourceId }) => sourceId);
    for (const source of report?.sources ?? []) {
      const cited = quotes.get(source.id);
      const { contentHash } = source;
      if (cited === undefined || contentHash === null || source.status !== "read" || LEFT_OUT.includes(source.kind)) continue;
      const readAt = source.readAt ?? new Date(ended_at ?? 0).toISOString();
      if (!readings.has(source.id)) readings.set(source.id, { run, contentHash, hit: toHit({ ...source, readAt }, cited) });
    }
  }
  return [...readings.values()].slice(0, MAX_READINGS);
}

/** What was quoted stands for the document where it is ranked. */
function toHit(source: Source, cited: readonly Citation[]): Hit {
  const { id, kind, title, url, publishedAt, foundBy, publication, readAt } = source;
  const snippet = cited
    .map(({ quote }) => quote)
    .join(" ")
    .slice(0, MAX_SNIPPET)
    .toWellFormed();
  const of = { ...(publication !== undefined && { publication }), ...(readAt !== undefined && { readAt }) };
  return { id, kind, title, url, publishedAt, foundBy, contentHash: null, snippet, ...of };
}
