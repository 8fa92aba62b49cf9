import type { CookieSerializeOptions } from "@fastify/cookie";
import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { DEFAULT_TENANT, type Key, SCOPES } from "../../domain/keys.ts";
import { cookieOf, invalidKey, keyOf } from "../access.ts";
import type { HttpApp, HttpServices } from "../http-app.ts";
import { emptyResponse, problems } from "../schemas.ts";

const tags = ["service"];

const DAY_MS = 86_400_000;
const LIFETIME_MS = 7 * DAY_MS;

const SessionSchema = z.object({
  name: z.string().nullable().describe("The name of the key; null for somebody without a key."),
  tenant: z.string(),
  scopes: z.array(z.enum(SCOPES)),
  expiresAt: z.string().nullable().describe("ISO 8601 in UTC."),
  isSession: z.boolean().describe("Whether the request is signed in by a cookie, so that it can sign out."),
});

/** A browser signs in with a key once, and then has a cookie that no script can read. `path` is where the page lies. */
export function registerSession(app: HttpApp, { keys }: Pick<HttpServices, "keys">, path: string): void {
  const cookie = (request: FastifyRequest): CookieSerializeOptions => ({
    ...{ path: `${path}/`, httpOnly: true, sameSite: "strict" },
    secure: /^https\b/.test(String(request.headers["x-forwarded-proto"] ?? request.protocol)),
  });
  app.route({
    method: "POST",
    url: "/session",
    config: { scope: "none" },
    schema: {
      tags,
      operationId: "signIn",
      summary: "Sign in with a key, for browsers",
      description: "Sets a cookie that is valid for seven days, at most as long as the key.",
      body: z.strictObject({ key: z.string().min(1).max(200) }),
      response: { 200: SessionSchema, ...problems(400, 401, 503) },
    },
    async handler(request, reply) {
      const key = await keyOf(request.body.key, keys);
      const opened = await keys.openSession(key, LIFETIME_MS);
      if (opened === null) throw invalidKey();
      const { secret, session } = opened;
      reply.setCookie(cookieOf(request), secret, { ...cookie(request), expires: new Date(session.expiresAt ?? 0) });
      return describe(session);
    },
  });
  app.route({
    method: "GET",
    url: "/session",
    config: { scope: "any" },
    schema: {
      tags,
      operationId: "getSession",
      summary: "Read whose key a request has",
      response: { 200: SessionSchema, ...problems(401) },
    },
    handler: async ({ key }) => describe(key),
  });
  app.route({
    method: "DELETE",
    url: "/session",
    config: { scope: "none" },
    schema: {
      tags,
      operationId: "signOut",
      summary: "Sign out",
      response: { 204: emptyResponse("The cookie is not valid any more."), ...problems(503) },
    },
    async handler(request, reply) {
      const secret = request.cookies[cookieOf(request)];
      const session = secret === undefined ? null : await keys.find(secret);
      if (session?.isSession === true) await keys.revoke(session.id);
      return reply.clearCookie(cookieOf(request), cookie(request)).code(204).send();
    },
  });
}

function describe(key: Key | null): z.infer<typeof SessionSchema> {
  if (key === null) return { name: null, tenant: DEFAULT_TENANT, scopes: [...SCOPES], expiresAt: null, isSession: false };
  const { name, tenant, scopes, expiresAt, isSession } = key;
  return { name, tenant, scopes: [...scopes], expiresAt: expiresAt === null ? null : new Date(expiresAt).toISOString(), isSession };
}
