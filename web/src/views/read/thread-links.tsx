import { useCallback, useMemo } from "react";
import type { Run } from "../../../../src/domain/run.ts";
import { listRuns } from "../../api/endpoints.ts";
import { Link } from "../../app/router.tsx";
import { runAddress } from "../../ui/addresses.ts";
import { useResource } from "../../ui/use-resource.ts";

const MOST = 50;

interface Thread {
  readonly earlier: readonly Run[];
  readonly later: readonly Run[];
}

/** Reads the other questions of a run's thread, oldest first. Without a run there are none. */
export function useThread(run: Run | null): Thread {
  const { id, threadId = null, createdAt = "" } = run ?? {};
  const load = useCallback(
    async (signal: AbortSignal) => (threadId === null ? [] : (await listRuns({ threadId, limit: MOST }, signal)).runs),
    [threadId],
  );
  const { data } = useResource(load);
  return useMemo(() => {
    const others = (data ?? []).filter((other) => other.id !== id).toReversed();
    return {
      earlier: others.filter((other) => other.createdAt <= createdAt),
      later: others.filter((other) => other.createdAt > createdAt),
    };
  }, [data, id, createdAt]);
}

/** Links to other questions of the thread. Shows nothing if there are none. */
export function ThreadLinks({ label, runs }: { readonly label: string; readonly runs: readonly Run[] }) {
  if (runs.length === 0) return null;
  return (
    <nav className="read-thread" aria-label={label}>
      <p className="quiet">{label}</p>
      <ol className="bare">
        {runs.map(({ id, question }) => (
          <li key={id}>
            <Link to={runAddress(id)} className="clamp">
              {question}
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  );
}
