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

/** Reads the other questions of a run's thread, oldest first. */
export function useThread({ id, threadId, createdAt }: Run): Thread {
  const { data } = useResource(useCallback((signal) => listRuns({ threadId, limit: MOST }, signal), [threadId]));
  return useMemo(() => {
    const others = (data?.runs ?? []).filter((run) => run.id !== id).toReversed();
    return {
      earlier: others.filter((run) => run.createdAt <= createdAt),
      later: others.filter((run) => run.createdAt > createdAt),
    };
  }, [data, id, createdAt]);
}

/** Links to other questions of the thread. Shows nothing if there are none. */
export function ThreadLinks({ label, runs }: { readonly label: string; readonly runs: readonly Run[] }) {
  if (runs.length === 0) return null;
  return (
    <nav className="read-thread" aria-label={label}>
      <p className="read-quiet">{label}</p>
      <ol>
        {runs.map(({ id, question }) => (
          <li key={id}>
            <Link to={runAddress(id)}>{question}</Link>
          </li>
        ))}
      </ol>
    </nav>
  );
}
