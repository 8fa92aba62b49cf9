import { type LookupAddress, promises, lookup as systemLookup } from "node:dns";
import { setTimeout } from "node:timers/promises";

/** All addresses of a name. What is under way ends when `signal` is aborted. */
export type Resolve = (hostname: string, signal: AbortSignal) => Promise<LookupAddress[]>;

export interface ResolverOptions {
  /** `address:port` of name servers; those of the system where left out. */
  readonly servers?: readonly string[];
  /** Milliseconds until a name server that says nothing is asked again, or the next one is. */
  readonly retryMs: number;
}

const TRIES = 2;
/** How long addresses of one family wait for those of the other (RFC 8305 calls it the resolution delay). */
const OTHER_FAMILY_MS = 200;

/**
 * Names as the name servers know them, without the files of this machine. Each lookup has sockets of its own and leaves
 * none behind: `getaddrinfo` would wait on one of the few threads of the process, where silent servers hold up every
 * other lookup, cannot be stopped, and keep the process from ending.
 */
export function createNameResolver({ servers, retryMs }: ResolverOptions): Resolve {
  return async (hostname, signal) => {
    signal.throwIfAborted();
    const resolver = new promises.Resolver({ timeout: retryMs, tries: TRIES });
    if (servers !== undefined) resolver.setServers(servers);
    const cancel = () => resolver.cancel();
    signal.addEventListener("abort", cancel, { once: true });
    try {
      return await bothFamilies(
        resolver.resolve4(hostname).then((found) => found.map((address) => ({ address, family: 4 }))),
        resolver.resolve6(hostname).then((found) => found.map((address) => ({ address, family: 6 }))),
      );
    } finally {
      signal.removeEventListener("abort", cancel);
      cancel();
    }
  };
}

/** Names as this machine knows them, `/etc/hosts` included: for those that the operator named. */
export const resolveBySystem: Resolve = (hostname) =>
  new Promise((resolve, reject) =>
    systemLookup(hostname, { all: true }, (error, addresses) => (error === null ? resolve(addresses) : reject(error))),
  );

/** What both say; where one has addresses and the other keeps silent, the one's. */
async function bothFamilies(four: Promise<LookupAddress[]>, six: Promise<LookupAddress[]>): Promise<LookupAddress[]> {
  const both = Promise.allSettled([four, six]);
  const first = await Promise.any([four, six]).catch(() => null);
  if (first !== null) await Promise.race([both, setTimeout(OTHER_FAMILY_MS)]);
  else await both;
  const settled = await Promise.all([four, six].map(settledNow));
  const found = settled.flatMap(({ addresses }) => addresses);
  // That a name has no address of one family says less than why the other one could not be asked.
  const errors = settled.flatMap(({ error }) => error ?? []);
  if (found.length === 0 && errors.length > 0) throw errors.find(({ code }) => code !== "ENODATA") ?? errors[0];
  return found;
}

interface Settled {
  readonly addresses: LookupAddress[];
  readonly error: NodeJS.ErrnoException | null;
}

/** What has become of a lookup by now; nothing of one that is under way. */
function settledNow(lookup: Promise<LookupAddress[]>): Promise<Settled> {
  const done = lookup.then(
    (addresses): Settled => ({ addresses, error: null }),
    (error: NodeJS.ErrnoException): Settled => ({ addresses: [], error }),
  );
  return Promise.race([done, setTimeout(0, { addresses: [], error: null })]);
}
