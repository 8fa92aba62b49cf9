import type { DocumentExtractor } from "../../domain/ports/documents.ts";
import type { Endpoint, HttpFetch, SearchSource } from "../../domain/ports/sources.ts";
import type { Tool } from "../../domain/ports/tools.ts";

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

export interface ToolOptions {
  readonly fetch: HttpFetch;
  /** For tools that read pages and files. */
  readonly extractor: DocumentExtractor;
  /** Named to services that ask who is calling. */
  readonly contactEmail?: string;
  /** Ids of the endpoints for which the operator gave an address. */
  readonly configured: ReadonlySet<string>;
}

/** An optional tool of the decision loop. */
export interface ToolEntry {
  readonly name: string;
  /** The services it asks, owned by the tool's name. */
  readonly endpoints: readonly Endpoint[];
  create(options: ToolOptions): Tool;
}
