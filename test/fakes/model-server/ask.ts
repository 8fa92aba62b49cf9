import type { ModelServer } from "./serve.ts";

/** A history of one message. */
export const HELLO = [{ role: "user", content: "你好" }];
/** A tool without parameters. */
export const TOOL = { type: "function", function: { name: "look_up", parameters: { type: "object", properties: {} } } };

/** Requests a streamed completion; `more` is merged into the request. */
export const ask = ({ url }: ModelServer, more: object = {}, init: RequestInit = {}) =>
  fetch(`${url}/chat/completions`, {
    method: "POST",
    body: JSON.stringify({ model: "m", stream: true, messages: HELLO, ...more }),
    ...init,
  });

export interface Chunk {
  readonly choices: readonly { readonly delta: Readonly<Record<string, unknown>>; readonly finish_reason: string | null }[];
  readonly [key: string]: unknown;
}

/** Returns the chunks of a streamed body, without `[DONE]`. */
export function chunksIn(body: string): Chunk[] {
  const data = body.split("\n").filter((line) => line.startsWith("data: {"));
  return data.map((line) => JSON.parse(line.slice(6)));
}

/** Returns the deltas of a streamed body. */
export const deltasIn = (body: string) => chunksIn(body).flatMap(({ choices }) => choices.map(({ delta }) => delta));
/** Returns the entries of tool calls in a streamed body. */
export const callsIn = (body: string) =>
  deltasIn(body).flatMap(({ tool_calls }) => (tool_calls as Record<string, unknown>[] | undefined) ?? []);
