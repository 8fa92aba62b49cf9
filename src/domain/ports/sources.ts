import type { Hit, RankedHit } from "../hit.ts";
import type { Source } from "../report.ts";

/** For whom something is asked, and how long the answer is wanted. */
export interface CallContext {
  readonly signal: AbortSignal;
  /** Ids of the sources and tools that the run may use. Nothing else is connected to on its behalf. */
  readonly scope: readonly string[];
}

/** A service with hosts of its own, as opposed to whatever stands behind a link. */
export interface Endpoint {
  /** Names its settings: `sec_edgar` has `SEC_EDGAR_BASE_URL` and, where it takes one, `SEC_EDGAR_API_KEY`. */
  readonly id: string;
  /** The id of the source or tool that asks it. */
  readonly owner: string;
  /** Its public hosts, without port. A service that everybody runs at an address of their own has one that does not exist. */
  readonly hosts: readonly string[];
  /** What its operator asks of clients, shared by all runs of a process. */
  readonly rate: Rate;
}

/** At most `requests` begin within any `perMs` milliseconds, and at most `concurrent` are open. */
export interface Rate {
  readonly requests: number;
  readonly perMs: number;
  readonly concurrent: number;
}

export interface HttpRequest {
  readonly url: string;
  readonly method?: "GET" | "POST";
  /** Lower-case names. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The most bytes of the body, decompressed; above it the request fails with `document_too_large`. */
  readonly maxBytes?: number;
}

/** An answer of any status. */
export interface HttpReply {
  /** Where the answer came from, after redirects. */
  readonly url: string;
  readonly status: number;
  /** Lower-case names; repeated headers joined with a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/**
 * The only way to the network for sources, tools and downloads. Both throw DossierError: `out_of_scope` before anything is
 * connected to, `forbidden_address` for addresses that content must not reach, `unreachable`, `timeout`,
 * `document_too_large`; the reason of `context.signal` when that is aborted.
 */
export interface HttpFetch {
  /** Asks a service, at the address the operator configured where there is one, within its rate. */
  ask(endpoint: Endpoint, request: HttpRequest, context: CallContext): Promise<HttpReply>;
  /** Follows a link that the source or tool `owner` found: public addresses only, politely to each host. */
  follow(owner: string, request: HttpRequest, context: CallContext): Promise<HttpReply>;
}

export interface SearchQuery {
  readonly text: string;
  /** The last questions before it in the conversation, which "And how tall is it?" may be about. Sources that need every word of a query leave them out. */
  readonly context?: string;
  /** BCP 47 tag of the question. */
  readonly language: string;
  /** At most so many hits, best first. */
  readonly limit: number;
}

/** A place that can be searched. */
export interface SearchSource {
  readonly id: string;
  readonly kind: Source["kind"];
  readonly title: string;
  /** @throws DossierError with a code of the ledger when it could not look; an empty list means that it looked. */
  search(query: SearchQuery, context: CallContext): Promise<Hit[]>;
  /** What the latest search left out although it belongs to the source, in a few words; null where nothing is known to be missing. */
  gaps?(): string | null;
}

/** Cleans, scores and diversifies hits; a pure function of its arguments. Best first, at most `keep`. */
export type Ranker = (query: { question: string; language: string; keep: number }, hits: readonly Hit[]) => RankedHit[];
