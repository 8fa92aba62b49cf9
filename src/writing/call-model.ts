import { type PaidBudget, refusedBudget } from "../domain/budget.ts";
import { type ChatMessage, type ChatReply, type ChatRequest, textRequest } from "../domain/chat.ts";
import { type FallbackTarget, modelFailureEntry, rulesMayReplace } from "../domain/failures.ts";
import { historyMessages } from "../domain/history.ts";
import type { ModelView, QuestionView, RulesFallback } from "../domain/ports/analyst.ts";
import type { Effects } from "../domain/ports/effects.ts";
import type { CallOptions, ChatModel, RenderPrompt } from "../domain/ports/models.ts";
import type { LedgerEntry } from "../domain/report.ts";
import { type Models, modelOf } from "../domain/request.ts";
import type { ModelRole } from "../domain/roles.ts";
import { toDossierError } from "../errors.ts";
import { hideAddresses } from "../evidence/address-filter.ts";
import { createOutputFilter } from "../evidence/sanitize-output.ts";
import { languageName } from "../ranking/language.ts";

export interface ModelDeps {
  readonly model: ChatModel;
  readonly prompts: RenderPrompt;
}

const MAX_TURNS = 6;

/** Returns a role's prompt, the last turns without the web addresses of the answers, and the message with what the role works on. */
export async function promptOf(
  role: string,
  view: QuestionView,
  userMessage: string,
  prompts: RenderPrompt,
  places: Readonly<Record<string, string>> = {},
): Promise<ChatMessage[]> {
  const { today, systemContext, history } = view;
  const system = await prompts(role, { language: languageName(view), today, systemContext, ...places }, view.prompts);
  const turns = historyMessages(history.slice(-MAX_TURNS), hideAddresses);
  return [{ role: "system", content: system }, ...turns, { role: "user", content: userMessage }];
}

/** After these, a second answer would be no better. */
export const FINAL_FAULTS: Partial<Record<ChatReply["finishReason"], string>> = {
  content_filter: "The model's server held its answer back.",
  repetition: "The model said the same again and again.",
};

const MAX_FAULTY = 100_000;

/** Returns the messages that ask for an answer again. `template` tells the model its faults. */
export async function askAgain(
  messages: readonly ChatMessage[],
  { content }: Pick<ChatReply, "content">,
  template: string,
  faults: string,
  prompts: RenderPrompt,
): Promise<ChatMessage[]> {
  // Some servers refuse an empty message.
  const faulty = content.slice(0, MAX_FAULTY).toWellFormed().trim() || "(empty)";
  const correction = await prompts(`messages/${template}`, { faults });
  return [...messages, { role: "assistant", content: faulty, toolCalls: [] }, { role: "user", content: correction }];
}

interface Asking
  extends Pick<CallOptions, "node" | "purpose" | "borrows" | "tries" | "onContent" | "restart">,
    Partial<Pick<ChatRequest, "schema" | "tools" | "maxOutputTokens">> {
  readonly view: ModelView;
  readonly models: Models;
  readonly role: ModelRole;
  readonly messages: readonly ChatMessage[];
  /** The addresses that may be shown. */
  readonly known: readonly string[];
  /** When the work that has the view's time began, on the run's clock. */
  readonly since?: number;
}

/** Makes one call of a role. It gets the time that the view has left. @throws the errors of `ChatModel.complete` */
export function callModel(asking: Asking, model: ChatModel, effects: Effects): Promise<ChatReply> {
  const { view, models, role, messages, known, since, schema, tools = [], maxOutputTokens: most, ...options } = asking;
  const maxOutputTokens = Math.min(models.maxOutputTokens, most ?? models.maxOutputTokens);
  const request = textRequest(modelOf(models, role), messages, maxOutputTokens, schema);
  const usedMs = since === undefined ? 0 : effects.elapsedMs(since);
  return model.complete(
    tools.length === 0 ? request : { ...request, tools, toolChoice: "auto" },
    {
      ...options,
      models,
      limits: view.limits,
      ...(view.timeoutMs !== undefined && { timeoutMs: view.timeoutMs - usedMs }),
      shown: { reasoning: () => createOutputFilter(known), known },
    },
    effects,
  );
}

interface ModelFailure {
  readonly models: Models;
  readonly role: ModelRole;
  /** When the work began, on the run's clock. */
  readonly since: number;
  /** Whether the run has found something, so that a refusal of the model does not end it. */
  readonly hasFindings?: boolean;
  /** The node that failed, or the part of its work, of which readers are told by the ledger alone. */
  readonly failed: { readonly node: string } | { readonly target: FallbackTarget };
}

const TARGETS: Readonly<Record<string, FallbackTarget>> = {
  llm_decision: "decision",
  search: "queries",
  plan: "plan",
  assess: "assessment",
  verify: "verdict",
};

/**
 * Returns the ledger entry of a failed model that rules may replace, and the budget that refused its call, if one did.
 * @throws any other error, and the reason if the run was stopped
 */
export function modelFailure(
  thrown: unknown,
  { models, role, since, hasFindings = true, failed }: ModelFailure,
  effects: Effects,
): { readonly entry: LedgerEntry; readonly spent: PaidBudget | null } {
  effects.signal.throwIfAborted();
  const error = toDossierError(thrown);
  const spent = refusedBudget(error);
  if (spent === null && !rulesMayReplace(error.code, hasFindings)) throw error;
  const model = modelOf(models, role);
  const said = { model: model || "model", failure: error.code, message: error.message, fallback: "rules" } as const;
  // The end of the run reports a spent budget.
  if ("node" in failed && spent === null) effects.emit({ type: "model-failed", ...failed, ...said });
  const target = "target" in failed ? failed.target : (TARGETS[failed.node] ?? "report");
  return { entry: modelFailureEntry({ model, target, error, ms: effects.elapsedMs(since) }), spent };
}

type ByRules<View, Result> = (view: View, effects: Effects) => Promise<Result>;
export type ByModel<View, Result, Deps> = (view: View, models: Models, deps: Deps, effects: Effects) => Promise<Result>;

/**
 * Lets the model of a run do the work. Rules do it if the run has no model, it fails, or the budget refuses the call.
 * @throws DossierError other errors, such as `model_refused` before anything is found
 */
export function modelOrRules<View extends ModelView, Result extends RulesFallback, Deps>(
  { model: role, stage: node }: { readonly model: ModelRole; readonly stage: string },
  byModel: ByModel<View, Result, Deps>,
  byRules: ByRules<View, Result>,
  deps: Deps,
  hasFindings: (view: View) => boolean = () => true,
): ByRules<View, Result> {
  return async (view, effects) => {
    const { models } = view;
    if (models === null) return byRules(view, effects);
    const since = effects.now();
    try {
      return await byModel(view, models, deps, effects);
    } catch (thrown) {
      const failure = { models, role, since, hasFindings: hasFindings(view), failed: { node } };
      const { entry, spent } = modelFailure(thrown, failure, effects);
      const done = await byRules(view, effects);
      return { ...done, ledger: [...(done.ledger ?? []), entry], spent };
    }
  };
}
