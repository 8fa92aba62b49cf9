import type { JournalRecord } from "../domain/recording.ts";
import { PIECE } from "./stream-pieces.ts";

/**
 * Recorded results by request alone, for a segment that is begun again on other code. A later epoch has already taken over
 * what it asked for, so for each request the epoch that knows it most often counts, and no result is handed out twice.
 */
export class RequestCache {
  readonly #results = new Map<string, JournalRecord[]>();

  /** @param taken what the segment has recorded since it was begun again: that much is spent */
  constructor(epochs: readonly (readonly JournalRecord[])[], taken: readonly JournalRecord[]) {
    for (const epoch of epochs) {
      for (const [request, records] of byRequest(epoch)) {
        if (records.length >= (this.#results.get(request)?.length ?? 0)) this.#results.set(request, records);
      }
    }
    for (const [request, { length }] of byRequest(taken)) this.#results.get(request)?.splice(0, length);
  }

  /** The next recorded result of the key's kind and request, which is then spent. */
  take(key: string): JournalRecord | undefined {
    return this.#results.get(requestOf(key))?.shift();
  }
}

function byRequest(records: readonly JournalRecord[]): Map<string, JournalRecord[]> {
  return Map.groupBy(
    records.filter((record) => record.kind !== "control" && record.kind !== PIECE),
    (record) => requestOf(record.key),
  );
}

/** The part of a key that names kind and request, whatever task asked for it: `path#kind#hash#ordinal`. */
function requestOf(key: string): string {
  return key.split("#").slice(-3, -1).join("#");
}
