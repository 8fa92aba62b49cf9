import { rulesMayReplace } from "../../domain/failures.ts";
import type { Termination } from "../../domain/run.ts";
import { isErrorCode } from "../../errors.ts";
import { isStuck } from "../../gathering/plan-calls.ts";
import { callsToConfirm } from "../shared/tool-round.ts";
import type { ToolDeps } from "../shared/tool-servers.ts";
import { callsOfLastResponse } from "./ask.ts";
import { hasFindings } from "./load-evidence.ts";
import { answerText, controlCalls, lastResponse, openCalls } from "./messages.ts";
import { controlsOf, offeredTools, SEARCH_NAME } from "./request.ts";
import type { AgentMessage, AgentStateValue } from "./state.ts";
import { createPolicy } from "./termination-policy.ts";

/** With the one that writes the answer at the cap. */
const MAX_RESPONSES = 10;
const ANSWER_STEPS = 2;
export const MIN_STEPS = ANSWER_STEPS + 1;

/** Returns the next step of the loop. The step depends only on the state, so routers and nodes agree. */
export type Decide = (state: AgentStateValue) => NextStep;

export function createDecide(deps: ToolDeps): Decide {
  return (state) => {
    const { task, outcomes, round } = state;
    const tools = offeredTools(state);
    const policy = createPolicy(task.termination);
    const step = decideNext({
      ...state,
      asksUser: callsToConfirm(callsOfLastResponse(state), state, deps).length > 0,
      controls: controlsOf(deps.tools, tools),
      policy: (text) => policy(text, tools),
      isStuck: round > 0 && isStuck(outcomes, round),
      maySearch: maySearchInstead(state),
      thinksLeft: thinksLeft(state),
      stepsLeft: task.limits.steps - state.steps - ANSWER_STEPS,
    });
    return task.part === undefined ? step : adaptToNestedRun(step, state);
  };
}

/** A nested run at its cap has failed, so that it writes no answer there. */
function thinksLeft({ task, thinks }: AgentStateValue): number {
  return (task.part?.maxThinks ?? MAX_RESPONSES - 1) - thinks;
}

function adaptToNestedRun(step: NextStep, state: AgentStateValue): NextStep {
  const over = thinksLeft(state) <= 0;
  if (step.type === "write" && (over || step.reason !== "no_progress")) return { ...step, type: "conclude", text: null };
  const resultUnused = step.type === "ask" || (step.type === "act" && step.mode === "all");
  return over && resultUnused ? { type: "conclude", reason: "step_cap", detail: "the gathering was cut short", text: null } : step;
}

/** An executor whose model fails searches for the words of the question. So does an agent that has found nothing, unless its model refused. */
export function maySearchInstead(state: AgentStateValue): boolean {
  const { task, failure, outcomes, spent } = state;
  const isReplaceable = failure !== null && isErrorCode(failure.code) && rulesMayReplace(failure.code);
  const isNew = task.part === undefined && spent === null && outcomes.every(({ name }) => name !== SEARCH_NAME);
  return isReplaceable && isNew && offeredTools(state).includes(SEARCH_NAME) && !hasFindings(state);
}

export interface LoopView extends Readonly<Pick<AgentStateValue, "finishReason" | "spent" | "failure" | "crowded">> {
  readonly messages: readonly AgentMessage[];
  readonly controls: Readonly<Record<string, "stop" | "wait">>;
  /** Returns null if the text is an answer, otherwise the message to send to the model. */
  readonly policy: (text: string) => string | null;
  readonly asksUser: boolean;
  readonly isStuck: boolean;
  /** Whether the model failed before anything was found or searched. */
  readonly maySearch: boolean;
  readonly thinksLeft: number;
  readonly stepsLeft: number;
}

export type NextStep =
  | { readonly type: "think"; readonly say: { readonly mark: "nudge" | "continue"; readonly content: string } | null }
  /** `stop` executes only the first valid call that ends the loop; `search` searches for the words of the question. */
  | { readonly type: "act"; readonly mode: "all" | "stop" | "search" }
  | { readonly type: "ask" }
  | { readonly type: "confirm" }
  | { readonly type: "compress" }
  | { readonly type: "write"; readonly reason: Termination["reason"]; readonly detail: string | null }
  | { readonly type: "conclude"; readonly reason: Termination["reason"]; readonly detail: string | null; readonly text: string | null };

