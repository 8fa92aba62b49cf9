import { useCallback, useEffect, useRef, useState } from "react";
import type { Run } from "../../../../src/domain/run.ts";
import { getRun, listRuns } from "../../api/endpoints.ts";
import { asProblem, type Problem } from "../../api/problem.ts";
import type { HistoryFilter } from "./history-filter.ts";

interface State {
  readonly runs: readonly Run[];
  /** Null after the last page. */
  readonly cursor: string | null;
  readonly isLoading: boolean;
  readonly hasLoaded: boolean;
  readonly problem: Problem | null;
}

export interface RunPages extends State {
  readonly loadMore: () => void;
  readonly reload: () => void;
  readonly put: (run: Run) => void;
  readonly remove: (id: string) => void;
}

const PAGE = 20;
const LOOK_MS = 3_000;
const LOOKED_AT = 20;

/** Its state changes without the reader. */
export function isAtWork({ status }: Run): boolean {
  return status === "queued" || status === "running";
}

const FIRST: State = { runs: [], cursor: null, isLoading: true, hasLoaded: false, problem: null };

/** The runs that match, page by page, newest first. What is shown stays until another first page has come. */
export function useRunPages({ text, status, graph, threadId }: HistoryFilter): RunPages {
  const [state, setState] = useState(FIRST);
  const stop = useRef(new AbortController());
  const load = useCallback(
    (cursor: string | null): void => {
      stop.current.abort();
      stop.current = new AbortController();
      const { signal } = stop.current;
      setState((before) => ({ ...before, isLoading: true, problem: null }));
      const filter = {
        ...(text.trim() !== "" && { text }),
        ...(status !== null && { status }),
        ...(graph !== null && { graph }),
        ...(threadId !== null && { threadId }),
        ...(cursor !== null && { cursor }),
      };
      listRuns({ ...filter, limit: PAGE }, signal).then(
        ({ runs, nextCursor }) =>
          setState((before) => ({
            runs: cursor === null ? runs : [...before.runs, ...runs],
            cursor: nextCursor,
            isLoading: false,
            hasLoaded: true,
            problem: null,
          })),
        (error: unknown) => signal.aborted || setState((before) => ({ ...before, isLoading: false, problem: asProblem(error) })),
      );
    },
    [text, status, graph, threadId],
  );
  useEffect(() => {
    load(null);
    return () => stop.current.abort();
  }, [load]);
  const put = useCallback(
    (run: Run) => setState((before) => ({ ...before, runs: before.runs.map((one) => (one.id === run.id ? run : one)) })),
    [],
  );
  const atWork = state.runs
    .flatMap((run) => (isAtWork(run) ? [run.id] : []))
    .slice(0, LOOKED_AT)
    .join(" ");
  useEffect(() => {
    if (atWork === "") return;
    const gone = new AbortController();
    const look = (): void => {
      // What is gone or cannot be read now stays as it is shown.
      if (document.visibilityState === "visible") for (const id of atWork.split(" ")) getRun(id, gone.signal).then(put, () => {});
    };
    const timer = setInterval(look, LOOK_MS);
    return () => {
      clearInterval(timer);
      gone.abort();
    };
  }, [atWork, put]);
  const remove = useCallback((id: string) => setState((before) => ({ ...before, runs: before.runs.filter((run) => run.id !== id) })), []);
  return { ...state, loadMore: () => load(state.cursor), reload: () => load(null), put, remove };
}
