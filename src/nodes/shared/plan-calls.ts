import { interrupt } from "@langchain/langgraph";
import { z } from "zod";
import { canonicalJson } from "../../domain/json.ts";
import type { Tool, Toolbox } from "../../domain/ports/tools.ts";
import type { Task } from "../../domain/request.ts";
import type { ThreadResult, ToolCall, ToolOutcome, Verdict } from "../../domain/tool.ts";
import { stripUnknownAddresses } from "../../evidence/address-filter.ts";
import { resolveLanguage } from "../../ranking/language.ts";
import type { ToolFindings } from "./perform-call.ts";

/** Further calls of a round are refused. */
const MAX_CALLS_PER_ROUND = 16;

export type PlannedCall =
  | { readonly type: "perform"; readonly call: ToolCall; readonly tool: Tool; readonly input: unknown }
  /** Equal to a call that succeeded in an earlier round. */
  | { readonly type: "reuse"; readonly call: ToolCall; readonly earlier: ToolOutcome }
  /** Equal to a call of an earlier run of the thread. */
  | { readonly type: "recall"; readonly call: ToolCall; readonly findings: ToolFindings; readonly earlier: ThreadResult }
  /** Equal to another call of this round, which is made once. */
  | { readonly type: "repeat"; readonly call: ToolCall; readonly first: ToolCall }
  | Refusal;

interface Refusal {
  readonly type: "refuse";
  readonly call: ToolCall;
  readonly code: "unknown_tool" | "out_of_scope" | "invalid_arguments" | "not_confirmed";
  readonly message: string;
}

export type PerformableCall = Extract<PlannedCall, { type: "perform" }>;

/** Decides for each call whether to make it. Only query calls are answered from an earlier result. */
export function planCalls(
  calls: readonly ToolCall[],
  offered: readonly string[],
  tools: Toolbox,
  outcomes: readonly ToolOutcome[],
): PlannedCall[] {
  const first = new Map<string, ToolCall>();
  const standing = outcomesSinceMutation(outcomes, tools);
  return calls.map((call, index): PlannedCall => {
    const refuse = (code: Refusal["code"], message: string): Refusal => ({ type: "refuse", call, code, message });
    if (index >= MAX_CALLS_PER_ROUND) return refuse("invalid_arguments", `At most ${MAX_CALLS_PER_ROUND} calls are made in a round.`);
    const tool = tools.get(call.name);
    if (tool === undefined) return refuse("unknown_tool", `There is no tool ${call.name}. There are: ${offered.join(", ") || "none"}.`);
    if (!offered.includes(call.name)) {
      const there = offered.join(", ") || "no tools";
      return refuse("out_of_scope", `${call.name} lies outside the scope of the run, which has: ${there}.`);
    }
    if (typeof call.arguments === "string")
      return refuse("invalid_arguments", `${call.name} was not called: its arguments are not valid JSON. Send one whole JSON object.`);
    const parsed = tool.schema.safeParse(call.arguments);
    if (!parsed.success) {
      const issues = parsed.error.issues.map(({ path, message }) => `${path.join(".") || "arguments"}: ${message}`);
      return refuse("invalid_arguments", issues.join("; "));
    }
    const key = callKey(call);
    const earlier = standing.find((outcome) => outcome.ok && callKey(outcome) === key);
    if (tool.kind === "query" && earlier !== undefined) return { type: "reuse", call, earlier };
    const same = first.get(key);
    if (tool.kind === "query" && same !== undefined) return { type: "repeat", call, first: same };
    first.set(key, call);
    return { type: "perform", call, tool, input: parsed.data };
  });
}

/** Equal for calls of one tool with equal arguments, in any order of their keys. */
export function callKey(call: Pick<ToolCall, "name" | "arguments">): string {
  return `${call.name} ${canonicalJson(call.arguments)}`;
}

const UNMADE = ["unknown_tool", "out_of_scope", "invalid_arguments", "not_confirmed"];

/** The outcomes since the last mutation: earlier results may no longer be true. */
export function outcomesSinceMutation(outcomes: readonly ToolOutcome[], tools: Toolbox): readonly ToolOutcome[] {
  const isChange = ({ name, failure }: ToolOutcome): boolean => tools.get(name)?.kind === "mutation" && !UNMADE.includes(failure ?? "");
  return outcomes.slice(outcomes.findLastIndex(isChange) + 1);
}

/** The calls that need the user's consent and have no verdict yet. */
export function unconfirmedCalls(planned: readonly PlannedCall[], verdicts: readonly Verdict[]): PerformableCall[] {
  return planned.filter(
    (plan): plan is PerformableCall =>
      plan.type === "perform" && plan.tool.confirm === true && !verdicts.some(({ callId }) => callId === plan.call.id),
  );
}

/** Refuses calls that need consent and did not get it. */
export function applyVerdicts(planned: readonly PlannedCall[], verdicts: readonly Verdict[]): PlannedCall[] {
  return planned.map((plan): PlannedCall => {
    if (plan.type !== "perform" || plan.tool.confirm !== true) return plan;
    const verdict = verdicts.find(({ callId }) => callId === plan.call.id);
    if (verdict?.approve === true) return plan;
    const why = verdict === undefined || verdict.reason === "" ? "" : ` The user says: ${verdict.reason}`;
    const message = `${plan.call.name} was not called: the user did not agree to it.${why}`;
    return { type: "refuse", call: plan.call, code: "not_confirmed", message };
  });
}

const MAX_REASON_LENGTH = 2_000;

const AnswerSchema = z.object({ approve: z.boolean(), reason: z.string().catch("") });

/**
 * Asks the user for consent to a call that may change something. The arguments are shown as they will be sent, addresses included. Throws
 * LangGraph's interrupt until the answer is there.
 */
export function askForConsent({ id: callId, name, arguments: args }: ToolCall, task: Pick<Task, "language" | "question">): Verdict {
  const tool = stripUnknownAddresses(name, []);
  const prompt = promptFor(tool, resolveLanguage(task.language, task.question));
  const answer: unknown = interrupt({ kind: "confirmation", prompt, path: "", plan: null, call: { tool: name, arguments: args } });
  const { approve, reason } = AnswerSchema.catch({ approve: false, reason: "" }).parse(answer);
  return { callId, approve, reason: reason.slice(0, MAX_REASON_LENGTH).toWellFormed().trim() };
}

function promptFor(tool: string, language: string): string {
  return /^zh\b/i.test(language)
    ? `工具 ${tool} 可能会修改数据。是否同意用这些参数调用它？`
    : `The tool ${tool} may change something. May it be called with these arguments?`;
}

const BARREN_ROUNDS = 2;

/** Whether a loop makes no progress: a round of repeated calls only, or two rounds in a row without a new result. */
export function isStuck(outcomes: readonly ToolOutcome[], round: number): boolean {
  const last = outcomes.filter((outcome) => outcome.round === round);
  if (last.every((outcome) => outcome.reused)) return true;
  const recent = outcomes.filter((outcome) => outcome.round > round - BARREN_ROUNDS);
  return round >= BARREN_ROUNDS && recent.every((outcome) => outcome.newResults === 0);
}
