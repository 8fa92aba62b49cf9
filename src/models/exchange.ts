import { Readable } from "node:stream";

/** Follows no redirects. Rejects with an error that has a system code such as `ECONNREFUSED`. */
export type ModelFetch = (
  url: string,
  init: {
    readonly method: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string | Readable;
    readonly signal: AbortSignal;
  },
) => Promise<Response>;

/** The `fetch` that a provider's client is given. */
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

export interface ModelEndpoint {
  readonly baseUrl: string;
  readonly apiKey?: string | undefined;
  /** The ways to write the key, if it is a secret. */
  readonly secrets?: readonly string[];
  readonly fetch: ModelFetch;
}

export function addressOf({ baseUrl }: Pick<ModelEndpoint, "baseUrl">, path: string): string {
  return `${baseUrl.replace(/\/+$/, "")}/${path}`;
}

export function headersFor({ apiKey }: Pick<ModelEndpoint, "apiKey">): Record<string, string> {
  return {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    ...(apiKey !== undefined && apiKey !== "" && { authorization: `Bearer ${apiKey}` }),
  };
}

/**
 * Returns the body of an HTTP request that undici frees once it is sent. A whole body would be kept until the answer ends. Pass the
 * stream on at once: each function that waits keeps what it was given. The stream has ended, so undici knows its length.
 */
export function bodyStream(body: string): Readable {
  const stream = new Readable({ read: () => undefined });
  stream.push(body, "utf8");
  stream.push(null);
  return stream;
}

/** What a server answered instead of a model's words. */
export interface Refusal {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** The whole answer as an earlier process kept it; null if the server must be asked. */
export interface KeptAnswer {
  readonly kept: Uint8Array | null;
  keep(answer: Uint8Array): void;
}

const MAX_REFUSAL = 64_000;
const DONE = /[\r\n]data: ?\[DONE\]/;
const LONGEST_DONE = 16;
/** A longer answer is not kept, because all open answers together must fit into memory. */
const MAX_KEPT_BYTES = 4_000_000;

/** The request of one try: what the server refused, and whether its answer arrived as a whole. */
export class Exchange {
  refusal: Refusal | null = null;
  /** Why the connection failed or the answer could not be read. The errors of the libraries hide it. */
  failure: unknown = null;
  /** Whether the answer ended with `[DONE]`. */
  isDone = false;
  readonly signal: AbortSignal;
  readonly endpoint: ModelEndpoint;
  readonly #answer: KeptAnswer;
  #received: Uint8Array[] = [];
  #size = 0;
  /** The end of what was received, in which the mark may begin. */
  #tail = "\n";

  constructor(endpoint: ModelEndpoint, signal: AbortSignal, answer: KeptAnswer) {
    this.endpoint = endpoint;
    this.signal = signal;
    this.#answer = answer;
  }

  /** The last line of what was received: servers that fail within an answer say so there. */
  get lastLine(): string {
    const lines = Buffer.concat(this.#received)
      .toString("utf8")
      .split(/[\r\n]+/);
    return lines.findLast((line) => line.trim() !== "") ?? "";
  }

  /** The `fetch` for a provider's client. */
  readonly fetch: Fetch = async (input, init) => {
    const request = new Request(input, { ...init, signal: null });
    return this.send(request.url, Object.fromEntries(request.headers), bodyStream(await request.text()));
  };

  /** Takes the body as a stream, which is freed once it is sent: each function that waits keeps what it was given. */
  send(url: string, headers: Readonly<Record<string, string>>, body: Readable): Promise<Response> {
    const { kept } = this.#answer;
    if (kept !== null) return Promise.resolve(new Response(ReadableStream.from(this.#bytes(new Blob([Buffer.from(kept)]).stream()))));
    const post = { method: "POST", headers, body, signal: this.signal };
    return this.watch(() => this.endpoint.fetch(url, post)).then((response) => this.#answered(response));
  }

  async #answered(response: Response): Promise<Response> {
    if (!response.ok || /html/i.test(response.headers.get("content-type") ?? "")) return this.refuse(response);
    const bytes = this.#bytes(response.body ?? new Blob([]).stream());
    return new Response(ReadableStream.from(bytes), { status: response.status, headers: response.headers });
  }

  /** Keeps what the server answered, of which the errors of the libraries show a part. */
  async refuse({ status, headers, body }: Pick<Response, "status" | "headers" | "body">): Promise<Response> {
    const text = await beginningOf({ body }, MAX_REFUSAL);
    this.refusal = { status, headers, body: text };
    return new Response(text, { status: status < 400 ? 400 : status, headers: { "content-type": "application/json" } });
  }

  /** Remembers the error of `work`. */
  async watch<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      this.failure ??= error;
      throw error;
    }
  }

  async *#bytes(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const iterator = body[Symbol.asyncIterator]();
    const next = () => this.watch(() => iterator.next());
    try {
      for (let read = await next(); read.done !== true; read = await next()) {
        this.#receive(read.value);
        yield read.value;
      }
      if (!this.isDone) this.#keep();
    } finally {
      await iterator.return?.();
    }
  }

  #receive(bytes: Uint8Array): void {
    this.#size += bytes.byteLength;
    if (this.#size <= MAX_KEPT_BYTES) this.#received.push(bytes);
    else this.#received = [];
    if (this.isDone) return;
    const text = this.#tail + Buffer.from(bytes).toString("latin1");
    this.#tail = text.slice(-LONGEST_DONE);
    this.isDone = DONE.test(text);
    // Clients stop reading at this mark, so the answer is kept before they see it.
    if (this.isDone) this.#keep();
  }

  #keep(): void {
    if (this.#answer.kept === null && this.#size <= MAX_KEPT_BYTES) this.#answer.keep(Buffer.concat(this.#received));
  }
}

/** Reads an answer until it is longer than `maxLength`, in UTF-16 code units. */
export async function beginningOf({ body }: Pick<Response, "body">, maxLength: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const bytes of body ?? []) {
    text += decoder.decode(bytes, { stream: true });
    if (text.length > maxLength) break;
  }
  return text;
}
