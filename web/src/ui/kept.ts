// What the browser keeps for this page. A browser may refuse both storages, and then each access throws: the page works without them.

type Kind = "localStorage" | "sessionStorage";

/** Returns what was kept at this place; null if nothing was, or if the browser refuses. */
export function readKept(place: string, kind: Kind = "localStorage"): string | null {
  try {
    return globalThis[kind].getItem(place);
  } catch {
    return null;
  }
}

/** Forgets what was kept at this place. */
export function forget(place: string, kind: Kind = "localStorage"): void {
  try {
    globalThis[kind].removeItem(place);
  } catch {
    // Nothing was kept.
  }
}

/** Keeps a value. If the browser refuses, the value lasts as long as the page. */
export function keep(place: string, value: string, kind: Kind = "localStorage"): void {
  try {
    globalThis[kind].setItem(place, value);
  } catch {
    // The choice holds until the page is left.
  }
}
