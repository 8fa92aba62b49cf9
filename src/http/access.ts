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
    /** The scope that a key needs for the route. `any`: every valid key will do; `none`: no key is needed. Default: `read` for GET and HEAD, else `ask`. */
    readonly scope?: Scope | "any" | "none";
  }
}

const READING: readonly string[] = ["GET", "HEAD"];
/** A revoked key ends its streams within a second. */
const LOOK_MS = 500;

/** In place of the id of a key. */
const ANONYMOUS = "";

export interface Access {
  readonly keys: KeyStore;
  /** Whether requests without a key are served although keys exist. */
  readonly allowAnonymous: boolean;
}

/** Refuses requests without a key that may do what they ask, as soon as a key exists, and ends answers whose key ends. */
export function registerAccess(app: HttpApp, { keys, allowAnonymous }: Access): void {
  const isOpen = async (): Promise<boolean> => allowAnonymous || !(await keys.areNeeded());
  const open = watchAnswers(app, keys, isOpen);
  app.decorateRequest("key", null);
  app.addHook("onRequest", async (request, reply) => {
    const { scope = READING.includes(request.method) ? "read" : "ask" } = request.routeOptions.config;
    if (scope === "none" || request.method === "OPTIONS") return;
    const sent = secretIn(request);
    // A browser sends what is left of an earlier sign-in also where nobody needs a key.
    request.key = sent === null ? await keyOfCookie(request, keys) : await keyOf(sent, keys);
    if (request.key === null && !(await isOpen()))
      throw unauthorized("This server needs a key: send it as Authorization: Bearer, or as X-API-Key");
    if (request.key !== null && scope !== "any" && !mayDo(request.key, scope)) throw missingScope(request.key, scope);
    open(request.key?.id ?? ANONYMOUS, reply.raw);
  });
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

/** Returns "" if something else stands in the place of a key: an unset variable of a script must not make it a stranger. */
function secretIn({ headers }: FastifyRequest): string | null {
  const bearer = /^Bearer\b *(.*)$/i.exec(headers.authorization ?? "")?.[1];
  const named = headers["x-api-key"];
  return bearer ?? (typeof named === "string" ? named : null);
}

/** Returns a function that notes an open answer and whose key it has. */
function watchAnswers(app: HttpApp, keys: KeyStore, isOpen: () => Promise<boolean>): (id: string, answer: ServerResponse) => void {
  const open = new Map<string, Set<ServerResponse>>();
  let isLooking = false;
  const look = async (): Promise<void> => {
    const ids = [...open.keys()];
    const valid = await keys.validAmong(ids);
    if (ids.includes(ANONYMOUS) && (await isOpen())) valid.add(ANONYMOUS);
    for (const id of ids) if (!valid.has(id)) for (const answer of open.get(id) ?? []) answer.destroy();
  };
  const timer = setInterval(() => {
    if (isLooking || open.size === 0) return;
    isLooking = true;
    look()
      // If the database cannot be reached, answers stay open until the next look.
      .catch(() => undefined)
      .finally(() => {
        isLooking = false;
      });
  }, LOOK_MS).unref();
  app.addHook("onClose", async () => clearInterval(timer));
  return (id, answer) => {
    if (answer.closed || answer.destroyed) return;
    const answers = open.get(id) ?? new Set();
    open.set(id, answers.add(answer));
    answer.once("close", () => {
      answers.delete(answer);
      if (answers.size === 0 && open.get(id) === answers) open.delete(id);
    });
  };
}
