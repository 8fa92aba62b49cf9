import { z } from "zod";
import { type ChatMessage, type ChatRequest, estimateInput } from "../../domain/chat.ts";
import { historyMessages } from "../../domain/history.ts";
import type { JsonValue } from "../../domain/json.ts";
import type { Effects } from "../../domain/ports/effects.ts";
import type { RenderPrompt, StreamFilters, TextFilter } from "../../domain/ports/models.ts";
import type { Toolbox } from "../../domain/ports/tools.ts";
import { kindsOf, searchArguments } from "../../domain/queries.ts";
import { type Models, modelOf } from "../../domain/request.ts";
import { type Task, type Turn, taskView, writersContext } from "../../domain/task.ts";
import type { OfferedTool, ToolDescription } from "../../domain/tool.ts";
import { DossierError } from "../../errors.ts";
import { hideAddresses } from "../../evidence/address-filter.ts";
import { ClosingLines } from "../../evidence/closing-lines.ts";
import { createOutputFilter, inSequence } from "../../evidence/sanitize-output.ts";
import { knownAddresses } from "../../gathering/found.ts";
import { formatThreadResults, threadView } from "../../gathering/thread.ts";
import { languageName } from "../../ranking/language.ts";
import { callableNames, type ToolDeps, toolboxWith } from "../shared/tool-servers.ts";
import type { AgentMessage, AgentStateValue } from "./state.ts";

export interface RequestDeps extends ToolDeps {
  readonly prompts: RenderPrompt;
}

/** A request may fill at most this share of the context, because token estimates may be 10 % too low. */
const SAFE_SHARE = 0.9;

/** With the purpose `write`, the request offers no tools, so that the model answers. */
export async function agentRequest(
  state: Pick<AgentStateValue, "task" | "forgottenTurns" | "offered" | "outcomes" | "startedAt">,
  messages: readonly AgentMessage[],
  deps: RequestDeps,
  effects: Effects,
  purpose: "gather" | "write" = "gather",
): Promise<ChatRequest> {
  const { task, forgottenTurns } = state;
  const tools = toolboxWith(deps, state.offered);
  const names = offeredTools(state);
  const models = modelsOf(task);
  const offered = purpose === "gather" ? tools.describe(names).map((tool) => withKinds(tool, task)) : [];
  const { today } = taskView(task);
  const systemContext = writersContext(task);
  const system = await deps.prompts("agent", { language: languageName(task), today, systemContext }, task.promptTexts);
  const earlier = forgottenTurns === 0 ? formatThreadResults(threadView(state, { tools, offered: names }, effects)) : "";
  return {
    model: modelOf(models, "agent"),
    messages: [
      { role: "system", content: system },
      ...toHistoryMessages(task.history.slice(forgottenTurns)),
      ...appendThreadResults(messages.map(toChatMessage), earlier),
    ],
    tools: offered,
    toolChoice: purpose === "gather" ? "auto" : "none",
    schema: null,
    maxOutputTokens: models.maxOutputTokens,
    stopTools: offered.flatMap(({ name }) => (tools.get(name)?.effect === "stop" ? [name] : [])),
  };
}

/** The search of a run names the kinds of its own sources only. */
function withKinds(tool: ToolDescription, { sourceFacts }: Task): ToolDescription {
  if (tool.name !== SEARCH_NAME || sourceFacts === undefined) return tool;
  return { ...tool, parameters: z.toJSONSchema(searchArguments(kindsOf(sourceFacts))) as Record<string, JsonValue> };
}

function appendThreadResults(messages: readonly ChatMessage[], earlier: string): ChatMessage[] {
  const [question, ...others] = messages;
  if (question?.role !== "user" || earlier === "") return [...messages];
  return [{ ...question, content: `${question.content}\n\n${earlier}` }, ...others];
}

export function toHistoryMessages(history: readonly Turn[]): ChatMessage[] {
  return historyMessages(history, hideAddresses);
}

export function exceedsContext(request: ChatRequest, { task, maxInputTokens }: Pick<AgentStateValue, "task" | "maxInputTokens">): boolean {
  const { contextTokens, maxOutputTokens } = modelsOf(task);
  const limit = Math.max(1, contextTokens - maxOutputTokens) * SAFE_SHARE;
  return estimateInput(request) > Math.min(maxInputTokens ?? limit, limit);
}

export function modelsOf({ models }: Task): Models {
  if (models === null) throw new DossierError("model_required", "The graph agent needs a model, and this run has none.");
  return models;
}

/** Removes fields that only the loop uses. Servers refuse empty messages, so an empty response becomes "…". */
function toChatMessage({ mark: _, brief: __, ...message }: AgentMessage): ChatMessage {
  const empty = message.role === "assistant" && message.toolCalls.length === 0 && message.content.trim() === "";
  return empty ? { ...message, content: "…" } : message;
}

/** Returns filters that remove unknown addresses, unchecked citations and the closing lines from a streamed response. */
export function readerFilters(state: Pick<AgentStateValue, "hits" | "task">, prefixes: readonly string[]): StreamFilters {
  const known = knownAddresses(state);
  const filter = (): TextFilter => createOutputFilter(known, prefixes);
  return { content: () => inSequence(new ClosingLines({ isReport: false }), filter()), reasoning: filter, known };
}

/** Text such as (S3) counts as a citation only after the model was shown sources. */
export function citedPrefixes({ shown }: Pick<AgentStateValue, "shown">): string[] {
  return shown.length > 0 ? ["S"] : [];
}

export const SEARCH_NAME = "search";
const FINISH_TOOL = "finish_task";
export const BUILT_IN_TOOLS: readonly string[] = ["calculator", "ask_user"];

export interface ToolScope {
  readonly task: Pick<Task, "tools" | "sources" | "given" | "part">;
  readonly offered: readonly OfferedTool[] | null;
}

/** The first search also reads the addresses that the user gave, so it is offered for them alone. */
export function offeredTools({ task: { tools, sources, given = [], part }, offered }: ToolScope): string[] {
  const search = sources.length + given.length > 0 ? [SEARCH_NAME] : [];
  const read = search.length + tools.length > 0 ? ["read_document"] : [];
  const all = [...callableNames(tools, offered), ...search, ...read, ...BUILT_IN_TOOLS, FINISH_TOOL];
  const only = part?.tools;
  return only === undefined ? all : all.filter((name) => name === FINISH_TOOL || only.includes(name));
}

export function controlsOf(tools: Toolbox, names: readonly string[]): Record<string, "stop" | "wait"> {
  const effects = names.map((name) => [name, tools.get(name)?.effect] as const);
  return Object.fromEntries(effects.flatMap(([name, effect]) => (effect === undefined ? [] : [[name, effect]])));
}
