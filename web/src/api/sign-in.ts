const listeners = new Set<() => void>();
/** How often somebody has signed in or out: the views load again then. */
let changes = 0;
let isAsked = false;

/** Called when somebody has signed in or out. The server's cookie says who; no script can read it. */
export function changeSession(): void {
  changes += 1;
  isAsked = false;
  tell();
}

/** Called when the server refuses a request without a valid key: the page then shows the form for it. */
export function askForKey(): void {
  if (isAsked) return;
  isAsked = true;
  tell();
}

export function isKeyAsked(): boolean {
  return isAsked;
}

export function sessionChanges(): number {
  return changes;
}

export function onSessionChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function tell(): void {
  for (const listener of listeners) listener();
}
