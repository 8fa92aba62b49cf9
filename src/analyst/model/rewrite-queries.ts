import { refusedBudget } from "../../domain/budget.ts";
import type { ChatMessage, ChatRequest } from "../../domain/chat.ts";
import type { Rewriting, RewritingView } from "../../domain/ports/analyst.ts";
import type { Effects } from "../../domain/ports/effects.ts";
import type { RenderPrompt } from "../../domain/ports/models.ts";
import { type Models, modelOf } from "../../domain/request.ts";
import { toDossierError } from "../../errors.ts";
import { addressesIn } from "../../evidence/address-detection.ts";
import { fence } from "../../evidence/data-fence.ts";
import { createOutputFilter } from "../../evidence/sanitize-output.ts";
import { languageName } from "../../ranking/language.ts";
import { lastTurns } from "./prompt-text.ts";
import { type ModelAnalystDeps, reportModelFailure, requireReplaceable } from "./rules-fallback.ts";
import { describeSources, queriesIn, searchTool, toCall } from "./search-call.ts";

const NODE = "search";
const MAX_CALLS = 4;
const MAX_OUTPUT_TOKENS = 1_000;

/** Asks the model once for other queries. Returns none if it has none, or if its own budget has no call left for gathering: others may need theirs more. */
export async function rewriteByModel(view: RewritingView, models: Models, deps: ModelAnalystDeps, effects: Effects): Promise<Rewriting> {
  const since = effects.now();
  const known = addressesIn(view.question);
  const request: ChatRequest = {
    model: modelOf(models, "decision"),
    messages: await messagesOf(view, deps.prompts),
    tools: [searchTool(view.sources)],
    toolChoice: "auto",
    schema: null,
    maxOutputTokens: Math.min(models.maxOutputTokens, MAX_OUTPUT_TOKENS),
    stopTools: [],
  };
  const { limits, timeoutMs } = view;
  const shown = { reasoning: () => createOutputFilter(known), known };
  const options = {
    node: NODE,
    limits,
    models,
    purpose: "gather",
    borrows: false,
    shown,
    ...(timeoutMs !== undefined && { timeoutMs }),
  } as const;
  try {
    const { toolCalls } = await deps.model.complete(request, options, effects);
    return { queries: queriesIn(toolCalls.slice(0, MAX_CALLS).map(toCall)) };
  } catch (thrown) {
    if (refusedBudget(toDossierError(thrown)) !== null) return { queries: [] };
    const error = requireReplaceable(thrown, effects);
    return { queries: [], ledger: [reportModelFailure({ error, models, role: "decision", node: NODE, since }, effects)] };
  }
}

async function messagesOf(view: RewritingView, prompts: RenderPrompt): Promise<ChatMessage[]> {
  const { question, today, systemContext, history, sources, asked, best } = view;
  const found = best.map(({ title, firstLine }, i) => fence(`R${i + 1}`, [title, firstLine].filter(Boolean).join("\n")));
  const state = {
    question,
    sources: describeSources(sources),
    queries: asked.map((text) => `- ${text}`).join("\n"),
    best: found.join("\n") || "none",
  };
  return [
    { role: "system", content: await prompts("decision", { language: languageName(view), today, systemContext }) },
    ...lastTurns(history),
    { role: "user", content: await prompts("messages/decision-rewrite", state) },
  ];
}
