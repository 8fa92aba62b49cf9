import type { z } from "zod";
import type { ChatMessage, ChatReply, ChatRequest } from "../../domain/chat.ts";
import type { CallOptions, ChatModel } from "../../domain/ports/chat-model.ts";
import type { Effects } from "../../domain/ports/effects.ts";
import { DossierError } from "../../errors.ts";
import { type JsonReading, readJson } from "./read-json.ts";

/** Of a faulty answer, what goes back to the model. */
const MAX_FAULTY = 8_000;

/**
 * The model's answer as a value of `schema`. An answer that cannot be used goes back once, with what is wrong.
 * @throws DossierError `model_output` when the second answer cannot be used either; whatever `complete` throws
 */
export async function completeJson<T>(
  model: ChatModel,
  request: ChatRequest,
  schema: z.ZodType<T>,
  options: CallOptions,
  effects: Effects,
): Promise<T> {
  const first = await model.complete(request, options, effects);
  const reading = read(first, schema);
  if (reading.ok) return reading.value;
  const messages = [...request.messages, ...correction(first, reading.fault)];
  const second = read(await model.complete({ ...request, messages }, options, effects), schema);
  if (second.ok) return second.value;
  const message = `The model answered twice with what cannot be used: ${second.fault} Nothing of it was kept; ask again or use another model.`;
  throw new DossierError("model_output", message);
}

function read<T>({ content, finishReason }: ChatReply, schema: z.ZodType<T>): JsonReading<T> {
  if (content.trim() === "") return { ok: false, fault: "It is empty." };
  const cut = finishReason !== "stop" && finishReason !== "tool_calls";
  const reading = readJson(content, schema, { repair: !cut });
  return reading.ok || !cut ? reading : { ok: false, fault: "It was cut off before its end; it must be shorter." };
}

function correction({ content }: ChatReply, fault: string): ChatMessage[] {
  const told = `Your answer cannot be used. ${fault}\nAnswer again, with nothing but the JSON.`;
  return [
    // An empty message is refused by some servers.
    { role: "assistant", content: content.slice(0, MAX_FAULTY).trim() || "(empty)", toolCalls: [] },
    { role: "user", content: told },
  ];
}
