import type { Behavior } from "./behavior.ts";
import { text } from "./behaviors.ts";
import type { Script } from "./script.ts";
import { contentsOf, rewritesQueries, type SeenRequest } from "./seen-request.ts";

/** A request as the answers of a role see it. */
export interface AskedRole {
  readonly request: SeenRequest;
  /** How often this role has been asked before. */
  readonly count: number;
  /** All messages of the request, joined: they distinguish one todo from another. */
  readonly said: string;
}

/** The answers of a role: a list whose last entry repeats, or a function of the request. */
export type RoleAnswers = readonly Behavior[] | ((asked: AskedRole) => Behavior | undefined);

/**
 * Returns a script that answers each role by the name of the requested schema (`planner-response`, ...), also if a server without schemas
 * gets it only in words. `tools` answers requests with tools (decision, agent), `queries` those for
 * other queries (none if it has no entry), `text` those without a schema (writer). A role without an
 * entry is unexpected.
 */
export function roleScript(table: Readonly<Record<string, RoleAnswers>>): Script {
  const counts = new Map<string, number>();
  return (request) => {
    const role = askedRole(request, Object.keys(table));
    const answers = table[role] ?? (role === "queries" ? [text("No other query.")] : undefined);
    if (answers === undefined) return undefined;
    const count = counts.get(role) ?? 0;
    counts.set(role, count + 1);
    if (typeof answers === "function") return answers({ request, count, said: saidTo(request) });
    return answers[Math.min(count, answers.length - 1)];
  };
}

/** Returns the role of a request: the name of the schema, `tools`, `queries` or `text`. */
export function askedRole(request: SeenRequest, names: readonly string[] = []): string {
  const format = request.body["response_format"] as { readonly json_schema?: { readonly name?: string } } | undefined;
  if (format?.json_schema?.name !== undefined) return format.json_schema.name;
  if (rewritesQueries(request)) return "queries";
  if (request.body.tools !== undefined) return "tools";
  const told = contentsOf(request, "system").join("\n") || (contentsOf(request, "user")[0] ?? "");
  return names.find((name) => told.includes(`"${name}"`)) ?? "text";
}

const saidTo = (request: SeenRequest): string => ["system", "user"].flatMap((role) => contentsOf(request, role)).join("\n");
