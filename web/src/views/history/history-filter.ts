import type { RunStatus } from "../../../../src/domain/run.ts";

export const STATUSES: readonly RunStatus[] = ["queued", "running", "waiting", "succeeded", "failed", "cancelled"];

export interface HistoryFilter {
  readonly text: string;
  readonly status: RunStatus | null;
  readonly graph: string | null;
  readonly threadId: string | null;
}

export function filterOf(query: URLSearchParams): HistoryFilter {
  return {
    text: query.get("text")?.slice(0, 200) ?? "",
    status: STATUSES.find((status) => status === query.get("status")) ?? null,
    graph: query.get("graph") || null,
    threadId: query.get("thread") || null,
  };
}

export function isFiltered({ text, status, graph, threadId }: HistoryFilter): boolean {
  return text.trim() !== "" || status !== null || graph !== null || threadId !== null;
}

/** The address of a history with this filter. */
export function historyAddress({ text, status, graph, threadId }: HistoryFilter): string {
  const given = Object.entries({ text, status, graph, thread: threadId }).flatMap(([name, value]) => (value ? [[name, value]] : []));
  const query = new URLSearchParams(given).toString();
  return query === "" ? "/history" : `/history?${query}`;
}
