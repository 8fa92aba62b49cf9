import { type ChatRequest, estimateInput } from "../domain/chat.ts";
import type { Refusal } from "./exchange.ts";

/** A limit in tokens that a refusal names: of the answer, or of the whole context, which is null if only our own count is named. */
export type SizeLimit = { readonly of: "output"; readonly tokens: number } | { readonly of: "context"; readonly tokens: number | null };

const STATUSES: readonly number[] = [0, 400, 413, 422, 500];
/** Our count of a prompt is an estimate. Shorter ones are near too many numbers. */
const NEAR = 0.35;
const LEAST_PROMPT = 500;
const MIN_TOKENS = 100;

/**
 * Reads which size a server refuses, in whatever words: it names the output limit that was sent, or numbers near our own count of the
 * prompt, with or without the answer. The limit is then the largest smaller number beside them. Null for other refusals.
 */
export function refusedSize({ status, body }: Refusal, request: ChatRequest): SizeLimit | null {
  if (!STATUSES.includes(status)) return null;
  const numbers = numbersIn(body).filter((one) => one !== status && one >= MIN_TOKENS);
  const output = request.maxOutputTokens;
  const prompt = estimateInput(request);
  const ours = [nearest(prompt + output, numbers), nearest(prompt, numbers)].filter((one) => one !== null);
  const others = numbers.filter((one) => one !== output && !ours.includes(one));
  const isCounted = prompt >= LEAST_PROMPT && ours.length > 0;
  const limit = isCounted ? largestBelow(Math.max(...ours), others) : null;
  const fitting = numbers.includes(output) ? largestBelow(output, numbers) : null;
  const leavesRoom = limit === null || limit > prompt + MIN_TOKENS;
  if (fitting !== null && leavesRoom) return { of: "output", tokens: fitting };
  return isCounted || status === 413 ? { of: "context", tokens: limit } : null;
}

function numbersIn(text: string): number[] {
  return [...text.matchAll(/\d[\d,_]{1,10}/g)].map(([digits]) => Number(digits.replace(/[,_]/g, "")));
}

function largestBelow(bound: number, numbers: readonly number[]): number | null {
  const smaller = numbers.filter((one) => one < bound);
  return smaller.length > 0 ? Math.max(...smaller) : null;
}

function nearest(count: number, numbers: readonly number[]): number | null {
  const [first] = numbers.toSorted((one, other) => Math.abs(one - count) - Math.abs(other - count));
  return first !== undefined && Math.abs(first - count) <= count * NEAR ? first : null;
}

/** No model that answers questions has a smaller context. Some servers count nothing, or only what was not in their cache. */
const LEAST_CONTEXT = 1_000;
/** Lower than any tokenizer counts in ordinary text: tokens per Chinese, Japanese or Korean character, and per other character. */
const LEAST_SHARE = 0.5;

/** What the server said of its prompts: our count, and its own. */
export interface CountedPrompt {
  readonly estimated: number;
  readonly reported: number;
}

/**
 * The tokens of the context if the server cut this prompt without a word: it reported as many tokens for another prompt of another length.
 * `suspected` if it reported so few that only another call can tell.
 */
export function cutAt(prompt: CountedPrompt, earlier: readonly CountedPrompt[]): number | "suspected" | null {
  const { estimated, reported } = prompt;
  if (reported < LEAST_CONTEXT || reported >= estimated) return null;
  const equal = earlier.filter((one) => one.reported === reported);
  if (equal.some((one) => Math.abs(one.estimated - estimated) > Math.max(estimated, one.estimated) * 0.05)) return reported;
  const isTrusted = earlier.some((one) => one.reported !== reported && one.reported < one.estimated * LEAST_SHARE);
  return reported < estimated * LEAST_SHARE && !isTrusted ? "suspected" : null;
}
