import type { Hit } from "../domain/hit.ts";
import { canonicalJson } from "../domain/json.ts";
import type { Tool, Toolbox } from "../domain/ports/tools.ts";
import {
  type ConsentDecision,
  MAX_CALLS_PER_ROUND,
  type ThreadResult,
  type ToolCall,
  type ToolOutcome,
  type ToolResult,
} from "../domain/tool.ts";
import type { DossierError } from "../errors.ts";

export type ToolFindings = Omit<ToolResult, "sources"> & { readonly hits: Hit[] };

export type CallResult =
  | { readonly ok: true; readonly findings: ToolFindings; readonly ms: number }
  | { readonly ok: false; readonly error: DossierError; readonly ms: number };

export type PlannedCall =
  | { readonly type: "perform"; readonly call: ToolCall; readonly tool: Tool; readonly input: unknown }
  /** An equal call exists: in an earlier round, where it may have failed (`reuse`), in an earlier run (`recall`) or in the same round (`repeat`). */
  | { readonly type: "reuse"; readonly call: ToolCall; readonly earlier: ToolOutcome }
  | { readonly type: "recall"; readonly call: ToolCall; readonly findings: ToolFindings; readonly earlier: ThreadResult }
  | { readonly type: "repeat"; readonly call: ToolCall; readonly first: ToolCall }
  | Refusal;

interface Refusal {
  readonly type: "refuse";
  readonly call: ToolCall;
  readonly code: "unknown_tool" | "out_of_scope" | "invalid_arguments" | "not_confirmed";
  readonly message: string;
}

export type PerformableCall = Extract<PlannedCall, { type: "perform" }>;

/** Decides for each call whether to make it. Of calls that succeeded, only those of kind `query` are reused. */
export function planCalls(calls: readonly ToolCall[], offered: readonly string[], tools: Toolbox, outcomes: readonly ToolOutcome[]) {
  const first = new Map<string, ToolCall>();
  const standing = outcomesSinceMutation(outcomes, tools);
  return calls.map((call, index): PlannedCall => {
    const plan = checkCall(call, index, offered, tools);
    const key = callKey(call);
    const failed = failedTwice(key, outcomes, tools);
    if (failed !== undefined) return { type: "reuse", call, earlier: failed };
    if (plan.type === "refuse") return plan;
    const isQuery = plan.tool.kind === "query";
    const earlier = standing.find((outcome) => outcome.ok && callKey(outcome) === key);
    if (isQuery && earlier !== undefined) return { type: "reuse", call, earlier };
    const same = first.get(key);
    if (isQuery && same !== undefined) return { type: "repeat", call, first: same };
    first.set(key, call);
    return plan;
  });
}

/** Returns the first failure of a call that failed in two rounds. After a successful mutation it may succeed. */
function failedTwice(key: string, outcomes: readonly ToolOutcome[], tools: Toolbox): ToolOutcome | undefined {
  const changedAt = outcomes.findLastIndex(({ ok, name }) => ok && tools.get(name)?.kind === "mutation");
  const [first, ...others] = outcomes.slice(changedAt + 1).filter((outcome) => !outcome.ok && callKey(outcome) === key);
  return others.some(({ round }) => round !== first?.round) ? first : undefined;
}

function checkCall(call: ToolCall, index: number, offered: readonly string[], tools: Toolbox): PerformableCall | Refusal {
  const { name, arguments: args } = call;
  const refuse = (code: Refusal["code"], message: string): Refusal => ({ type: "refuse", call, code, message });
  if (index >= MAX_CALLS_PER_ROUND) return refuse("invalid_arguments", `At most ${MAX_CALLS_PER_ROUND} calls are made in a round.`);
  const tool = tools.get(name);
  const names = offered.join(", ");
  if (tool === undefined) return refuse("unknown_tool", `There is no tool ${name}. There are: ${names || "none"}.`);
  if (!offered.includes(name))
    return refuse("out_of_scope", `${name} lies outside the scope of the run, which has: ${names || "no tools"}.`);
  if (typeof args === "string")
    return refuse("invalid_arguments", `${name} was not called: its arguments are not valid JSON. Send one whole JSON object.`);
  const { success, data: input, error } = tool.schema.safeParse(args);
  if (success) return { type: "perform", call, tool, input };
  const issues = error.issues.map(({ path, message }) => `${path.join(".") || "arguments"}: ${message}`);
  return refuse("invalid_arguments", issues.join("; "));
}

/** Calls with equal arguments have the same key, whatever the order of the properties. */
export function callKey(call: Pick<ToolCall, "name" | "arguments">): string {
  return `${call.name} ${canonicalJson(call.arguments)}`;
}

const REFUSAL_CODES = ["unknown_tool", "out_of_scope", "invalid_arguments", "not_confirmed"];

/** A mutation may have made all earlier results outdated. */
export function outcomesSinceMutation(outcomes: readonly ToolOutcome[], tools: Toolbox): readonly ToolOutcome[] {
  const isChange = ({ name, failure }: ToolOutcome): boolean =>
    tools.get(name)?.kind === "mutation" && !REFUSAL_CODES.includes(failure ?? "");
  return outcomes.slice(outcomes.findLastIndex(isChange) + 1);
}

export function unconfirmedCalls(planned: readonly PlannedCall[], verdicts: readonly ConsentDecision[]): PerformableCall[] {
  return planned.filter(
    (plan): plan is PerformableCall =>
      plan.type === "perform" && plan.tool.confirm === true && !verdicts.some(({ callId }) => callId === plan.call.id),
  );
}

export function applyVerdicts(planned: readonly PlannedCall[], verdicts: readonly ConsentDecision[]): PlannedCall[] {
  return planned.map((plan): PlannedCall => {
    if (plan.type !== "perform" || plan.tool.confirm !== true) return plan;
    const verdict = verdicts.find(({ callId }) => callId === plan.call.id);
    if (verdict?.approve === true) return plan;
    const why = verdict === undefined || verdict.reason === "" ? "" : ` The user says: ${verdict.reason}`;
    const message = `${plan.call.name} was not called: the user did not agree to it.${why}`;
    return { type: "refuse", call: plan.call, code: "not_confirmed", message };
  });
}

const ROUNDS_WITHOUT_RESULTS = 2;

/** Whether the last round only repeated calls, or all calls of the last two rounds succeeded without a new result. A failure is no reason to end. */
export function isStuck(outcomes: readonly ToolOutcome[], round: number): boolean {
  const last = outcomes.filter((outcome) => outcome.round === round);
  if (last.every((outcome) => outcome.reused)) return true;
  const recent = outcomes.filter((outcome) => outcome.round > round - ROUNDS_WITHOUT_RESULTS);
  return round >= ROUNDS_WITHOUT_RESULTS && recent.every(({ ok, newResults }) => ok && newResults === 0);
}
