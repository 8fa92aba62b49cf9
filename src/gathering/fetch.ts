import type { StoredDocument } from "../domain/document.ts";
import { refusalOfDomain } from "../domain/domains.ts";
import { failureCodeOf } from "../domain/failures.ts";
import { addressOf, LINKS_SOURCE, type RankedHit } from "../domain/hit.ts";
import type { Effects, KeptReplies } from "../domain/ports/effects.ts";
import type { DocumentReader, DocumentStore } from "../domain/ports/sources.ts";
import type { FailureCode, LedgerEntry } from "../domain/report.ts";
import { scopeOf, type Task } from "../domain/task.ts";
import { DossierError, toDossierError } from "../errors.ts";
import { stripUnknownAddresses } from "../evidence/address-filter.ts";
import { storeSnippet, summaryOf } from "./documents.ts";
import { type ReadHit, titled } from "./reading.ts";

export interface ReadDeps {
  readonly reader: DocumentReader;
  readonly documents: DocumentStore;
}

export interface FetchContext extends ReadDeps {
  readonly task: Task;
  readonly effects: Effects;
  /** Returns the milliseconds left for a download. */
  readonly leftMs: () => number;
}

type Addresses = readonly [RankedHit, ...RankedHit[]];

/** Returns the open-access copy of a hit before its page. Both together count as one download. */
export function addressesOf(hit: RankedHit): Addresses {
  const { publication } = hit;
  if (publication === undefined || addressOf(hit) === hit.url) return [hit];
  return [hit, { ...hit, publication: { ...publication, fullTextUrl: null } }];
}

interface Fetched {
  /** If another address of the work was tried, the hit that failed is the first. */
  readonly read: readonly [ReadHit, ...ReadHit[]];
  readonly entries: readonly LedgerEntry[];
}

/**
 * Stores the text of the first address that can be read, then of `another` of the same work. If none can be read, stores the snippet of the
 * last one, unless its address is forbidden.
 */
export async function fetchWork([hit, ...more]: Addresses, another: () => RankedHit | null, context: FetchContext): Promise<Fetched> {
  const { effects } = context;
  const startedAt = effects.now();
  const url = addressOf(hit);
  const entry = { what: "download" as const, source: hit.foundBy, target: url };
  try {
    const { title, publishedAt, ...document } = await download(hit, context);
    effects.emit({ type: "document-read", sourceId: hit.id, url, title: stripUnknownAddresses(title, [url]), ...document });
    const { contentHash, incomplete: detail = null } = document;
    const found: LedgerEntry = { ...entry, outcome: "found", results: 1, failure: null, detail, ms: effects.elapsedMs(startedAt) };
    return { read: [{ hit: titled(hit, title), status: "read", contentHash, failure: null, publishedAt }], entries: [found] };
  } catch (error) {
    effects.signal.throwIfAborted();
    const cause = toDossierError(error);
    const { message } = cause;
    const failure = failureCodeOf(cause, "unreadable");
    const failed: LedgerEntry = { ...entry, outcome: "failed", results: 0, failure, detail: message, ms: effects.elapsedMs(startedAt) };
    const [copy, ...others] = more;
    const other = copy ?? another();
    if (other === null) return { read: [await useSnippet(hit, failure, message, context)], entries: [failed] };
    effects.emit({ type: "document-failed", sourceId: hit.id, url, failure, message, fallback: "alternative" });
    const next: Addresses = copy === undefined ? addressesOf(other) : [copy, ...others];
    const { read, entries } = await fetchWork(next, copy === undefined ? () => null : another, context);
    const own: ReadHit = { hit, status: "failed", contentHash: null, failure };
    return { read: copy === undefined ? [own, ...read] : read, entries: [failed, ...entries] };
  }
}

type Downloaded = ReturnType<typeof summaryOf> & Pick<StoredDocument, "publishedAt">;

async function download(hit: RankedHit, { reader, documents, leftMs, task, effects }: FetchContext): Promise<Downloaded> {
  const refusal = refusalOfDomain(task.domains ?? [], addressOf(hit));
  if (refusal !== null) throw new DossierError("out_of_scope", `${addressOf(hit)} was not read: ${refusal}.`);
  const timeoutMs = leftMs();
  const live = async (signal: AbortSignal, replies: KeptReplies): Promise<Downloaded> => {
    if (timeoutMs === 0) throw new DossierError("timeout", "The time for reading was used up before this download.");
    const document = await reader.read(hit, { signal, scope: scopeOf(task), domains: task.domains, replies, runId: effects.runId });
    signal.throwIfAborted();
    const stored = await documents.put(effects.runId, document);
    return { ...summaryOf(stored), publishedAt: stored.publishedAt };
  };
  const isNamed = hit.foundBy === LINKS_SOURCE && { isNamed: true };
  return effects.perform({ kind: "download", request: { url: addressOf(hit), ...isNamed }, timeoutMs, live });
}

async function useSnippet(hit: RankedHit, failure: FailureCode, message: string, { documents, effects }: FetchContext): Promise<ReadHit> {
  // The snippet is not trusted if its source links to a forbidden address.
  const isEmpty = failure === "forbidden_address" || hit.snippet.toWellFormed().trim() === "";
  effects.emit({ type: "document-failed", sourceId: hit.id, url: hit.url, failure, message, fallback: isEmpty ? "none" : "snippet" });
  if (isEmpty) return { hit, status: "failed", contentHash: null, failure };
  return { hit, status: "snippet", contentHash: await storeSnippet(hit, documents, effects), failure };
}
