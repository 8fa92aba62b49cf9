import type { AgentStateValue } from "../../../graphs/agent/state.ts";
import type { ToolDeps } from "../../tool-servers/with-offered.ts";
import { withoutProgress } from "../../without-progress.ts";
import { callsToConfirm } from "../confirm/node.ts";
import { controlsOf, offeredTools } from "../offered-tools.ts";
import { decideNext, type NextStep } from "./decide-next.ts";
import { anyText, type TerminationPolicy } from "./termination-policy.ts";

/** How often an agent may think about one question. */
export const MAX_THINKS = 10;
/** Steps that belong to the answer: to write it, and to make the report of it. */
const ANSWER_STEPS = 2;
/** Nodes without which there is no report: one thought, and the answer. */
export const MIN_STEPS = ANSWER_STEPS + 1;

export interface DecideDeps extends ToolDeps {
  readonly policy?: TerminationPolicy;
}

/** The next step of a run as its state stands; a pure function, so that routers and nodes come to the same. */
export type Decide = (state: AgentStateValue) => NextStep;

export function createDecide({ policy = anyText, ...deps }: DecideDeps): Decide {
  return (state) => {
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
      thinksLeft: MAX_THINKS - state.thinks,
      stepsLeft: task.limits.steps - state.steps - ANSWER_STEPS,
    });
  };
}
