import type { DocumentExtractor, Endpoint, HttpFetch, SearchSource } from "../../domain/ports/sources.ts";
import type { Tool } from "../../domain/ports/tools.ts";

export interface ServiceSetting {
  readonly variable: string;
  /** The service is used only when the variable is set. */
  readonly required?: boolean;
}

/** A service on the network, and the variables that the operator may set for it; `.env.example` and the docs are checked against these. */
export interface Service {
  readonly endpoint: Endpoint;
  readonly title: string;
  readonly description: string;
  readonly settings: { readonly baseUrl: ServiceSetting; readonly apiKey?: ServiceSetting };
}

export interface ServiceValues {
  readonly baseUrl?: string;
  readonly apiKey?: string;
}

export interface SourceOptions {
  readonly fetch: HttpFetch;
  readonly apiKey?: string;
  /** Sent to services that ask who is calling. */
  readonly contactEmail?: string;
}

export type SearchFunctions = Pick<SearchSource, "search" | "gaps">;

/** A service that can be searched; its endpoint's id is the id of the source. */
export interface SourceEntry extends Service {
  readonly kind: SearchSource["kind"];
  /** Searched only when the setting `SOURCES` names it. */
  readonly onlyWhenNamed?: boolean;
  create(options: SourceOptions): SearchFunctions;
}

export interface ToolOptions {
  readonly fetch: HttpFetch;
  readonly extractor: DocumentExtractor;
  readonly contactEmail?: string;
  /** Ids of the endpoints that have an address set. */
  readonly configured: ReadonlySet<string>;
}

export interface ToolEntry {
  readonly name: string;
  /** The services it asks; the tool's name is their owner. */
  readonly services: readonly Service[];
  create(options: ToolOptions): Tool;
}
