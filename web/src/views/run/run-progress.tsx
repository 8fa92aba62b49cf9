import { lazy, Suspense } from "react";
import type { Run } from "../../../../src/domain/run.ts";
import { useWords } from "../../i18n/language.tsx";
import { Fold } from "../../ui/fold.tsx";
import { useTime } from "../../ui/use-time.ts";
import type { RunView } from "../../view-model/run-view.ts";
import { Budgets } from "./budgets.tsx";
import { Draft } from "./draft.tsx";
import { NowLine } from "./now-line.tsx";
import { runWords } from "./run-words.ts";
import { StepList } from "./step-list.tsx";
import "./run.css";
import { WorkList } from "./work-list.tsx";

const GraphPicture = lazy(async () => ({ default: (await import("./graph-picture.tsx")).GraphPicture }));

export interface RunProgressProps {
  readonly view: RunView;
  readonly graph: string;
  readonly limits: Run["limits"];
  /** Whether time goes on. A recording stands still at its latest event. */
  readonly isLive?: boolean;
}

/** What a run does and has done. Needs no connection, so it also shows a moment of a recording. */
export function RunProgress({ view, graph, limits, isLive = false }: RunProgressProps) {
  const say = useWords(runWords);
  const elapsedMs = useElapsed(view, isLive);
  return (
    <section className="progress stack" aria-label={say("details")}>
      {/* The head of a run says already that it waits or has ended. */}
      {(!isLive || view.status === "running" || view.status === "queued") && <NowLine view={view} isLive={isLive} />}
      <Draft view={view} />
      {view.todos !== null && <WorkList list={view.todos} kind="todos" />}
      {view.children !== null && <WorkList list={view.children} kind="agents" />}
      <Budgets view={view} limits={limits} elapsedMs={elapsedMs} />
      <StepList view={view} />
      <Fold className="progress-picture" summary={say("picture")}>
        {() => (
          <Suspense fallback={null}>
            <GraphPicture graph={graph} view={view} />
          </Suspense>
        )}
      </Fold>
    </section>
  );
}

/** Returns the running time in milliseconds, without waits. */
export function useElapsed({ ranMs, runningSince, lastAt }: RunView, isLive: boolean): number {
  const isTicking = isLive && runningSince !== null;
  const now = useTime(isTicking);
  if (runningSince === null) return ranMs;
  const until = isTicking ? now : Date.parse(lastAt ?? runningSince);
  return ranMs + Math.max(0, until - Date.parse(runningSince));
}
