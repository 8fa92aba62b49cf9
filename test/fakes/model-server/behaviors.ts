import { turns } from "../../helpers/turns.ts";
import type { Behavior, BehaviorOf, Cut, ScriptedCall } from "./behavior.ts";

type Options<Kind extends Behavior["kind"], Given extends string> = Partial<Omit<BehaviorOf<Kind>, "kind" | Given>>;
type After = { readonly after?: Cut["after"]; readonly of?: Behavior };

const FILLER = "The answer begins and then it does not go on as it should. 回答开始了，然后没有继续。";

/** A text answer in small pieces; finish reason `stop`. */
export const text = (words: string, options: Options<"text", "text"> = {}): BehaviorOf<"text"> => ({
  kind: "text",
  text: words,
  ...options,
});

/** A complete typed component in small pieces, finish reason `stop`. */
export const component = (name: string, props: object, options: Options<"text", "text"> = {}): BehaviorOf<"text"> =>
  text(JSON.stringify({ type: "component", component: name, props }), options);

/** Calls in one response, in OpenAI's form unless `form` says otherwise; finish reason `tool_calls`. */
export const toolCalls = (calls: readonly ScriptedCall[], options: Options<"tool-calls", "calls"> = {}): BehaviorOf<"tool-calls"> => ({
  kind: "tool-calls",
  calls: [...calls],
  ...options,
});

/** An HTTP status; by default, the body is an error in OpenAI's form. */
export function status(code: number, body?: string | Record<string, unknown>, headers: Record<string, string> = {}): BehaviorOf<"status"> {
  const type = code === 429 ? "requests" : code >= 500 ? "server_error" : "invalid_request_error";
  const error = { message: `Scripted status ${code}.`, type, param: null, code: code === 429 ? "rate_limit_exceeded" : null };
  return { kind: "status", status: code, body: body ?? { error }, headers };
}

/** An error inside a stream of status 200: Groq's `event: error`, which ends the stream. */
export const groqError = (words = "maybe", error: Record<string, unknown> = {}): BehaviorOf<"stream-error"> => ({
  kind: "stream-error",
  form: "groq",
  text: words,
  error: {
    message: "The scripted tool choice failed.",
    type: "invalid_request_error",
    code: "tool_use_failed",
    status_code: 400,
    failed_generation: "<tool-use>",
    ...error,
  },
});

/** An error inside a stream of status 200: OpenRouter's key after finish reason `length`, then usage and `[DONE]`; comments come first. */
export const openrouterError = (words = "maybe", error: Record<string, unknown> = {}): BehaviorOf<"stream-error"> => ({
  kind: "stream-error",
  form: "openrouter",
  text: words,
  error: { message: "The scripted provider failed.", code: 502, ...error },
});

/** Destroys the socket: before the headers (`nothing`) or after this many pieces (1 by default). */
export const reset = ({ after = 1, of = text(FILLER) }: After = {}): Behavior => ({ ...of, cut: { after, how: "reset" } });

/** Sends nothing more until the client leaves: no headers (`nothing`), only headers (0), or only this many pieces. */
export const hang = ({ after = 0, of = text(FILLER) }: After = {}): Behavior => ({ ...of, cut: { after, how: "hang" } });

/** Ends the body cleanly after this many pieces: no finish reason, no usage, no `[DONE]`. */
export const breakOff = ({ after = 1, of = text(FILLER) }: After = {}): Behavior => ({ ...of, cut: { after, how: "end" } });

/** The same behavior, slower: `firstMs` before the headers, `delayMs` before each piece. */
export const slow = (of: Behavior, { firstMs = 0, delayMs = 0 }: { readonly firstMs?: number; readonly delayMs?: number }): Behavior => ({
  ...of,
  firstDelayMs: firstMs,
  delayMs,
});

/** Every 20 pieces wait until `count`, the number of pieces that a client in this process has made of them, has grown. */
export function apart(count: () => number): { readonly beforePiece: (piece: number) => unknown } {
  let last = count();
  const beforePiece = async (piece: number): Promise<void> => {
    if (piece === 0 || piece % 20 > 0) return;
    while (count() === last) await turns(1);
    last = count();
  };
  return { beforePiece };
}

/** The same behavior, of which the piece with this number, and all after it, wait for `until`. */
export const held = (of: Behavior, { at, until }: { readonly at: number; readonly until: Promise<unknown> }): Behavior => ({
  ...of,
  beforePiece: (piece) => (piece < at ? undefined : until),
});

/** A call whose arguments stop after `keep` characters (half of them by default), then finish reason `length`, or none with `null`. */
export function halfJson(
  call: ScriptedCall,
  { keep, finishReason = "length" }: { readonly keep?: number; readonly finishReason?: string | null } = {},
): BehaviorOf<"tool-calls"> {
  const whole = typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments);
  const half = whole.slice(0, keep ?? Math.floor(whole.length / 2));
  return toolCalls([{ ...call, arguments: half }], { finishReason, ...(finishReason === null ? { done: false, usage: "none" } : {}) });
}

/** Repeats a phrase (for a megabyte by default), whatever `max_tokens` says. Written no faster than the client reads. */
export const repetition = (
  { bytes = 1_000_000, of = "I will look again. 我再看一遍。" }: { readonly bytes?: number; readonly of?: string } = {},
  options: Options<"repetition", "bytes" | "of"> = {},
): BehaviorOf<"repetition"> => ({ kind: "repetition", bytes, of, ...options });

/** The stream is exactly these bytes. */
export const recorded = (body: string | Uint8Array, options: Options<"recorded", "body"> = {}): BehaviorOf<"recorded"> => ({
  kind: "recorded",
  body: typeof body === "string" ? body : new Uint8Array(body),
  ...options,
});

/** Sends each object as the data of one frame, then `[DONE]`. */
export const chunks = (list: readonly Record<string, unknown>[], options: Options<"chunks", "chunks"> = {}): BehaviorOf<"chunks"> => ({
  kind: "chunks",
  chunks: [...list],
  ...options,
});

/** Sends the answer of a server that ignores `stream: true`. */
export const asJson = <Of extends BehaviorOf<"text"> | BehaviorOf<"tool-calls">>(of: Of): Of => ({ ...of, asJson: true });

/** Serves this request and all further ones. */
export const repeat = <Of extends Behavior>(of: Of): Of => ({ ...of, repeat: true });
