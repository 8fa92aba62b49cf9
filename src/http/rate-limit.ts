import { fastifyRateLimit } from "@fastify/rate-limit";
import { LRUCache } from "lru-cache";
import { DossierError } from "../errors.ts";
import { hasCredential } from "./access.ts";
import type { HttpApp } from "./http-app.ts";
import { callerOf } from "./ownership.ts";

const MINUTE_MS = 60_000;
/** The last ones seen are remembered. */
const MAX_CALLERS = 10_000;

/** Refuses more than so many requests a minute of a key, or of an address without a key. Each process counts for itself. */
export async function limitRequests(app: HttpApp, perMinute: number): Promise<void> {
  await app.register(fastifyRateLimit, {
    max: perMinute,
    timeWindow: MINUTE_MS,
    cache: MAX_CALLERS,
    // The page and what monitors ask are not counted, but attempts to sign in are.
    allowList: ({ routeOptions: { config, url } }) => config.scope === "none" && url?.startsWith("/session") !== true,
    keyGenerator(request) {
      const { tenant, owner } = callerOf(request);
      return owner === null ? request.ip : JSON.stringify([tenant, owner]);
    },
    errorResponseBuilder(_request, { ttl }) {
      return tooMany(`More than REQUESTS_PER_MINUTE=${perMinute} requests came`, ttl);
    },
  });
}

function tooMany(what: string, ms: number): DossierError {
  const seconds = Math.max(1, Math.ceil(ms / 1_000));
  return new DossierError("rate_limited", `${what} in a minute. Nothing was done; try again in ${seconds} seconds.`, {
    retryAfterSeconds: seconds,
  });
}

/** Looks at no more keys from an address after so many in a minute that are not valid, so that nobody guesses keys. Call it before keys are looked at. */
export function limitRefusals(app: HttpApp, perMinute: number): void {
  const refused = new LRUCache<string, number>({ max: MAX_CALLERS, ttl: MINUTE_MS, noUpdateTTL: true });
  app.addHook("onRequest", async (request) => {
    if ((refused.get(request.ip) ?? 0) < perMinute || !hasCredential(request)) return;
    throw tooMany(`REQUESTS_PER_MINUTE=${perMinute} keys that are not valid came from your address`, refused.getRemainingTTL(request.ip));
  });
  app.addHook("onResponse", async (request, { statusCode }) => {
    const { address } = request.logged;
    if (statusCode === 401 && hasCredential(request) && typeof address === "string") refused.set(address, (refused.get(address) ?? 0) + 1);
  });
}
