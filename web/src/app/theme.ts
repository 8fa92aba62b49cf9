import { useSyncExternalStore } from "react";
import { keep, readKept } from "../ui/kept.ts";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const PLACE = "dossier.theme";
const listeners = new Set<() => void>();
let chosen: Theme = THEMES.find((theme) => theme === readKept(PLACE)) ?? "system";

/** tokens.css takes the colors of `data-theme`; without it the system's choice counts. */
export function applyTheme(theme: Theme = chosen): void {
  if (theme === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
}

export function chooseTheme(theme: Theme): void {
  chosen = theme;
  keep(PLACE, theme);
  applyTheme(theme);
  for (const listener of listeners) listener();
}

export function useTheme(): Theme {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => chosen,
  );
}
