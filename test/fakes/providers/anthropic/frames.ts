import type { Told } from "../../model-server/behavior.ts";
import { rawArguments } from "../../model-server/call-deltas.ts";
import { type Frame, finishOf } from "../../model-server/frames.ts";
import { EVENT_STREAM } from "../../model-server/play.ts";
import type { Body } from "../neutral.ts";
import type { Accepted } from "../provider.ts";
import { objectIn, stringIn } from "../values.ts";
import { argumentsOf, callsOf, type Format, partsOf, usageFor } from "../wire.ts";
import { signatureOfThinking } from "./history.ts";

const STOP_REASONS: Readonly<Record<string, string>> = {
  stop: "end_turn",
  tool_calls: "tool_use",
  length: "max_tokens",
  content_filter: "refusal",
};

/** Anthropic's events. */
export const ANTHROPIC_FORMAT: Format = {
  streamType: EVENT_STREAM,
  separator: /(?<=\n\n)/,
  frames,
  whole,
  frame: (chunk, piece) => eventOf(stringIn(chunk["type"]), chunk, piece),
  errorFrame: (error) => eventOf("error", { error: { type: "api_error", ...objectIn(error) } }),
};

const eventOf = (type: string, fields: Body, piece = false): Frame => ({
  data: `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`,
  piece,
});

/** A block of an answer, and the pieces it comes in. */
interface Block {
  readonly start: Body;
  readonly deltas: readonly Body[];
}

function* frames(told: Told, accepted: Accepted): Iterable<Frame> {
  const usage = usageIn(told, accepted);
  yield eventOf("message_start", {
    message: { ...messageOf(accepted), content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } },
  });
  yield eventOf("ping", {});
  for (const [index, { start, deltas }] of blocksIn(told, accepted).entries()) {
    yield eventOf("content_block_start", { index, content_block: start });
    for (const delta of deltas) yield eventOf("content_block_delta", { index, delta }, delta["type"] !== "signature_delta");
    yield eventOf("content_block_stop", { index });
  }
  const reason = stopReasonOf(told);
  if (reason === null) return;
  yield eventOf("message_delta", {
    delta: { stop_reason: reason, stop_sequence: null },
    usage: { output_tokens: usage["output_tokens"] },
  });
  if (told.done !== false) yield eventOf("message_stop", {});
}

function blocksIn(told: Told, { serial }: Accepted): Block[] {
  const blocks: Block[] = [];
  if (told.reasoning !== undefined)
    blocks.push({
      start: { type: "thinking", thinking: "", signature: "" },
      deltas: [
        ...partsOf(told, told.reasoning).map((thinking) => ({ type: "thinking_delta", thinking })),
        { type: "signature_delta", signature: signatureOfThinking(told.reasoning) },
      ],
    });
  if (told.text)
    blocks.push({ start: { type: "text", text: "" }, deltas: partsOf(told, told.text).map((text) => ({ type: "text_delta", text })) });
  for (const [at, call] of callsOf(told).entries())
    blocks.push({
      start: { type: "tool_use", id: idOf(call.id, serial, at), name: call.name, input: {} },
      deltas: ["", ...partsOf(told, rawArguments(call))].map((part) => ({ type: "input_json_delta", partial_json: part })),
    });
  return blocks;
}

function whole(told: Told, accepted: Accepted): unknown {
  const content = [
    ...(told.reasoning === undefined
      ? []
      : [{ type: "thinking", thinking: told.reasoning, signature: signatureOfThinking(told.reasoning) }]),
    ...(told.text ? [{ type: "text", text: told.text }] : []),
    ...callsOf(told).map((call, at) => ({
      type: "tool_use",
      id: idOf(call.id, accepted.serial, at),
      name: call.name,
      input: argumentsOf(call) ?? {},
    })),
  ];
  return { ...messageOf(accepted), content, stop_reason: stopReasonOf(told), usage: usageIn(told, accepted) };
}

const messageOf = ({ neutral, serial }: Accepted): Body => ({
  id: `msg_${serial}`,
  type: "message",
  role: "assistant",
  model: neutral.model,
  stop_sequence: null,
});

const idOf = (id: string | undefined, serial: number, at: number) => id ?? `toolu_${serial}_${at}`;

function stopReasonOf(told: Told): string | null {
  const reason = finishOf(told);
  return reason === null ? null : (STOP_REASONS[reason] ?? reason);
}

/** Without scripted usage the counts are zero: this protocol always has them. */
function usageIn(told: Told, { neutral }: Accepted): Body {
  const usage = usageFor(told, neutral);
  const cached = Number(objectIn(usage?.["prompt_tokens_details"])["cached_tokens"] ?? 0);
  return {
    input_tokens: (usage?.prompt_tokens ?? 0) - cached,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: cached,
    output_tokens: usage?.completion_tokens ?? 0,
  };
}
