import { fastifyRateLimit } from "@fastify/rate-limit";
import { DossierError } from "../errors.ts";
import type { HttpApp } from "./http-app.ts";
import { callerOf } from "./ownership.ts";

const MINUTE_MS = 60_000;
/** The last ones seen are remembered. */
const MAX_CALLERS = 10_000;

/**
 * Refuses more than so many requests a minute of a key, or of an address without a key. Each process counts for itself. Keys that are not valid are
 * refused anyway and not counted: they have 256 random bits, which nobody guesses.
 */
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
      const seconds = Math.max(1, Math.ceil(ttl / 1_000));
      const what = `More than REQUESTS_PER_MINUTE=${perMinute} requests came in a minute`;
      return new DossierError("rate_limited", `${what}. Nothing was done; try again in ${seconds} seconds.`, {
        retryAfterSeconds: seconds,
      });
    },
  });
}
