import type { OutgoingHttpHeader, OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";

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
export async function sendPaced(
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
