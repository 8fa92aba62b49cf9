/** The key is kept for this tab only, and sent to this server only. */
const PLACE = "dossier.api-key";

const listeners = new Set<() => void>();
let asked = false;

export function apiKey(): string | null {
  return sessionStorage.getItem(PLACE);
}

export function setApiKey(key: string): void {
  sessionStorage.setItem(PLACE, key);
  asked = false;
  for (const listener of listeners) listener();
}

/** Called when the server refuses a request without a valid key: the page then shows the form for it. */
export function askForKey(): void {
  asked = true;
  for (const listener of listeners) listener();
}

export function isKeyAsked(): boolean {
  return asked;
}

export function onKeyChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function keyHeaders(): Record<string, string> {
  const key = apiKey();
  return key === null ? {} : { authorization: `Bearer ${key}` };
}
