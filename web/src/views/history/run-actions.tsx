import { Button, Menu, MenuItem, MenuTrigger, Popover } from "react-aria-components";
import type { Run } from "../../../../src/domain/run.ts";
import { cancelRun, getRun } from "../../api/endpoints.ts";
import { navigate } from "../../app/router.tsx";
import { useWords } from "../../i18n/language.tsx";
import { askAgainAddress, replayAddress } from "../../ui/addresses.ts";
import { isEnded } from "../../view-model/ended.ts";
import { nameOf } from "./group-threads.ts";
import { historyWords } from "./history-words.ts";

const LOOKS = 10;
const LOOK_MS = 300;

/** Cancels a run, and tells its state until it has ended; one step may still have to end. */
async function cancel(runId: string, onChanged: (run: Run) => void): Promise<void> {
  try {
    let run = await cancelRun(runId);
    for (let look = 0; look < LOOKS && !isEnded(run.status); look += 1) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      run = await getRun(runId);
    }
    onChanged(run);
  } catch {
    // It ended at the same moment or is gone: the list shows so when it is loaded again.
  }
}

interface RunActionsProps {
  readonly run: Run;
  readonly onRename: () => void;
  readonly onDelete: () => void;
  readonly onChanged: (run: Run) => void;
}

export function RunActions({ run, onRename, onDelete, onChanged }: RunActionsProps) {
  const say = useWords(historyWords);
  // A run at work cannot be deleted.
  const isAtWork = run.status === "queued" || run.status === "running";
  const actions = [
    { id: "rename", act: onRename },
    { id: "rerun", act: () => navigate(askAgainAddress(run.id)) },
    { id: "replay", act: () => navigate(replayAddress(run.id)) },
    isAtWork ? { id: "cancelRun" as const, act: () => void cancel(run.id, onChanged) } : { id: "delete" as const, act: onDelete },
  ] as const;
  return (
    <MenuTrigger>
      <Button className="button button-quiet history-actions" aria-label={say("actions", { name: nameOf(run) })}>
        {say("more_actions")}
      </Button>
      <Popover className="history-popover" placement="bottom end">
        <Menu className="history-menu">
          {actions.map(({ id, act }) => (
            <MenuItem key={id} className={`history-action history-${id}`} onAction={act}>
              {say(id)}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
