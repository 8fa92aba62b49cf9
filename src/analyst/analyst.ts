import { refusedBudget } from "../domain/budget.ts";
import type { ChatReply } from "../domain/chat.ts";
import type { Analyst, Decision, DecisionView, Rewriting, RewritingView } from "../domain/ports/analyst.ts";
import type { Effects } from "../domain/ports/effects.ts";
import type { RenderPrompt } from "../domain/ports/models.ts";
import type { Models } from "../domain/request.ts";
import type { ToolCall, ToolOutcome } from "../domain/tool.ts";
import { toDossierError } from "../errors.ts";
import { addressesIn } from "../evidence/address-detection.ts";
import { stripUnknownAddresses } from "../evidence/address-filter.ts";
import { fence } from "../evidence/data-fence.ts";
import { sanitizeText } from "../evidence/sanitize-output.ts";
import { WRITER } from "../writing/roles.ts";
import { type ModelAnalystDeps, modelOrRules, reportModelFailure, requireReplaceable } from "../writing/rules-fallback.ts";
import { takingNotes, writeByModel } from "../writing/write-report.ts";
import { askToDecide, describeSources, queriesIn, SEARCH, searchTool, toCall } from "./search-call.ts";

/** Returns an analyst that asks a model, and rules if the run has no model or it fails. The run decides, so replays need no settings. */
export function createModelAnalyst(deps: ModelAnalystDeps): Analyst {
  const { rules } = deps;
  return {
    name: "model-or-rules",
    decide: (view, effects) => (view.models === null ? rules.decide(view, effects) : decideByModel(view, view.models, deps, effects)),
    rewrite: async (view, effects) => (view.models === null ? { queries: [] } : rewriteByModel(view, view.models, deps, effects)),
    write: modelOrRules(WRITER, writeByModel, rules.write, deps),
    takeNotes: takingNotes(deps),
  };
}

const NODE = "llm_decision";

/** A tool of the same name takes its place. */
function writesQueries({ sources, tools }: DecisionView): boolean {
  return sources !== undefined && !tools.some(({ name }) => name === SEARCH);
}

const MAX_CALLS = 16;
const MAX_REASON_LENGTH = 500;
const MAX_OUTPUT_TOKENS = 2_000;
const MAX_OUTCOMES = 16;
const MAX_OBSERVATION_LENGTH = 1_500;

async function decideByModel(view: DecisionView, models: Models, deps: ModelAnalystDeps, effects: Effects): Promise<Decision> {
  const noTool: Decision = { calls: [], reason: "No optional tool is offered." };
  // A question that can stand alone is not worth a call for queries alone.
  if (view.tools.length === 0 && view.needsQueries !== true) return noTool;
  const since = effects.now();
  try {
    return toDecision(await ask(view, models, deps, effects), view);
  } catch (thrown) {
    // The words of the question are searched for, and the calls that are left are for the report.
    if (view.tools.length === 0 && refusedBudget(toDossierError(thrown)) !== null) return noTool;
    const error = requireReplaceable(thrown, view, effects);
    const entry = reportModelFailure({ error, models, role: "decision", node: NODE, since }, effects);
    const decision = await deps.rules.decide(view, effects);
    return { ...decision, ledger: [...(decision.ledger ?? []), entry] };
  }
}

async function ask(view: DecisionView, models: Models, deps: ModelAnalystDeps, effects: Effects): Promise<ChatReply> {
  const { tools, sources = {} } = view;
  const userMessage = await stateOf(view, deps.prompts);
  const offered = writesQueries(view) ? [...tools, searchTool(sources)] : tools;
  const limits = { maxOutputTokens: MAX_OUTPUT_TOKENS, mayBorrow: tools.length > 0 };
  return askToDecide({ view, models, node: NODE, tools: offered, userMessage, ...limits }, deps, effects);
}

