import { type ClipboardEvent, useCallback, useState } from "react";
import type { Accepted } from "../../../../src/domain/accepted.ts";
import { isBlank } from "../../../../src/util/visible-text.ts";
import { getModels } from "../../api/endpoints.ts";
import type { Problem } from "../../api/problem.ts";
import { useAddress } from "../../app/router.tsx";
import { formatList } from "../../i18n/format.ts";
import { useLanguage, useWords } from "../../i18n/language.tsx";
import { Button } from "../../ui/button.tsx";
import { Fold } from "../../ui/fold.tsx";
import { isTooLong } from "../../ui/length-fault.tsx";
import { ProblemNotice } from "../../ui/notice.tsx";
import { timeZone } from "../../ui/time-zone.ts";
import { useAccepted } from "../../ui/use-accepted.ts";
import { useDrop } from "../../ui/use-drop.ts";
import { useResource } from "../../ui/use-resource.ts";
import "./ask.css";
import { type AskOptions, draftOf } from "./ask-draft.ts";
import { LIMITS, readLimits } from "./ask-limits.ts";
import { AskOptionsForm } from "./ask-options.tsx";
import { queriesFault } from "./ask-queries.ts";
import { isComplete } from "./ask-team.ts";
import { askWords } from "./ask-words.ts";
import { AttachButton, AttachmentList } from "./attachment-list.tsx";
import { type Attachments, attach, detach, isEmpty } from "./attachments.ts";
import { dropDraft } from "./draft-storage.ts";
import { contentsOf } from "./dropped.ts";
import { Examples } from "./examples.tsx";
import { judgeAttachments, type Refusals } from "./judge-attachments.ts";
import { KeptDocumentsChoice } from "./kept-documents.tsx";
import { LIMIT_WORDS } from "./limit-fields.tsx";
import { NoModelNotice } from "./no-model-notice.tsx";
import { QuestionField } from "./question-field.tsx";
import { SentWords } from "./sent-words.tsx";
import { useDraft } from "./use-draft.ts";
import { useEstimate } from "./use-estimate.ts";
import { useSend } from "./use-send.ts";

/** The first view: one field and a button; everything else is folded. */
export function AskView() {
  const from = useAddress().query.get("from") ?? "";
  return <AskForm key={from} from={from} />;
}

