import { refusedBudget } from "../../domain/budget.ts";
import type { Effects, GraphNode } from "../../domain/ports/effects.ts";
import type { ChatModel } from "../../domain/ports/models.ts";
import { type DossierError, toDossierError } from "../../errors.ts";
import { languageName } from "../../ranking/language.ts";
import { readingMsLeft } from "../shared/limits.ts";
import { fitToModel } from "./compress.ts";
import { answerOpenCalls } from "./messages.ts";
import { agentRequest, modelsOf, type RequestDeps, shownToReaders } from "./request.ts";
import type { AgentMessage, AgentStateValue, AgentUpdate } from "./state.ts";
import { modelFailed } from "./think.ts";

export interface WriteDeps extends RequestDeps {
  readonly model: ChatModel;
}

/** Asks the model for the answer, once and without tools, from the reserve for writing. */
export function createWriteNode(deps: WriteDeps): GraphNode<AgentStateValue, AgentUpdate> {
  return async (state, effects) => {
    const { task } = state;
    const timeoutMs = readingMsLeft(state, effects);
    if (timeoutMs === 0) return { steps: 1 };
    const content = await deps.prompts("messages/agent-answer", { language: languageName(task) });
    const asked: AgentMessage = { role: "user", content, mark: "nudge" };
    const messages = answerOpenCalls(state.messages, "the gathering has ended");
    const fitted = await fitToModel(state, [...messages, asked], (shorter, kept) =>
      agentRequest({ ...state, ...kept }, shorter, deps, effects, "write"),
    );
    if (fitted === null) return { steps: 1 };
    const models = modelsOf(task);
    const options = { node: "write", limits: task.limits, models, purpose: "write", timeoutMs, shown: shownToReaders(state) } as const;
    const since = effects.now();
    try {
      const { content: written, finishReason } = await deps.model.complete(fitted.request, options, effects);
      const usable = finishReason !== "repetition" && written.trim() !== "";
      return { steps: 1, written: usable ? written : null, cut: usable && finishReason === "length" };
    } catch (thrown) {
      effects.signal.throwIfAborted();
      return {
        steps: 1,
        ...unwritten(
          toDossierError(thrown),
          { node: "write", model: fitted.request.model, since, replaceable: true, isPart: task.part !== undefined },
          effects,
        ),
      };
    }
  };
}

/** A refused budget is why it was asked at all. @throws DossierError `model_refused` */
function unwritten(error: DossierError, asked: Parameters<typeof modelFailed>[1], effects: Effects): AgentUpdate {
  if (refusedBudget(error) !== null) return {};
  return { ledger: modelFailed(error, asked, effects).ledger };
}
