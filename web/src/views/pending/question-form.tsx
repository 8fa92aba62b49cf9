import { type FormEvent, useId, useState } from "react";
import { useWords } from "../../i18n/language.tsx";
import { Button } from "../../ui/button.tsx";
import type { AnswerFormProps } from "./answer-form.ts";
import { pendingWords } from "./pending-words.ts";

/** Enter sends, with Shift it begins a new line. */
export function QuestionForm({ pending, isSending, onAnswer }: AnswerFormProps) {
  const say = useWords(pendingWords);
  const id = useId();
  const [answer, setAnswer] = useState("");
  const send = (event?: FormEvent): void => {
    event?.preventDefault();
    if (answer.trim() !== "" && !isSending) onAnswer({ answer });
  };
  return (
    <form onSubmit={send} className="stack">
      <h3 id={id} className="pending-prompt">
        {pending.prompt}
      </h3>
      <textarea
        rows={2}
        aria-label={say("answer")}
        placeholder={say("answer")}
        aria-describedby={id}
        value={answer}
        onChange={({ target }) => setAnswer(target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          send();
        }}
      />
      <div className="row">
        <Button type="submit" kind="main" isDisabled={isSending || answer.trim() === ""}>
          {say(isSending ? "sending" : "send")}
        </Button>
      </div>
    </form>
  );
}
