import { z } from "zod";
import type { ChatReply, ModelToolCall } from "../domain/chat.ts";
import type { JsonValue } from "../domain/json.ts";
import type { Analyst, Decision, DecisionView, QuestionView, Rewriting, RewritingView } from "../domain/ports/analyst.ts";
import type { Effects } from "../domain/ports/effects.ts";
import type { RenderPrompt } from "../domain/ports/models.ts";
import { kindsOf, mergeQueries, type PlannedQuery, readQueries, type SourceFacts, searchArguments } from "../domain/queries.ts";
import type { Models } from "../domain/request.ts";
import type { ToolCall, ToolDescription, ToolOutcome } from "../domain/tool.ts";
import { addressesIn } from "../evidence/address-filter.ts";
import { fence } from "../evidence/data-fence.ts";
import { sanitizeText } from "../evidence/sanitize-output.ts";
import { parseJson } from "../util/json-fields.ts";
import { callModel, modelFailure, modelOrRules, promptOf } from "../writing/call-model.ts";
import { WRITING_NODE } from "../writing/text-roles.ts";
import { type ModelAnalystDeps, takingNotes, writeByModel } from "../writing/write-report.ts";

/** Returns an analyst that asks a model, and rules if the run has no model or it fails. The run decides, so replays need no settings. */
export function createModelAnalyst(deps: ModelAnalystDeps): Analyst {
  const { rules } = deps;
  return {
    name: "model-or-rules",
    decide: (view, effects) => (view.models === null ? rules.decide(view, effects) : decideByModel(view, view.models, deps, effects)),
    rewrite: async (view, effects) => (view.models === null ? { queries: [] } : rewriteByModel(view, view.models, deps, effects)),
    write: modelOrRules({ model: "writer", stage: WRITING_NODE }, writeByModel, rules.write, deps),
    takeNotes: takingNotes(deps),
  };
}

const NODE = "llm_decision";
/** The call that says what to search for, and the node that searches. */
const SEARCH = "search";

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
  const { tools, sources = {} } = view;
  const offered = writesQueries(view) ? [...tools, searchTool(sources)] : tools;
  // A nested run borrows nothing from the others for queries alone.
  const call = { node: NODE, tools: offered, maxOutputTokens: MAX_OUTPUT_TOKENS, ...(tools.length === 0 && { borrows: false as const }) };
  try {
    const userMessage = await stateOf(view, deps.prompts);
    return toDecision(await askToDecide({ view, models, userMessage, ...call }, deps, effects), view);
  } catch (thrown) {
    const failure = { models, role: "decision", since, hasFindings: view.best.length > 0, failed: { node: NODE } } as const;
    const { entry, spent } = modelFailure(thrown, failure, effects);
    if (spent !== null && tools.length > 0) throw thrown;
    // The words of the question are searched for, and the calls that are left are for the report.
    if (spent !== null) return noTool;
    const decision = await deps.rules.decide(view, effects);
    return { ...decision, ledger: [...(decision.ledger ?? []), entry] };
  }
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
  const ending = calls.length > 0 ? undefined : ENDINGS[finishReason];
  const said = content.trim() || (calls.length > 0 ? `The model calls ${[...new Set(calls.map(({ name }) => name))].join(", ")}.` : "");
  const words = sanitizeText(said.replaceAll(/\s+/g, " ").slice(0, MAX_REASON_LENGTH).toWellFormed(), addressesIn(view.question)).trim();
  const silent = queries.length > 0 ? "The model searches." : "The model asks for no tool.";
  return { calls, ...(queries.length > 0 && { queries }), reason: ending ?? (words || silent) };
}

const ENDINGS: Partial<Record<ChatReply["finishReason"], string>> = {
  content_filter: "The model's answer was withheld by its server, so no tool is called.",
  repetition: "The model only repeated itself, so no tool is called.",
  length: "The model's answer was cut off at its longest, so no tool is called.",
};

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
  const call = { node: SEARCH, tools: [searchTool(sources)], maxOutputTokens: MAX_REWRITE_TOKENS, borrows: false as const };
  try {
    const { toolCalls } = await askToDecide({ view, models, userMessage, ...call }, deps, effects);
    return { queries: queriesIn(toolCalls.map(toCall)) };
  } catch (thrown) {
    const failure = { models, role: "decision", since, hasFindings: best.length > 0, failed: { node: SEARCH } } as const;
    const { entry, spent } = modelFailure(thrown, failure, effects);
    return { queries: [], ...(spent === null && { ledger: [entry] }) };
  }
}

/**
 * Describes the call, with the kinds of these sources. It ends the loop if it is called alone. It is no tool that is performed: the node
 * `search` asks what it says.
 */
function searchTool(sources: Readonly<Record<string, SourceFacts>>): ToolDescription {
  return {
    name: SEARCH,
    description: "Says what to search for. The sources are searched once, after your last call; a later `search` replaces an earlier one.",
    kind: "control",
    parameters: z.toJSONSchema(searchArguments(kindsOf(sources))) as Record<string, JsonValue>,
  };
}

function describeSources(sources: Readonly<Record<string, SourceFacts>>): string {
  const lines = Object.entries(sources).map(
    ([id, { kind, languages = [] }]) => `- ${id}: ${kind}${languages.length === 0 ? "" : `, only in ${languages.join(", ")}`}`,
  );
  return lines.join("\n") || "none";
}

/** Returns the queries of all calls of `search`. */
function queriesIn(calls: readonly ToolCall[]): PlannedQuery[] {
  return mergeQueries(calls.filter(({ name }) => name === SEARCH).flatMap(({ arguments: args }) => readQueries(args)));
}

/** Parses the arguments. Arguments that are not JSON stay a string, which the tool's node rejects. */
function toCall({ id, name, arguments: text }: ModelToolCall): ToolCall {
  const args = parseJson(text.trim() === "" ? "{}" : text);
  return { id, name, arguments: args === undefined ? text : (args as JsonValue) };
}

interface Asking extends Pick<Parameters<typeof callModel>[0], "models" | "node" | "tools" | "maxOutputTokens" | "borrows"> {
  readonly view: QuestionView;
  /** The text that follows the conversation in the prompt. */
  readonly userMessage: string;
}

/** Asks the role `decision` once. It sees no addresses of sources, so only the user's own are known. @throws the errors of `ChatModel.complete` */
async function askToDecide(
  { view, userMessage, ...call }: Asking,
  { model, prompts }: ModelAnalystDeps,
  effects: Effects,
): Promise<ChatReply> {
  const role = "decision";
  const messages = await promptOf(role, view, userMessage, prompts);
  return callModel({ ...call, view, messages, role, purpose: "gather", known: addressesIn(view.question) }, model, effects);
}
