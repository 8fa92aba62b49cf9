import { useEffect, useRef, useState } from "react";
import type { Pending, Run } from "../../../../src/domain/run.ts";
import { answerRun } from "../../api/endpoints.ts";
import { asProblem, type Problem } from "../../api/problem.ts";
import { useWords } from "../../i18n/language.tsx";
import { Notice, ProblemNotice } from "../../ui/notice.tsx";
import { keepText } from "../../ui/use-kept-text.ts";
import type { AnswerFormProps } from "./answer-form.ts";
import { ConfirmationForm } from "./confirmation-form.tsx";
import { draftName, draftWords } from "./pending-draft.ts";
import { PlanForm } from "./plan-form.tsx";
import "./pending.css";
import { pendingWords } from "./pending-words.ts";
import { QuestionForm } from "./question-form.tsx";

export interface PendingListProps {
  readonly runId: string;
  readonly pending: readonly Pending[];
  /** Names who asks, by its path. */
  readonly nameOf: (path: string) => string;
  /** Whether no plan of this run was rejected before. */
  readonly isFirstPlan: boolean;
  readonly onAnswered: (run: Run) => void;
}

/** Everything that the run waits for. Each entry is answered for itself, in any order. */
export function PendingList({ runId, pending, nameOf, isFirstPlan, onAnswered }: PendingListProps) {
  const say = useWords(pendingWords);
  const [answered, setAnswered] = useState<ReadonlySet<string>>(new Set());
  const seen = useRef<ReadonlyMap<string, Pending>>(new Map());
  useEffect(() => {
    seen.current = new Map([...seen.current, ...pending.map((one) => [one.id, one] as const)]);
  }, [pending]);
  const open = pending.filter(({ id }) => !answered.has(id));
  const gone = [...seen.current.values()].filter(({ id }) => !answered.has(id) && !pending.some((one) => one.id === id));
  const left = gone.flatMap((one) => {
    const words = draftWords(runId, one);
    return words === "" ? [] : [{ id: one.id, words }];
  });
  if (open.length === 0 && left.length === 0) return null;
  const elsewhere = left.map(({ id, words }) => (
    <Notice key={id} tone="attention" title={say("gone")}>
      <p>{say("yourWords")}</p>
      <blockquote className="pending-prompt">{words}</blockquote>
    </Notice>
  ));
  if (open.length === 0) return <>{elsewhere}</>;
  return (
    <>
      {elsewhere}
      <section className="pending stack" aria-labelledby="pending-title">
        <h2 id="pending-title">{open.length === 1 ? say("titleOne") : say("title", { count: open.length })}</h2>
        {open.map((one, index) => (
          <PendingCard
            key={one.id}
            runId={runId}
            pending={one}
            nameOf={nameOf}
            isFirstPlan={isFirstPlan}
            onAnswered={(run) => {
              setAnswered(new Set([...answered, one.id]));
              onAnswered(run);
              requestAnimationFrame(() => focusNext(index));
            }}
          />
        ))}
        <p className="quiet">{say("days")}</p>
      </section>
    </>
  );
}

/** The answered form took the focus with it: it goes to the one that stands in its place, or to the view. */
function focusNext(index: number): void {
  if (document.activeElement !== document.body && document.activeElement !== null) return;
  const cards = [...document.querySelectorAll(".pending-card")];
  const field = (cards[index] ?? cards.at(-1))?.querySelector<HTMLElement>("textarea, input, button");
  (field ?? document.querySelector<HTMLElement>("main"))?.focus();
}

function PendingCard({
  runId,
  pending,
  nameOf,
  isFirstPlan,
  onAnswered,
}: {
  readonly runId: string;
  readonly pending: Pending;
  readonly nameOf: PendingListProps["nameOf"];
  readonly isFirstPlan: boolean;
  readonly onAnswered: (run: Run) => void;
}) {
  const say = useWords(pendingWords);
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const onAnswer: AnswerFormProps["onAnswer"] = (answer) => {
    setSending(true);
    setProblem(null);
    answerRun(runId, { ...answer, pendingId: pending.id }).then(
      (run) => {
        keepText(draftName(runId, pending), "");
        onAnswered(run);
      },
      (error: unknown) => {
        setSending(false);
        setProblem(asProblem(error));
      },
    );
  };
  const form = { pending, draft: draftName(runId, pending), isFirstPlan, isSending, onAnswer };
  return (
    <div className="card pending-card">
      {pending.path !== "" && <p className="quiet">{say("speaker", { speaker: nameOf(pending.path) })}</p>}
      {pending.kind === "question" && <QuestionForm {...form} />}
      {pending.kind === "plan" && <PlanForm {...form} />}
      {pending.kind === "confirmation" && <ConfirmationForm {...form} />}
      {problem !== null && <ProblemNotice problem={problem} title={say(problem.status === 409 ? "gone" : "failed")} />}
    </div>
  );
}
