import { useState } from "react";
import { cancelRun } from "../../api/endpoints.ts";
import { asProblem, type Problem } from "../../api/problem.ts";
import { Link } from "../../app/router.tsx";
import { formatElapsed, formatTime } from "../../i18n/format.ts";
import { useLanguage, useWords } from "../../i18n/language.tsx";
import { askAgainAddress, replayAddress } from "../../ui/addresses.ts";
import { Button } from "../../ui/button.tsx";
import { Fold } from "../../ui/fold.tsx";
import { ProblemNotice } from "../../ui/notice.tsx";
import { plainTitle } from "../../ui/plain-title.ts";
import { StatusTag } from "../../ui/status-tag.tsx";
import { isEnded } from "../../view-model/ended.ts";
import { useGraphName } from "../graph-names.ts";
import { NotifyButton } from "./notify-button.tsx";
import { QueuePlace } from "./queue-place.tsx";
import { useElapsed } from "./run-progress.tsx";
import { runWords } from "./run-words.ts";
import type { RunHandle } from "./use-run.ts";
import { UsualTime } from "./usual-time.tsx";

/** The question, the state of the run, its times, and what can be done with it. */
export function RunHeader({ handle }: { readonly handle: RunHandle & { readonly run: NonNullable<RunHandle["run"]> } }) {
  const say = useWords(runWords);
  const { language } = useLanguage();
  const { run, view } = handle;
  const elapsedMs = useElapsed(view, true);
  const isOver = isEnded(view.status);
  const time = formatElapsed(elapsedMs, isOver, language);
  const graphName = useGraphName();
  return (
    <header className="run-header">
      <Question text={plainTitle(run.question)} />
      <div className="row">
        <StatusTag status={view.status} isEmpty={run.report?.claims.length === 0} />
        <span className="tag">{graphName(run.graph)}</span>
        <span className="quiet">
          <time dateTime={run.createdAt}>{formatTime(run.createdAt, language)}</time>
        </span>
        {view.startedAt !== null && <span className="quiet">{say(isOver ? "took" : "elapsed", { time })}</span>}
        {(view.status === "queued" || view.status === "running") && <UsualTime run={run} />}
        {view.status === "queued" && <QueuePlace createdAt={run.createdAt} />}
        {isOver && <Link to={replayAddress(run.id)}>{say("replay")}</Link>}
        {isOver && <Link to={askAgainAddress(run.id)}>{say("runAgain")}</Link>}
        {!isOver && <NotifyButton />}
        {!isOver && <CancelButton handle={handle} runId={run.id} />}
      </div>
    </header>
  );
}

/** More than this, in UTF-16 code units, would push the report below the window. */
const MAX_HEADING = 200;

function Question({ text }: { readonly text: string }) {
  const say = useWords(runWords);
  if (text.length <= MAX_HEADING) return <h1 dir="auto">{text}</h1>;
  return (
    <>
      <h1 dir="auto">{text.slice(0, MAX_HEADING).toWellFormed()}…</h1>
      <Fold className="quiet" summary={say("wholeQuestion")}>
        {() => (
          <p className="run-question" dir="auto">
            {text}
          </p>
        )}
      </Fold>
    </>
  );
}

function CancelButton({ handle, runId }: { readonly handle: RunHandle; readonly runId: string }) {
  const say = useWords(runWords);
  const [state, setState] = useState<"idle" | "cancelling">("idle");
  const [problem, setProblem] = useState<Problem | null>(null);
  const cancel = (): void => {
    setState("cancelling");
    setProblem(null);
    cancelRun(runId).then(handle.adopt, (error: unknown) => {
      setState("idle");
      const refused = asProblem(error);
      // It ended at the same moment.
      if (refused.status === 409) handle.refresh();
      else setProblem(refused);
    });
  };
  return (
    <>
      <Button kind="danger" onPress={cancel} isDisabled={state === "cancelling"}>
        {say(state === "idle" ? "cancel" : "cancelling")}
      </Button>
      {problem !== null && <ProblemNotice problem={problem} title={say("cancelFailed")} onRetry={cancel} />}
    </>
  );
}
