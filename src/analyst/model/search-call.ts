import { z } from "zod";
import type { ModelToolCall } from "../../domain/chat.ts";
import type { JsonValue } from "../../domain/json.ts";
import { kindsOf, mergeQueries, type PlannedQuery, readQueries, type SourceFacts, searchArguments } from "../../domain/queries.ts";
import type { ToolCall, ToolDescription } from "../../domain/tool.ts";
import { parseJson } from "../../util/json-fields.ts";

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
