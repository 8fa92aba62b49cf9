import type { AnalyzedDocument } from "../analysis.ts";
import type { ExtractedDocument, StoredDocument } from "../document.ts";
import type { DomainRules } from "../domains.ts";
import type { Hit } from "../hit.ts";
import type { LedgerEntry, Source } from "../report.ts";
import type { KeptReplies } from "./effects.ts";

export interface CallContext {
  readonly signal: AbortSignal;
  readonly scope: readonly string[];
  /** Which sites pages may be read from. Default: any. */
  readonly domains?: readonly DomainRules[] | undefined;
  /** The run whose thread's documents may be searched and read. */
  readonly runId?: string | undefined;
  /** Without it, replies are not kept for the next attempt. */
  readonly replies?: KeptReplies | undefined;
}

export interface Endpoint {
  /** Names the settings: `sec_edgar` has `SEC_EDGAR_BASE_URL` and, if the service takes a key, `SEC_EDGAR_API_KEY`. */
  readonly id: string;
  /** The id of the source or tool that may call the service. */
  readonly owner: string;
  /** Host names without ports. A self-hosted service has a placeholder such as `searxng.invalid`. */
  readonly hosts: readonly string[];
  readonly rate: Rate;
}

/** At most `requests` start within any `perMs` milliseconds, and at most `concurrent` are open at a time. */
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
  /** The limit of the decompressed body in bytes. A larger body fails with `document_too_large`. */
  readonly maxBytes?: number;
  /** False: the answer of a redirect is returned. Default: it is followed. */
  readonly redirects?: false;
}

export interface HttpReply {
  readonly url: string;
  readonly status: number;
  /** By lower-case name. Repeated headers are joined with a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/**
 * The only network access of sources, tools and downloads. @throws DossierError `out_of_scope` before connecting, `forbidden_address`
 * for a link to a private network, `unreachable`, `timeout`, `document_too_large`
 */
export interface HttpFetch {
  ask(endpoint: Endpoint, request: HttpRequest, context: CallContext): Promise<HttpReply>;
  /** Requests a link that a source or tool found. Only public addresses are allowed, and each host has a rate limit. */
  follow(owner: string, request: HttpRequest, context: CallContext): Promise<HttpReply>;
}

export interface SearchQuery {
  readonly text: string;
  /** Earlier questions of the conversation. Sources that require every word of a query ignore them. */
  readonly context?: string;
  /** A BCP 47 tag; `und` if the language is not known, so that results are in no language more than in others. */
  readonly language: string;
  readonly limit: number;
  /** The text is a search query, not a question: every word counts, and words between quotation marks belong together. */
  readonly written?: true;
  /** Days as `2021-03-04`, both inclusive. Hits of other days are left out, hits without a date are not. */
  readonly from?: string;
  readonly to?: string;
  /** Hits before `from` may stay: the caller leaves them out, and says how many. */
  readonly keepsOlder?: true;
  /** The day of the search, for services whose filter counts back from it. */
  readonly today?: string;
}

export interface SearchAnswer {
  /** Best first; empty if nothing was found. */
  readonly hits: readonly Hit[];
  /** Names the parts of the source that this search skipped, in Chinese or English by the language of the query; null if none. */
  readonly gaps: string | null;
  /** The words that were sent. */
  readonly sent: string;
  /** Files of the source that are not read, as entries of the ledger. */
  readonly leftOut?: readonly LedgerEntry[];
}

export interface SearchSource {
  readonly id: string;
  readonly kind: Source["kind"];
  readonly title: string;
  /** @throws DossierError with a failure code if the search failed */
  search(query: SearchQuery, context: CallContext): Promise<SearchAnswer>;
  /** Makes a search, and records whether the source could be reached. */
  track?<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>;
  /** For an estimate: the words that `search` would send, if they are not the whole text. */
  wordsOf?(query: SearchQuery): string;
  /** The languages of its texts as primary BCP 47 tags, most frequent first; empty while none is known. Absent if they are many. */
  languages?(): readonly string[];
}

export interface DocumentReader {
  /** @throws DossierError with a failure code if there is no text */
  read(hit: Hit, context: CallContext): Promise<ExtractedDocument>;
}

export interface DocumentExtractor {
  /**
   * If `mediaType` is empty, the content decides. With `whole`, a page's text is not reduced to the article. @throws DossierError
   * `document_too_large`, `unreadable`, `empty`, `blocked` (password), `timeout`
   */
  extract(
    input: { bytes: Uint8Array; mediaType: string; url: string; charset?: string; whole?: boolean },
    signal?: AbortSignal,
  ): Promise<ExtractedDocument>;
}

export interface TextStore {
  put(runId: string, document: ExtractedDocument): Promise<StoredDocument>;
  /** Returns the document as this run found it. @throws DossierError `not_found`, also if only other runs use it */
  get(runId: string, contentHash: string): Promise<StoredDocument>;
}

export interface DocumentStore extends TextStore {
  /** @throws DossierError `not_found` as `get` does, `timeout` or `internal` if the text cannot be analyzed */
  getAnalyzed(runId: string, contentHash: string): Promise<AnalyzedDocument>;
}

/** Stores serialized analyses. An analysis is deleted with the last text that has its content hash. */
export interface AnalysisStore {
  get(key: string): Promise<Uint8Array | null>;
  put(contentHash: string, key: string, data: Uint8Array, version: number): Promise<void>;
  /** Deletes the analyses of versions before `version`, in steps between which others write. */
  deleteOlder(version: number, signal: AbortSignal): Promise<void>;
}
