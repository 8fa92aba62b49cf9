import { addressOf, type Hit, isBefore, isUntitled } from "../domain/hit.ts";
import type { Effects } from "../domain/ports/effects.ts";
import type { DocumentStore } from "../domain/ports/sources.ts";
import type { LedgerEntry } from "../domain/report.ts";
import type { Task, ThreadReading } from "../domain/request.ts";
import { stripUnknownAddresses } from "../evidence/address-filter.ts";
import { reusedEntry } from "./limits.ts";
import { type FindReading, lookUp } from "./reading.ts";

const TIMEOUT_MS = 10_000;

/** Returns the documents that earlier runs of the thread cited, as far as they are in the scope of this run, and not given to it anyway. */
export function threadHits({ threadReadings = [], ...task }: Task): Hit[] {
  const inScope = (hit: Hit): boolean => task.sources.includes(hit.foundBy) || isUntitled(hit);
  return threadReadings.filter((one) => one.uncited !== true && inScope(one.hit) && mayReuse(one, task)).map(({ hit }) => hit);
}

/** What the user gives with the request is read as it is now, and what is too old for it is not reused. */
export function mayReuse({ hit }: Pick<ThreadReading, "hit">, { given = [], since }: Pick<Task, "given" | "since">): boolean {
  const isOld = since !== undefined && isBefore(hit.publishedAt, since);
  return !isOld && !given.some(({ id }) => id === hit.id);
}

const findersByList = new WeakMap<readonly ThreadReading[], FindReading<ThreadReading>>();

/** Finds what an earlier run of the thread has read of a hit, whether it cited it or not. The first reading of a document counts. */
function readingOf(hit: Pick<Hit, "id" | "url">, task: Task): ThreadReading | undefined {
  const { threadReadings = [] } = task;
  const find = findersByList.get(threadReadings) ?? lookUp(threadReadings.toReversed(), (one) => [one.hit.id, one.hit.url]);
  findersByList.set(threadReadings, find);
  const reading = find(hit);
  return reading !== undefined && mayReuse(reading, task) ? reading : undefined;
}

/** Returns the hits with the time at which an earlier run of the thread read them, where one did. */
export function asReadByThread<One extends Hit>(hits: readonly One[], task: Task): One[] {
  return hits.map((hit) => {
    const readAt = hit.contentHash === null && hit.readAt === undefined ? readingOf(hit, task)?.hit.readAt : undefined;
    return readAt === undefined ? hit : { ...hit, readAt };
  });
}

/** Whether an earlier run of the thread has read it, and its text can be taken from there. */
export function isOfThread(hit: Hit, task: Task): boolean {
  return readingOf(hit, task) !== undefined;
}

export interface Recalled<One extends Hit = Hit> {
  /** With the time at which it was read. */
  readonly hit: One;
  readonly contentHash: string;
  /** What the document says of itself; absent in old recordings. */
  readonly publishedAt?: string | null;
}

/** Takes the text as the earlier run read it, without a download. Returns null if it is gone, for example with that run. */
export async function recallReading<One extends Hit>(
  hit: One,
  task: Task,
  documents: DocumentStore,
  effects: Effects,
): Promise<Recalled<One> | null> {
  const earlier = readingOf(hit, task);
  if (earlier === undefined) return null;
  const copied = await copyReading(hit, earlier, documents, effects);
  const { readAt } = earlier.hit;
  return copied && { hit: { ...hit, ...(readAt !== undefined && { readAt }) }, ...copied };
}

/** Copies a document of an earlier run into this one. Returns null if it is gone. */
export async function copyReading(
  hit: Hit,
  { run, contentHash }: Pick<ThreadReading, "run" | "contentHash">,
  documents: DocumentStore,
  effects: Effects,
): Promise<Omit<Recalled, "hit"> | null> {
  const live = async (signal: AbortSignal): Promise<Stored> => {
    const document = await documents.get(run, contentHash);
    signal.throwIfAborted();
    const { title, text, publishedAt } = await documents.put(effects.runId, document);
    return { title, publishedAt, characters: text.length };
  };
  const request = { of: "document of an earlier run", run, contentHash };
  try {
    const { title, characters, publishedAt } = await effects.perform({ kind: "document", request, timeoutMs: TIMEOUT_MS, live });
    const url = addressOf(hit);
    effects.emit({ type: "document-read", sourceId: hit.id, url, title: stripUnknownAddresses(title, [url]), contentHash, characters });
    return { contentHash, ...(publishedAt !== undefined && { publishedAt }) };
  } catch {
    effects.signal.throwIfAborted();
    return null;
  }
}

interface Stored {
  readonly title: string;
  readonly characters: number;
  readonly publishedAt?: string | null;
}

export function recalledEntry(hit: Hit): LedgerEntry {
  const day = hit.readAt === undefined ? "" : ` on ${hit.readAt.slice(0, 10)}`;
  return reusedEntry(hit, `An earlier run of this thread read it${day}; it was not read again.`);
}
