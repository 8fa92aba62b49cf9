import type { Behaviour } from "./behaviour.ts";
import type { Script } from "./script.ts";
import { contentsOf, type SeenRequest } from "./seen-request.ts";

/** A request as a role's answers see it. */
export interface AskedRole {
  readonly request: SeenRequest;
  /** How often this role has been asked before. */
  readonly count: number;
  /** All that was said to it, joined: what tells one todo from another. */
  readonly said: string;
}

/** What a role answers: each its turn, the last one for good, or by a function of what it is asked. */
export type RoleAnswers = readonly Behaviour[] | ((asked: AskedRole) => Behaviour | undefined);

/**
 * A script that knows by the name of the form asked for (`planner-response`, ...) who is asked, also where a server that knows no
 * schemas is only told it in words. `tools` answers what offers tools (decision, agent), `text` what asks for no form (writer).
 * A role that is not in the table is unexpected.
 */
export function roleScript(table: Readonly<Record<string, RoleAnswers>>): Script {
  const counts = new Map<string, number>();
  return (request) => {
    const role = askedRole(request, Object.keys(table));
    const answers = table[role];
    if (answers === undefined) return undefined;
    const count = counts.get(role) ?? 0;
    counts.set(role, count + 1);
    if (typeof answers === "function") return answers({ request, count, said: saidTo(request) });
    return answers[Math.min(count, answers.length - 1)];
  };
}

/** Who is asked: the name of the form, or `tools` or `text`. */
export function askedRole(request: SeenRequest, names: readonly string[] = []): string {
  const format = request.body["response_format"] as { readonly json_schema?: { readonly name?: string } } | undefined;
  if (format?.json_schema?.name !== undefined) return format.json_schema.name;
  if (request.body.tools !== undefined) return "tools";
  const told = contentsOf(request, "system").join("\n") || (contentsOf(request, "user")[0] ?? "");
  return names.find((name) => told.includes(`"${name}"`)) ?? "text";
}

const saidTo = (request: SeenRequest): string => ["system", "user"].flatMap((role) => contentsOf(request, role)).join("\n");
