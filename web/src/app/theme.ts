import { useSyncExternalStore } from "react";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const PLACE = "dossier.theme";
const listeners = new Set<() => void>();

export function storedTheme(): Theme {
  return THEMES.find((theme) => theme === localStorage.getItem(PLACE)) ?? "system";
}

/** tokens.css has the colors of `data-theme`; without it the system's choice counts. */
export function applyTheme(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
}

export function chooseTheme(theme: Theme): void {
  localStorage.setItem(PLACE, theme);
  applyTheme(theme);
  for (const listener of listeners) listener();
}

export function useTheme(): Theme {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, storedTheme);
}
