import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { DossierError } from "../errors.ts";
import { PROBLEM_TYPE, problemOf } from "./problems.ts";

/** Milliseconds a client has to read why it was refused. */
const LINGER_MS = 1_000;

interface RawRefusal {
  readonly status: number;
  readonly error: DossierError;
}

/** What Node's parser could not read, by its code; RFC 9110 and 6585 have the statuses. */
function refusalOf(code: string | undefined): RawRefusal {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return { status: 431, error: new DossierError("invalid_request", "The request line and headers are larger than this server reads.") };
    case "HPE_CHUNK_EXTENSIONS_OVERFLOW":
      return { status: 413, error: new DossierError("too_large", "The chunk extensions are larger than this server reads.") };
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return { status: 408, error: new DossierError("timeout", "The request did not arrive in time.") };
    default:
      return { status: 400, error: new DossierError("invalid_request", "This is not a well-formed HTTP request.") };
  }
}

function bodyOf({ status, error }: RawRefusal): string {
  return JSON.stringify(problemOf(error, { status }));
}

/** Answers bytes that are no HTTP request with a problem, where the socket still takes one, and closes the connection. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === "ECONNRESET" || socket.destroyed) return;
  const refusal = refusalOf(error.code);
  const body = bodyOf(refusal);
  if (!socket.writable) {
    // Answered already, where more of the same input follows: the timer below is running.
    if (!socket.writableEnded) socket.destroy();
    return;
  }
  const head = [
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`,
    `Content-Type: ${PROBLEM_TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Cache-Control: no-store",
    "X-Content-Type-Options: nosniff",
    "Connection: close",
  ];
  // Not destroyed at once: unread input would reset the connection before the client has read why.
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}

/** Answers an `Expect` header other than `100-continue` with a problem, where Node would send a bare 417. */
export function answerUnmetExpectations(server: Server): void {
  server.on("checkExpectation", (_request: IncomingMessage, response: ServerResponse) => {
    const error = new DossierError("invalid_request", "This server meets no expectation but 100-continue.");
    const body = bodyOf({ status: 417, error });
    response.writeHead(417, {
      "content-type": PROBLEM_TYPE,
      "content-length": Buffer.byteLength(body),
      "cache-control": "no-store",
      connection: "close",
    });
    response.end(body);
  });
}
