import { interrupt } from "@langchain/langgraph";
import type { ModelToolCall } from "../../domain/chat.ts";
import type { Effects, GraphNode } from "../../domain/ports/effects.ts";
import { scopeOf } from "../../domain/request.ts";
import type { ToolOutcome } from "../../domain/tool.ts";
import { DossierError, toDossierError } from "../../errors.ts";
import { stripUnknownAddresses } from "../../evidence/address-filter.ts";
import { callKey, planCalls } from "../shared/plan-calls.ts";
import { knownAddresses } from "../shared/sources.ts";
import { type ToolDeps, toolboxWith } from "../shared/tool-servers.ts";
import { notExecuted, openCalls, toToolCall } from "./messages.ts";
import { offeredTools } from "./request.ts";
import type { AgentMessage, AgentStateValue, AgentUpdate } from "./state.ts";

const MAX_ANSWER_LENGTH = 8_000;
const MAX_BRIEF_LENGTH = 300;

/**
 * Waits for the user. The answer becomes the result of the call that asked; no other call of the response is made. An answered question is
 * not asked again.
 */
export function createAskNode(deps: ToolDeps): GraphNode<AgentStateValue, AgentUpdate> {
  return async (state, effects) => {
    const { round, messages } = state;
    const open = openCalls(messages);
    const { asked, answered } = await questionOf(open, state, deps, effects);
    const answer = asked === null ? null : answeredBy(asked, waitFor(asked, state));
    const known = answer === null ? answered : [...answered, answer];
    const results = open.map(
      (call) => known.find((one) => one.call === call)?.message ?? notExecuted(call, "the user was to be asked first"),
    );
    return {
      steps: 1,
      round: 1,
      waitedMs: answer === null ? 0 : effects.elapsedMs(state.spokeAt),
      finishReason: null,
      messages: [...messages, ...results],
      outcomes: known.map(({ outcome }) => ({ ...outcome, round: round + 1 })),
    };
  };
}

interface Asked {
  readonly call: ModelToolCall;
  readonly prompt: string;
}

interface Answered {
  readonly call: ModelToolCall;
  readonly message: AgentMessage;
  readonly outcome: Omit<ToolOutcome, "round">;
}

/** Throws LangGraph's interrupt until the answer is there. */
function waitFor({ prompt }: Asked, state: AgentStateValue): string {
  const shown = stripUnknownAddresses(prompt, knownAddresses(state));
  const answer: unknown = interrupt({ kind: "question", prompt: shown, path: "", plan: null, call: null });
  return (typeof answer === "string" ? answer : JSON.stringify(answer)).slice(0, MAX_ANSWER_LENGTH).toWellFormed();
}

/** The first call with a new question, and the calls before it that need no answer of the user. */
async function questionOf(
  open: readonly ModelToolCall[],
  state: AgentStateValue,
  deps: ToolDeps,
  effects: Pick<Effects, "runId" | "signal">,
): Promise<{ asked: Asked | null; answered: Answered[] }> {
  const answered: Answered[] = [];
  for (const call of open.filter(({ name }) => deps.tools.get(name)?.effect === "wait")) {
    const one = await promptOf(call, state, deps, effects);
    if ("prompt" in one) return { asked: one, answered };
    answered.push(one);
  }
  return { asked: null, answered };
}

/** The tool's text is the question; the call reaches nothing outside. */
async function promptOf(
  call: ModelToolCall,
  state: AgentStateValue,
  deps: ToolDeps,
  { runId, signal }: Pick<Effects, "runId" | "signal">,
): Promise<Asked | Answered> {
  const { task, outcomes, offered } = state;
  const made = toToolCall(call);
  const key = callKey(made);
  const earlier = outcomes.find((outcome) => outcome.ok && callKey(outcome) === key);
  if (earlier !== undefined) return repeated(call, earlier.observation);
  const [plan] = planCalls([made], offeredTools(state), toolboxWith(deps, offered), []);
  if (plan?.type === "refuse") return refused(call, plan);
  if (plan?.type !== "perform") throw new DossierError("internal", `The call ${call.name} was not planned.`);
  const context = { runId, signal, scope: scopeOf(task), metadata: task.metadata };
  const said = await plan.tool.call(plan.input, context).catch((error: unknown) => toDossierError(error, "tool_failed"));
  return said instanceof Error ? refused(call, said) : { call, prompt: said.text };
}

const outcomeOf = (call: ModelToolCall, observation: string): Omit<ToolOutcome, "round"> => {
  const { name, arguments: args } = toToolCall(call);
  return { name, arguments: args, ok: true, reused: false, results: 0, newResults: 0, observation, failure: null };
};

function answeredBy({ call, prompt }: Asked, text: string): Answered {
  const { id: callId, name } = call;
  const brief = `${name} ${prompt}: ${text}`.replace(/\s+/g, " ").slice(0, MAX_BRIEF_LENGTH).toWellFormed();
  return { call, message: { role: "tool", callId, name, content: text, brief }, outcome: { ...outcomeOf(call, text), newResults: 1 } };
}

function repeated(call: ModelToolCall, text: string): Answered {
  const { id: callId, name } = call;
  const content = `The user was asked this before and answered: ${text}`;
  const brief = `${name}: asked before`;
  return { call, message: { role: "tool", callId, name, content, brief }, outcome: { ...outcomeOf(call, text), reused: true } };
}

function refused(call: ModelToolCall, { code, message }: { readonly code: string; readonly message: string }): Answered {
  const content = `${code}: ${message}`;
  return {
    call,
    message: { ...notExecuted(call, ""), content },
    outcome: { ...outcomeOf(call, content), ok: false, failure: code },
  };
}
