import type { FastifyRequest } from "fastify";
import { DEFAULT_TENANT, type Key, type KeyStore, type Scope } from "../domain/keys.ts";
import { DossierError } from "../errors.ts";
import type { HttpApp } from "./http-app.ts";
import { watchAnswers } from "./open-answers.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Who asks; null for somebody without a key. */
    key: Key | null;
  }
  interface FastifyContextConfig {
    /** The scope that a key needs for the route. `optional`: every valid key will do, and none; `none`: no key is looked at. Default: `read` for GET and HEAD, else `ask`. */
    readonly scope?: Scope | "optional" | "none";
    /** Whether the route tells of all tenants: only keys of the default tenant, the operator's, may use it. */
    readonly ofOperator?: true;
  }
}

/** The methods that change nothing. */
export const READING: readonly string[] = ["GET", "HEAD"];
/** In place of the id of a key. */
const ANONYMOUS = "";

export interface Access {
  readonly keys: KeyStore;
  /** Whether requests without a key are served although keys exist. */
  readonly allowAnonymous: boolean;
}

/** Whether nobody needs a key. */
export type IsOpen = () => Promise<boolean>;

/** Refuses requests without a key that may do what they ask, as soon as a key exists, and ends answers whose key ends. */
export function registerAccess(app: HttpApp, { keys, allowAnonymous }: Access): IsOpen {
  const isOpen = async (): Promise<boolean> => allowAnonymous || !(await keys.areNeeded());
  const watch = watchAnswers(app, async (ids) => {
    const valid = await keys.validAmong(ids);
    return ids.includes(ANONYMOUS) && (await isOpen()) ? valid.add(ANONYMOUS) : valid;
  });
  app.decorateRequest("key", null);
  app.addHook("onRequest", async (request, reply) => {
    const { scope = READING.includes(request.method) ? "read" : "ask", ofOperator } = request.routeOptions.config;
    if (scope === "none" || request.method === "OPTIONS") return;
    const sent = secretIn(request);
    // A browser sends what is left of an earlier sign-in also where nobody needs a key.
    request.key = sent === null ? await keyOfCookie(request, keys) : await keyOf(sent, keys);
    if (request.key === null && !(await isOpen())) {
      if (scope === "optional") return;
      throw unauthorized("This server needs a key: send it as Authorization: Bearer, or as X-API-Key");
    }
    if (request.key !== null && scope !== "optional" && !mayDo(request.key, scope)) throw missingScope(request.key, scope);
    if (ofOperator && request.key !== null && request.key.tenant !== DEFAULT_TENANT) throw notOperator(request.key);
    watch(request.key?.id ?? ANONYMOUS, reply.raw);
  });
  return isOpen;
}

/** Who may ask may also read what comes of it. */
function mayDo({ scopes }: Key, scope: Scope): boolean {
  return scopes.includes(scope) || (scope === "read" && scopes.includes("ask"));
}

async function keyOfCookie(request: FastifyRequest, keys: KeyStore): Promise<Key | null> {
  const secret = request.cookies[cookieOf(request)];
  return secret === undefined ? null : keys.find(secret);
}

/** Browsers send a cookie to every port of a host, on which other services may listen. */
export function cookieOf({ host }: FastifyRequest): string {
  return `dossier_session${/:(\d+)$/.exec(host)?.[1] ?? ""}`;
}

/** @throws DossierError `unauthorized` */
export async function keyOf(secret: string, keys: KeyStore): Promise<Key> {
  const key = await keys.find(secret);
  if (key === null) throw invalidKey();
  return key;
}

export function invalidKey(): DossierError {
  return unauthorized("This key is not valid: it is not known, has expired or was revoked");
}

function unauthorized(what: string): DossierError {
  return new DossierError("unauthorized", `${what}. Nothing was done. The operator of this server creates keys with npm run keys.`);
}

function missingScope({ name, scopes }: Key, scope: Scope): DossierError {
  return new DossierError("missing_scope", `The key ${name} may ${scopes.join(", ")}; this needs the scope ${scope}. Nothing was done.`);
}

function notOperator({ name, tenant }: Key): DossierError {
  const what = `This tells of all tenants, and the key ${name} is of the tenant ${tenant}`;
  return new DossierError("missing_scope", `${what}. Nothing was done; use a key of the tenant ${DEFAULT_TENANT}.`);
}

/** Whether a request names somebody, by whatever key or cookie. */
export function hasCredential(request: FastifyRequest): boolean {
  return secretIn(request) !== null || request.cookies[cookieOf(request)] !== undefined;
}

/** Returns "" if something else stands in the place of a key: an unset variable of a script must not make it a stranger. */
function secretIn({ headers }: FastifyRequest): string | null {
  const bearer = /^Bearer\b *(.*)$/is.exec(headers.authorization ?? "")?.[1];
  const named = headers["x-api-key"];
  return bearer ?? (typeof named === "string" ? named : null);
}
