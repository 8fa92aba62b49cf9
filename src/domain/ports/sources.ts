import type { AnalyzedDocument } from "../analysis.ts";
import type { ExtractedDocument, StoredDocument } from "../document.ts";
import type { Hit, RankedHit } from "../hit.ts";
import type { Source } from "../report.ts";

export interface CallContext {
  readonly signal: AbortSignal;
  readonly scope: readonly string[];
}

/** A service that a source or tool calls at known hosts. */
export interface Endpoint {
  /** The id names the service's settings: `sec_edgar` has `SEC_EDGAR_BASE_URL` and, if the service takes a key, `SEC_EDGAR_API_KEY`. */
  readonly id: string;
  /** The id of the source or tool that may call the service. */
  readonly owner: string;
  /** The public hosts without port. A self-hosted service has a placeholder such as `searxng.invalid`. */
  readonly hosts: readonly string[];
  readonly rate: Rate;
}

/** A rate limit: at most `requests` start within any `perMs` milliseconds, and at most `concurrent` are open at a time. */
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
  /** The largest decompressed body in bytes. A larger body fails with `document_too_large`. */
  readonly maxBytes?: number;
}

export interface HttpReply {
  readonly url: string;
  readonly status: number;
  /** The headers by lower-case name. Repeated headers are joined with a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/**
 * The only network access of sources, tools and downloads. Throws `out_of_scope` (before any connection), `forbidden_address` (a link to a
 * private network), `unreachable`, `timeout`, `document_too_large`, or the reason of the signal.
 */
export interface HttpFetch {
  /** Calls a service within its rate limit, at the base URL that the operator configured. */
  ask(endpoint: Endpoint, request: HttpRequest, context: CallContext): Promise<HttpReply>;
  /** Requests a link that source or tool `owner` found, at a public address only and within a rate limit per host. */
  follow(owner: string, request: HttpRequest, context: CallContext): Promise<HttpReply>;
}

export interface SearchQuery {
  readonly text: string;
  /** The last questions of the conversation. Sources that require every word of a query ignore them. */
  readonly context?: string;
  readonly language: string;
  readonly limit: number;
}

export interface SearchSource {
  readonly id: string;
  readonly kind: Source["kind"];
  readonly title: string;
  /** Returns an empty list if nothing was found. @throws DossierError with a failure code if the search failed */
  search(query: SearchQuery, context: CallContext): Promise<Hit[]>;
  /** Returns what the latest search left out, in a few words; null if nothing. */
  gaps?(): string | null;
}

/** Cleans, scores and diversifies hits. Returns at most `keep` hits, best first. Equal input gives equal results. */
export type Ranker = (query: { question: string; language: string; keep: number }, hits: readonly Hit[]) => RankedHit[];

export interface DocumentReader {
  /** @throws DossierError with a failure code if there is no text */
  read(hit: Hit, context: CallContext): Promise<ExtractedDocument>;
}

export interface DocumentExtractor {
  /**
   * Extracts the text of a file. `mediaType` has no parameters; if it is empty, the content decides. With `whole`, the text of a page has
   * everything, not only the article.
   * @throws DossierError `document_too_large`, `unreadable`, `empty`, `blocked` (password), `timeout`, or the reason of `signal`
   */
  extract(
    input: { bytes: Uint8Array; mediaType: string; url: string; charset?: string; whole?: boolean },
    signal?: AbortSignal,
  ): Promise<ExtractedDocument>;
}

/** Stores texts by their hash, each only once for any number of runs. */
export interface TextStore {
  put(runId: string, document: ExtractedDocument): Promise<StoredDocument>;
  /** Returns a text with the title, URL and blocks that this run found. @throws DossierError `not_found`, also if only other runs use it */
  get(runId: string, contentHash: string): Promise<StoredDocument>;
}

export interface DocumentStore extends TextStore {
  /** @throws DossierError `not_found` as `get` does, `unreadable` if the text cannot be analyzed */
  getAnalyzed(runId: string, contentHash: string): Promise<AnalyzedDocument>;
}

/** Stores serialized analyses. An analysis is deleted with the last text that has its content hash. */
export interface AnalysisStore {
  get(key: string): Uint8Array | null;
  put(contentHash: string, key: string, data: Uint8Array): Promise<void>;
}
