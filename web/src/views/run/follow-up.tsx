import { useRef, useState } from "react";
import type { Run } from "../../../../src/domain/run.ts";
import { startRun } from "../../api/endpoints.ts";
import { asProblem, type Problem } from "../../api/problem.ts";
import { navigate } from "../../app/router.tsx";
import { useWords } from "../../i18n/language.tsx";
import { ProblemNotice } from "../../ui/notice.tsx";
import { timeZone } from "../../ui/time-zone.ts";
import { QuestionField } from "../ask/question-field.tsx";
import { runWords } from "./run-words.ts";

/** The next question of the thread, with the same graph. */
export function FollowUp({ run }: { readonly run: Run }) {
  const say = useWords(runWords);
  const [question, setQuestion] = useState("");
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const key = useRef(crypto.randomUUID());
  const ask = async (): Promise<void> => {
    setSending(true);
    setProblem(null);
    try {
      const next = await startRun({ question, graph: run.graph, threadId: run.threadId, timeZone: timeZone() }, { key: key.current });
      navigate(`/runs/${encodeURIComponent(next.id)}`);
    } catch (error) {
      setProblem(asProblem(error));
      key.current = crypto.randomUUID();
    } finally {
      setSending(false);
    }
  };
  return (
    <section className="follow-up" aria-label={say("followUp")}>
      <QuestionField
        label={say("followUpLabel")}
        placeholder={say("followUpLabel")}
        send={say("followUp")}
        value={question}
        onChange={setQuestion}
        onSend={ask}
        isSending={isSending}
      />
      {problem !== null && <ProblemNotice problem={problem} title={say("followUpFailed")} />}
    </section>
  );
}
