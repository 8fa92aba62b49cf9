import type { SourceState } from "../domain/ports/operations.ts";
import type { SearchSource } from "../domain/ports/search-source.ts";
import { toDossierError } from "../errors.ts";

export interface ObservedSource extends SearchSource {
  /** How it went when it was last tried. */
  state(): SourceState;
}

/** The same source, which remembers whether it answered last time. */
export function observeSource(source: SearchSource, clock: () => number): ObservedSource {
  const { id, kind, title } = source;
  let lastTry: SourceState["lastTry"] = null;
  const remember = (failure: string | null): void => {
    lastTry = { at: new Date(clock()).toISOString(), reachable: failure === null, failure };
  };
  return {
    id,
    kind,
    title,
    async search(query, context) {
      try {
        const hits = await source.search(query, context);
        remember(null);
        return hits;
      } catch (error) {
        if (!context.signal.aborted) remember(toDossierError(error).code);
        throw error;
      }
    },
    state: () => ({ id, kind, title, configured: true, needsKey: false, lastTry }),
  };
}
