import type { ReactNode } from "react";
import { Button as AriaButton, type ButtonProps as AriaProps } from "react-aria-components";

export interface ButtonProps extends Omit<AriaProps, "className" | "children" | "style"> {
  /** `main`: the one action of a view. `quiet`: looks like text. `danger`: deletes or stops something. */
  readonly kind?: "main" | "plain" | "quiet" | "danger";
  readonly children: ReactNode;
}

export function Button({ kind = "plain", children, ...props }: ButtonProps) {
  return (
    <AriaButton {...props} className={`button button-${kind}`}>
      {children}
    </AriaButton>
  );
}
