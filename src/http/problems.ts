import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { DossierError, ERROR_KINDS, type ErrorCode } from "../errors.ts";

/** What Fastify and its plugins say, in our words. Their own texts are not part of the contract. */
const FRAMEWORK_ERRORS: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  FST_ERR_BAD_URL: ["invalid_request", "The path of the request is not valid percent-encoded UTF-8."],
  FST_ERR_MAX_PARAM_LENGTH: ["not_found", "There is nothing at this address: a part of its path is too long for any name."],
  FST_ERR_CTP_BODY_TOO_LARGE: ["too_large", "The body is larger than this server reads."],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ["unsupported_media_type", "Send the body as application/json."],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ["invalid_request", "The body is not as long as Content-Length says."],
};

/**
 * The error of the catalogue that stands for `error`. Anything unknown is `internal` with the original as its cause;
 * what a framework blames on the client (a 4xx status) stays the client's.
 */
export function asDossierError(error: unknown): DossierError {
  if (error instanceof DossierError) return error;
  const { code, statusCode } = traitsOf(error);
  const known = Object.hasOwn(FRAMEWORK_ERRORS, code) ? FRAMEWORK_ERRORS[code] : undefined;
  if (known !== undefined) return new DossierError(known[0], known[1], { cause: error });
  if (statusCode === 404) return new DossierError("not_found", "There is nothing at this address.", { cause: error });
  if (statusCode >= 400 && statusCode < 500) {
    return new DossierError("invalid_request", "The request could not be understood.", { cause: error });
  }
  return new DossierError("internal", "Unexpected failure of a request.", { cause: error });
}

function traitsOf(error: unknown): { code: string; statusCode: number } {
  const { code, statusCode } = (typeof error === "object" && error !== null ? error : {}) as { code?: unknown; statusCode?: unknown };
  return { code: typeof code === "string" ? code : "", statusCode: typeof statusCode === "number" ? statusCode : 500 };
}

export const PROBLEM_TYPE = "application/problem+json";

/** Where the catalogue of codes is served; `type` of a problem points into it. */
export const ERRORS_PATH = "/docs/errors";

/** Seconds after which a request that met a passing lack (full queue, shutdown) may be tried again. */
const RETRY_AFTER_SECONDS = 5;

/** The body of every error, as RFC 9457 has it. */
export const ProblemSchema = z.object({
  type: z.string().describe("A URI reference that names the kind of problem; the fragment is `code`."),
  title: z.string(),
  status: z.int().min(400).max(599),
  code: z.string().describe("Stable; what programs should look at."),
  detail: z.string(),
  errors: z
    .array(z.object({ path: z.string().describe("A JSON pointer to the place."), message: z.string() }))
    .optional()
    .describe("Every fault of the request, where there are places to name."),
});
type Problem = z.infer<typeof ProblemSchema>;

/**
 * The problem that tells a client of `error`. What went wrong inside the server (status 500) is told as `internal`
 * without a word of its message. `status` replaces the catalogue's where HTTP has a more exact one.
 */
function problemOf(error: DossierError, options: { requestId?: string; status?: number } = {}): Problem {
  const hidden = error.status === 500;
  const code = hidden ? "internal" : error.code;
  return {
    type: `${ERRORS_PATH}#${code}`,
    title: ERROR_KINDS[code].title,
    status: options.status ?? error.status,
    code,
    detail: hidden ? hiddenDetail(options.requestId) : error.message,
    ...(error.faults.length > 0 && !hidden ? { errors: error.faults.map(({ path, message }) => ({ path, message })) } : {}),
  };
}

function hiddenDetail(requestId: string | undefined): string {
  return requestId === undefined ? "The server's log says more." : `The server's log says more, under request ${requestId}.`;
}

/** Answers with the problem of `error`, as bytes: no response schema gets in its way and no charset is put on its type. */
export function sendProblem(request: FastifyRequest, reply: FastifyReply, error: DossierError, status?: number): FastifyReply {
  const problem = problemOf(error, { requestId: request.id, ...(status === undefined ? {} : { status }) });
  if (problem.status === 503) reply.header("retry-after", RETRY_AFTER_SECONDS);
  // What a handler set for its success must not outlive it: an error is never cached and is nobody's attachment.
  for (const name of ["etag", "content-disposition", "content-length"]) reply.removeHeader(name);
  return reply
    .code(problem.status)
    .headers({ "content-type": PROBLEM_TYPE, "cache-control": "no-store", "x-content-type-options": "nosniff" })
    .send(Buffer.from(JSON.stringify(problem)));
}

/** Fastify's error handler: every failure becomes a problem; one of the server's own is logged in full. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = asDossierError(error);
  if (known.status === 500) request.log.error({ err: error }, "request failed");
  return sendProblem(request, reply, known);
}

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
