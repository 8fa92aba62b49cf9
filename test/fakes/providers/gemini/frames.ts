import type { Told } from "../../model-server/behavior.ts";
import { countTokens } from "../../model-server/count-tokens.ts";
import { type Frame, finishOf } from "../../model-server/frames.ts";
import { EVENT_STREAM } from "../../model-server/play.ts";
import type { Body } from "../neutral.ts";
import type { Accepted } from "../provider.ts";
import { objectIn } from "../values.ts";
import { argumentsOf, callsOf, type Format, partsOf, usageFor } from "../wire.ts";
import { signatureOfCall } from "./history.ts";

const FINISH_REASONS: Readonly<Record<string, string>> = {
  stop: "STOP",
  tool_calls: "STOP",
  length: "MAX_TOKENS",
  content_filter: "SAFETY",
};

/** Gemini's responses: a stream is a series of them. */
export const GEMINI_FORMAT: Format = {
  streamType: EVENT_STREAM,
  separator: /(?<=\r?\n\r?\n)/,
  frames,
  whole,
  frame: (chunk, piece) => ({ data: `data: ${JSON.stringify(chunk)}\r\n\r\n`, piece }),
  errorFrame: (error) => GEMINI_FORMAT.frame({ error: { code: 500, status: "INTERNAL", ...error } }, false),
};

function* frames(told: Told, accepted: Accepted): Iterable<Frame> {
  const usage = usageIn(told, accepted);
  let spoken = 0;
  for (const part of partsIn(told, partsOf)) {
    spoken += countTokens(JSON.stringify(part));
    yield GEMINI_FORMAT.frame(responseOf(accepted, { content: { parts: [part], role: "model" } }, soFar(usage, spoken)), true);
  }
  const finishReason = finishIn(told);
  if (finishReason === null) return;
  yield GEMINI_FORMAT.frame(responseOf(accepted, { content: { parts: [{ text: "" }], role: "model" }, finishReason }, usage), false);
}

function whole(told: Told, accepted: Accepted): unknown {
  const parts = partsIn(told, (_, words) => (words === "" ? [] : [words]));
  return responseOf(accepted, { content: { parts, role: "model" }, finishReason: finishIn(told) ?? "STOP" }, usageIn(told, accepted));
}

/** Returns thoughts, texts and calls, of which only the first is signed. A call whose arguments are no object is left out. */
function partsIn(told: Told, split: (told: Told, words: string) => string[]): Body[] {
  const calls = callsOf(told).flatMap((call) => {
    const args = argumentsOf(call);
    return args === undefined ? [] : [{ name: call.name, args }];
  });
  return [
    ...split(told, told.reasoning ?? "").map((text) => ({ text, thought: true })),
    ...split(told, told.text ?? "").map((text) => ({ text })),
    ...calls.map((call, at) => ({
      functionCall: call,
      ...(at === 0 ? { thoughtSignature: signatureOfCall(call.name, call.args) } : {}),
    })),
  ];
}

function finishIn(told: Told): string | null {
  if (callsOf(told).some((call) => argumentsOf(call) === undefined)) return "MALFORMED_FUNCTION_CALL";
  const reason = finishOf(told);
  return reason === null ? null : (FINISH_REASONS[reason] ?? reason.toUpperCase());
}

const responseOf = ({ neutral, serial }: Accepted, candidate: Body, usageMetadata: Body | undefined): Body => ({
  candidates: [{ ...candidate, index: 0 }],
  ...(usageMetadata ? { usageMetadata } : {}),
  modelVersion: neutral.model,
  responseId: `response-${serial}`,
});

function usageIn(told: Told, { neutral }: Accepted): Body | undefined {
  const usage = usageFor(told, neutral);
  if (usage === undefined) return undefined;
  const thoughts = Number(objectIn(usage["completion_tokens_details"])["reasoning_tokens"] ?? 0);
  const cached = Number(objectIn(usage["prompt_tokens_details"])["cached_tokens"] ?? 0);
  return {
    promptTokenCount: usage.prompt_tokens,
    candidatesTokenCount: usage.completion_tokens - thoughts,
    totalTokenCount: usage.total_tokens,
    ...(thoughts > 0 ? { thoughtsTokenCount: thoughts } : {}),
    ...(cached > 0 ? { cachedContentTokenCount: cached } : {}),
  };
}

/** Each response of a stream tells the usage up to there; the last one tells it all. */
function soFar(usage: Body | undefined, spoken: number): Body | undefined {
  if (usage === undefined) return undefined;
  const candidates = Math.min(spoken, Number(usage["candidatesTokenCount"]));
  return { ...usage, candidatesTokenCount: candidates, totalTokenCount: Number(usage["promptTokenCount"]) + candidates };
}
