import { useState } from "react";
import type { Run } from "../../../../src/domain/run.ts";
import { getRun } from "../../api/endpoints.ts";
import { asProblem } from "../../api/problem.ts";
import { useWords } from "../../i18n/language.tsx";
import { Notice, ProblemNotice } from "../../ui/notice.tsx";
import { timeZone } from "../../ui/time-zone.ts";
import { useKeptText } from "../../ui/use-kept-text.ts";
import { QuestionField } from "../ask/question-field.tsx";
import { useSend } from "../ask/use-send.ts";
import { runWords } from "./run-words.ts";

/** The next question of the thread, with the same graph. */
export function FollowUp({ run: { id, graph, threadId } }: { readonly run: Run }) {
  const say = useWords(runWords);
  const [question, setQuestion] = useKeptText(`follow ${id}`);
  const { send, isSending, problem } = useSend();
  const [isGone, setGone] = useState(false);
  const [isLooking, setLooking] = useState(false);
  // In a thread that was deleted the question would be asked without what it refers to.
  const onSend = async (): Promise<void> => {
    setLooking(true);
    const gone = await getRun(id).then(
      () => false,
      (error: unknown) => asProblem(error).status === 404,
    );
    setLooking(false);
    setGone(gone);
    if (!gone) send({ question, graph, threadId, timeZone: timeZone() }, { onStarted: () => setQuestion("") });
  };
  return (
    <section className="follow-up" aria-label={say("followUp")}>
      <QuestionField
        label={say("followUpLabel")}
        placeholder={say("followUpLabel")}
        send={say("followUp")}
        value={question}
        onChange={setQuestion}
        onSend={() => void onSend()}
        isSending={isSending || isLooking}
      />
      {isGone && <Notice tone="problem" title={say("runGone")} />}
      {problem !== null && <ProblemNotice problem={problem} title={say("followUpFailed")} />}
    </section>
  );
}
