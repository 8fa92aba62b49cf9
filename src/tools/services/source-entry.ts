import type { Endpoint, HttpFetch } from "../../domain/ports/http-fetch.ts";
import type { SearchSource } from "../../domain/ports/search-source.ts";

export interface SourceOptions {
  readonly fetch: HttpFetch;
  readonly apiKey?: string;
  /** Named to services that ask who is calling. */
  readonly contactEmail?: string;
}

/** A source that can be searched over the network. */
export interface SourceEntry {
  readonly endpoint: Endpoint;
  /** What the operator has to set before it can be used: nothing, its key, or its address. */
  readonly needs: "nothing" | "key" | "address";
  /** Searched only where the operator names it in `SOURCES`. */
  readonly onlyWhenNamed?: boolean;
  create(options: SourceOptions): SearchSource;
}
