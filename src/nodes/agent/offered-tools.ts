import type { Toolbox } from "../../domain/ports/tool.ts";
import type { Task } from "../../domain/request.ts";
import type { OfferedTool } from "../../domain/tool.ts";
import { namesIn } from "../tool-servers/with-offered.ts";

/** Searching needs sources; reading needs something that finds them. */
const OF_SOURCES = ["search"];
const OF_FINDINGS = ["read_document"];
const ALWAYS = ["calculator", "ask_user", "finish_task"];

interface Equipped {
  readonly task: Pick<Task, "tools" | "sources">;
  readonly offered: readonly OfferedTool[] | null;
}

/** The names of the tools that an agent has in this run. */
export function offeredTools({ task: { tools, sources }, offered }: Equipped): string[] {
  const search = sources.length > 0 ? OF_SOURCES : [];
  const read = sources.length + tools.length > 0 ? OF_FINDINGS : [];
  return [...namesIn(tools, offered), ...search, ...read, ...ALWAYS];
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
