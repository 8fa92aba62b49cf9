import type { CallContext, DocumentExtractor, Endpoint, HttpFetch, Rate, SearchQuery, SearchSource } from "../../domain/ports/sources.ts";
import type { Tool } from "../../domain/ports/tools.ts";
import type { FoundWork } from "./hits.ts";
import type { AnswerCheck, ServiceClient, Statuses } from "./service-client.ts";

export interface ServiceSetting {
  readonly variable: string;
  readonly required?: boolean;
}

/** A service on the network and its environment variables. A test compares these entries with `.env.example` and the docs. */
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
  readonly client: ServiceClient;
  readonly apiKey?: string | undefined;
  /** The email address that some services ask for, to reach the operator. */
  readonly contactEmail?: string | undefined;
}

export interface SearchFunctions {
  /** The words that `search` sends. */
  wordsOf(query: SearchQuery): string;
  /** Returns what was found, best first, and in `gaps` what was not searched. */
  search(query: SearchQuery, context: CallContext): Promise<{ readonly found: readonly FoundWork[]; readonly gaps?: string | null }>;
}

export interface SourceEntry extends Service {
  readonly kind: SearchSource["kind"];
  /** Searched only if the setting `SOURCES` names this source. */
  readonly onlyWhenNamed?: boolean;
  /** Primary BCP 47 tags, if its texts are in these languages only. */
  readonly languages?: readonly string[];
  /** The rate of a client that sends a key or a contact address. */
  readonly fasterRate?: { readonly needs: "apiKey" | "contactEmail"; readonly rate: Rate };
  readonly statuses?: Statuses;
  readonly refusal?: AnswerCheck;
  create(options: SourceOptions): SearchFunctions;
}

export interface ToolOptions {
  readonly fetch: HttpFetch;
  readonly extractor: DocumentExtractor;
  readonly contactEmail?: string;
  /** Ids of the endpoints whose base URL the operator has set. */
  readonly configured: ReadonlySet<string>;
}

export interface ToolEntry {
  readonly name: string;
  /** The `owner` of each service's endpoint is the tool's name. */
  readonly services: readonly Service[];
  create(options: ToolOptions): Tool;
}
