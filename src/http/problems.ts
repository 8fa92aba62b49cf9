import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { type DossierError, ERROR_KINDS } from "../errors.ts";
import { asDossierError } from "./framework-errors.ts";

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
export type Problem = z.infer<typeof ProblemSchema>;

/**
 * The problem that tells a client of `error`. What went wrong inside the server (status 500) is told as `internal`
 * without a word of its message. `status` replaces the catalogue's where HTTP has a more exact one.
 */
export function problemOf(error: DossierError, options: { requestId?: string; status?: number } = {}): Problem {
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
