import { DOCUMENTS_SOURCE, type Hit, type RankedHit, URLS_SOURCE } from "../domain/hit.ts";
import type { LedgerEntry } from "../domain/report.ts";
import { OLDER_CODE } from "./dates.ts";
import { downloadCapEntries, reusedEntry, unreplacedEntries } from "./limits.ts";
import type { Reader } from "./reader.ts";
import type { Read, ReadHit } from "./reading.ts";
import { type BegunRead, fillPlace } from "./reading.ts";

interface Ranked {
  readonly ranked: readonly RankedHit[];
  /** What is read in place of pages that turn out to be older than the user's `since`. */
  readonly spare: readonly RankedHit[];
  /** All that was found, with other hits of the same works. */
  readonly hits: readonly Hit[];
}

/** Reads all ranked hits side by side, what needs no download first. Returns what was read, best first. */
export async function readRanked({ ranked, spare, hits }: Ranked, reader: Reader): Promise<{ read: ReadHit[]; ledger: LedgerEntry[] }> {
  const refused: RankedHit[] = [];
  const unreplaced: RankedHit[] = [];
  const begin = (hit: RankedHit, others: RankedHit[]): BegunRead<RankedHit> | null => {
    const reading = reader.begin(hit, findCopy(hit, hits));
    if (reading === null) others.push(hit);
    return reading && { hit, reading };
  };
  const [known, unknown] = [true, false].map((isKnown) => ranked.filter((hit) => reader.isKnown(hit) === isKnown));
  const begun = [...(known ?? []), ...(unknown ?? [])].flatMap((hit) => begin(hit, refused) ?? []);
  const spares = [...refused, ...spare.filter((hit) => !reader.isKnown(hit))].values();
  const next = (): BegunRead<RankedHit> | null => {
    const { value: hit } = spares.next();
    return hit === undefined ? null : begin(hit, unreplaced);
  };
  const places = await Promise.all(
    begun.map(async (first): Promise<Read[]> => {
      const reads: Read[] = [];
      await fillPlace(first, next, (hit, read) => {
        if (read === null) refused.push(hit);
        else reads.push(read);
        return read?.failure !== OLDER_CODE;
      });
      return reads;
    }),
  );
  const reads = places.flat();
  const read = reads.flatMap(({ entries: _, downloads: __, isKnown: ___, isCopy: ____, others = [], ...one }) => [one, ...others]);
  const rows = reads.flatMap(({ hit, isKnown, entries }) => (isKnown && hit.contentHash === null ? [reusedEntry(hit)] : entries));
  const unread = refused.filter(({ id }) => !reads.some(({ hit }) => hit.id === id));
  const capped = reads.every(({ downloads }) => downloads === 0) ? [unread] : givenBySource(unread);
  const ledger = [...rows, ...capped.flatMap(downloadCapEntries), ...unreplacedEntries(unreplaced)];
  return { read: read.sort((a, b) => b.hit.score - a.hit.score), ledger };
}

/** Another hit of the same work that is still to be read. */
function findCopy({ alternatives }: RankedHit, hits: readonly Hit[]): Hit | undefined {
  return alternatives.flatMap((id) => hits.findLast((hit) => hit.id === id) ?? []).find(({ contentHash }) => contentHash === null);
}

function givenBySource(hits: readonly Hit[]): Hit[][] {
  const given = hits.filter(({ foundBy }) => foundBy === URLS_SOURCE || foundBy === DOCUMENTS_SOURCE);
  return [...Map.groupBy(given, ({ foundBy }) => foundBy).values()];
}
