import { type ClipboardEvent, type DragEvent, useCallback, useState } from "react";
import { getModels } from "../../api/endpoints.ts";
import { useWords } from "../../i18n/language.tsx";
import { Button } from "../../ui/button.tsx";
import { Fold } from "../../ui/fold.tsx";
import { ProblemNotice } from "../../ui/notice.tsx";
import { timeZone } from "../../ui/time-zone.ts";
import { useResource } from "../../ui/use-resource.ts";
import "./ask.css";
import { type KeptDocuments, useAskAgain } from "./ask-again.ts";
import { DEFAULT_OPTIONS, draftOf } from "./ask-draft.ts";
import { AskOptionsForm } from "./ask-options.tsx";
import { askWords } from "./ask-words.ts";
import { AttachButton, AttachmentList } from "./attachment-list.tsx";
import { attach, isEmpty, NO_ATTACHMENTS } from "./attachments.ts";
import { contentsOf } from "./dropped.ts";
import { Examples } from "./examples.tsx";
import { KeptDocumentsChoice } from "./kept-documents.tsx";
import { NoModelNotice } from "./no-model-notice.tsx";
import { QuestionField } from "./question-field.tsx";
import { useSend } from "./use-send.ts";

/** The first view: one field and a button; everything else is folded. */
export function AskView() {
  const say = useWords(askWords);
  const [question, setQuestion] = useState("");
  const [options, setOptions] = useState(DEFAULT_OPTIONS);
  const [attachments, setAttachments] = useState(NO_ATTACHMENTS);
  const [kept, setKept] = useState<(KeptDocuments & { readonly isUsed: boolean }) | null>(null);
  const [isDragging, setDragging] = useState(false);
  const { data: models } = useResource(useCallback((signal: AbortSignal) => getModels(signal), []));
  const { send, isSending, problem } = useSend();
  useAskAgain((again) => {
    setQuestion((typed) => (typed === "" ? again.question : typed));
    setOptions(again.options);
    setAttachments((before) => attach(before, { urls: again.urls }));
    setKept(again.kept === null ? null : { ...again.kept, isUsed: true });
  });
  const threadId = kept?.isUsed === true ? kept.threadId : null;
  const onSend = (): void =>
    send(draftOf(question, options, { timeZone: timeZone(), urls: attachments.urls, threadId }), attachments.files);
  const onDrop = (event: DragEvent): void => {
    event.preventDefault();
    setDragging(false);
    setAttachments(attach(attachments, contentsOf(event.dataTransfer)));
  };
  const onPaste = (event: ClipboardEvent): void => {
    const pasted = contentsOf(event.clipboardData);
    if (isEmpty(pasted)) return;
    event.preventDefault();
    setAttachments(attach(attachments, pasted));
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
        autoFocus
      >
        <AttachButton onFiles={(files) => setAttachments(attach(attachments, { files }))} />
      </QuestionField>
      <AttachmentList attachments={attachments} onChange={setAttachments} />
      {kept !== null && <KeptDocumentsChoice kept={kept} isUsed={kept.isUsed} onChange={(isUsed) => setKept({ ...kept, isUsed })} />}
      {problem !== null && <ProblemNotice problem={problem} title={say("failed")} />}
      <Fold className="ask-options" summary={say("options")}>
        {() => (
          <>
            <AskOptionsForm question={question} options={options} onChange={setOptions} models={models} />
            <div className="ask-again">
              <Button kind="main" isDisabled={question.trim() === "" || isSending} onPress={onSend}>
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
