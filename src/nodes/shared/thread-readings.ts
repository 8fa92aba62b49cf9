import { addressOf, type Hit, isBefore, isUntitled } from "../../domain/hit.ts";
import type { Effects } from "../../domain/ports/effects.ts";
import type { DocumentStore } from "../../domain/ports/sources.ts";
import type { LedgerEntry } from "../../domain/report.ts";
import type { Task } from "../../domain/request.ts";
import { stripUnknownAddresses } from "../../evidence/address-filter.ts";

const TIMEOUT_MS = 10_000;

/** Returns the documents that earlier runs of the thread cited, as far as they are in the scope of this run, and not given to it anyway. */
export function threadHits({ threadReadings = [], sources, given = [], since }: Task): Hit[] {
  const own = new Set(given.map(({ id }) => id));
  const inScope = (hit: Hit): boolean => sources.includes(hit.foundBy) || isUntitled(hit);
  const isOld = ({ publishedAt }: Hit): boolean => since !== undefined && isBefore(publishedAt, since);
  return threadReadings.map(({ hit }) => hit).filter((hit) => inScope(hit) && !own.has(hit.id) && !isOld(hit));
}

/** Returns the hits as the thread knows them: with the time at which an earlier run read them, where one did. */
export function asReadByThread(hits: readonly Hit[], task: Task): Hit[] {
  const known = new Map(threadHits(task).map((hit) => [hit.id, hit]));
  return hits.map((hit) => (hit.contentHash === null ? (known.get(hit.id) ?? hit) : hit));
}

/** Whether an earlier run of the thread has read it, and its text can be taken from there. */
export function isOfThread({ id, readAt }: Hit, { threadReadings = [] }: Task): boolean {
  return readAt !== undefined && threadReadings.some(({ hit }) => hit.id === id);
}

/** Takes the text as the earlier run read it, without a download. Returns null if it is gone, for example with that run. */
export async function recallReading(hit: Hit, task: Task, documents: DocumentStore, effects: Effects): Promise<string | null> {
  const earlier = hit.readAt === undefined ? undefined : task.threadReadings?.find((one) => one.hit.id === hit.id);
  if (earlier === undefined) return null;
  const { run, contentHash } = earlier;
  const live = async (signal: AbortSignal) => {
    const document = await documents.get(run, contentHash);
    signal.throwIfAborted();
    const { title, text } = await documents.put(effects.runId, document);
    return { title, characters: text.length };
  };
  const request = { of: "document of an earlier run", run, contentHash };
  try {
    const { title, characters } = await effects.perform({ kind: "document", request, timeoutMs: TIMEOUT_MS, live });
    const url = addressOf(hit);
    effects.emit({ type: "document-read", sourceId: hit.id, url, title: stripUnknownAddresses(title, [url]), contentHash, characters });
    return contentHash;
  } catch {
    effects.signal.throwIfAborted();
    return null;
  }
}

export function recalledEntry(hit: Hit): LedgerEntry {
  const place = { what: "download", source: hit.foundBy, target: addressOf(hit) } as const;
  const detail = `An earlier run of this thread read it on ${hit.readAt?.slice(0, 10)}; it was not read again.`;
  return { ...place, outcome: "reused", results: 1, failure: null, detail, ms: 0 };
}
