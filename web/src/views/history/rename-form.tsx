import { type FormEvent, type KeyboardEvent, useState } from "react";
import type { Run } from "../../../../src/domain/run.ts";
import { isBlank } from "../../../../src/util/visible-text.ts";
import { renameRun } from "../../api/endpoints.ts";
import { asProblem, type Problem } from "../../api/problem.ts";
import { useWords } from "../../i18n/language.tsx";
import { Button } from "../../ui/button.tsx";
import { isTooLong, LengthFault } from "../../ui/length-fault.tsx";
import { ProblemNotice } from "../../ui/notice.tsx";
import { useAccepted } from "../../ui/use-accepted.ts";
import { nameOf } from "./group-threads.ts";
import { historyWords } from "./history-words.ts";

interface RenameFormProps {
  readonly run: Run;
  readonly onClose: () => void;
  readonly onRenamed: (run: Run) => void;
}

/** Enter saves, Escape leaves. */
export function RenameForm({ run, onClose, onRenamed }: RenameFormProps) {
  const say = useWords(historyWords);
  const [title, setTitle] = useState(nameOf(run));
  const [problem, setProblem] = useState<Problem | null>(null);
  const rename = (next: string | null): void => {
    setProblem(null);
    renameRun(run.id, next).then(
      (renamed) => {
        onRenamed(renamed);
        onClose();
      },
      (error: unknown) => setProblem(asProblem(error)),
    );
  };
  const max = useAccepted()?.characters.title;
  const canSave = !isBlank(title) && !isTooLong(title.trim(), max);
  const save = (event: FormEvent): void => {
    event.preventDefault();
    if (canSave) rename(title.trim());
  };
  const leave = (event: KeyboardEvent): void => {
    if (event.key === "Escape") onClose();
  };
  return (
    <form className="history-rename" onSubmit={save} onKeyDown={leave}>
      <input
        aria-label={say("newName")}
        value={title}
        aria-invalid={isTooLong(title.trim(), max)}
        // biome-ignore lint/a11y/noAutofocus: the form has opened because the user asked for it
        autoFocus
        onFocus={({ target }) => target.select()}
        onChange={({ target }) => setTitle(target.value)}
      />
      <Button type="submit" kind="main" isDisabled={!canSave}>
        {say("save")}
      </Button>
      <Button onPress={onClose}>{say("cancel")}</Button>
      {run.title !== undefined && (
        <Button kind="quiet" onPress={() => rename(null)}>
          {say("unname")}
        </Button>
      )}
      <LengthFault text={title.trim()} max={max} />
      {problem !== null && <ProblemNotice problem={problem} title={say("renameFailed")} />}
    </form>
  );
}
