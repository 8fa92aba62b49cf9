import type { ToolDeps } from "../../tool-servers/with-offered.ts";
import { withoutProgress } from "../../without-progress.ts";
import { callsToConfirm } from "../confirm/node.ts";
import { controlsOf, offeredTools } from "../offered-tools.ts";
import type { AgentStateValue } from "../state.ts";
import { decideNext, type LoopView, type NextStep } from "./decide-next.ts";
import { createPolicy, type TerminationPolicy } from "./termination-policy.ts";

/** How often an agent may think about one question. */
export const MAX_THINKS = 10;
/** Steps that belong to the answer: to write it, and to make the report of it. */
const ANSWER_STEPS = 2;
/** Nodes without which there is no report: one thought, and the answer. */
export const MIN_STEPS = ANSWER_STEPS + 1;

export interface DecideDeps extends ToolDeps {
  /** Asked of what the settings of the run take for an answer. */
  readonly furtherPolicy?: TerminationPolicy;
}

/** The next step of a run as its state stands; a pure function, so that routers and nodes come to the same. */
export type Decide = (state: AgentStateValue) => NextStep;

export function createDecide({ furtherPolicy = () => null, ...deps }: DecideDeps): Decide {
  return (state) => {
    const tools = toolsOfRun(state);
    const { termination } = state.task;
    const further = termination?.policy === "any_text" ? () => null : furtherPolicy;
    const by = (policy: TerminationPolicy) => (text: string) => policy(text, tools) ?? further(text, tools);
    const step = decideAs(state, by(createPolicy(termination)));
    if (state.task.part === undefined) return step;
    // A part that writes its answer instead of calling finish_task has answered.
    const judging = termination?.policy === "finish_task" ? { ...termination, policy: "stock_phrases" as const } : termination;
    return withinPart(step, state, by(createPolicy(judging)));
  };

  function decideAs(state: AgentStateValue, policy: LoopView["policy"]): NextStep {
    const { task, messages, finishReason, crowded, spent, failure, outcomes, round } = state;
    const asksUser = callsToConfirm(state, deps).length > 0;
    return decideNext({
      messages,
      asksUser,
      finishReason,
      controls: controlsOf(deps.tools, offeredTools(state)),
      policy,
      tooLarge: crowded,
      spent,
      failure,
      withoutProgress: round > 0 && withoutProgress(outcomes, round),
      thinksLeft: thinksLeft(state),
      stepsLeft: task.limits.steps - state.steps - ANSWER_STEPS,
    });
  }
}

/** A part may write down calls of tools that it was not given. */
function toolsOfRun({ task: { part, ...task }, offered }: AgentStateValue): string[] {
  return [...new Set([...offeredTools({ task, offered }), ...(part?.tools ?? [])])];
}

function thinksLeft({ task, thinks }: AgentStateValue): number {
  return (task.part?.maxThinks ?? MAX_THINKS) - thinks;
}

/** A part that has reached a cap has failed, and is not asked for an answer; nor is a text one that tells of an action and makes none. */
function withinPart(step: NextStep, state: AgentStateValue, policy: LoopView["policy"]): NextStep {
  const over = thinksLeft(state) <= 0;
  if (step.type === "write" && (over || step.reason !== "no_progress")) return { ...step, type: "conclude", text: null };
  // What a call brings that no thought can follow is lost.
  const inVain = step.type === "ask" || (step.type === "act" && step.mode === "all");
  if (over && inVain) return { type: "conclude", reason: "step_cap", detail: "the gathering was cut short", text: null };
  if (step.type !== "conclude" || step.reason !== "answered" || step.text === null || policy(step.text) === null) return step;
  return { type: "conclude", reason: "no_answer", detail: "the model told of an action and made none", text: null };
}
