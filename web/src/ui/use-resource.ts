import { useCallback, useEffect, useState } from "react";
import { asProblem, type Problem } from "../api/problem.ts";

export interface Resource<T> {
  /** The latest answer; kept while it is loaded again. */
  readonly data: T | null;
  readonly problem: Problem | null;
  readonly isLoading: boolean;
  readonly reload: () => void;
}

/** Loads something of the API, and again when `load` changes: wrap it in `useCallback`. */
export function useResource<T>(load: (signal: AbortSignal) => Promise<T>): Resource<T> {
  const [state, setState] = useState<Omit<Resource<T>, "reload">>({ data: null, problem: null, isLoading: true });
  const [round, setRound] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another round loads again.
  useEffect(() => {
    const stop = new AbortController();
    setState((before) => ({ ...before, isLoading: true }));
    load(stop.signal).then(
      (data) => stop.signal.aborted || setState({ data, problem: null, isLoading: false }),
      (error: unknown) => stop.signal.aborted || setState((before) => ({ ...before, problem: asProblem(error), isLoading: false })),
    );
    return () => stop.abort();
  }, [load, round]);
  const reload = useCallback(() => setRound((count) => count + 1), []);
  return { ...state, reload };
}
