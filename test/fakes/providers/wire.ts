import type { Behavior, BehaviorOf, Told, Usage } from "../model-server/behavior.ts";
import { rawArguments } from "../model-server/call-deltas.ts";
import { countTokens } from "../model-server/count-tokens.ts";
import { type Frame, PIECE_LENGTH } from "../model-server/frames.ts";
import { piecesOf } from "../model-server/pieces.ts";
import type { Wire } from "../model-server/play.ts";
import type { Body, NeutralRequest } from "./neutral.ts";
import type { Accepted } from "./provider.ts";
import { objectIn, parsedOrText } from "./values.ts";

/** How a provider writes. */
export interface Format {
  readonly streamType: string;
  frames(told: Told, accepted: Accepted): Iterable<Frame>;
  whole(told: Told, accepted: Accepted): unknown;
  /** One frame with this JSON. */
  frame(chunk: Body, piece: boolean): Frame;
  /** The frame of an error inside a stream. */
  errorFrame(error: Body): Frame;
  /** Where a recorded stream is split. */
  readonly separator: RegExp;
}

const REPETITION_CHARACTERS = 64;

/** Returns a behavior in a provider's format. */
export function wireOf(format: Format, behavior: Behavior, accepted: Accepted): Wire {
  const stream = (frames: Iterable<Frame>): Wire => ({ whole: undefined, frames, streamType: format.streamType });
  switch (behavior.kind) {
    case "status":
      return { ...stream([]), whole: typeof behavior.body === "string" ? behavior.body : JSON.stringify(behavior.body) };
    case "recorded":
      return stream(recordedFrames(behavior, format.separator));
    case "chunks":
      return stream(behavior.chunks.map((chunk) => format.frame(chunk, true)));
    case "stream-error":
      return stream(errorFrames(format, behavior, accepted));
    case "repetition":
      return stream(format.frames(repeatedText(behavior), accepted));
    default:
      if (behavior.asJson === true || !accepted.neutral.stream)
        return { ...stream([]), whole: JSON.stringify(format.whole(behavior, accepted)) };
      return stream(format.frames(behavior, accepted));
  }
}

/** Splits a text as the script says, by default into pieces of four code points. */
export const partsOf = (told: Told, words: string): string[] => piecesOf(words, told.pieceLength ?? PIECE_LENGTH);

/** Returns the calls of an answer; none if it has no calls. */
export const callsOf = (told: Told) => (told.kind === "tool-calls" ? told.calls : []);

/** Returns the arguments as an object; undefined if the script's are none. */
export function argumentsOf(call: { readonly arguments: string | Body }): Body | undefined {
  const value = typeof call.arguments === "string" ? parsedOrText(call.arguments) : call.arguments;
  return typeof value === "object" && value !== null ? objectIn(value) : undefined;
}

/** Returns the scripted usage or a rough count; undefined if the server sends none. */
export function usageFor(told: Told, neutral: NeutralRequest): Usage | undefined {
  if (told.usage === "none") return undefined;
  if (told.usage !== undefined) return told.usage;
  const calls = callsOf(told).map((call) => call.name + rawArguments(call));
  const prompt = promptTokensOf(neutral);
  const completion = countTokens(`${told.reasoning ?? ""}${told.text ?? ""}${calls.join("")}`);
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
}

/** Counts the tokens of a prompt roughly. */
export const promptTokensOf = ({ system, messages, tools, schema }: NeutralRequest): number =>
  countTokens(system + JSON.stringify(messages)) + (tools.length > 0 ? countTokens(JSON.stringify(tools)) : 0) + (schema ? 8 : 0);

/** A text before the error, cut after its last piece; with an empty text the error comes first. */
function* errorFrames(format: Format, { text, error }: BehaviorOf<"stream-error">, accepted: Accepted): Iterable<Frame> {
  const frames = [...format.frames({ kind: "text", text }, accepted)];
  yield* frames.slice(0, frames.findLastIndex(({ piece }) => piece) + 1);
  yield format.errorFrame(error);
}

const repeatedText = ({ bytes, of, finishReason }: BehaviorOf<"repetition">): Told => ({
  kind: "text",
  text: of.repeat(Math.ceil(bytes / Buffer.byteLength(of))),
  pieceLength: REPETITION_CHARACTERS,
  ...(finishReason === undefined ? {} : { finishReason }),
});

function recordedFrames({ body }: BehaviorOf<"recorded">, separator: RegExp): Frame[] {
  if (typeof body !== "string") return [{ data: body, piece: true }];
  return body.split(separator).map((data) => ({ data, piece: data.trim() !== "" }));
}
