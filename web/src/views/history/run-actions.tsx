import type { Run } from "../../../../src/domain/run.ts";
import { cancelRun } from "../../api/endpoints.ts";
import { navigate } from "../../app/router.tsx";
import { useWords } from "../../i18n/language.tsx";
import { ActionMenu } from "../../ui/action-menu.tsx";
import { askAgainAddress, replayAddress } from "../../ui/addresses.ts";
import { nameOf } from "./group-threads.ts";
import { historyWords } from "./history-words.ts";
import { isAtWork } from "./use-run-pages.ts";

interface RunActionsProps {
  readonly run: Run;
  readonly onRename: () => void;
  readonly onDelete: () => void;
  readonly onChanged: (run: Run) => void;
}

export function RunActions({ run, onRename, onDelete, onChanged }: RunActionsProps) {
  const say = useWords(historyWords);
  // If it ended at the same moment or is gone, the list shows so when it looks again.
  const cancel = (): void => void cancelRun(run.id).then(onChanged, () => {});
  const actions = [
    { id: "rename", label: say("rename"), act: onRename },
    { id: "rerun", label: say("rerun"), act: () => navigate(askAgainAddress(run.id)) },
    { id: "replay", label: say("replay"), act: () => navigate(replayAddress(run.id)) },
    // A run at work cannot be deleted.
    isAtWork(run)
      ? { id: "cancelRun", label: say("cancelRun"), act: cancel }
      : { id: "delete", label: say("delete"), act: onDelete, isDanger: true },
  ];
  return (
    <ActionMenu label={say("actions", { name: nameOf(run) })} actions={actions} placement="bottom end">
      {say("more_actions")}
    </ActionMenu>
  );
}
