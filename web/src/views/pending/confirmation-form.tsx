import { useState } from "react";
import { useWords } from "../../i18n/language.tsx";
import { Button } from "../../ui/button.tsx";
import { useKeptText } from "../../ui/use-kept-text.ts";
import type { AnswerFormProps } from "./answer-form.ts";
import { pendingWords } from "./pending-words.ts";

/** A call of a tool that may change something: shown with all its arguments before it is made. */
export function ConfirmationForm({ pending, draft, isSending, onAnswer }: AnswerFormProps) {
  const say = useWords(pendingWords);
  const [reason, setReason] = useKeptText(draft);
  const [isRefusing, setRefusing] = useState(reason !== "");
  const refuse = (): void => onAnswer({ approve: false, ...(reason.trim() !== "" && { reason }) });
  const call = pending.call !== null && typeof pending.call === "object" && !Array.isArray(pending.call) ? pending.call : {};
  const { tool, arguments: args } = call;
  return (
    <form className="stack" onSubmit={(event) => event.preventDefault()}>
      <h3 className="pending-prompt">{pending.prompt}</h3>
      {typeof tool === "string" && (
        <p>
          {say("tool")}: <code>{tool}</code>
        </p>
      )}
      <div>
        <p className="quiet">{say("arguments")}</p>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and must be reachable by keyboard. */}
        <pre className="pending-arguments" tabIndex={0}>
          {JSON.stringify(args ?? pending.call, null, 2)}
        </pre>
      </div>
      {isRefusing ? (
        <>
          <label className="pending-label">
            {say("refuseReason")}
            {/* biome-ignore lint/a11y/noAutofocus: the field has opened because the user asked for it */}
            <input autoFocus value={reason} onChange={({ target }) => setReason(target.value)} />
          </label>
          <div className="row">
            <Button kind="danger" isDisabled={isSending} onPress={refuse}>
              {say("sendRefusal")}
            </Button>
            <Button kind="quiet" onPress={() => setRefusing(false)}>
              {say("back")}
            </Button>
          </div>
        </>
      ) : (
        <div className="row">
          <Button kind="main" isDisabled={isSending} onPress={() => onAnswer({ approve: true })}>
            {say("allow")}
          </Button>
          <Button kind="danger" isDisabled={isSending} onPress={() => setRefusing(true)}>
            {say("refuse")}
          </Button>
        </div>
      )}
    </form>
  );
}
