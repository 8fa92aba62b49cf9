import { useMemo, useState } from "react";
import { useAddress } from "../../app/router.tsx";
import { useWords } from "../../i18n/language.tsx";
import { Button } from "../../ui/button.tsx";
import { Fold } from "../../ui/fold.tsx";
import type { RunView, Step } from "../../view-model/run-view.ts";
import { stepIn } from "./missing-step.tsx";
import { runWords } from "./run-words.ts";
import { ShownViewContext } from "./shown-view.ts";
import { nameOf } from "./speaker-name.ts";
import { groupSteps, roundOf, type Speaker, type StepGroup } from "./step-groups.ts";
import { StepRow } from "./step-row.tsx";
import { stepWords } from "./step-words.ts";
import { readWorks } from "./work-list.tsx";

/** So many of the latest groups are in the page; earlier ones are added on demand. */
const SHOWN = 30;

export function StepList({ view }: { readonly view: RunView }) {
  const say = useWords(runWords);
  const { hash } = useAddress();
  const [more, setMore] = useState(0);
  const groups = useMemo(() => groupSteps(view), [view]);
  const works = useMemo(() => [...readWorks(view.todos), ...readWorks(view.children)], [view.todos, view.children]);
  const wanted = stepIn(hash);
  const target = wanted === null ? -1 : groups.findIndex((group) => holds(group, wanted));
  const latest = Math.max(0, groups.length - SHOWN - more);
  const hidden = target < 0 ? latest : Math.min(latest, target);
  const isLive = view.status === "running";
  return (
    <ShownViewContext value={view}>
      {hidden > 0 && (
        <Button kind="quiet" onPress={() => setMore(more + 500)}>
          {say("showEarlier", { count: hidden })}
        </Button>
      )}
      <ol className="bare steps" aria-label={say("steps")}>
        {groups.slice(hidden).map((group) => (
          <li key={group.key}>
            {group.kind === "step" ? (
              <StepRow step={group.step} isLive={isLive} isTarget={hash === `s${group.step.id}`} />
            ) : (
              <SpeakerSteps
                name={nameOf(group.speaker, works)}
                kind={group.speaker.kind}
                steps={group.steps}
                isLive={isLive}
                target={hash}
              />
            )}
          </li>
        ))}
      </ol>
      {view.droppedSteps > 0 && <p className="quiet">{say("droppedSteps", { count: view.droppedSteps })}</p>}
    </ShownViewContext>
  );
}

function holds(group: StepGroup, id: number): boolean {
  return group.kind === "step" ? group.step.id === id : group.steps.some((step) => step.id === id);
}

interface SpeakerStepsProps {
  readonly name: string;
  readonly kind: Speaker["kind"];
  readonly steps: readonly Step[];
  readonly isLive: boolean;
  readonly target: string;
}

function SpeakerSteps({ name, kind, steps, isLive, target }: SpeakerStepsProps) {
  const say = useWords(stepWords);
  const isRunning = isLive && steps.some((step) => step.kind === "node" && step.state === "running");
  const summary = (
    <span className="step-line">
      <span className={isRunning ? "step-name step-running" : "step-name"}>
        {kind !== "other" && <span className="tag">{say(kind === "todo" ? "todo" : "agent")}</span>} {name}
      </span>
      <span className="step-counts" />
      <span className="step-time">{isRunning && say("runningNow")}</span>
    </span>
  );
  const isTarget = steps.some(({ id }) => target === `s${id}`);
  return (
    <Fold className="step step-speaker" summary={summary} isTarget={isTarget}>
      {() => (
        <ol className="bare steps">
          {steps.slice(-SHOWN * 6).map((step, index, all) => (
            <li key={step.id}>
              <RoundMark round={roundOf(step.path)} before={roundOf(all[index - 1]?.path ?? "")} />
              <StepRow step={step} isLive={isLive} isTarget={target === `s${step.id}`} />
            </li>
          ))}
        </ol>
      )}
    </Fold>
  );
}

function RoundMark({ round, before }: { readonly round: string | null; readonly before: string | null }) {
  const say = useWords(stepWords);
  return round === null || round === before ? null : <p className="quiet">{say("roundOf", { round })}</p>;
}
