import type { StoredDocument } from "../../domain/document.ts";
import { failureOf } from "../../domain/failure.ts";
import { addressOf, type Hit, type RankedHit } from "../../domain/hit.ts";
import type { DocumentReader } from "../../domain/ports/document-reader.ts";
import type { DocumentStore } from "../../domain/ports/document-store.ts";
import type { Effects } from "../../domain/ports/effects.ts";
import type { FailureCode, LedgerEntry } from "../../domain/report.ts";
import { DossierError, toDossierError } from "../../errors.ts";
import { stripUnknownAddresses } from "../../evidence/address-filter.ts";
import type { ReadHit } from "../executor/state.ts";

export interface DownloadContext {
  readonly reader: DocumentReader;
  readonly documents: DocumentStore;
  /** What a download may take that begins now. */
  readonly timeoutMs: () => number;
  /** Of the run. */
  readonly scope: readonly string[];
  readonly effects: Effects;
}

/** Storing a snippet is local. */
const STORE_TIMEOUT_MS = 10_000;

/** What is recorded of a download: where the text lies, not the text. */
type Downloaded = Pick<StoredDocument, "contentHash" | "title"> & { readonly characters: number };

/** What became of the addresses of one text, in the order in which they were tried. */
export interface Fetched {
  readonly read: ReadHit[];
  readonly entries: LedgerEntry[];
}

/** A work whose open copy cannot be had may be read at its page; both together are one download. */
export function placesOf(hit: RankedHit): [RankedHit, ...RankedHit[]] {
  const { publication } = hit;
  if (publication === undefined || addressOf(hit) === hit.url) return [hit];
  return [hit, { ...hit, publication: { ...publication, fullTextUrl: null } }];
}

/** Fetches the text of the first of `hits` that can be had and stores it; falls back to the snippet of the last one tried, unless that was forbidden. */
export async function readHit([hit, next, ...rest]: readonly [RankedHit, ...RankedHit[]], context: DownloadContext): Promise<Fetched> {
  const { effects } = context;
  const startedAt = effects.now();
  const url = addressOf(hit);
  const entry = { what: "download" as const, source: hit.foundBy, target: url };
  try {
    const { contentHash, title, characters } = await download(hit, context);
    effects.emit({ type: "document-read", sourceId: hit.id, url, title: stripUnknownAddresses(title, [url]), contentHash, characters });
    const ms = effects.elapsedMs(startedAt);
    return {
      read: [{ hit, status: "read", contentHash, failure: null }],
      entries: [{ ...entry, outcome: "found", results: 1, failure: null, detail: null, ms }],
    };
  } catch (error) {
    effects.signal.throwIfAborted();
    const cause = toDossierError(error);
    const { message } = cause;
    const failure = failureOf(cause, "unreadable");
    const failed: LedgerEntry = { ...entry, outcome: "failed", results: 0, failure, detail: message, ms: effects.elapsedMs(startedAt) };
    if (next === undefined) return { read: [await fallBack(hit, failure, message, context)], entries: [failed] };
    effects.emit({ type: "document-failed", sourceId: hit.id, url, failure, message, fallback: "alternative" });
    const { read, entries } = await readHit([next, ...rest], context);
    const given: ReadHit[] = next.id === hit.id ? [] : [{ hit, status: "failed", contentHash: null, failure }];
    return { read: [...given, ...read], entries: [failed, ...entries] };
  }
}

function download(hit: RankedHit, { reader, documents, timeoutMs, scope, effects }: DownloadContext): Promise<Downloaded> {
  const limitMs = timeoutMs();
  const live = async (signal: AbortSignal): Promise<Downloaded> => {
    if (limitMs === 0) throw new DossierError("timeout", "The time of the run was used up before this download.");
    const document = await reader.read(hit, { signal, scope });
    signal.throwIfAborted();
    return recorded(await documents.put(effects.runId, document));
  };
  return effects.perform({ kind: "download", request: { url: addressOf(hit) }, timeoutMs: limitMs, live });
}

async function fallBack(hit: RankedHit, failure: FailureCode, message: string, { documents, effects }: DownloadContext): Promise<ReadHit> {
  // Who leads to where nobody may go is not believed either.
  const text = failure === "forbidden_address" ? "" : hit.snippet.toWellFormed().trim();
  effects.emit({ type: "document-failed", sourceId: hit.id, url: hit.url, failure, message, fallback: text === "" ? "none" : "snippet" });
  if (text === "") return { hit, status: "failed", contentHash: null, failure };
  const contentHash = await storeSnippet(hit, { documents, effects });
  return { hit, status: "snippet", contentHash, failure };
}

/** Makes what a finder says of a hit a document of the run, so that it can be cited; it must not be empty. */
export async function storeSnippet(
  { title, url, publishedAt, snippet }: Pick<Hit, "title" | "url" | "publishedAt" | "snippet">,
  { documents, effects }: Pick<DownloadContext, "documents" | "effects">,
): Promise<string> {
  const text = snippet.toWellFormed().trim();
  const blocks = [{ kind: "paragraph" as const, start: 0, end: text.length, level: 0 }];
  const live = async (): Promise<Downloaded> =>
    recorded(await documents.put(effects.runId, { text, title, url, language: null, publishedAt, author: null, blocks }));
  const { contentHash } = await effects.perform({ kind: "document", request: { snippet: text }, timeoutMs: STORE_TIMEOUT_MS, live });
  return contentHash;
}

function recorded({ contentHash, title, text }: StoredDocument): Downloaded {
  return { contentHash, title, characters: text.length };
}
