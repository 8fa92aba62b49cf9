import type { Toolbox } from "../../domain/ports/tool.ts";
import type { Task } from "../../domain/request.ts";
import type { OfferedTool } from "../../domain/tool.ts";
import { namesIn } from "../tool-servers/with-offered.ts";

/** Searching needs sources; reading needs something that finds them. */
const OF_SOURCES = ["search"];
const OF_FINDINGS = ["read_document"];
const FINISH = "finish_task";
/** What an agent can do besides to finish, whatever the scope of its run. */
export const OWN_TOOLS: readonly string[] = ["calculator", "ask_user"];
const ALWAYS = [...OWN_TOOLS, FINISH];

export interface Equipped {
  readonly task: Pick<Task, "tools" | "sources" | "part">;
  readonly offered: readonly OfferedTool[] | null;
}

/** The names of the tools that an agent has in this run. */
export function offeredTools({ task: { tools, sources, part }, offered }: Equipped): string[] {
  const search = sources.length > 0 ? OF_SOURCES : [];
  const read = sources.length + tools.length > 0 ? OF_FINDINGS : [];
  const all = [...namesIn(tools, offered), ...search, ...read, ...ALWAYS];
  const only = part?.tools;
  return only === undefined ? all : all.filter((name) => name === FINISH || only.includes(name));
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
