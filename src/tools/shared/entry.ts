import type { DocumentExtractor, Endpoint, HttpFetch, SearchSource } from "../../domain/ports/sources.ts";
import type { Tool } from "../../domain/ports/tools.ts";

export interface ServiceSetting {
  readonly variable: string;
  /** True if the service is unusable without this variable. */
  readonly required?: boolean;
}

/** A service on the network and the environment variables for it. A test checks `.env.example` and the docs against these entries. */
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
  /** The email address that is sent to services that ask who is calling. */
  readonly contactEmail?: string;
}

export type SearchFunctions = Pick<SearchSource, "search" | "gaps">;

/** A service that can be searched. The source has the id of its endpoint. */
export interface SourceEntry extends Service {
  readonly kind: SearchSource["kind"];
  /** The source is searched only if the setting `SOURCES` names it. */
  readonly onlyWhenNamed?: boolean;
  create(options: SourceOptions): SearchFunctions;
}

export interface ToolOptions {
  readonly fetch: HttpFetch;
  readonly extractor: DocumentExtractor;
  readonly contactEmail?: string;
  /** The ids of the endpoints that have a base URL set. */
  readonly configured: ReadonlySet<string>;
}

export interface ToolEntry {
  readonly name: string;
  /** The services that the tool calls. Their `owner` is the tool's name. */
  readonly services: readonly Service[];
  create(options: ToolOptions): Tool;
}
