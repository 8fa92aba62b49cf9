import type { ReactNode } from "react";
import { Menu, MenuItem, MenuTrigger, Popover, type PopoverProps } from "react-aria-components";
import { Button } from "./button.tsx";

export interface Action {
  readonly id: string;
  readonly label: string;
  readonly act: () => void;
  readonly isDanger?: boolean;
}

interface ActionMenuProps extends Pick<PopoverProps, "placement"> {
  readonly children: ReactNode;
  /** What a reader of the screen hears instead of the words of the button. */
  readonly label?: string;
  readonly actions: readonly Action[];
  readonly isDisabled?: boolean;
}

/** A quiet button that opens a list of actions. */
export function ActionMenu({ children, label, actions, placement = "bottom start", isDisabled = false }: ActionMenuProps) {
  return (
    <MenuTrigger>
      <Button kind="quiet" isDisabled={isDisabled} {...(label !== undefined && { "aria-label": label })}>
        {children}
      </Button>
      <Popover className="menu-place" placement={placement}>
        <Menu className="menu">
          {actions.map(({ id, label: name, act, isDanger }) => (
            <MenuItem key={id} id={id} textValue={name} className={isDanger ? "menu-item menu-danger" : "menu-item"} onAction={act}>
              {name}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
