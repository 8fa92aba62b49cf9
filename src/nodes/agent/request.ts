import { type ChatMessage, type ChatRequest, estimateInput } from "../../domain/chat.ts";
import { historyMessages } from "../../domain/history.ts";
import type { Effects } from "../../domain/ports/effects.ts";
import type { RenderPrompt, StreamFilters, TextFilter } from "../../domain/ports/models.ts";
import type { Toolbox } from "../../domain/ports/tools.ts";
import { type Models, modelOf, type Task, type Turn } from "../../domain/request.ts";
import type { OfferedTool } from "../../domain/tool.ts";
import { DossierError } from "../../errors.ts";
import { stripUnknownAddresses } from "../../evidence/address-filter.ts";
import { createOutputFilter } from "../../evidence/sanitize-output.ts";
import { languageName } from "../../ranking/language.ts";
import { knownAddresses } from "../shared/sources.ts";
import { formatThreadResults, threadView } from "../shared/thread-results.ts";
import { callableNames, type ToolDeps, toolboxWith } from "../shared/tool-servers.ts";
import type { AgentMessage, AgentStateValue } from "./state.ts";

export interface RequestDeps extends ToolDeps {
  readonly prompts: RenderPrompt;
}

/** Token estimates may be 10 % too low. */
const CERTAIN_SHARE = 0.9;

/** The request to the model: task, thread and messages; with tools, or for the answer alone. */
export async function agentRequest(
  state: Pick<AgentStateValue, "task" | "forgottenTurns" | "offered" | "outcomes" | "startedAt">,
  messages: readonly AgentMessage[],
  deps: RequestDeps,
  effects: Effects,
  purpose: "gather" | "write" = "gather",
): Promise<ChatRequest> {
  const { task, forgottenTurns } = state;
  const tools = toolboxWith(deps, state.offered);
  const models = modelsOf(task);
  const offered = purpose === "gather" ? tools.describe(offeredTools(state)) : [];
  const system = await deps.prompts("agent", { language: languageName(task), systemContext: task.systemContext });
  const view = threadView(state, { tools, offered: offeredTools(state) }, effects);
  // They are the first to go from a conversation that is too large.
  const earlier = forgottenTurns === 0 ? formatThreadResults(view) : "";
  return {
    model: modelOf(models, "agent"),
    messages: [
      { role: "system", content: system },
      ...turnsOf(task.history.slice(forgottenTurns)),
      ...withEarlier(messages.map(sent), earlier),
    ],
    tools: offered,
    toolChoice: purpose === "gather" ? "auto" : "none",
    schema: null,
    maxOutputTokens: models.maxOutputTokens,
    stopTools: offered.flatMap(({ name }) => (tools.get(name)?.effect === "stop" ? [name] : [])),
  };
}

/** Puts the tool results of earlier runs behind the question. */
function withEarlier([question, ...others]: readonly ChatMessage[], earlier: string): ChatMessage[] {
  if (question === undefined) return [];
  const isQuestion = question.role === "user" && earlier !== "";
  return [isQuestion ? { ...question, content: `${question.content}\n\n${earlier}` } : question, ...others];
}

export function turnsOf(history: readonly Turn[]): ChatMessage[] {
  return historyMessages(history, (answer) => stripUnknownAddresses(answer, []));
}

export function isTooLarge(request: ChatRequest, { task, maxInputTokens }: Pick<AgentStateValue, "task" | "maxInputTokens">): boolean {
  return estimateInput(request) > inputLimit(task, maxInputTokens);
}

function inputLimit(task: Task, maxInputTokens: number | null): number {
  const { contextTokens, maxOutputTokens } = modelsOf(task);
  return Math.min(maxInputTokens ?? Number.POSITIVE_INFINITY, Math.max(1, contextTokens - maxOutputTokens) * CERTAIN_SHARE);
}

/** @throws DossierError `model_required` if the run has no model */
export function modelsOf({ models }: Task): Models {
  if (models === null) throw new DossierError("model_required", "The graph agent needs a model, and this run has none.");
  return models;
}

/** A message without the loop's own fields. Servers refuse an empty message. */
function sent({ mark: _, brief: __, ...message }: AgentMessage): ChatMessage {
  const empty = message.role === "assistant" && message.toolCalls.length === 0 && message.content.trim() === "";
  return empty ? { ...message, content: "…" } : message;
}

/** Filters what readers see of a response: without unknown addresses and without unchecked citations. */
export function shownToReaders(state: Pick<AgentStateValue, "hits" | "shown" | "task">): StreamFilters {
  const known = knownAddresses(state);
  const filter = (): TextFilter => createOutputFilter(known, citedPrefixes(state));
  return { content: filter, reasoning: filter, known };
}

/** Once sources were shown, (S3) is a citation whether it exists or not. */
export function citedPrefixes({ shown }: Pick<AgentStateValue, "shown">): string[] {
  return shown.length > 0 ? ["S"] : [];
}

/** `search` needs sources, `read_document` something that finds them. */
const OF_SOURCES = ["search"];
const OF_FINDINGS = ["read_document"];
const FINISH = "finish_task";
/** Tools of every agent, besides finish_task. */
export const OWN_TOOLS: readonly string[] = ["calculator", "ask_user"];
const ALWAYS = [...OWN_TOOLS, FINISH];

export interface ToolScope {
  readonly task: Pick<Task, "tools" | "sources" | "part">;
  readonly offered: readonly OfferedTool[] | null;
}

export function offeredTools({ task: { tools, sources, part }, offered }: ToolScope): string[] {
  const search = sources.length > 0 ? OF_SOURCES : [];
  const read = sources.length + tools.length > 0 ? OF_FINDINGS : [];
  const all = [...callableNames(tools, offered), ...search, ...read, ...ALWAYS];
  const only = part?.tools;
  return only === undefined ? all : all.filter((name) => name === FINISH || only.includes(name));
}

export function controlsOf(tools: Toolbox, names: readonly string[]): Record<string, "stop" | "wait"> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const effect = tools.get(name)?.effect;
      return effect === undefined ? [] : [[name, effect] as const];
    }),
  );
}
