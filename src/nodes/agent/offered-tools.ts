import type { Toolbox } from "../../domain/ports/tool.ts";
import type { Task } from "../../domain/request.ts";

/** Searching needs sources; reading needs something that finds them. */
const OF_SOURCES = ["search"];
const OF_FINDINGS = ["read_document"];
const ALWAYS = ["calculator", "ask_user", "finish_task"];

/** The names of the tools that an agent has in this run. */
export function offeredTools({ tools, sources }: Pick<Task, "tools" | "sources">): string[] {
  const search = sources.length > 0 ? OF_SOURCES : [];
  const read = sources.length + tools.length > 0 ? OF_FINDINGS : [];
  return [...tools, ...search, ...read, ...ALWAYS];
}

/** The control tools among `names`, with their effects. */
export function controlsOf(tools: Toolbox, names: readonly string[]): Record<string, "stop" | "wait"> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const effect = tools.get(name)?.effect;
      return effect === undefined ? [] : [[name, effect] as const];
    }),
  );
}
