import { type FormEvent, type KeyboardEvent, useState } from "react";
import type { Run } from "../../../../src/domain/run.ts";
import { renameRun } from "../../api/endpoints.ts";
import { asProblem, type Problem } from "../../api/problem.ts";
import { useWords } from "../../i18n/language.tsx";
import { Button } from "../../ui/button.tsx";
import { ProblemNotice } from "../../ui/notice.tsx";
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
  const [title, setTitle] = useState(nameOf(run).slice(0, 200));
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
  const save = (event: FormEvent): void => {
    event.preventDefault();
    if (title.trim() !== "") rename(title.trim());
  };
  const leave = (event: KeyboardEvent): void => {
    if (event.key === "Escape") onClose();
  };
  return (
    <form className="history-rename" onSubmit={save} onKeyDown={leave}>
      <input
        aria-label={say("newName")}
        value={title}
        maxLength={200}
        // biome-ignore lint/a11y/noAutofocus: the form has opened because the user asked for it
        autoFocus
        onFocus={({ target }) => target.select()}
        onChange={({ target }) => setTitle(target.value)}
      />
      <Button type="submit" kind="main">
        {say("save")}
      </Button>
      <Button onPress={onClose}>{say("cancel")}</Button>
      {run.title !== undefined && (
        <Button kind="quiet" onPress={() => rename(null)}>
          {say("unname")}
        </Button>
      )}
      {problem !== null && <ProblemNotice problem={problem} title={say("renameFailed")} />}
    </form>
  );
}
