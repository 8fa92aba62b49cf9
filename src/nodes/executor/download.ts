import type { GraphNode } from "../../domain/ports/effects.ts";
import type { ReadDeps } from "../../gathering/fetch.ts";
import { readingMsLeft } from "../../gathering/limits.ts";
import { readRanked } from "../../gathering/read-ranked.ts";
import { Reader } from "../../gathering/reader.ts";
import type { ExecutorStateValue, ExecutorUpdate } from "./state.ts";

export interface DownloadDeps extends ReadDeps {
  readonly downloadTimeoutMs: number;
}

export function createDownloadNode({ reader, documents, downloadTimeoutMs }: DownloadDeps): GraphNode<ExecutorStateValue, ExecutorUpdate> {
  return (state, effects) => {
    const leftMs = () => Math.min(downloadTimeoutMs, readingMsLeft(state, effects));
    const { task, known, ledger } = state;
    return readRanked(state, new Reader({ reader, documents, task, effects, leftMs, known, ledger }));
  };
}
