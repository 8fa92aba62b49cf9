import type { DocumentReader } from "../../domain/ports/document-reader.ts";
import type { DocumentStore } from "../../domain/ports/document-store.ts";
import type { GraphNode } from "../../domain/ports/node.ts";
import { scopeOf } from "../../domain/request.ts";
import type { ExecutorStateValue, ExecutorUpdate, ReadHit } from "../../graphs/executor/state.ts";
import { readingMsLeft } from "../time-budget.ts";
import { readHit } from "./read-hit.ts";

export interface DownloadDeps {
  readonly reader: DocumentReader;
  readonly documents: DocumentStore;
  readonly downloadTimeoutMs: number;
}

/** Fetches the best hits at the same time, as many as the run may download; what came with its content is not fetched again. */
export function createDownloadNode({ reader, documents, downloadTimeoutMs }: DownloadDeps): GraphNode<ExecutorStateValue, ExecutorUpdate> {
  return async (state, effects) => {
    const brought = state.ranked.flatMap((hit): ReadHit[] =>
      hit.contentHash === null ? [] : [{ hit, status: "read", contentHash: hit.contentHash, failure: null }],
    );
    const missing = state.ranked.filter((hit) => hit.contentHash === null).slice(0, state.task.limits.downloads);
    const timeoutMs = Math.min(downloadTimeoutMs, readingMsLeft(state, effects));
    const fetched = await Promise.all(
      missing.map((hit) => readHit(hit, { reader, documents, timeoutMs, scope: scopeOf(state.task), effects })),
    );
    const read = [...brought, ...fetched.map((one) => one.read)].sort((a, b) => b.hit.score - a.hit.score);
    return { read, ledger: fetched.map((one) => one.entry) };
  };
}
