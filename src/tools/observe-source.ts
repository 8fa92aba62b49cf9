import type { SourceState } from "../domain/ports/operations.ts";
import type { SearchSource } from "../domain/ports/search-source.ts";
import type { Tool } from "../domain/ports/tool.ts";
import { rememberLastTry } from "./last-try.ts";

export interface Observed {
  /** How it went when it was last tried. */
  state(): SourceState;
}

/** The same source, which remembers whether it answered last time. */
export function observeSource(source: SearchSource, clock: () => number): SearchSource & Observed {
  const { id, kind, title } = source;
  const lastTry = rememberLastTry(clock);
  return {
    id,
    kind,
    title,
    search: (query, context) => lastTry.watch(() => source.search(query, context), context.signal),
    state: () => ({ id, kind, title, configured: true, needsKey: false, lastTry: lastTry.state() }),
  };
}

/** The same tool, which remembers whether it answered last time. */
export function observeTool(tool: Tool, clock: () => number): Tool & Observed {
  const { name, description } = tool;
  const lastTry = rememberLastTry(clock);
  return {
    ...tool,
    call: (args, context) => lastTry.watch(() => tool.call(args, context), context.signal),
    state: () => ({ id: name, kind: "tool", title: description, configured: true, needsKey: false, lastTry: lastTry.state() }),
  };
}
