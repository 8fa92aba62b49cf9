import { useCallback, useEffect, useMemo, useState } from "react";
import type { RunEvent } from "../../../../src/domain/events.ts";
import { getDocument, getRun } from "../../api/endpoints.ts";
import { type Connection, followRun } from "../../api/event-stream.ts";
import { Link, navigate, useAddress } from "../../app/router.tsx";
import { useWords } from "../../i18n/language.tsx";
import { replayAddress, runAddress } from "../../ui/addresses.ts";
import { Loading, Notice, ProblemNotice } from "../../ui/notice.tsx";
import { useResource } from "../../ui/use-resource.ts";
import { isEnded } from "../../view-model/ended.ts";
import { nameOf } from "../history/group-threads.ts";
import { Moments } from "./moments.ts";
import { Player } from "./player.tsx";
import type { ReadDocument } from "./replay-places.ts";
import { replayWords } from "./replay-words.ts";

/** The events of a run of this server. The moment is in the address as `at`. */
export function StoredReplay({ runId }: { readonly runId: string }) {
  const say = useWords(replayWords);
  const { query } = useAddress();
  const { data: run, problem, reload } = useResource(useCallback((signal: AbortSignal) => getRun(runId, signal), [runId]));
  const { moments, count, connection } = useMoments(runId);
  const readDocument = useMemo((): ReadDocument => ({ isStored: true, read: (hash, signal) => getDocument(runId, hash, signal) }), [runId]);
  const asked = Number(query.get("at") ?? Number.NaN);
  if (problem !== null) return <ProblemNotice problem={problem} title={say("failed")} onRetry={reload} />;
  if (connection.kind === "failed") return <ProblemNotice problem={connection.problem} title={say("failed")} />;
  if (run === null || count === 0 || (isEnded(run.status) && connection.kind !== "ended")) return <Loading label={say("loading")} />;
  const show = (at: number): void => navigate(`${replayAddress(runId)}&at=${at}`, { replace: true });
  return (
    <>
      <div className="row">
        <h2 className="clamp">{nameOf(run)}</h2>
        <Link to={runAddress(runId)}>{say("openRun")}</Link>
      </div>
      {!isEnded(run.status) && connection.kind !== "ended" && <Notice title={say("stillRunning")} />}
      <Player
        moments={moments}
        size={count}
        run={run}
        readDocument={readDocument}
        start={Number.isInteger(asked) ? asked : 1}
        onStay={show}
      />
    </>
  );
}

const SLICE_MS = 10;

/** Takes in the events as they come, in slices. */
function useMoments(runId: string): { readonly moments: Moments; readonly count: number; readonly connection: Connection } {
  const [moments] = useState(() => new Moments());
  const [count, setCount] = useState(moments.size);
  const [connection, setConnection] = useState<Connection>({ kind: "connecting" });
  useEffect(() => {
    const stop = new AbortController();
    const queue: RunEvent[] = [];
    let next = 0;
    let isPlanned = false;
    let last: Connection = { kind: "connecting" };
    const work = (): void => {
      isPlanned = false;
      if (stop.signal.aborted) return;
      const until = performance.now() + SLICE_MS;
      for (; next < queue.length && performance.now() < until; next += 1) {
        const event = queue[next];
        if (event !== undefined && event.seq === moments.size + 1) moments.add(event);
      }
      setCount(moments.size);
      if (next < queue.length) plan();
      else setConnection(last);
    };
    const plan = (): void => {
      if (isPlanned) return;
      isPlanned = true;
      setTimeout(work);
    };
    const onEvents = (events: readonly RunEvent[]): void => {
      for (const event of events) queue.push(event);
      plan();
    };
    const onConnection = (now: Connection): void => {
      last = now;
      plan();
    };
    followRun(runId, moments.size, { onEvents, onConnection }, stop.signal);
    return () => stop.abort();
  }, [runId, moments]);
  return { moments, count, connection };
}
