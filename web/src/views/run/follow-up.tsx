import { useState } from "react";
import type { Run } from "../../../../src/domain/run.ts";
import { useWords } from "../../i18n/language.tsx";
import { ProblemNotice } from "../../ui/notice.tsx";
import { timeZone } from "../../ui/time-zone.ts";
import { QuestionField } from "../ask/question-field.tsx";
import { useSend } from "../ask/use-send.ts";
import { runWords } from "./run-words.ts";

/** The next question of the thread, with the same graph. */
export function FollowUp({ run: { graph, threadId } }: { readonly run: Run }) {
  const say = useWords(runWords);
  const [question, setQuestion] = useState("");
  const { send, isSending, problem } = useSend();
  return (
    <section className="follow-up" aria-label={say("followUp")}>
      <QuestionField
        label={say("followUpLabel")}
        placeholder={say("followUpLabel")}
        send={say("followUp")}
        value={question}
        onChange={setQuestion}
        onSend={() => send({ question, graph, threadId, timeZone: timeZone() })}
        isSending={isSending}
      />
      {problem !== null && <ProblemNotice problem={problem} title={say("followUpFailed")} />}
    </section>
  );
}
