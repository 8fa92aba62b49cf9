import type { Told } from "../../model-server/behavior.ts";
import { type Frame, finishOf } from "../../model-server/frames.ts";
import type { Body, NeutralRequest } from "../neutral.ts";
import type { Accepted } from "../provider.ts";
import { argumentsOf, callsOf, type Format, partsOf, usageFor } from "../wire.ts";
import { readOllama } from "./read.ts";

/** Ollama's lines of JSON; `limit` returns how many tokens of a prompt the model sees. */
export function ollamaFormat(limit: (neutral: NeutralRequest) => number): Format {
  const frame = (chunk: Body, piece: boolean): Frame => ({ data: `${JSON.stringify(chunk)}\n`, piece });

  function* frames(told: Told, accepted: Accepted): Iterable<Frame> {
    for (const message of messagesIn(told, accepted, partsOf)) yield frame(lineOf(accepted, message, { done: false }), true);
    const end = endOf(told, accepted);
    if (end !== undefined) yield frame(lineOf(accepted, { content: "" }, end), false);
  }

  function whole(told: Told, accepted: Accepted): unknown {
    const messages = messagesIn(told, accepted, (_, words) => (words === "" ? [] : [words]));
    return lineOf(accepted, Object.assign({ content: "" }, ...messages), endOf(told, accepted) ?? { done: true });
  }

  /** A prompt beyond the limit is cut without a word; only the count tells. */
  function endOf(told: Told, { neutral }: Accepted): Body | undefined {
    const reason = finishOf(told);
    if (reason === null) return undefined;
    const usage = usageFor(told, readOllama(neutral.body));
    return {
      done: true,
      done_reason: reason === "tool_calls" ? "stop" : reason,
      total_duration: 3_000_000,
      load_duration: 1_000_000,
      ...(usage ? { prompt_eval_count: Math.min(usage.prompt_tokens, limit(neutral)), eval_count: usage.completion_tokens } : {}),
    };
  }

  return {
    streamType: "application/x-ndjson",
    separator: /(?<=\n)/,
    frames,
    whole,
    frame,
    errorFrame: ({ message }) => frame({ error: message }, false),
  };
}

/** Thoughts, texts, then each call in a line of its own. Arguments that are no object come as text. */
function messagesIn(told: Told, { serial }: Accepted, split: (told: Told, words: string) => string[]): Body[] {
  return [
    ...split(told, told.reasoning ?? "").map((thinking) => ({ content: "", thinking })),
    ...split(told, told.text ?? "").map((content) => ({ content })),
    ...callsOf(told).map((call, index) => {
      const args = argumentsOf(call);
      if (args === undefined) return { content: String(call.arguments) };
      const id = call.id ?? `call_${serial}_${index}`;
      return { content: "", tool_calls: [{ id, function: { index, name: call.name, arguments: args } }] };
    }),
  ];
}

const lineOf = ({ neutral }: Accepted, message: Body, more: Body): Body => ({
  model: neutral.model,
  created_at: "2026-01-01T00:00:00Z",
  message: { role: "assistant", ...message },
  ...more,
});
