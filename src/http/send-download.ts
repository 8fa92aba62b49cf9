import type { FastifyReply, FastifyRequest } from "fastify";
import { sendPaced } from "./paced-response.ts";
import type { HttpServices } from "./services.ts";

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
