import type { GraphNode } from "../../../domain/ports/node.ts";
import { agentRequest, type RequestDeps } from "../request.ts";
import type { AgentStateValue, AgentUpdate } from "../state.ts";
import { fitToModel } from "./fit.ts";

const HOPELESS =
  "The question does not fit into the model's context, even without anything else; set MODEL_CONTEXT_TOKENS right or ask less.";

/** Makes the conversation short enough for the model, by rules alone. */
export function createCompressNode(deps: RequestDeps): GraphNode<AgentStateValue, AgentUpdate> {
  return async (state, effects) => {
    const fitted = await fitToModel(state, state.messages, (messages, kept) =>
      agentRequest({ ...state, ...kept }, messages, deps, effects),
    );
    if (fitted === null) return { steps: 1, crowded: false, failure: { code: "context_too_large", message: HOPELESS } };
    const { messages, forgottenTurns } = fitted;
    return { steps: 1, crowded: false, messages, forgottenTurns };
  };
}
