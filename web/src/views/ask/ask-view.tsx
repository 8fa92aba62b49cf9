import { type ClipboardEvent, type DragEvent, useCallback, useState } from "react";
import { getModels } from "../../api/endpoints.ts";
import { useAddress } from "../../app/router.tsx";
import { useWords } from "../../i18n/language.tsx";
import { Button } from "../../ui/button.tsx";
import { Fold } from "../../ui/fold.tsx";
import { ProblemNotice } from "../../ui/notice.tsx";
import { timeZone } from "../../ui/time-zone.ts";
import { useKeptText } from "../../ui/use-kept-text.ts";
import { useResource } from "../../ui/use-resource.ts";
import "./ask.css";
import { isBlank } from "../../ui/blank.ts";
import { type KeptDocuments, useAskAgain } from "./ask-again.ts";
import { DEFAULT_OPTIONS, draftOf, faultyLimits } from "./ask-draft.ts";
import { AskOptionsForm } from "./ask-options.tsx";
import { askWords } from "./ask-words.ts";
import { AttachButton, AttachmentList, RefusedList } from "./attachment-list.tsx";
import { type Attachments, attach, isEmpty, NO_ATTACHMENTS, type Refused } from "./attachments.ts";
import { contentsOf } from "./dropped.ts";
import { Examples } from "./examples.tsx";
import { KeptDocumentsChoice } from "./kept-documents.tsx";
import { NoModelNotice } from "./no-model-notice.tsx";
import { QuestionField } from "./question-field.tsx";
import { useSend } from "./use-send.ts";

/** The first view: one field and a button; everything else is folded. */
export function AskView() {
  const say = useWords(askWords);
  const isAgain = useAddress().query.has("from");
  const [question, setQuestion] = useKeptText("ask", isAgain);
  const [options, setOptions] = useState(DEFAULT_OPTIONS);
  const [attachments, setAttachments] = useState(NO_ATTACHMENTS);
  const [refused, setRefused] = useState<readonly Refused[]>([]);
  const add = (added: Partial<Attachments>): void => {
    const { refused: left, ...next } = attach(attachments, added);
    setAttachments(next);
    setRefused(left);
  };
  const [kept, setKept] = useState<(KeptDocuments & { readonly isUsed: boolean }) | null>(null);
  const [isDragging, setDragging] = useState(false);
  const { data: models } = useResource(useCallback((signal: AbortSignal) => getModels(signal), []));
  const { send, isSending, problem } = useSend();
  useAskAgain((again) => {
    if (question === "") setQuestion(again.question);
    setOptions(again.options);
    add({ urls: again.urls });
    setKept(again.kept === null ? null : { ...again.kept, isUsed: true });
  });
  const limitFault = faultyLimits(options.limits).length > 0 ? say("limitFault") : undefined;
  const threadId = kept?.isUsed === true ? kept.threadId : null;
  const onSend = (): void =>
    send(draftOf(question, options, { timeZone: timeZone(), urls: attachments.urls, threadId }), attachments.files, () => setQuestion(""));
  const onDrop = (event: DragEvent): void => {
    event.preventDefault();
    setDragging(false);
    add(contentsOf(event.dataTransfer));
  };
  const onPaste = (event: ClipboardEvent): void => {
    const pasted = contentsOf(event.clipboardData);
    if (isEmpty(pasted)) return;
    event.preventDefault();
    add(pasted);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping has a button beside it that does the same
    <div
      className={isDragging ? "ask ask-dragging" : "ask"}
      onPaste={onPaste}
      onDrop={onDrop}
      onDragOver={(event) => {
        event.preventDefault();
        setDragging(true);
      }}
      onDragLeave={() => setDragging(false)}
    >
      <h1>{say("title")}</h1>
      <p className="ask-lead">{say("lead")}</p>
      <QuestionField
        label={say("question")}
        placeholder={say(isDragging ? "dropHere" : "placeholder")}
        send={say(isSending ? "sending" : "send")}
        value={question}
        onChange={setQuestion}
        onSend={onSend}
        isSending={isSending}
        fault={limitFault}
        autoFocus
      >
        <AttachButton onFiles={(files) => add({ files })} />
      </QuestionField>
      <AttachmentList
        attachments={attachments}
        onChange={(next) => {
          setAttachments(next);
          setRefused([]);
        }}
      />
      <RefusedList refused={refused} />
      {kept !== null && <KeptDocumentsChoice kept={kept} isUsed={kept.isUsed} onChange={(isUsed) => setKept({ ...kept, isUsed })} />}
      {problem !== null && <ProblemNotice problem={problem} title={say("failed")} />}
      <Fold className="ask-options" summary={say("options")}>
        {() => (
          <>
            <AskOptionsForm question={question} options={options} onChange={setOptions} models={models} />
            <div className="ask-again">
              <Button kind="main" isDisabled={isBlank(question) || limitFault !== undefined || isSending} onPress={onSend}>
                {say(isSending ? "sending" : "send")}
              </Button>
            </div>
          </>
        )}
      </Fold>
      {question === "" && <Examples onChoose={setQuestion} />}
      {models?.configured === false && <NoModelNotice />}
    </div>
  );
}