const STEPS_TO_CONFIRM = 2;

const CONTINUE = "Your answer was cut off at its length limit. Go on exactly where it stopped, without repeating anything.";

export function decideNext(view: LoopView): NextStep {
  return (
    compressIfCrowded(view) ??
    followControlCall(view) ??
    endAfterFailure(view) ??
    applyCaps(stepByFinishReason(view) ?? stepByLastMessage(view), view)
  );
}

function compressIfCrowded({ crowded, failure, messages }: LoopView): NextStep | null {
  return crowded && failure === null && messages.at(-1)?.role !== "assistant" ? { type: "compress" } : null;
}

function followControlCall({ messages, controls }: LoopView): NextStep | null {
  const calls = controlCalls(messages, controls);
  if (calls.some(({ effect, result }) => effect === "wait" && result === undefined)) return { type: "ask" };
  if (calls.some(({ effect, result }) => effect === "stop" && result !== undefined && result.mark !== "declined"))
    return { type: "conclude", reason: "finish_task", detail: null, text: lastResponse(messages)?.content ?? "" };
  return calls.some(({ effect, result }) => effect === "stop" && result === undefined) ? { type: "act", mode: "stop" } : null;
}

function endAfterFailure({ failure, spent, maySearch, stepsLeft }: LoopView): NextStep | null {
  if (maySearch && stepsLeft > 0) return { type: "act", mode: "search" };
  if (failure !== null) return { type: "conclude", reason: "completed", detail: `${failure.code}: ${failure.message}`, text: null };
  return spent === null ? null : { type: "write", reason: spent, detail: "the gathering was cut short" };
}

function stepByFinishReason(view: LoopView): NextStep | null {
  const { messages, finishReason } = view;
  const last = messages.at(-1);
  if (last?.role !== "assistant" || finishReason === null) return null;
  const text = answerText(messages);
  if (finishReason === "repetition") return { type: "conclude", reason: "no_progress", detail: "the model repeated itself", text: null };
  if (finishReason === "content_filter") return endFiltered(text);
  if (last.toolCalls.length > 0) return { type: "act", mode: "all" };
  const wasContinued = messages.at(-2)?.mark === "continue";
  if (finishReason === "length" && !wasContinued) return { type: "think", say: { mark: "continue", content: CONTINUE } };
  return judgeText(text, view);
}

function stepByLastMessage(view: LoopView): NextStep {
  const { messages } = view;
  if (openCalls(messages).length > 0) return { type: "act", mode: "all" };
  return messages.at(-1)?.role === "assistant" ? judgeText(answerText(messages), view) : { type: "think", say: null };
}

/** If the policy rejects the text, the model gets one reminder. After the reminder, any text is accepted, also the one before it. */
function judgeText(text: string, { policy, messages }: LoopView): NextStep {
  const nudge = policy(text);
  const wasNudged = messages.at(-2)?.mark === "nudge";
  if (nudge !== null && !wasNudged) return { type: "think", say: { mark: "nudge", content: nudge } };
  const answer = text.trim() === "" ? answerText(messages.slice(0, -2)) : text;
  if (answer.trim() !== "") return { type: "conclude", reason: "answered", detail: null, text: answer };
  return { type: "conclude", reason: "no_answer", detail: "the model gave no answer", text: null };
}

function endFiltered(text: string): NextStep {
  const detail = "the model's server held back the rest of the answer";
  if (text.trim() === "") return { type: "conclude", reason: "no_answer", detail: "the model's server held back the answer", text: null };
  return { type: "conclude", reason: "answered", detail, text };
}

function applyCaps(step: NextStep, { asksUser, isStuck: stuck, thinksLeft, stepsLeft }: LoopView): NextStep {
  const capped: NextStep = { type: "write", reason: "step_cap", detail: "the gathering was cut short" };
  if (step.type === "think") {
    if (stuck) return { type: "write", reason: "no_progress", detail: "the calls brought nothing new" };
    return Math.min(thinksLeft, stepsLeft) > 0 ? step : capped;
  }
  if (step.type !== "act") return step;
  if (asksUser) return stepsLeft >= STEPS_TO_CONFIRM ? { type: "confirm" } : capped;
  return stepsLeft > 0 ? step : capped;
}
