import type { Behavior, BehaviorOf, Told, Usage } from "./behavior.ts";
import { callDeltas, rawArguments } from "./call-deltas.ts";
import { roughUsage } from "./count-tokens.ts";
import { piecesOf } from "./pieces.ts";

/** Bytes of the body that belong together; a piece is a frame with content, reasoning or a fragment of a call. */
export interface Frame {
  readonly data: string | Uint8Array;
  readonly piece: boolean;
}

/** The request that is answered. */
export interface Asked {
  readonly body: Readonly<Record<string, unknown>>;
  /** The number of this answer, from 0; its ids are derived from it. */
  readonly serial: number;
}

export const PIECE_LENGTH = 4;
const DONE: Frame = { data: "data: [DONE]\n\n", piece: false };
const CREATED = 1_700_000_000;
const REPETITION_CHARACTERS = 64;

/** Yields the frames of a streamed body lazily. A status has none. */
export function* framesOf(behavior: Behavior, asked: Asked): Iterable<Frame> {
  if (behavior.kind === "text" || behavior.kind === "tool-calls") yield* toldFrames(behavior, asked);
  if (behavior.kind === "repetition") yield* repeatedFrames(behavior, asked);
  if (behavior.kind === "stream-error") yield* errorFrames(behavior, asked);
  if (behavior.kind === "recorded") yield* recordedFrames(behavior);
  if (behavior.kind === "chunks") {
    yield* behavior.chunks.map((chunk) => frame(chunk, true));
    if (behavior.done !== false) yield DONE;
  }
}

/** Returns the calls, each with its scripted id or one that is unique among the answers of the server. */
export const withIds = (told: BehaviorOf<"tool-calls">, serial: number) =>
  told.calls.map((call, index) => ({ ...call, id: call.id ?? `call_${serial}_${index}` }));

/** Returns the reasoning in the fields that carry it; none for `think`. */
export function reasoningFields(told: Told, words: string): Record<string, string> {
  const where = told.reasoningIn ?? "reasoning_content";
  if (where === "think") return {};
  return where === "both" ? { reasoning_content: words, reasoning: words } : { [where]: words };
}

/** Returns the content, preceded by the reasoning if that goes between tags. */
export const contentOf = (told: Told): string =>
  told.reasoningIn === "think" && told.reasoning !== undefined
    ? `<think>\n${told.reasoning}\n</think>\n\n${told.text ?? ""}`
    : (told.text ?? "");

/** Returns the finish reason that ends the answer; null for none. */
export const finishOf = (told: Told): string | null =>
  told.finishReason === undefined ? (told.kind === "text" ? "stop" : "tool_calls") : told.finishReason;

/** Returns the scripted usage or a rough count; undefined if the server sends none. */
export function usageOf(told: Told, { body }: Asked): Usage | undefined {
  if (told.usage === "none") return undefined;
  const calls = told.kind === "tool-calls" ? told.calls.map((call) => call.name + rawArguments(call)).join("") : "";
  return told.usage ?? roughUsage(body, `${told.reasoning ?? ""}${told.text ?? ""}${calls}`);
}

function* toldFrames(told: Told, asked: Asked): Iterable<Frame> {
  const envelope = envelopeOf(asked);
  const comment: Frame[] = Array.from({ length: told.comments ?? 0 }, () => ({ data: ": the model is at work\n\n", piece: false }));
  yield frame(envelope({ role: "assistant", content: told.kind === "text" ? "" : null }), false);
  for (const delta of deltasOf(told, asked.serial)) {
    yield* comment;
    yield frame(envelope(delta), true);
  }
  const usage = usageOf(told, asked);
  const finish = finishOf(told);
  if (finish !== null) yield frame({ ...envelope({}, finish), ...(told.usageIn === "finish" && usage ? { usage } : {}) }, false);
  if (usage && tellsUsageLast(told, asked)) yield frame({ ...envelope({}), choices: [], usage }, false);
  if (told.done !== false) yield DONE;
}

function deltasOf(told: Told, serial: number): Record<string, unknown>[] {
  const length = told.pieceLength ?? PIECE_LENGTH;
  const reasoning = told.reasoningIn === "think" ? [] : piecesOf(told.reasoning ?? "", length).map((part) => reasoningFields(told, part));
  const content = piecesOf(contentOf(told), length).map((part) => ({ content: part }));
  const calls = told.kind === "text" ? [] : callDeltas(withIds(told, serial), told.form ?? {}, length);
  return [...reasoning, ...content, ...calls.map((entry) => ({ tool_calls: [entry] }))];
}

const tellsUsageLast = (told: Told, { body }: Asked) => told.usageIn === "last" || (told.usageIn !== "finish" && asksForUsage(body));

const asksForUsage = (body: Asked["body"]) => (body["stream_options"] as { include_usage?: boolean } | undefined)?.include_usage === true;

function* repeatedFrames({ bytes, of, into = "content", finishReason = "stop" }: BehaviorOf<"repetition">, asked: Asked): Iterable<Frame> {
  const envelope = envelopeOf(asked);
  const part = of.repeat(Math.ceil(REPETITION_CHARACTERS / of.length));
  const size = Buffer.byteLength(part);
  yield frame(envelope({ role: "assistant", content: "" }), false);
  for (let sent = 0; sent < bytes; sent += size) yield frame(envelope({ [into]: part }), true);
  if (finishReason !== null) yield frame(envelope({}, finishReason), false);
  yield DONE;
}

function* errorFrames({ form, text, error }: BehaviorOf<"stream-error">, asked: Asked): Iterable<Frame> {
  const envelope = envelopeOf(asked);
  if (form === "openrouter") yield { data: ": the model is at work\n\n".repeat(3), piece: false };
  yield frame(envelope({ role: "assistant", content: "" }), false);
  yield* piecesOf(text, PIECE_LENGTH).map((part) => frame(envelope({ content: part }), true));
  if (form === "groq") {
    yield { data: `event: error\ndata: ${JSON.stringify({ error })}\n\n`, piece: false };
    return;
  }
  yield frame(envelope({ content: "" }, "length"), false);
  yield frame({ ...envelope({}), error }, false);
  yield frame({ ...envelope({ role: "assistant", content: "" }), usage: roughUsage(asked.body, text) }, false);
  yield DONE;
}

/** Splits a recorded text at its empty lines, so that it can be cut after some events; bytes that are not text stay whole. */
export function recordedFrames({ body }: BehaviorOf<"recorded">): Frame[] {
  if (typeof body !== "string") return [{ data: body, piece: true }];
  return body.split(/(?<=\r?\n\r?\n)/).map((data) => ({ data, piece: /^data: ?\{/m.test(data) }));
}

const frame = (chunk: unknown, piece: boolean): Frame => ({ data: `data: ${JSON.stringify(chunk)}\n\n`, piece });

function envelopeOf({ body, serial }: Asked) {
  // If usage comes last, every earlier chunk has `usage: null`.
  const usage = asksForUsage(body) ? { usage: null } : {};
  return (delta: Readonly<Record<string, unknown>>, finish: string | null = null) => ({
    id: `chatcmpl-${serial}`,
    object: "chat.completion.chunk",
    created: CREATED,
    model: body["model"],
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
    ...usage,
  });
}
