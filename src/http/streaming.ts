import type { OutgoingHttpHeader, OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { RunEvent } from "../domain/events.ts";
import { tenantOf } from "./http-app.ts";
import type { HttpServices } from "./services.ts";

interface Pace {
  /** Ends the response, as if there were no more to say. */
  readonly signal: AbortSignal;
  /** Milliseconds a reader may take nothing of a chunk before it is disconnected. */
  readonly stallMs: number;
}

/**
 * Streams `chunks`, taking the next one only after the socket has taken the last, so that a slow reader costs one chunk of
 * memory. Resolves when the response has ended, the reader has left, or was too slow; a failure of `chunks` is logged and cuts
 * the connection, as nothing else can tell the reader. `HEAD` gets the headers, and `chunks` is not called.
 */
async function sendPaced(
  request: FastifyRequest,
  reply: FastifyReply,
  headers: OutgoingHttpHeaders,
  chunks: () => AsyncIterable<string>,
  pace: Pace,
): Promise<void> {
  const { raw } = reply.hijack();
  const head: Record<string, OutgoingHttpHeader | undefined> = { ...reply.getHeaders(), ...headers };
  raw.writeHead(200, head);
  if (request.method === "HEAD") {
    raw.end();
    return;
  }
  raw.flushHeaders();
  try {
    for await (const chunk of chunks()) {
      if (chunk === "") continue;
      if (pace.signal.aborted || !(await flush(raw, chunk, pace.stallMs))) break;
    }
    raw.end();
  } catch (error) {
    if (!pace.signal.aborted) request.log.error({ err: error }, "stream failed");
    raw.destroy();
  }
}

/** Whether `chunk` has left for the socket; false where the reader is gone, or took nothing for `stallMs` and was cut off. */
function flush(raw: ServerResponse, chunk: string, stallMs: number): Promise<boolean> {
  if (raw.destroyed) return Promise.resolve(false);
  return new Promise((resolve) => {
    // The socket's own limit: it begins anew whenever a part of the chunk is taken, however large the chunk is.
    raw.socket?.setTimeout(stallMs);
    const settle = (flushed: boolean) => {
      raw.socket?.setTimeout(0);
      raw.off("close", left);
      resolve(flushed);
    };
    const left = () => settle(false);
    raw.once("close", left);
    raw.write(chunk, (error) => settle(!error));
  });
}

const HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store",
  // Proxies such as nginx would otherwise hold events back until a buffer is full.
  "x-accel-buffering": "no",
};

const KEEP_ALIVE = ": keep-alive\n\n";

/**
 * Answers with the events of a run after `after`, as server-sent events, those to come included, until `run-ended`; with 204
 * when nothing can follow any more. A reader that leaves ends its own stream and nothing else.
 * @throws DossierError `not_found`, before anything is written
 */
export async function sendEvents(
  request: FastifyRequest,
  reply: FastifyReply,
  services: HttpServices,
  { runId, after }: { runId: string; after: number },
): Promise<void> {
  const tenant = tenantOf(request);
  if (!(await services.runs.hasEventsAfter(tenant, runId, after))) {
    await reply.code(204).send();
    return;
  }
  const { heartbeatMs, stallMs } = services;
  const signal = services.connections.signalOf(reply);
  const frames = () => framesOf(services.runs.follow(tenant, runId, { after, signal, heartbeatMs }));
  await sendPaced(request, reply, HEADERS, frames, { signal, stallMs });
}

/** Each page as one chunk, a heartbeat as a comment line. */
async function* framesOf(pages: AsyncIterable<readonly RunEvent[] | null>): AsyncGenerator<string> {
  for await (const page of pages) yield page === null ? KEEP_ALIVE : page.map(frameOf).join("");
}

/** One event on the wire. JSON has no line break outside its strings and escapes those within, so `data` is one line. */
function frameOf(event: RunEvent): string {
  return `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

/** Characters that are gathered before they are written: pieces may be short, and each write waits for the socket. */
const CHUNK_CHARACTERS = 65_536;

interface Download {
  readonly mediaType: string;
  /** A colon, which file systems may not take, is replaced. */
  readonly filename: string;
  readonly pieces: AsyncIterable<string>;
}

/**
 * Streams a text that is to be kept as a file. What its first piece throws is thrown, and can still become a problem; what
 * comes later cuts the connection. The pieces are let go of whatever happens, and `HEAD` takes only the first one.
 */
export async function sendDownload(
  request: FastifyRequest,
  reply: FastifyReply,
  { connections, answerStallMs }: Pick<HttpServices, "connections" | "answerStallMs">,
  { mediaType, filename, pieces }: Download,
): Promise<void> {
  const rest = pieces[Symbol.asyncIterator]();
  try {
    const first = await rest.next();
    const headers = { "content-type": mediaType, "content-disposition": `attachment; filename="${filename.replaceAll(":", "-")}"` };
    const pace = { signal: connections.signalOf(reply), stallMs: answerStallMs };
    await sendPaced(request, reply, headers, () => gathered(first, rest), pace);
  } finally {
    await rest.return?.();
  }
}

/** The pieces from `first` on, in larger chunks. */
async function* gathered(first: IteratorResult<string>, rest: AsyncIterator<string>): AsyncGenerator<string> {
  let chunk = "";
  for (let piece = first; piece.done !== true; piece = await rest.next()) {
    chunk += piece.value;
    if (chunk.length < CHUNK_CHARACTERS) continue;
    yield chunk;
    chunk = "";
  }
  yield chunk;
}