async function stateOf(view: DecisionView, prompts: RenderPrompt): Promise<string> {
  const { question, outcomes, resultsBySource, best, sources = {}, earlier = "" } = view;
  const counts = Object.entries(resultsBySource).map(([source, found]) => `- ${source}: ${found}`);
  const hits = best.map((hit, i) => fence(`R${i + 1}`, [hit.title, hit.publishedAt, hit.firstLine].filter(Boolean).join("\n")));
  const state = await prompts("messages/decision-state", {
    question,
    sources: describeSources(sources),
    calls: outcomes.slice(-MAX_OUTCOMES).map(describeOutcome).join("\n") || "none",
    counts: counts.join("\n") || "none",
    best: hits.join("\n") || "none",
  });
  return `${state}\n\n${earlier}`.trim();
}

function describeOutcome({ name, arguments: args, ok, reused, results, observation }: ToolOutcome): string {
  const result = ok ? `${results} results${reused ? ", known before" : ""}` : "failed";
  return `- ${name} ${JSON.stringify(args)}: ${result}\n${fence(name, observation.slice(0, MAX_OBSERVATION_LENGTH).toWellFormed())}`;
}

function toDecision({ toolCalls, content, finishReason }: ChatReply, view: DecisionView): Decision {
  const all = toolCalls.slice(0, MAX_CALLS).map(toCall);
  const isSearch = ({ name }: ToolCall): boolean => name === SEARCH && writesQueries(view);
  const queries = queriesIn(all.filter(isSearch));
  const calls = all.filter((call) => !isSearch(call));
  const said = content.trim().replaceAll(/\s+/g, " ").slice(0, MAX_REASON_LENGTH).toWellFormed();
  const words = sanitizeText(said, addressesIn(view.question)).trim();
  const written = queries.length > 0 && { queries };
  if (calls.length > 0) return { calls, ...written, reason: words || callsReason(calls) };
  const silent = queries.length > 0 ? "The model searches." : "The model asks for no tool.";
  return { calls, ...written, reason: ENDINGS[finishReason] ?? (words || silent) };
}

const ENDINGS: Partial<Record<ChatReply["finishReason"], string>> = {
  content_filter: "The model's answer was withheld by its server, so no tool is called.",
  repetition: "The model only repeated itself, so no tool is called.",
  length: "The model's answer was cut off at its longest, so no tool is called.",
};

function callsReason(calls: readonly ToolCall[]): string {
  const names = stripUnknownAddresses([...new Set(calls.map(({ name }) => name))].join(", "), []);
  return `The model calls ${names.slice(0, MAX_REASON_LENGTH - 20).toWellFormed()}.`;
}

const REWRITE_NODE = "search";
const MAX_REWRITE_CALLS = 4;
const MAX_REWRITE_TOKENS = 1_000;

/** Asks the model once for other queries. Returns none if it has none, or if its own budget has no call left for gathering: others may need theirs more. */
async function rewriteByModel(view: RewritingView, models: Models, deps: ModelAnalystDeps, effects: Effects): Promise<Rewriting> {
  const { question, sources, asked, best } = view;
  const since = effects.now();
  const found = best.map(({ title, firstLine }, i) => fence(`R${i + 1}`, [title, firstLine].filter(Boolean).join("\n")));
  const userMessage = await deps.prompts("messages/decision-rewrite", {
    question,
    sources: describeSources(sources),
    queries: asked.map((text) => `- ${text}`).join("\n"),
    best: found.join("\n") || "none",
  });
  const limits = { maxOutputTokens: MAX_REWRITE_TOKENS, mayBorrow: false };
  const asking = { view, models, node: REWRITE_NODE, tools: [searchTool(sources)], userMessage, ...limits };
  try {
    const { toolCalls } = await askToDecide(asking, deps, effects);
    return { queries: queriesIn(toolCalls.slice(0, MAX_REWRITE_CALLS).map(toCall)) };
  } catch (thrown) {
    if (refusedBudget(toDossierError(thrown)) !== null) return { queries: [] };
    const error = requireReplaceable(thrown, view, effects);
    return { queries: [], ledger: [reportModelFailure({ error, models, role: "decision", node: REWRITE_NODE, since }, effects)] };
  }
}
