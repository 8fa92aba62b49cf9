import { useState } from "react";
import type { Pending, Run } from "../../../../src/domain/run.ts";
import { answerRun } from "../../api/endpoints.ts";
import { asProblem, type Problem } from "../../api/problem.ts";
import { useWords } from "../../i18n/language.tsx";
import { ProblemNotice } from "../../ui/notice.tsx";
import type { AnswerFormProps } from "./answer-form.ts";
import { ConfirmationForm } from "./confirmation-form.tsx";
import { PlanForm } from "./plan-form.tsx";
import "./pending.css";
import { pendingWords } from "./pending-words.ts";
import { QuestionForm } from "./question-form.tsx";

export interface PendingListProps {
  readonly runId: string;
  readonly pending: readonly Pending[];
  /** Whether no plan of this run was rejected before. */
  readonly isFirstPlan: boolean;
  readonly onAnswered: (run: Run) => void;
}

/** Everything that the run waits for. Each entry is answered for itself, in any order. */
export function PendingList({ runId, pending, isFirstPlan, onAnswered }: PendingListProps) {
  const say = useWords(pendingWords);
  const [answered, setAnswered] = useState<ReadonlySet<string>>(new Set());
  const open = pending.filter(({ id }) => !answered.has(id));
  if (open.length === 0) return null;
  return (
    <section className="pending stack" aria-labelledby="pending-title">
      <h2 id="pending-title">{open.length === 1 ? say("titleOne") : say("title", { count: open.length })}</h2>
      {open.map((one) => (
        <PendingCard
          key={one.id}
          runId={runId}
          pending={one}
          isFirstPlan={isFirstPlan}
          onAnswered={(run) => {
            setAnswered(new Set([...answered, one.id]));
            onAnswered(run);
          }}
        />
      ))}
      <p className="quiet">{say("days")}</p>
    </section>
  );
}

function PendingCard({
  runId,
  pending,
  isFirstPlan,
  onAnswered,
}: {
  readonly runId: string;
  readonly pending: Pending;
  readonly isFirstPlan: boolean;
  readonly onAnswered: (run: Run) => void;
}) {
  const say = useWords(pendingWords);
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const onAnswer: AnswerFormProps["onAnswer"] = (answer) => {
    setSending(true);
    setProblem(null);
    answerRun(runId, { ...answer, pendingId: pending.id }).then(onAnswered, (error: unknown) => {
      setSending(false);
      setProblem(asProblem(error));
    });
  };
  const form = { pending, isFirstPlan, isSending, onAnswer };
  return (
    <div className="card pending-card">
      {pending.path !== "" && <p className="quiet">{say("speaker", { speaker: pending.path })}</p>}
      {pending.kind === "question" && <QuestionForm {...form} />}
      {pending.kind === "plan" && <PlanForm {...form} />}
      {pending.kind === "confirmation" && <ConfirmationForm {...form} />}
      {problem !== null && <ProblemNotice problem={problem} title={say(problem.status === 409 ? "gone" : "failed")} />}
    </div>
  );
}
