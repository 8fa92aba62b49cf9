import type { CookieSerializeOptions } from "@fastify/cookie";
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { DEFAULT_TENANT, type Key, type KeyStore, SCOPES } from "../../domain/keys.ts";
import { nextDay, UNLIMITED } from "../../domain/quota.ts";
import type { Tenancy } from "../../domain/tenancy.ts";
import { cookieOf, type IsOpen, invalidKey, keyOf } from "../access.ts";
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
  today: z
    .object({ tokensLeft: z.number().nullable(), costUsdLeft: z.number().nullable(), resetsAt: z.string() })
    .describe("What the key and its tenant may still spend on models today; null: without limit."),
  isSession: z.boolean().describe("Whether the request is signed in by a cookie, so that it can sign out."),
  oidc: z.boolean().describe("Whether a browser can sign in at `/session/oidc`."),
});

/** Somebody without a key. */
const NOBODY = { name: null, tenant: DEFAULT_TENANT, scopes: SCOPES, expiresAt: null, isSession: false, allowance: UNLIMITED };
/** Somebody without a key where one is needed. */
const STRANGER = { ...NOBODY, scopes: [] };

/** Sets the cookie of a new session of a key. @throws DossierError `unauthorized` */
export async function openSession(keys: KeyStore, key: Key, path: string, request: FastifyRequest, reply: FastifyReply): Promise<Key> {
  const opened = await keys.openSession(key, LIFETIME_MS);
  if (opened === null) throw invalidKey();
  const { secret, session } = opened;
  reply.setCookie(cookieOf(request), secret, { ...cookieFor(request, path), expires: new Date(session.expiresAt ?? 0) });
  return session;
}

function cookieFor(request: FastifyRequest, path: string): CookieSerializeOptions {
  return { path: `${path}/`, httpOnly: true, sameSite: "strict", secure: schemeOf(request) === "https" };
}

/** The scheme that the browser sees. */
export function schemeOf({ headers, protocol }: FastifyRequest): "http" | "https" {
  return /^https\b/.test(String(headers["x-forwarded-proto"] ?? protocol)) ? "https" : "http";
}

/** A browser signs in once, and then has a cookie that no script can read. `path` is where the page lies. */
export function registerSession(app: HttpApp, { tenancy }: Pick<HttpServices, "tenancy">, path: string, isOpen: IsOpen): void {
  const { keys } = tenancy;
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
      request.key = await openSession(keys, key, path, request, reply);
      return describe(request.key, tenancy);
    },
  });
  app.route({
    method: "GET",
    url: "/session",
    config: { scope: "optional" },
    schema: {
      tags,
      operationId: "getSession",
      summary: "Read whose key a request has",
      response: { 200: SessionSchema, ...problems(401) },
    },
    handler: async ({ key }) => describe(key ?? ((await isOpen()) ? NOBODY : STRANGER), tenancy),
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
      request.key = session;
      if (session?.isSession === true) await keys.revoke(session.id);
      return reply.clearCookie(cookieOf(request), cookieFor(request, path)).code(204).send();
    },
  });
}

async function describe(who: Key | typeof NOBODY | typeof STRANGER, { quotas, signIn }: Tenancy): Promise<z.infer<typeof SessionSchema>> {
  const { name, tenant, scopes, expiresAt, isSession, allowance } = who;
  const { tokens, costUsd } = who === STRANGER ? UNLIMITED : await quotas.left({ tenant, owner: name }, allowance);
  const today = { tokensLeft: tokens, costUsdLeft: costUsd, resetsAt: instant(nextDay(Date.now())) };
  const until = expiresAt === null ? null : instant(expiresAt);
  return { name, tenant, scopes: [...scopes], expiresAt: until, isSession, today, oidc: signIn !== null };
}

function instant(at: number): string {
  return new Date(at).toISOString();
}
