import { memo, useState } from "react";
import { formatClock, formatDuration, formatTime } from "../../i18n/format.ts";
import { useLanguage, useWords } from "../../i18n/language.tsx";
import { Button } from "../../ui/button.tsx";
import { Fold } from "../../ui/fold.tsx";
import type { Part } from "../../view-model/part.ts";
import type { MilestoneStep, NodeStep, Step } from "../../view-model/run-view.ts";
import { useNodeNames } from "./node-words.ts";
import { PartRow } from "./part-row.tsx";
import { shownParts } from "./shown-parts.ts";
import { stepWords } from "./step-words.ts";

export interface StepRowProps {
  readonly step: Step;
  /** Whether the run goes on: an open step of a run that does not is waiting, not working. */
  readonly isLive: boolean;
  readonly isTarget: boolean;
}

/** Steps never change, so a row is drawn again only when its step is another one. */
export const StepRow = memo(function StepRow({ step, isLive, isTarget }: StepRowProps) {
  return step.kind === "node" ? <NodeRow step={step} isLive={isLive} isTarget={isTarget} /> : <MilestoneRow step={step} />;
});

function MilestoneRow({ step }: { readonly step: MilestoneStep }) {
  const say = useWords(stepWords);
  const { language } = useLanguage();
  return (
    <p className="step step-milestone" id={`s${step.id}`}>
      <span>{say(`milestone_${step.what}`)}</span>
      <time dateTime={step.at} title={formatTime(step.at, language)}>
        {formatClock(step.at, language)}
      </time>
    </p>
  );
}

const COUNTS = ["found", "read", "failed", "tools", "calls"] as const;
const FIRST_PARTS = 60;

function NodeRow({ step, isLive, isTarget }: { readonly step: NodeStep; readonly isLive: boolean; readonly isTarget: boolean }) {
  const say = useWords(stepWords);
  const names = useNodeNames();
  const { language } = useLanguage();
  const isRunning = step.state === "running" && isLive;
  const parts = shownParts(step);
  const summary = (
    <span className="step-line">
      <span className={isRunning ? "step-name step-running" : "step-name"}>{isRunning ? names.doing(step) : names.done(step)}</span>
      <span className="step-counts">
        {COUNTS.filter((name) => step.counts[name] > 0).map((name) => (
          <span key={name} className={name === "failed" ? "tag tag-attention" : "tag"}>
            {say(name, { count: step.counts[name] })}
          </span>
        ))}
      </span>
      <span className="step-time">
        {step.durationMs !== null && formatDuration(step.durationMs, language)}
        {isRunning && say("runningNow")}
        {step.state === "interrupted" && say("interrupted")}
      </span>
    </span>
  );
  // What holds nothing does not open.
  if (parts.length === 0) {
    return (
      <div id={`s${step.id}`} className="step step-plain">
        {summary}
      </div>
    );
  }
  return (
    <Fold id={`s${step.id}`} className="step" summary={summary} isTarget={isTarget}>
      {() => (
        <>
          <Parts parts={parts} dropped={step.droppedParts} />
          <a className="quiet step-link" href={`#s${step.id}`}>
            {say("linkToStep")}
          </a>
        </>
      )}
    </Fold>
  );
}

function Parts({ parts, dropped }: { readonly parts: readonly Part[]; readonly dropped: number }) {
  const say = useWords(stepWords);
  const [count, setCount] = useState(FIRST_PARTS);
  return (
    <div className="step-parts">
      {parts.slice(0, count).map((part) => (
        <PartRow key={part.id} part={part} />
      ))}
      {parts.length > count && (
        <Button kind="quiet" onPress={() => setCount(count + FIRST_PARTS)}>
          {say("more", { count: parts.length - count })}
        </Button>
      )}
      {dropped > 0 && <p className="quiet">{say("dropped", { count: dropped })}</p>}
    </div>
  );
}
