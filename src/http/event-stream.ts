import type { FastifyReply, FastifyRequest } from "fastify";
import type { RunEvent } from "../domain/events.ts";
import { sendPaced } from "./paced-response.ts";
import type { HttpServices } from "./services.ts";
import { tenantOf } from "./tenant.ts";

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
export function frameOf(event: RunEvent): string {
  return `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}