/** @param from the run that the form is filled from; empty if none */
function AskForm({ from }: { readonly from: string }) {
  const say = useWords(askWords);
  const { language } = useLanguage();
  const [{ question, options, attachments, kept, lostFiles }, change, unread] = useDraft(from);
  const [refusals, setRefusals] = useState<Refusals>(new Map());
  const [sentNames, setSentNames] = useState<readonly string[]>([]);
  const { data: models } = useResource(useCallback((signal: AbortSignal) => getModels(signal), []));
  const accepted = useAccepted();
  const { send, isSending, problem } = useSend();
  const isAskable = canAsk(question, accepted);
  const hasModel = models?.configured ?? true;
  const changeOptions = (next: AskOptions): void => change(() => ({ options: next }));
  const judged = judgeAttachments(attachments, accepted, refusals);
  const faultyLimits = LIMITS.filter((name) => readLimits(options.limits, accepted?.limits ?? null).faults[name] !== undefined);
  const isOptionLong = hasTooLong(options, accepted);
  const isUnfinished = options.graph === "team" && !isComplete(options.team);
  const isQueryFaulty = queriesFault(options) !== null;
  const isBlocked = faultyLimits.length > 0 || isOptionLong || isUnfinished || isQueryFaulty;
  const threadId = kept?.isUsed === true ? kept.threadId : null;
  const hasOwn = !isEmpty(judged) || threadId !== null || accepted?.ownFolder === true;
  const given = { urls: judged.urls, fileNames: judged.files.map(({ name }) => name), threadId };
  const estimated = useEstimate(isAskable ? question : null, options, given);
  const add = (added: Partial<Attachments>): void =>
    change((before) => ({ attachments: attach(before.attachments, added), lostFiles: withoutNames(before.lostFiles, added.files) }));
  const onSend = (): void => {
    const { files: readable, urls, leftOut } = judged;
    // The report names them, too. What is of no type that is read is not sent, but for its name.
    const unreadable = leftOut.flatMap(({ why, name, given }) => {
      if (why === "unknownType") return new File([], name);
      return (why === "emptyFile" || why === "refused") && given instanceof File ? given : [];
    });
    const files = [...readable, ...unreadable].slice(0, accepted?.documents.count);
    setSentNames(files.map(({ name }) => name));
    // A file that the server refuses is left out of the next attempt, and named with the reason.
    const onRefused = (refused: Problem): void =>
      setRefusals(
        (before) => new Map([...before, ...refusedFiles(refused).flatMap((at) => (files[at] ? [[files[at], refused.code] as const] : []))]),
      );
    send(draftOf(question, options, { timeZone: timeZone(), urls, threadId }), { files, onStarted: () => dropDraft(from), onRefused });
  };
  const isOver = useDrop((data) => add(contentsOf(data)));
  const onPaste = (event: ClipboardEvent): void => {
    const pasted = contentsOf(event.clipboardData);
    if (isEmpty(pasted)) return;
    event.preventDefault();
    add(pasted);
  };
  return (
    <div className={isOver ? "ask ask-dragging" : "ask"} onPaste={onPaste}>
      <h1>{say("title")}</h1>
      <p className="ask-lead">{say("lead")}</p>
      {unread !== null && <ProblemNotice problem={unread} title={say("fromFailed")} />}
      <QuestionField
        label={say("question")}
        placeholder={say(isOver ? "dropHere" : "placeholder")}
        send={say(isSending ? "sending" : "send")}
        value={question}
        onChange={(text) => change(() => ({ question: text }))}
        onSend={onSend}
        isSending={isSending}
        isBlocked={isBlocked}
        isAttachable
        autoFocus
      >
        <AttachButton onFiles={(files) => add({ files })} />
        {hasOwn && options.sources === null && (
          <label>
            <input
              type="checkbox"
              checked={options.otherSources}
              onChange={({ target }) => changeOptions({ ...options, otherSources: target.checked })}
            />
            {say("otherSources")}
          </label>
        )}
      </QuestionField>
      <AttachmentList
        judged={judged}
        accepted={accepted}
        onRemove={(given) => change((before) => ({ attachments: detach(before.attachments, given) }))}
      />
      {lostFiles.length > 0 && <p className="field-fault">{say("filesGone", { names: formatList(lostFiles, language) })}</p>}
      {isOptionLong && (
        <p className="field-fault" role="status">
          {say("optionsTooLong")}
        </p>
      )}
      {isUnfinished && !isBlank(question) && (
        <p className="field-fault" role="status">
          {say("agentsNeedTasks")}
        </p>
      )}
      {faultyLimits.length > 0 && (
        <p className="field-fault" role="status">
          {say("limitsFaulty", {
            names: formatList(
              faultyLimits.map((name) => say(LIMIT_WORDS[name])),
              language,
            ),
          })}
        </p>
      )}
      {isQueryFaulty && hasModel && (
        <p className="field-fault" role="status">
          {say("queriesFaulty")}
        </p>
      )}
      {kept !== null && (
        <KeptDocumentsChoice kept={kept} isUsed={kept.isUsed} onChange={(isUsed) => change(() => ({ kept: { ...kept, isUsed } }))} />
      )}
      {problem !== null && <ProblemNotice problem={problem} title={say("failed")} fileNames={sentNames} />}
      {isAskable && <SentWords question={question} options={options} onChange={changeOptions} estimated={estimated} hasModel={hasModel} />}
      <Fold className="ask-options" summary={say("options")}>
        {() => (
          <>
            <AskOptionsForm options={options} onChange={changeOptions} models={models} estimated={estimated} accepted={accepted} />
            <div className="ask-again">
              <Button kind="main" isDisabled={!isAskable || isBlocked || isSending} onPress={onSend}>
                {say(isSending ? "sending" : "send")}
              </Button>
            </div>
          </>
        )}
      </Fold>
      {question === "" && <Examples onChoose={(example) => change(() => ({ question: example }))} />}
      {models?.configured === false && <NoModelNotice />}
    </div>
  );
}

function canAsk(question: string, accepted: Accepted | null): boolean {
  return !isBlank(question) && !isTooLong(question, accepted?.characters.question);
}

/** Whether an instruction is longer than the server takes; the form says so beside it. */
function hasTooLong({ instructions, team, graph }: AskOptions, accepted: Accepted | null): boolean {
  const prompts = graph === "team" && team !== null && typeof team !== "string" ? team.children.map(({ prompt }) => prompt) : [];
  return (
    isTooLong(instructions.trim(), accepted?.characters.instructions) ||
    prompts.some((prompt) => isTooLong(prompt.trim(), accepted?.characters.agentPrompt))
  );
}

/** The places of the files that the server names as the cause. */
function refusedFiles({ faults }: Problem): number[] {
  return faults.flatMap(({ path }) => (/^\/documents\/\d+$/.test(path) ? Number(path.slice("/documents/".length)) : []));
}

function withoutNames(names: readonly string[], files: readonly File[] = []): readonly string[] {
  const there = new Set(files.map(({ name }) => name));
  return names.filter((name) => !there.has(name));
}
