import { lazy, Suspense, useEffect } from "react";
import type { Pending } from "../../../../src/domain/run.ts";
import { Problem } from "../../api/problem.ts";
import { Link, useAddress } from "../../app/router.tsx";
import type { ViewProps } from "../../app/view-props.ts";
import { useWords } from "../../i18n/language.tsx";
import { Fold } from "../../ui/fold.tsx";
import { Loading, ProblemNotice } from "../../ui/notice.tsx";
import { isEnded } from "../../view-model/ended.ts";
import { get } from "../../view-model/table.ts";
import { PendingList } from "../pending/pending-list.tsx";
import { ConnectionNotice } from "./connection-notice.tsx";
import { FollowUp } from "./follow-up.tsx";
import { MissingStep, stepIn } from "./missing-step.tsx";
import { RunHeader } from "./run-header.tsx";
import { RunProgress } from "./run-progress.tsx";
import { runWords } from "./run-words.ts";
import { speakerName } from "./speaker-name.ts";
import { useEndNotice } from "./use-end-notice.ts";
import { type RunHandle, useRun } from "./use-run.ts";

const ReportView = lazy(async () => ({ default: (await import("../read/report-view.tsx")).ReportView }));

/** One run: what it does, what it asks, its report, and the next question. */
export function RunView({ params }: ViewProps) {
  const handle = useRun(params["id"] ?? "");
  const { run, problem, connection } = handle;
  if (run === null && problem === null && connection.kind !== "failed") return <Loading />;
  if (run === null) return <Unreadable handle={handle} />;
  return <LoadedRun handle={{ ...handle, run }} />;
}

function Unreadable({ handle: { problem, connection, refresh } }: { readonly handle: RunHandle }) {
  const shown = problem ?? (connection.kind === "failed" ? connection.problem : null);
  if (shown === null || shown.status === 404) return <NoRun />;
  return <ProblemNotice problem={shown} onRetry={refresh} />;
}

function NoRun() {
  const say = useWords(runWords);
  useEffect(() => {
    document.title = `${say("noRun")} – Dossier`;
    return () => {
      document.title = "Dossier";
    };
  }, [say]);
  return (
    <>
      <h1>{say("noRun")}</h1>
      <p>
        <Link to="/history">{say("toHistory")}</Link>
      </p>
    </>
  );
}

const NOTHING: readonly Pending[] = [];

function LoadedRun({ handle }: { readonly handle: RunHandle & { readonly run: NonNullable<RunHandle["run"]> } }) {
  const say = useWords(runWords);
  const { run, view, connection } = handle;
  const { hash } = useAddress();
  useEndNotice(run.question, view.status);
  const isOver = isEnded(view.status) || (isEnded(run.status) && connection.kind !== "live");
  const hasReport = run.report !== null;
  const isWaiting = view.status === "waiting";
  const progress = <RunProgress view={view} graph={run.graph} limits={run.limits} isLive />;
  const followUp = isOver && <FollowUp run={run} />;
  return (
    <article className="run stack">
      <RunHeader handle={handle} />
      <ConnectionNotice connection={connection} />
      <MissingStep view={view} />
      <PendingList
        runId={run.id}
        pending={isWaiting ? view.pending : NOTHING}
        nameOf={(path) => speakerName(path, view)}
        isFirstPlan={(get(view.graph.nodes, "approve")?.runs ?? 0) <= 1}
        onAnswered={handle.adopt}
      />
      {run.error !== null && <ProblemNotice problem={new Problem(run.error.code, 0, run.error.message)} title={say("errorOf")} />}
      {hasReport && (
        <Suspense fallback={<Loading />}>
          <ReportView run={run}>{followUp}</ReportView>
        </Suspense>
      )}
      {isOver && !hasReport && run.error === null && isEnded(run.status) && <p className="quiet">{say("noReport")}</p>}
      {hasReport || isWaiting ? (
        <Fold className="card run-details" summary={<h2>{say(isWaiting ? "soFar" : "details")}</h2>} isTarget={stepIn(hash) !== null}>
          {() => progress}
        </Fold>
      ) : (
        progress
      )}
      {!hasReport && followUp}
    </article>
  );
}
