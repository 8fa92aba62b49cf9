import { interrupt } from "@langchain/langgraph";
import { z } from "zod";
import { canonicalJson } from "../../domain/json.ts";
import type { Tool, Toolbox } from "../../domain/ports/tools.ts";
import type { Task } from "../../domain/request.ts";
import type { ThreadResult, ToolCall, ToolOutcome, Verdict } from "../../domain/tool.ts";
import { stripUnknownAddresses } from "../../evidence/address-filter.ts";
import { resolveLanguage } from "../../ranking/language.ts";
import type { ToolFindings } from "./perform-call.ts";

/** The most calls of one round that are made; the rest goes back to the analyst unmade. */
const MAX_CALLS_PER_ROUND = 16;

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
  const standing = outcomesSinceMutation(outcomes, tools);
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
export function outcomesSinceMutation(outcomes: readonly ToolOutcome[], tools: Toolbox): readonly ToolOutcome[] {
  const isChange = ({ name, failure }: ToolOutcome): boolean => tools.get(name)?.kind === "mutation" && !UNMADE.includes(failure ?? "");
  return outcomes.slice(outcomes.findLastIndex(isChange) + 1);
}

function refuse(call: ToolCall, code: "unknown_tool" | "out_of_scope" | "invalid_arguments", message: string): PlannedCall {
  return { type: "refuse", call, code, message };
}

type Performed = Extract<PlannedCall, { type: "perform" }>;

/** The calls that would be made and that the user has to agree to, as long as nothing was said to them. */
export function unconfirmedCalls(planned: readonly PlannedCall[], verdicts: readonly Verdict[]): Performed[] {
  return planned.filter(
    (plan): plan is Performed =>
      plan.type === "perform" && plan.tool.confirm === true && !verdicts.some(({ callId }) => callId === plan.call.id),
  );
}

/** The same calls, without those that the user has to agree to and did not: what nobody was asked about is not made either. */
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
 * What the user says to a call that would change something. The arguments are shown as they would be sent, addresses included: who
 * agrees has to see to what. Until the answer is there this throws, as LangGraph's interrupts do.
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

/** Whether a loop of calls stands still: a round of nothing but repeated calls, or two rounds in a row that brought nothing new. */
export function isStuck(outcomes: readonly ToolOutcome[], round: number): boolean {
  const last = outcomes.filter((outcome) => outcome.round === round);
  if (last.every((outcome) => outcome.reused)) return true;
  const recent = outcomes.filter((outcome) => outcome.round > round - BARREN_ROUNDS);
  return round >= BARREN_ROUNDS && recent.every((outcome) => outcome.newResults === 0);
}
