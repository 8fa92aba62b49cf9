import { interrupt } from "@langchain/langgraph";
import type { ModelToolCall } from "../../../domain/chat.ts";
import type { GraphNode } from "../../../domain/ports/node.ts";
import type { Toolbox } from "../../../domain/ports/tool.ts";
import { scopeOf } from "../../../domain/request.ts";
import type { ToolOutcome } from "../../../domain/tool.ts";
import { toDossierError } from "../../../errors.ts";
import { stripUnknownAddresses } from "../../../evidence/address-filter.ts";
import type { AgentMessage, AgentStateValue, AgentUpdate } from "../../../graphs/agent/state.ts";
import { knownAddresses } from "../../known-addresses.ts";
import { planCalls } from "../../optional-tool/plan-calls.ts";
import { unanswered } from "../decide/read-messages.ts";
import { offeredTools } from "../offered-tools.ts";
import { notExecuted } from "../settle.ts";
import { toToolCall } from "../tool-call.ts";

const MAX_ANSWER_LENGTH = 8_000;
const MAX_BRIEF_LENGTH = 300;

/** Waits for the user: the answer becomes the result of the call that asked, and no other call of that response is made. */
export function createAskNode({ tools }: { readonly tools: Toolbox }): GraphNode<AgentStateValue, AgentUpdate> {
  return async (state, effects) => {
    const open = unanswered(state.messages);
    const asked = await questionOf(open, state, tools, effects);
    if (asked.prompt === null) return { steps: 1, finishReason: null, messages: [...state.messages, ...asked.results] };
    const answer: unknown = interrupt({
      kind: "question",
      prompt: stripUnknownAddresses(asked.prompt, knownAddresses(state)),
      path: "",
      plan: null,
      call: null,
    });
    const text = (typeof answer === "string" ? answer : JSON.stringify(answer)).slice(0, MAX_ANSWER_LENGTH).toWellFormed();
    const results = open.map((call): AgentMessage => {
      if (call !== asked.call) return notExecuted(call, "the user was asked first");
      const brief = `${call.name} ${asked.prompt}: ${text}`.replace(/\s+/g, " ").slice(0, MAX_BRIEF_LENGTH).toWellFormed();
      return { role: "tool", callId: call.id, name: call.name, content: text, brief };
    });
    return {
      steps: 1,
      round: 1,
      finishReason: null,
      messages: [...state.messages, ...results],
      outcomes: [heard(state, asked.call, text)],
    };
  };
}

type Asked =
  | { readonly prompt: string; readonly call: ModelToolCall }
  | { readonly prompt: null; readonly results: readonly AgentMessage[] };

/** The first call that asks in a way that can be understood. The tool's text is the question; making it reaches nothing. */
async function questionOf(
  open: readonly ModelToolCall[],
  { task }: AgentStateValue,
  tools: Toolbox,
  { runId, signal }: { readonly runId: string; readonly signal: AbortSignal },
): Promise<Asked> {
  const results: AgentMessage[] = [];
  for (const call of open) {
    const [plan] = planCalls([toToolCall(call)], offeredTools(task), tools, []);
    if (tools.get(call.name)?.effect !== "wait") results.push(notExecuted(call, "the user was to be asked first"));
    else if (plan?.type === "refuse") results.push({ ...notExecuted(call, ""), content: `${plan.code}: ${plan.message}` });
    else if (plan?.type === "perform") {
      const context = { runId, signal, scope: scopeOf(task), metadata: task.metadata };
      const said = await plan.tool.call(plan.input, context).catch((error: unknown) => toDossierError(error, "tool_failed"));
      if (!(said instanceof Error)) return { prompt: said.text, call };
      results.push({ ...notExecuted(call, ""), content: `${said.code}: ${said.message}` });
    }
  }
  return { prompt: null, results };
}

/** An answer is something new. */
function heard({ round }: AgentStateValue, call: ModelToolCall, text: string): ToolOutcome {
  const { name, arguments: args } = toToolCall(call);
  return { round: round + 1, name, arguments: args, ok: true, reused: false, results: 0, newResults: 1, observation: text, failure: null };
}
