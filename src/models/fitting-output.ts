import type { Refusal } from "./wire.ts";

const STATUSES = new Set([400, 413, 422]);
/** The refusal is about how long the answer may be. */
const ABOUT_OUTPUT = /max_(?:completion_|output_|new_)?tokens|in the completion|completion tokens|output tokens/i;
const TOO_MUCH = /too (?:large|big|high|many|long)|at most|maximum|exceed|less than|range|reduce/i;
const CONTEXT = /(?:maximum context length|max_model_len|context (?:length|size|window)) ?(?:is|of|:|=)? ?\(?(\d{3,8})/i;
const INPUT =
  /(\d+) (?:input tokens|prompt tokens|tokens? (?:in|from) (?:the |your )?(?:messages|prompt|input)|in (?:the |your )?(?:messages|prompt))/i;
const AT_MOST = /at most (\d{2,8}) (?:completion|output)/i;
/** Servers count some tokens more than they say. */
const MARGIN = 16;
const LEAST_TOKENS = 100;

/**
 * The longest answer that the server may still allow to the request that it refused because of the one asked for: by the numbers
 * that it names, or half of it. Null where the refusal is of another kind or what is left is no answer.
 */
export function fittingOutput({ status, body }: Refusal, maxOutputTokens: number): number | null {
  if (!STATUSES.has(status) || !ABOUT_OUTPUT.test(body) || !TOO_MUCH.test(body)) return null;
  const [context, input, most] = [CONTEXT, INPUT, AT_MOST].map((words) => Number(words.exec(body)?.[1] ?? Number.NaN)) as number[];
  const named = [(context ?? Number.NaN) - (input ?? Number.NaN) - MARGIN, most ?? Number.NaN].filter(Number.isFinite);
  const fitting = named.length > 0 ? Math.min(...named) : Math.floor(maxOutputTokens / 2);
  return fitting >= LEAST_TOKENS && fitting < maxOutputTokens ? fitting : null;
}
