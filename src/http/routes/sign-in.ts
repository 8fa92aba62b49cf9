import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { DossierError } from "../../errors.ts";
import { escapeHtml } from "../../util/escape-html.ts";
import { cookieOf } from "../access.ts";
import type { HttpApp, HttpServices } from "../http-app.ts";
import { htmlPage, PAGE_POLICY } from "../plain-page.ts";
import { answerError, asDossierError } from "../problems.ts";
import { emptyResponse, problems } from "../schemas.ts";
import { isLostReader } from "./page.ts";
import { openSession, schemeOf } from "./session.ts";

const MAX_MS = 600_000;

/** What a browser keeps while it is at the provider. */
const StartedSchema = z.object({ state: z.string(), nonce: z.string(), verifier: z.string(), until: z.coerce.number() });

/** A browser signs in at a provider of OpenID Connect, and then has a cookie as after `POST /session`. */
export function registerSignIn(app: HttpApp, { tenancy: { keys, signIn } }: Pick<HttpServices, "tenancy">, path: string): void {
  if (signIn === null) return;
  const shared = { method: "GET", config: { scope: "none" }, errorHandler: answerReader } as const;
  const startedIn = (request: FastifyRequest) => `${cookieOf(request)}_oidc`;
  const cookie = (request: FastifyRequest) =>
    ({ path: `${path}/session/oidc`, httpOnly: true, sameSite: "lax", secure: schemeOf(request) === "https" }) as const;
  const callback = (request: FastifyRequest) => new URL(`${schemeOf(request)}://${request.host}${path}/session/oidc/callback`);
  app.route({
    ...shared,
    url: "/session/oidc",
    schema: {
      tags: ["service"],
      operationId: "startSignIn",
      summary: "Sign in at the provider OIDC_ISSUER, for browsers",
      description: "Leads to the provider, which must send the browser to `/session/oidc/callback` within ten minutes.",
      response: { 303: emptyResponse("`Location` is at the provider."), ...problems(502, 504) },
    },
    async handler(request, reply) {
      const { address, checks } = await signIn.start(callback(request));
      const started = new URLSearchParams({ ...checks, until: String(Date.now() + MAX_MS) });
      reply.setCookie(startedIn(request), started.toString(), { ...cookie(request), maxAge: MAX_MS / 1_000 });
      return reply.redirect(address.href, 303);
    },
  });
  app.route({
    ...shared,
    url: "/session/oidc/callback",
    schema: {
      tags: ["service"],
      operationId: "finishSignIn",
      summary: "Where the provider sends a browser back to",
      response: { 303: emptyResponse("The cookie of the session is set."), ...problems(401, 502, 503, 504) },
    },
    async handler(request, reply) {
      const checks = readStarted(request.cookies[startedIn(request)]);
      reply.clearCookie(startedIn(request), cookie(request));
      const answer = callback(request);
      answer.search = new URL(request.url, answer).search;
      const key = await keys.ofPerson(await signIn.finish(answer, checks));
      request.key = await openSession(keys, key, path, request, reply);
      return reply.redirect("/", 303);
    },
  });
}

/** @throws DossierError `unauthorized` */
function readStarted(cookie: string | undefined): z.infer<typeof StartedSchema> {
  const started = StartedSchema.safeParse(Object.fromEntries(new URLSearchParams(cookie))).data;
  if (started !== undefined && started.until > Date.now()) return started;
  const why = "it was not started in this browser, or more than ten minutes ago, or it has ended already";
  throw new DossierError("unauthorized", `This sign-in is not known: ${why}. Nobody was signed in. Start again.`);
}

/** People meet these errors in place of the page. */
function answerReader(error: Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { code, status, message } = asDossierError(error);
  request.log.info({ code, err: error }, "nobody was signed in");
  if (!isLostReader(request) || status === 500) return answerError(error, request, reply);
  const body = `<h1>Nobody was signed in</h1>\n<p>${escapeHtml(message)}</p>\n<p><a href="/">Back to the page</a></p>`;
  reply.code(status).headers({ "content-security-policy": PAGE_POLICY, "content-type": "text/html; charset=utf-8" });
  return reply.send(htmlPage("Nobody was signed in", body));
}
