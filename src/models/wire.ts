import { addressOf, headersFor, type ModelEndpoint } from "./endpoint.ts";
import { isFields, parseJson } from "./raw-json.ts";

/** The most of a refusal that is read. */
const MAX_REFUSAL = 64_000;
const DONE = /[\r\n]data: ?\[DONE\]/;
const LONGEST_DONE = 16;

/** A status other than 2xx, with the beginning of what was said. */
export interface Refusal {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/**
 * One exchange as it stands on the wire. The library below which it lies reads errors into its own words, hides the end of a
 * stream, and adds what it finds in the environment; so this keeps what was refused, whether the stream was ended, and sends
 * nothing but what is configured here.
 */
export class Wire {
  /** What the server refused with, if it did. */
  refusal: Refusal | null = null;
  /** Whether the answer says that it is whole: by `[DONE]`, or because it is one object. */
  whole = false;
  readonly #endpoint: ModelEndpoint;
  readonly #signal: AbortSignal;

  constructor(endpoint: ModelEndpoint, signal: AbortSignal) {
    this.#endpoint = endpoint;
    this.#signal = signal;
  }

  /** Stands in for the library's way to send its request. */
  async send(body: unknown): Promise<Response> {
    const response = await this.#endpoint.fetch(addressOf(this.#endpoint, "chat/completions"), {
      method: "POST",
      headers: headersFor(this.#endpoint),
      body: typeof body === "string" ? body : "",
      signal: this.#signal,
    });
    const type = response.headers.get("content-type") ?? "";
    if (!response.ok || /html/i.test(type)) return this.#refused(response);
    if (/json/i.test(type)) return this.#asStream(await response.text(), response);
    return new Response(response.body?.pipeThrough(this.#watchEnd()) ?? null, { headers: { "content-type": "text/event-stream" } });
  }

  async #refused(response: Response): Promise<Response> {
    this.refusal = { status: response.status, headers: response.headers, body: await beginning(response) };
    return new Response("{}", { status: 400, headers: { "content-type": "application/json" } });
  }

  /** A server that does not stream sends one object; as a stream of one chunk it reads like the others. */
  #asStream(text: string, { status, headers }: Response): Promise<Response> | Response {
    const object = text.trimStart().startsWith("{");
    if (object && isForeign(text)) return this.#refused(new Response(text, { status, headers }));
    this.whole = object || DONE.test(`\n${text}`);
    // In one line, because a line of a stream is a field.
    const body = object ? `data: ${text.replace(/[\r\n]+/g, " ")}\n\ndata: [DONE]\n\n` : text;
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  }

  #watchEnd(): TransformStream<Uint8Array, Uint8Array> {
    let tail = "\n";
    return new TransformStream({
      transform: (bytes, controller) => {
        const text = tail + Buffer.from(bytes).toString("latin1");
        this.whole ||= DONE.test(text);
        tail = text.slice(-LONGEST_DONE);
        controller.enqueue(bytes);
      },
    });
  }
}

/** An object that says neither what a model answers nor what went wrong comes from another kind of server. */
function isForeign(text: string): boolean {
  const value = parseJson(text);
  return isFields(value) && !("choices" in value) && !("error" in value);
}

async function beginning(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const bytes of response.body ?? []) {
    text += decoder.decode(bytes, { stream: true });
    // Leaving the loop cancels the rest.
    if (text.length > MAX_REFUSAL) break;
  }
  return text;
}
