import { useCallback, useEffect, useRef, useState } from "react";
import type { Run } from "../../../../src/domain/run.ts";
import { listRuns } from "../../api/endpoints.ts";
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
  const remove = useCallback((id: string) => setState((before) => ({ ...before, runs: before.runs.filter((run) => run.id !== id) })), []);
  return { ...state, loadMore: () => load(state.cursor), reload: () => load(null), put, remove };
}
