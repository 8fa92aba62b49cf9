import { Agent, type Dispatcher, request } from "undici";
import type { DossierError } from "../errors.ts";
import { decodeBody } from "./decode-body.ts";
import { explainFailure } from "./explain-failure.ts";

const CONNECT_MS = 10_000;
const IDLE_MS = 10_000;
/** Statuses of answers that have none. */
const WITHOUT_BODY = new Set([204, 205, 304]);

/** What is asked of a server. */
export interface ServerRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface AnswerLimit {
  /** What errors call the server: its address may hold what readers must not see. */
  readonly name: string;
  /** The most bytes of one answer, decompressed. */
  readonly maxBytes: number;
  /** What an answer is that has more of them. */
  readonly tooLarge: () => DossierError;
  /** Told when an answer broke off, or was too large, while it was read. */
  readonly onBroken?: (error: DossierError) => void;
}

/** A pool of connections to one server, without limits of time of its own; `destroy` ends what is under way. */
export function openPool(connections: number): Agent {
  return new Agent({ connections, headersTimeout: 0, bodyTimeout: 0, keepAliveTimeout: IDLE_MS, connect: { timeout: CONNECT_MS } });
}

/**
 * Asks what the operator configured, in whatever network it is; no redirect is followed, and an abort of the signal closes the
 * connection at once.
 * @throws DossierError `unreachable`, `timeout`; the reason of the signal; while the body is read also what `tooLarge` makes
 */
export async function askServer(dispatcher: Agent, url: URL, asked: ServerRequest, limit: AnswerLimit): Promise<Response> {
  const { method, headers, body, signal } = asked;
  try {
    const said = { method: method as Dispatcher.HttpMethod, headers: { ...headers }, body: body ?? null, signal: signal ?? null };
    // Not undici's fetch, which refuses ports that browsers refuse.
    return responseOf(await request(url, { ...said, dispatcher }), limit);
  } catch (error) {
    signal?.throwIfAborted();
    throw explainFailure(error, limit.name);
  }
}

function responseOf({ statusCode: status, headers, body }: Dispatcher.ResponseData, limit: AnswerLimit): Response {
  // A body that is given up on ends with an error, which nobody may be left to hear.
  body.on("error", () => {});
  const said = Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)] as [string, string]]));
  const bytes = limited(decodeBody(body, headers["content-encoding"]?.toString()), limit);
  return new Response(WITHOUT_BODY.has(status) ? null : ReadableStream.from(bytes), { status, headers: said });
}

async function* limited(bytes: AsyncIterable<Uint8Array>, { name, maxBytes, tooLarge, onBroken }: AnswerLimit): AsyncGenerator<Uint8Array> {
  let size = 0;
  try {
    for await (const chunk of bytes) {
      size += chunk.byteLength;
      if (size > maxBytes) throw tooLarge();
      yield chunk;
    }
  } catch (error) {
    onBroken?.(explainFailure(error, name));
    throw error;
  }
}
