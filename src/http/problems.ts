import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { DossierError, ERROR_KINDS, type ErrorCode } from "../errors.ts";
import { fieldsOf, textOf } from "../util/json-fields.ts";

export const PROBLEM_TYPE = "application/problem+json";

export const ERRORS_PATH = "/docs/errors";

const RETRY_AFTER_SECONDS = 5;

export const ProblemSchema = z.object({
  type: z.string().describe("A URI reference that names the kind of problem; the fragment is `code`."),
  title: z.string(),
  status: z.int().min(400).max(599),
  code: z.string().describe("The stable error code, for programs."),
  detail: z.string(),
  errors: z
    .array(
      z.object({
        path: z.string().describe("A JSON pointer to the wrong field."),
        message: z.string(),
        limit: z.number().optional().describe("The most that is allowed."),
      }),
    )
    .optional()
    .describe("The faults of the request, one for each wrong field."),
});
type Problem = z.infer<typeof ProblemSchema>;

function problemOf(error: DossierError, options: { requestId?: string; status?: number } = {}): Problem {
  const hidden = error.status === 500 && error.code !== "storage_damaged";
  const code = hidden ? "internal" : error.code;
  const request = options.requestId === undefined ? "" : `, under request ${options.requestId}`;
  return {
    type: `${ERRORS_PATH}#${code}`,
    title: ERROR_KINDS[code].title,
    status: options.status ?? error.status,
    code,
    detail: hidden ? `The cause is in the server's log${request}.` : error.message,
    ...(error.faults.length > 0 &&
      !hidden && { errors: error.faults.map(({ path, message, limit }) => ({ path, message, ...(limit !== undefined && { limit }) })) }),
  };
}

export function sendProblem(request: FastifyRequest, reply: FastifyReply, error: DossierError, status?: number): FastifyReply {
  const problem = problemOf(error, { requestId: request.id, ...(status === undefined ? {} : { status }) });
  if (problem.status === 503 || problem.status === 429) reply.header("retry-after", error.retryAfterSeconds ?? RETRY_AFTER_SECONDS);
  if (problem.status === 401) reply.header("www-authenticate", "Bearer");
  // The handler may have set these headers for a successful answer.
  for (const name of ["etag", "content-disposition", "content-length"]) reply.removeHeader(name);
  return reply
    .code(problem.status)
    .headers({ "content-type": PROBLEM_TYPE, "cache-control": "no-store", "x-content-type-options": "nosniff" })
    .send(Buffer.from(JSON.stringify(problem)));
}

export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = asDossierError(error, request.routeOptions.bodyLimit);
  if (known.status === 500) request.log.error({ err: error }, "request failed");
  // A client that still sends when its connection is closed gets an error of its network instead of this answer.
  if (known.code === "too_large") reply.removeHeader("connection");
  return sendProblem(request, reply, known);
}

const FRAMEWORK_ERRORS: ReadonlyMap<string, readonly [ErrorCode, string]> = new Map([
  ["FST_ERR_BAD_URL", ["invalid_request", "The path of the request is not valid percent-encoded UTF-8."]],
  ["FST_ERR_MAX_PARAM_LENGTH", ["not_found", "There is nothing at this address: part of its path is too long."]],
  ["FST_ERR_CTP_INVALID_MEDIA_TYPE", ["unsupported_media_type", "Send the body as application/json."]],
  ["FST_MP_PREMATURE_CLOSE", ["invalid_request", "The body ended before its last part."]],
  ["FST_ERR_CTP_INVALID_CONTENT_LENGTH", ["invalid_request", "The length of the body differs from Content-Length."]],
]);

export function asDossierError(error: unknown, bodyLimit?: number): DossierError {
  if (error instanceof DossierError) return error;
  const { code, statusCode } = fieldsOf(error);
  if (code === "FST_ERR_CTP_BODY_TOO_LARGE")
    return new DossierError("too_large", `The body is larger than the ${bodyLimit} bytes that this server accepts.`, { cause: error });
  const known = FRAMEWORK_ERRORS.get(textOf(code));
  if (known !== undefined) return new DossierError(known[0], known[1], { cause: error });
  if (statusCode === 404) return new DossierError("not_found", "There is nothing at this address; see /docs.", { cause: error });
  if (typeof statusCode === "number" && statusCode >= 400 && statusCode < 500)
    return new DossierError("invalid_request", "The request cannot be read.", { cause: error });
  return new DossierError("internal", "Unexpected failure of a request.", { cause: error });
}

const LINGER_MS = 1_000;

const PARSER_ERRORS: Readonly<Record<string, readonly [number, ErrorCode, string]>> = {
  HPE_HEADER_OVERFLOW: [431, "invalid_request", "The request line and headers are larger than this server accepts."],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, "too_large", "The chunk extensions are larger than this server accepts."],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "timeout", "The request did not arrive in time."],
};

/** Answers a request that is not valid HTTP with a problem, and closes the connection. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === "ECONNRESET" || socket.destroyed) return;
  if (!socket.writable) {
    if (!socket.writableEnded) socket.destroy();
    return;
  }
  const malformed = [400, "invalid_request", "This is not a well-formed HTTP request."] as const;
  const [status, code, message] = PARSER_ERRORS[error.code ?? ""] ?? malformed;
  const body = JSON.stringify(problemOf(new DossierError(code, message), { status }));
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `Content-Type: ${PROBLEM_TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Cache-Control: no-store",
    "X-Content-Type-Options: nosniff",
    "Connection: close",
  ];
  // Destroying the socket at once would reset the connection before the client has read the answer.
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}

/** Answers an `Expect` header other than `100-continue` with a problem instead of Node's bare 417. */
export function answerUnmetExpectations(server: Server): void {
  server.on("checkExpectation", (_request: IncomingMessage, response: ServerResponse) => {
    const error = new DossierError("invalid_request", "Expect: 100-continue is the only expectation that this server supports.");
    const body = JSON.stringify(problemOf(error, { status: 417 }));
    response.writeHead(417, {
      "content-type": PROBLEM_TYPE,
      "content-length": Buffer.byteLength(body),
      "cache-control": "no-store",
      connection: "close",
    });
    response.end(body);
  });
}
