import { Button, Menu, MenuItem, MenuTrigger, Popover } from "react-aria-components";
import type { Run } from "../../../../src/domain/run.ts";
import { navigate } from "../../app/router.tsx";
import { useWords } from "../../i18n/language.tsx";
import { askAgainAddress, replayAddress } from "../../ui/addresses.ts";
import { nameOf } from "./group-threads.ts";
import { historyWords } from "./history-words.ts";

interface RunActionsProps {
  readonly run: Run;
  readonly onRename: () => void;
  readonly onDelete: () => void;
}

export function RunActions({ run, onRename, onDelete }: RunActionsProps) {
  const say = useWords(historyWords);
  const actions = [
    { id: "rename", act: onRename },
    { id: "rerun", act: () => navigate(askAgainAddress(run.id)) },
    { id: "replay", act: () => navigate(replayAddress(run.id)) },
    { id: "delete", act: onDelete },
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
