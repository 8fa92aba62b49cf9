import { refusedBudget } from "../domain/budget.ts";
import type { Rewriting, RewritingView } from "../domain/ports/analyst.ts";
import type { Effects } from "../domain/ports/effects.ts";
import type { RenderPrompt } from "../domain/ports/models.ts";
import type { Models } from "../domain/request.ts";
import { toDossierError } from "../errors.ts";
import { fence } from "../evidence/data-fence.ts";
import { type ModelAnalystDeps, reportModelFailure, requireReplaceable } from "../writing/rules-fallback.ts";
import { askToDecide, describeSources, queriesIn, searchTool, toCall } from "./search-call.ts";

const NODE = "search";
const MAX_CALLS = 4;
const MAX_OUTPUT_TOKENS = 1_000;

/** Asks the model once for other queries. Returns none if it has none, or if its own budget has no call left for gathering: others may need theirs more. */
export async function rewriteByModel(view: RewritingView, models: Models, deps: ModelAnalystDeps, effects: Effects): Promise<Rewriting> {
  const since = effects.now();
  const limits = { maxOutputTokens: MAX_OUTPUT_TOKENS, mayBorrow: false };
  const asking = { view, models, node: NODE, tools: [searchTool(view.sources)], userMessage: await stateOf(view, deps.prompts), ...limits };
  try {
    const { toolCalls } = await askToDecide(asking, deps, effects);
    return { queries: queriesIn(toolCalls.slice(0, MAX_CALLS).map(toCall)) };
  } catch (thrown) {
    if (refusedBudget(toDossierError(thrown)) !== null) return { queries: [] };
    const error = requireReplaceable(thrown, view, effects);
    return { queries: [], ledger: [reportModelFailure({ error, models, role: "decision", node: NODE, since }, effects)] };
  }
}

function stateOf({ question, sources, asked, best }: RewritingView, prompts: RenderPrompt): Promise<string> {
  const found = best.map(({ title, firstLine }, i) => fence(`R${i + 1}`, [title, firstLine].filter(Boolean).join("\n")));
  return prompts("messages/decision-rewrite", {
    question,
    sources: describeSources(sources),
    queries: asked.map((text) => `- ${text}`).join("\n"),
    best: found.join("\n") || "none",
  });
}
