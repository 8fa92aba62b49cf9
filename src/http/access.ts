import type { ServerResponse } from "node:http";
import type { FastifyRequest } from "fastify";
import type { Key, KeyStore, Scope } from "../domain/keys.ts";
import { DossierError } from "../errors.ts";
import type { HttpApp } from "./http-app.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Who asks; null for somebody without a key. */
    key: Key | null;
  }
  interface FastifyContextConfig {
    /** What a key needs here. `any`: nothing but being valid. `none`: no key is needed. Default: `read` for GET and HEAD, else `ask`. */
    readonly scope?: Scope | "any" | "none";
  }
}

export const SESSION_COOKIE = "dossier_session";

const READING: readonly string[] = ["GET", "HEAD"];
/** A revoked key ends its streams within a second. */
const LOOK_MS = 500;

export interface Access {
  readonly keys: KeyStore;
  /** Whether requests without a key are served although keys exist. */
  readonly allowAnonymous: boolean;
}

/** Refuses requests without a key that may do what they ask, as soon as a key exists, and ends answers whose key ends. */
export function registerAccess(app: HttpApp, { keys, allowAnonymous }: Access): void {
  const open = watchKeys(app, keys);
  app.decorateRequest("key", null);
  app.addHook("onRequest", async (request, reply) => {
    const { scope = READING.includes(request.method) ? "read" : "ask" } = request.routeOptions.config;
    if (scope === "none" || request.method === "OPTIONS") return;
    const secret = secretOf(request);
    if (secret === null) {
      if (allowAnonymous || !(await keys.areNeeded())) return;
      throw unauthorized("This server needs a key: send it as Authorization: Bearer, or as X-API-Key");
    }
    request.key = await keyOf(secret, keys);
    if (scope !== "any" && !request.key.scopes.includes(scope)) throw missingScope(request.key, scope);
    open(request.key.id, reply.raw);
  });
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
  return new DossierError("unauthorized", `${what}. Nothing was done. Whoever runs this server makes keys with npm run keys.`);
}

function missingScope({ name, scopes }: Key, scope: Scope): DossierError {
  return new DossierError("missing_scope", `The key ${name} may ${scopes.join(", ")}; this needs the scope ${scope}. Nothing was done.`);
}

function secretOf({ headers, cookies }: FastifyRequest): string | null {
  const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? "")?.[1];
  const named = headers["x-api-key"];
  return bearer ?? (typeof named === "string" ? named : undefined) ?? cookies[SESSION_COOKIE] ?? null;
}

/** Returns a function that notes an open answer and whose key it has. */
function watchKeys(app: HttpApp, keys: KeyStore): (id: string, answer: ServerResponse) => void {
  const open = new Map<string, Set<ServerResponse>>();
  let isLooking = false;
  const look = async (): Promise<void> => {
    const ids = [...open.keys()];
    const valid = await keys.validAmong(ids);
    for (const id of ids) if (!valid.has(id)) for (const answer of open.get(id) ?? []) answer.destroy();
  };
  const timer = setInterval(() => {
    if (isLooking || open.size === 0) return;
    isLooking = true;
    look()
      // While the database cannot be reached, nobody can be told apart; the next look tries again.
      .catch(() => undefined)
      .finally(() => {
        isLooking = false;
      });
  }, LOOK_MS).unref();
  app.addHook("onClose", async () => clearInterval(timer));
  return (id, answer) => {
    const answers = open.get(id) ?? new Set();
    open.set(id, answers.add(answer));
    answer.once("close", () => {
      answers.delete(answer);
      if (answers.size === 0 && open.get(id) === answers) open.delete(id);
    });
  };
}
