import { LRUCache } from "lru-cache";
import parser from "robots-parser";
import type { HttpReply } from "../domain/ports/sources.ts";
import { DossierError, toDossierError } from "../errors.ts";

const HOUR_MS = 3_600_000;
const MAX_SITES = 500;
/** The rest of a longer file has no effect: each rule takes time for each address. */
const MAX_CHARACTERS = 100_000;

interface Rules {
  isAllowed(url: string, userAgent: string): boolean | undefined;
}
/** Its types name a default export, and the CommonJS module is the function itself. */
const robotsParser = parser as unknown as (url: string, text: string) => Rules;
type Ask = (url: string) => Promise<HttpReply>;

/**
 * What sites say in `robots.txt` (RFC 9309), known for an hour: a site without the file (4xx) allows everything, one that cannot say (5xx, no
 * connection) nothing. `ask` follows redirects.
 */
export function createRobots(userAgent: string, clock: () => number) {
  const known = new LRUCache<string, { readonly rules: Rules | null; readonly at: number }>({ max: MAX_SITES });

  async function rulesOf(origin: string, ask: Ask): Promise<Rules | null> {
    const kept = known.get(origin);
    if (kept !== undefined && clock() - kept.at < HOUR_MS) return kept.rules;
    const rules = await readRules(`${origin}/robots.txt`, ask);
    known.set(origin, { rules, at: clock() });
    return rules;
  }

  return {
    /** @throws DossierError `out_of_scope` if the site does not want this page to be read, or cannot say; the reason of an aborted signal */
    async check(url: URL, ask: Ask, signal: AbortSignal): Promise<void> {
      const rules = await rulesOf(url.origin, ask).catch((error: unknown) => {
        signal.throwIfAborted();
        throw refused(url, `its robots.txt could not be read (${toDossierError(error).message})`);
      });
      if (rules?.isAllowed(url.href, userAgent) === false) throw refused(url, "its robots.txt does not allow it");
    },
  };
}

async function readRules(url: string, ask: Ask): Promise<Rules | null> {
  const { status, body } = await ask(url);
  if (status >= 500) throw new DossierError("unreachable", `it answered ${status}`);
  return status >= 400 ? null : robotsParser(url, new TextDecoder().decode(body).slice(0, MAX_CHARACTERS));
}

function refused({ host }: URL, why: string): DossierError {
  return new DossierError("out_of_scope", `The page of ${host} was not asked for: ${why} (ROBOTS_TXT=obey).`);
}
