import type { Body } from "../neutral.ts";
import type { ProviderRefusal } from "../provider.ts";
import type { RequestForm } from "./request-forms.ts";

/** Where a server says that it refuses: with the status, as JSON of status 200, or as the first or a later chunk of a stream. */
export type Where = "status" | "body" | "first-chunk" | "later-chunk";

/** A form of request that a server refuses, and how. It accepts any request in a simpler form. */
export interface RefusedRequest {
  readonly name: string;
  readonly where: Where;
  readonly status: number;
  readonly words: string;
  /** The body of the status, or the data of the chunk. */
  readonly body: unknown;
  /** Whether the request has the form. */
  readonly refuses: RequestForm;
  /** What the server sends; a request without a stream always gets the status. */
  readonly answer: (stream: boolean) => ProviderRefusal;
}

/** How servers wrap their words. */
export type Shape = (words: string, status: number) => unknown;

export const asError: Shape = (message, code) => ({ error: { message, type: "invalid_request_error", param: null, code } });
export const asErrorText: Shape = (error) => ({ error });
export const asDetail: Shape = (detail) => ({ detail });
export const asDetails: Shape = (msg) => ({ detail: [{ loc: ["body"], msg, type: "value_error" }] });
export const asMessage: Shape = (message, status) => ({ object: "error", message, code: status });
export const asCode: Shape = (msg, code) => ({ code, msg, success: false });
export const asErrors: Shape = (message) => ({ errors: [{ message }] });
export const asText: Shape = (words) => words;

/** Makes a row that is refused with a status. */
export const byStatus = (status: number, name: string, words: string, shape: Shape, refuses: RequestForm): RefusedRequest =>
  rowOf("status", status, name, words, shape, refuses);

/** Makes a row that is refused otherwise; its status would be 400. */
export const within = (where: Exclude<Where, "status">, name: string, words: string, shape: Shape, refuses: RequestForm): RefusedRequest =>
  rowOf(where, 400, name, words, shape, refuses);

function rowOf(where: Where, status: number, name: string, words: string, shape: Shape, refuses: RequestForm): RefusedRequest {
  const body = shape(words, status);
  const answer = (stream: boolean): ProviderRefusal => {
    const refusal = { status: where === "body" ? 200 : status, body, message: words };
    return stream && where.endsWith("chunk") ? { ...refusal, frames: framesOf(where, body) } : refusal;
  };
  return { name, where, status, words, body, refuses, answer };
}

/** A later chunk comes after some words, which are no answer. */
function framesOf(where: Where, body: unknown): string[] {
  const told = where === "first-chunk" ? [] : [{ role: "assistant", content: "" }, { content: "Let me" }].map(chunkOf);
  return [...told, body].map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`);
}

const chunkOf = (delta: Body): Body => ({
  id: "chatcmpl-refused",
  object: "chat.completion.chunk",
  created: 1_700_000_000,
  model: "scripted",
  choices: [{ index: 0, delta, finish_reason: null }],
});
