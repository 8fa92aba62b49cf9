import { refusedBudget } from "../../../domain/budget.ts";
import type { ChatRequest } from "../../../domain/chat.ts";
import { isReplaceable, modelEntry } from "../../../domain/model-failure.ts";
import type { ChatModel } from "../../../domain/ports/chat-model.ts";
import type { Effects } from "../../../domain/ports/effects.ts";
import type { RenderPrompt } from "../../../domain/ports/prompts.ts";
import type { LedgerEntry } from "../../../domain/report.ts";
import { modelOf } from "../../../domain/request.ts";
import type { Termination } from "../../../domain/run.ts";
import { type DossierError, toDossierError } from "../../../errors.ts";
import { createShownText } from "../../../evidence/shown-text.ts";
import type { TeamStateValue } from "../../../graphs/team/state.ts";
import { languageName } from "../../../ranking/language-name.ts";
import { modelsOf, turnsOf } from "../../agent/request.ts";
import { knownAddresses } from "../../known-addresses.ts";
import { writingMsLeft } from "../../time-budget.ts";
import { tellResults } from "../tell-results.ts";
import type { Places } from "./places.ts";

export interface AskDeps {
  readonly model: ChatModel;
  readonly prompts: RenderPrompt;
}

/** What came of asking: the answer in its words, or why there is none. */
export interface Summed {
  readonly text: string | null;
  readonly cut: boolean;
  readonly ledger: readonly LedgerEntry[];
  readonly spent: Termination["reason"] | null;
}

const NOTHING: Summed = { text: null, cut: false, ledger: [], spent: null };

/** Asks the supervisor's model once. @throws DossierError `model_refused`, and whatever else rules may not stand in for */
export async function askSupervisor(state: TeamStateValue, places: Places, deps: AskDeps, effects: Effects): Promise<Summed> {
  const { task } = state;
  const timeoutMs = writingMsLeft(state, effects);
  if (timeoutMs === 0) return { ...NOTHING, spent: "time_budget" };
  const request = await requestOf(state, places, deps.prompts);
  const known = knownAddresses(state);
  const filter = () => createShownText(known, ["S"]);
  const shown = { content: filter, reasoning: filter, known };
  const options = { node: "supervise", limits: task.limits, models: modelsOf(task), purpose: "write", timeoutMs, shown } as const;
  const since = effects.now();
  try {
    const { content, finishReason } = await deps.model.complete(request, options, effects);
    const usable = finishReason !== "repetition" && content.trim() !== "";
    if (usable) return { ...NOTHING, text: content, cut: finishReason === "length" };
    const missed = { model: request.model, target: "report", code: "empty", message: "The model gave no answer.", ms: 0 } as const;
    return { ...NOTHING, ledger: [modelEntry(missed)] };
  } catch (thrown) {
    effects.signal.throwIfAborted();
    return missing(toDossierError(thrown), request.model, since, effects);
  }
}

function missing(error: DossierError, model: string, since: number, effects: Effects): Summed {
  const spent = refusedBudget(error);
  if (spent !== null) return { ...NOTHING, spent };
  const { code, message } = error;
  if (!isReplaceable(code)) throw error;
  effects.emit({ type: "model-failed", node: "supervise", model: model || "model", failure: code, message, fallback: "rules" });
  return { ...NOTHING, ledger: [modelEntry({ model, target: "report", code, message, ms: effects.elapsedMs(since) })] };
}

async function requestOf({ task, children, work }: TeamStateValue, places: Places, prompts: RenderPrompt): Promise<ChatRequest> {
  const models = modelsOf(task);
  const language = languageName(task);
  const results = tellResults(children, work, { idOf: (citation) => places.idOf(citation), models });
  const system = await prompts("supervisor", { language, systemContext: task.systemContext });
  const asked = await prompts("messages/supervisor-task", { question: task.question, results });
  return {
    model: modelOf(models, "supervisor"),
    messages: [{ role: "system", content: system }, ...turnsOf(task.history), { role: "user", content: asked }],
    tools: [],
    toolChoice: "none",
    schema: null,
    maxOutputTokens: models.maxOutputTokens,
    stopTools: [],
  };
}
