import { canonicalJson } from "../../domain/json.ts";
import type { Tool, Toolbox } from "../../domain/ports/tool.ts";
import type { ThreadResult, ToolCall, ToolOutcome } from "../../domain/tool.ts";
import type { ToolFindings } from "./perform-call.ts";

/** The most calls of one round that are made; the rest goes back to the analyst unmade. */
export const MAX_CALLS_PER_ROUND = 16;

/** What is to be done about one call. */
export type PlannedCall =
  | { readonly type: "perform"; readonly call: ToolCall; readonly tool: Tool; readonly input: unknown }
  /** Equal to a call that succeeded in an earlier round. */
  | { readonly type: "reuse"; readonly call: ToolCall; readonly earlier: ToolOutcome }
  /** Equal to a call of an earlier run of the thread. */
  | { readonly type: "recall"; readonly call: ToolCall; readonly findings: ToolFindings; readonly earlier: ThreadResult }
  /** Equal to another call of this round, which is made once. */
  | { readonly type: "repeat"; readonly call: ToolCall; readonly first: ToolCall }
  | {
      readonly type: "refuse";
      readonly call: ToolCall;
      readonly code: "unknown_tool" | "out_of_scope" | "invalid_arguments" | "not_confirmed";
      readonly message: string;
    };

/** Sorts the calls of a round, in their order. Only query calls are answered from an earlier result. */
export function planCalls(
  calls: readonly ToolCall[],
  offered: readonly string[],
  tools: Toolbox,
  outcomes: readonly ToolOutcome[],
): PlannedCall[] {
  const first = new Map<string, ToolCall>();
  const standing = sinceLastChange(outcomes, tools);
  return calls.map((call, index): PlannedCall => {
    if (index >= MAX_CALLS_PER_ROUND) return refuse(call, "invalid_arguments", `At most ${MAX_CALLS_PER_ROUND} calls are made in a round.`);
    const tool = tools.get(call.name);
    if (tool !== undefined && !offered.includes(call.name))
      return refuse(
        call,
        "out_of_scope",
        `${call.name} lies outside the scope of the run, which has: ${offered.join(", ") || "no tools"}.`,
      );
    if (tool === undefined)
      return refuse(call, "unknown_tool", `There is no tool ${call.name}. There are: ${offered.join(", ") || "none"}.`);
    if (typeof call.arguments === "string")
      return refuse(
        call,
        "invalid_arguments",
        `${call.name} was not called: its arguments are not valid JSON. Send one whole JSON object.`,
      );
    const parsed = tool.schema.safeParse(call.arguments);
    if (!parsed.success)
      return refuse(
        call,
        "invalid_arguments",
        parsed.error.issues.map((issue) => `${issue.path.join(".") || "arguments"}: ${issue.message}`).join("; "),
      );
    const key = callKey(call);
    const earlier = standing.find((outcome) => outcome.ok && callKey(outcome) === key);
    if (tool.kind === "query" && earlier !== undefined) return { type: "reuse", call, earlier };
    const same = first.get(key);
    if (tool.kind === "query" && same !== undefined) return { type: "repeat", call, first: same };
    first.set(key, call);
    return { type: "perform", call, tool, input: parsed.data };
  });
}

/** Equal for calls of one tool with equal arguments, whatever the order of their keys. */
export function callKey(call: Pick<ToolCall, "name" | "arguments">): string {
  return `${call.name} ${canonicalJson(call.arguments)}`;
}

/** Failures of calls that were not made. */
const UNMADE = ["unknown_tool", "out_of_scope", "invalid_arguments", "not_confirmed"];

/** The outcomes that no later call may have made untrue: those since the last call of a tool that changes something. */
export function sinceLastChange(outcomes: readonly ToolOutcome[], tools: Toolbox): readonly ToolOutcome[] {
  const isChange = ({ name, failure }: ToolOutcome): boolean => tools.get(name)?.kind === "mutation" && !UNMADE.includes(failure ?? "");
  return outcomes.slice(outcomes.findLastIndex(isChange) + 1);
}

function refuse(call: ToolCall, code: "unknown_tool" | "out_of_scope" | "invalid_arguments", message: string): PlannedCall {
  return { type: "refuse", call, code, message };
}
