import { type FormEvent, useId } from "react";
import { useWords } from "../../i18n/language.tsx";
import { Button } from "../../ui/button.tsx";
import { isSendKey } from "../../ui/is-send-key.ts";
import { useKeptText } from "../../ui/use-kept-text.ts";
import type { AnswerFormProps } from "./answer-form.ts";
import { pendingWords } from "./pending-words.ts";

/** Enter sends, with Shift it begins a new line. */
export function QuestionForm({ pending, draft, isSending, onAnswer }: AnswerFormProps) {
  const say = useWords(pendingWords);
  const id = useId();
  const [answer, setAnswer] = useKeptText(draft);
  const send = (event?: FormEvent): void => {
    event?.preventDefault();
    if (answer.trim() !== "" && !isSending) onAnswer({ answer });
  };
  return (
    <form onSubmit={send} className="stack">
      <h3 id={id} className="pending-prompt">
        {pending.prompt}
      </h3>
      <span id={`${id}-answer`} className="hidden-text">
        {say("answer")}
      </span>
      <textarea
        rows={2}
        dir="auto"
        aria-labelledby={`${id}-answer ${id}`}
        placeholder={say("answer")}
        value={answer}
        onChange={({ target }) => setAnswer(target.value)}
        onKeyDown={(event) => {
          if (!isSendKey(event)) return;
          event.preventDefault();
          send();
        }}
      />
      <div className="row">
        <Button type="submit" kind="main" isDisabled={isSending || answer.trim() === ""} aria-describedby={id}>
          {say(isSending ? "sending" : "send")}
        </Button>
      </div>
    </form>
  );
}
