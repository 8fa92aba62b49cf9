import { keep, readKept } from "../ui/kept.ts";

/** The key is kept for this tab only, and sent to this server only. */
const PLACE = "dossier.api-key";

const listeners = new Set<() => void>();
let key = readKept(PLACE, "sessionStorage");
let isAsked = false;

export function setApiKey(given: string): void {
  key = given;
  keep(PLACE, given, "sessionStorage");
  isAsked = false;
  for (const listener of listeners) listener();
}

/** Called when the server refuses a request without a valid key: the page then shows the form for it. */
export function askForKey(): void {
  isAsked = true;
  for (const listener of listeners) listener();
}

export function isKeyAsked(): boolean {
  return isAsked;
}

export function onKeyChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function apiKey(): string | null {
  return key;
}

export function keyHeaders(): Record<string, string> {
  return key === null ? {} : { authorization: `Bearer ${key}` };
}
