import { useState } from "react";
import { keep, readKept } from "./kept.ts";

const placeOf = (name: string): string => `dossier.draft.${name}`;

/** What was typed at this place and not sent; empty if nothing was. */
export function keptText(name: string): string {
  return readKept(placeOf(name), "sessionStorage") ?? "";
}

export function keepText(name: string, text: string): void {
  keep(placeOf(name), text, "sessionStorage");
}

/** A text that a glance at another view or a reload does not lose. It is kept in the tab. */
export function useKeptText(name: string): readonly [string, (text: string) => void] {
  const [text, setText] = useState(() => keptText(name));
  const change = (next: string): void => {
    setText(next);
    keepText(name, next);
  };
  return [text, change];
}
