import { z } from "zod";
import type { ChatReply, ChatRequest, ModelToolCall } from "../domain/chat.ts";
import type { JsonValue } from "../domain/json.ts";
import type { QuestionView } from "../domain/ports/analyst.ts";
import type { Effects } from "../domain/ports/effects.ts";
import { kindsOf, mergeQueries, type PlannedQuery, readQueries, type SourceFacts, searchArguments } from "../domain/queries.ts";
import { type Models, modelOf } from "../domain/request.ts";
import type { ToolCall, ToolDescription } from "../domain/tool.ts";
import { addressesIn } from "../evidence/address-detection.ts";
import { languageName } from "../ranking/language.ts";
import { parseJson } from "../util/json-fields.ts";
import { callOptions } from "../writing/call-options.ts";
import { lastTurns } from "../writing/prompt-text.ts";
import type { ModelAnalystDeps } from "../writing/rules-fallback.ts";

export const SEARCH = "search";

/**
 * Describes the call, with the kinds of these sources. It ends the loop if it is called alone. It is no tool that is performed: the node
 * `search` asks what it says.
 */
export function searchTool(sources: Readonly<Record<string, SourceFacts>>): ToolDescription {
  return {
    name: SEARCH,
    description: "Says what to search for. The sources are searched once, after your last call; a later `search` replaces an earlier one.",
    kind: "control",
    parameters: z.toJSONSchema(searchArguments(kindsOf(sources))) as Record<string, JsonValue>,
  };
}

export function describeSources(sources: Readonly<Record<string, SourceFacts>>): string {
  const lines = Object.entries(sources).map(
    ([id, { kind, languages = [] }]) => `- ${id}: ${kind}${languages.length === 0 ? "" : `, only in ${languages.join(", ")}`}`,
  );
  return lines.join("\n") || "none";
}

/** Returns the queries of all calls of `search`. */
export function queriesIn(calls: readonly ToolCall[]): PlannedQuery[] {
  return mergeQueries(calls.filter(({ name }) => name === SEARCH).flatMap(({ arguments: args }) => readQueries(args)));
}

/** Parses the arguments. Arguments that are not JSON stay a string, which the tool's node rejects. */
export function toCall({ id, name, arguments: text }: ModelToolCall): ToolCall {
  const args = parseJson(text.trim() === "" ? "{}" : text);
  return { id, name, arguments: args === undefined ? text : (args as JsonValue) };
}

interface Asking {
  readonly view: QuestionView;
  readonly models: Models;
  readonly node: string;
  readonly tools: readonly ToolDescription[];
  /** What stands after the conversation. */
  readonly userMessage: string;
  readonly maxOutputTokens: number;
  /** Whether a nested run may borrow from the others for this call. */
  readonly mayBorrow: boolean;
}

/** Asks the role `decision` once. It sees no addresses of sources, so only the user's own are known. @throws the errors of `ChatModel.complete` */
export async function askToDecide(asking: Asking, { model, prompts }: ModelAnalystDeps, effects: Effects): Promise<ChatReply> {
  const { view, models, node, tools, userMessage, maxOutputTokens, mayBorrow } = asking;
  const { question, today, systemContext, history } = view;
  const system = await prompts("decision", { language: languageName(view), today, systemContext }, view.prompts);
  const request: ChatRequest = {
    model: modelOf(models, "decision"),
    messages: [{ role: "system", content: system }, ...lastTurns(history), { role: "user", content: userMessage }],
    tools,
    toolChoice: "auto",
    schema: null,
    maxOutputTokens: Math.min(models.maxOutputTokens, maxOutputTokens),
    stopTools: [],
  };
  const options = callOptions({ node, purpose: "gather", view, models, known: addressesIn(question) });
  return model.complete(request, mayBorrow ? options : { ...options, borrows: false }, effects);
}
