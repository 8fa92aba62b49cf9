import type { ExtractedDocument, StoredDocument } from "../document.ts";
import type { Hit, RankedHit } from "../hit.ts";
import type { Source } from "../report.ts";

export interface CallContext {
  readonly signal: AbortSignal;
  readonly scope: readonly string[];
}

/** A service with hosts of its own, as opposed to the target of a link. */
export interface Endpoint {
  /** Names its settings: `sec_edgar` has `SEC_EDGAR_BASE_URL` and, if it takes one, `SEC_EDGAR_API_KEY`. */
  readonly id: string;
  readonly owner: string;
  /** Its public hosts without port. A self-hosted service has a host name that does not exist. */
  readonly hosts: readonly string[];
  readonly rate: Rate;
}

/** At most `requests` start within any `perMs` milliseconds, and at most `concurrent` are open. */
export interface Rate {
  readonly requests: number;
  readonly perMs: number;
  readonly concurrent: number;
}

export interface HttpRequest {
  readonly url: string;
  readonly method?: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Limit of the decompressed body; a larger body fails with `document_too_large`. */
  readonly maxBytes?: number;
}

export interface HttpReply {
  readonly url: string;
  readonly status: number;
  /** Lower-case names; repeated headers are joined with a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/**
 * The only network access of sources, tools and downloads. Throws `out_of_scope` (before any connection), `forbidden_address` (content must
 * not reach it), `unreachable`, `timeout`, `document_too_large`, or the reason of the signal.
 */
export interface HttpFetch {
  /** Calls a service within its rate, at the address the operator configured. */
  ask(endpoint: Endpoint, request: HttpRequest, context: CallContext): Promise<HttpReply>;
  /** Follows a link that source or tool `owner` found: public addresses only, with a rate per host. */
  follow(owner: string, request: HttpRequest, context: CallContext): Promise<HttpReply>;
}

export interface SearchQuery {
  readonly text: string;
  /** The last questions of the conversation, for follow-ups. Sources that match every word ignore them. */
  readonly context?: string;
  readonly language: string;
  readonly limit: number;
}

export interface SearchSource {
  readonly id: string;
  readonly kind: Source["kind"];
  readonly title: string;
  /** An empty list means that nothing was found. @throws DossierError with a failure code if the search failed */
  search(query: SearchQuery, context: CallContext): Promise<Hit[]>;
  /** What the latest search left out, in a few words, or null. */
  gaps?(): string | null;
}

/** Cleans, scores and diversifies hits; a pure function. Best first, at most `keep`. */
export type Ranker = (query: { question: string; language: string; keep: number }, hits: readonly Hit[]) => RankedHit[];

export interface DocumentReader {
  /** @throws DossierError with a failure code if there is no text */
  read(hit: Hit, context: CallContext): Promise<ExtractedDocument>;
}

export interface DocumentExtractor {
  /**
   * `mediaType` has no parameters; if empty, the content decides. `whole`: all text of a page, not only its article.
   * @throws DossierError `document_too_large`, `unreadable`, `empty`, `blocked` (password), `timeout`, or the reason of `signal`
   */
  extract(
    input: { bytes: Uint8Array; mediaType: string; url: string; charset?: string; whole?: boolean },
    signal?: AbortSignal,
  ): Promise<ExtractedDocument>;
}

/** Content-addressed: a text is stored once for any number of runs. */
export interface DocumentStore {
  /** Resolves when the text and its use by `runId` are committed. */
  put(runId: string, document: ExtractedDocument): Promise<StoredDocument>;
  /** With the title, address and blocks that this run found. @throws DossierError `not_found`, also for a text of other runs only */
  get(runId: string, contentHash: string): Promise<StoredDocument>;
}
