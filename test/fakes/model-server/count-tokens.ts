import type { Usage } from "./behavior.ts";

/** Counts roughly: four ASCII characters are one token, any other character is one. An empty text has zero. */
export function countTokens(words: string): number {
  const others = [...words].filter((character) => character > "\u007f").length;
  return others + Math.ceil(([...words].length - others) / 4);
}

/** Returns the rough usage of a prompt (messages and tools as JSON) and its answer. */
export function roughUsage(body: Readonly<Record<string, unknown>>, told: string): Usage {
  const prompt = promptTokens(body);
  const completion = countTokens(told);
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
}

export const promptTokens = (body: Readonly<Record<string, unknown>>): number =>
  countTokens(JSON.stringify(body["messages"] ?? [])) + (body["tools"] === undefined ? 0 : countTokens(JSON.stringify(body["tools"])));
