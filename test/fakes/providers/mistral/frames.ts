import type { Told } from "../../model-server/behavior.ts";
import { rawArguments } from "../../model-server/call-deltas.ts";
import { type Frame, finishOf } from "../../model-server/frames.ts";
import { EVENT_STREAM } from "../../model-server/play.ts";
import type { Body } from "../neutral.ts";
import type { Accepted } from "../provider.ts";
import { callsOf, type Format, partsOf, usageFor } from "../wire.ts";
import { callIdOf } from "./ids.ts";

/** Mistral's chunks: calls come whole with the finish reason, thoughts are parts of the content. */
export const MISTRAL_FORMAT: Format = {
  streamType: EVENT_STREAM,
  separator: /(?<=\n\n)/,
  frames,
  whole,
  frame: (chunk, piece) => ({ data: `data: ${JSON.stringify(chunk)}\n\n`, piece }),
  errorFrame: (error) => MISTRAL_FORMAT.frame({ object: "error", type: "internal_error", param: null, code: "1000", ...error }, false),
};

function* frames(told: Told, accepted: Accepted): Iterable<Frame> {
  const chunk = (delta: Body, piece: boolean, finish: string | null = null, more: Body = {}): Frame =>
    MISTRAL_FORMAT.frame(
      { ...envelopeOf(accepted, "chat.completion.chunk"), choices: [{ index: 0, delta, finish_reason: finish }], ...more },
      piece,
    );
  yield chunk({ role: "assistant", content: "" }, false);
  for (const part of partsOf(told, told.reasoning ?? "")) yield chunk({ content: [thoughtOf(part)] }, true);
  for (const content of partsOf(told, told.text ?? "")) yield chunk({ content }, true);
  const calls = callsIn(told, accepted);
  const finish = finishOf(told);
  const usage = usageFor(told, accepted.neutral);
  if (calls.length > 0 || finish !== null)
    yield chunk(
      { content: "", ...(calls.length > 0 ? { tool_calls: calls } : {}) },
      calls.length > 0,
      finish,
      usage && finish !== null ? { usage } : {},
    );
  if (told.done !== false) yield { data: "data: [DONE]\n\n", piece: false };
}

function whole(told: Told, accepted: Accepted): unknown {
  const text = told.text ?? "";
  const content = told.reasoning === undefined ? text : [thoughtOf(told.reasoning), { type: "text", text }];
  const calls = callsIn(told, accepted);
  const message = { role: "assistant", content, tool_calls: calls.length > 0 ? calls : null };
  const usage = usageFor(told, accepted.neutral) ?? { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
  return { ...envelopeOf(accepted, "chat.completion"), choices: [{ index: 0, message, finish_reason: finishOf(told) ?? "stop" }], usage };
}

const envelopeOf = ({ neutral, serial }: Accepted, object: string): Body => ({
  id: `cmpl-${serial}`,
  object,
  created: 1_700_000_000,
  model: neutral.model,
});

const thoughtOf = (text: string): Body => ({ type: "thinking", thinking: [{ type: "text", text }] });

const callsIn = (told: Told, { serial }: Accepted): Body[] =>
  callsOf(told).map((call, index) => ({
    id: callIdOf(call.id ?? `call_${serial}_${index}`),
    function: { name: call.name, arguments: rawArguments(call) },
    index,
  }));
