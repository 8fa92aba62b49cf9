import type { OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { RunEvent } from "../domain/events.ts";
import { isTurnOver, type TakePacedTurn, type TakeTurn } from "../util/turns.ts";
import { type HttpServices, tenantOf } from "./http-app.ts";
import { asDossierError } from "./problems.ts";

/** Waits while the socket holds more than its buffer, so that a slow client costs the memory of one chunk. Logs errors of `chunks`. */
async function sendPaced(
  request: FastifyRequest,
  reply: FastifyReply,
  headers: OutgoingHttpHeaders,
  chunks: () => AsyncIterable<string>,
  pace: { readonly signal: AbortSignal; readonly stallMs: number },
): Promise<void> {
  const { raw } = reply.hijack();
  raw.writeHead(200, { ...reply.getHeaders(), ...headers } as OutgoingHttpHeaders);
  if (request.method === "HEAD") {
    raw.end();
    return;
  }
  raw.flushHeaders();
  try {
    for await (const chunk of chunks()) {
      if (chunk !== "" && !(await write(raw, chunk, pace.stallMs))) break;
    }
    raw.socket?.setTimeout(pace.stallMs);
    raw.end();
  } catch (error) {
    if (!pace.signal.aborted) logCut(request, error);
    raw.destroy();
  }
}

/** A client may delete a run while it downloads it: that is no fault of the server. */
function logCut({ log }: FastifyRequest, error: unknown): void {
  const { code, status, message } = asDossierError(error);
  if (status < 500) log.info({ code, detail: message }, "response cut short; closed the connection");
  else log.error({ err: error }, "response stream failed; closed the connection");
}

/** Waits for the socket if it does not keep up. Returns false if the connection has closed. */
async function write(raw: ServerResponse, chunk: string, stallMs: number): Promise<boolean> {
  if (raw.destroyed || raw.write(chunk)) return !raw.destroyed;
  raw.socket?.setTimeout(stallMs);
  await new Promise<void>((resolve) => {
    const finish = (): void => {
      raw.off("drain", finish);
      raw.off("close", finish);
      resolve();
    };
    raw.once("drain", finish);
    raw.once("close", finish);
  });
  raw.socket?.setTimeout(0);
  return !raw.destroyed;
}

const EVENT_STREAM_HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store",
  // Without this header, proxies such as nginx buffer events.
  "x-accel-buffering": "no",
};

const KEEP_ALIVE = ": keep-alive\n\n";

/** Streams the events after number `after`. Sends 204 if no event can follow. @throws DossierError `not_found` */
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
  const frames = () => framesOf(services.runs.follow(tenant, runId, { after, signal, heartbeatMs }), services.bulkTurn);
  await sendPaced(request, reply, EVENT_STREAM_HEADERS, frames, { signal, stallMs });
}

async function* framesOf(pages: AsyncIterable<readonly RunEvent[] | null>, bulkTurn: TakeTurn): AsyncGenerator<string> {
  await bulkTurn();
  for await (const page of pages) {
    let chunk = page === null ? KEEP_ALIVE : "";
    for (const event of page ?? []) {
      chunk += frameOf(event);
      if (chunk.length < CHUNK_CHARACTERS) continue;
      yield chunk;
      chunk = "";
      await bulkTurn();
    }
    yield chunk;
    await bulkTurn();
  }
}

function frameOf(event: RunEvent): string {
  return `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

/** Each write waits for the socket, so small pieces are joined into chunks of about this many UTF-16 code units. */
const CHUNK_CHARACTERS = 65_536;

/** Streams a text as a file. Throws an error that comes before the first piece; a later error cuts the connection. */
export async function sendDownload(
  request: FastifyRequest,
  reply: FastifyReply,
  { connections, exportTurn, answerStallMs }: Pick<HttpServices, "connections" | "exportTurn" | "answerStallMs">,
  { mediaType, disposition, pieces }: { mediaType: string; disposition: string; pieces: AsyncIterable<string> },
): Promise<void> {
  const rest = pieces[Symbol.asyncIterator]();
  try {
    const first = await rest.next();
    const headers = { "content-type": mediaType, "content-disposition": disposition };
    const pace = { signal: connections.signalOf(reply), stallMs: answerStallMs };
    await sendPaced(request, reply, headers, () => joinPieces(first, rest, exportTurn, pace.signal), pace);
  } finally {
    await rest.return?.();
  }
}

/** Throws at shutdown: the client must see a broken connection, not a file that looks complete. */
async function* joinPieces(
  first: IteratorResult<string>,
  rest: AsyncIterator<string>,
  exportTurn: TakePacedTurn,
  signal: AbortSignal,
): AsyncGenerator<string> {
  let chunk = "";
  for (let piece = first; piece.done !== true; piece = await rest.next()) {
    chunk += piece.value;
    if (chunk.length >= CHUNK_CHARACTERS) {
      signal.throwIfAborted();
      yield chunk;
      chunk = "";
    } else if (!isTurnOver()) continue;
    await exportTurn(signal);
  }
  yield chunk;
}
