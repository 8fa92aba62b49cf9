import { useState } from "react";
import type { Run } from "../../../../src/domain/run.ts";
import { deleteRun } from "../../api/endpoints.ts";
import { asProblem, type Problem } from "../../api/problem.ts";
import { useWords } from "../../i18n/language.tsx";
import { Button } from "../../ui/button.tsx";
import { ProblemNotice } from "../../ui/notice.tsx";
import { historyWords } from "./history-words.ts";
import { isAtWork } from "./use-run-pages.ts";

interface DeleteFormProps {
  readonly run: Run;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

/** Asks before it deletes; the focus is on the button that keeps the run. */
export function DeleteForm({ run, onClose, onDeleted }: DeleteFormProps) {
  const say = useWords(historyWords);
  const [isDeleting, setDeleting] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const remove = (): void => {
    setDeleting(true);
    setProblem(null);
    deleteRun(run.id).then(onDeleted, (error: unknown) => {
      const refused = asProblem(error);
      // Another window has deleted it.
      if (refused.status === 404) onDeleted();
      else setProblem(refused);
      setDeleting(false);
    });
  };
  return (
    <fieldset className="history-delete">
      <legend>{say("deleteAsk")}</legend>
      <p className="quiet">{say(isAtWork(run) ? "deleteRunning" : "deleteHelp")}</p>
      <div className="row">
        <Button autoFocus onPress={onClose}>
          {say("keep")}
        </Button>
        <Button kind="danger" onPress={remove} isDisabled={isDeleting || isAtWork(run)}>
          {say("delete")}
        </Button>
      </div>
      {problem !== null && <ProblemNotice problem={problem} title={say("deleteFailed")} />}
    </fieldset>
  );
}
