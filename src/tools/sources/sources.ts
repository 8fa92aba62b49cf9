import type { SourceState } from "../../domain/ports/run-service.ts";
import type { HttpFetch, SearchSource } from "../../domain/ports/sources.ts";
import { DossierError } from "../../errors.ts";
import type { ServiceValues, SourceEntry, SourceOptions } from "../shared/entry.ts";
import { withinDates } from "../shared/query.ts";
import { ARXIV } from "./arxiv.ts";
import { BRAVE } from "./brave.ts";
import { CROSSREF } from "./crossref.ts";
import { DUCKDUCKGO } from "./duckduckgo.ts";
import { EUROPE_PMC } from "./europe-pmc.ts";
import { OPENALEX } from "./openalex.ts";
import { PUBMED } from "./pubmed.ts";
import { SEARXNG } from "./searxng.ts";
import { SEMANTIC_SCHOLAR } from "./semantic-scholar.ts";
import { SERPER } from "./serper.ts";
import { TAVILY } from "./tavily.ts";
import { WIKIPEDIA } from "./wikipedia.ts";

/** All sources except the corpus. README.md says how to add one. */
export const SOURCES: readonly SourceEntry[] = [
  OPENALEX,
  CROSSREF,
  ARXIV,
  SEMANTIC_SCHOLAR,
  PUBMED,
  EUROPE_PMC,
  WIKIPEDIA,
  SEARXNG,
  TAVILY,
  BRAVE,
  SERPER,
  DUCKDUCKGO,
];

export interface OpenOptions {
  readonly fetch: HttpFetch;
  readonly contactEmail: string | undefined;
  readonly services: Readonly<Record<string, ServiceValues>>;
}

interface OpenedSources {
  readonly sources: SearchSource[];
  /** Sources that lack a setting, or that are searched only if `SOURCES` names them. */
  readonly missing: SourceState[];
}

/** `named` is the setting `SOURCES`. @throws DossierError `config_invalid` if a named source lacks a setting */
export function openSources(named: readonly string[] | undefined, { fetch, contactEmail, services }: OpenOptions): OpenedSources {
  const opened: OpenedSources = { sources: [], missing: [] };
  for (const entry of SOURCES) {
    const { id } = entry.endpoint;
    const values = services[id] ?? {};
    const lacking = lackingSetting(entry, values);
    const isNamed = named?.includes(id) === true;
    if (isNamed && lacking !== null)
      throw new DossierError("config_invalid", `SOURCES names ${id}, which needs ${lacking}. Set it, or remove ${id} from SOURCES.`);
    if (lacking === null && (isNamed || entry.onlyWhenNamed !== true))
      opened.sources.push(openSource(entry, { fetch, apiKey: values.apiKey, contactEmail }));
    else opened.missing.push(stateOfMissing(entry, lacking));
  }
  return opened;
}

export function openSource(entry: SourceEntry, options: SourceOptions): SearchSource {
  const { endpoint, kind, title, languages } = entry;
  const { search, ...others } = entry.create(options);
  return {
    id: endpoint.id,
    kind,
    title,
    search: async (query, context) => {
      const answer = await search(query, context);
      // An encyclopedia dates its articles by their last change, which says nothing of what they are about.
      return kind === "encyclopedia" ? answer : { ...answer, hits: withinDates(answer.hits, query) };
    },
    ...(languages !== undefined && { languages: () => languages }),
    ...others,
  };
}

function lackingSetting({ settings: { apiKey, baseUrl } }: SourceEntry, values: ServiceValues): string | null {
  if (apiKey?.required === true && values.apiKey === undefined) return apiKey.variable;
  return baseUrl.required === true && values.baseUrl === undefined ? baseUrl.variable : null;
}

function stateOfMissing({ endpoint: { id }, kind, title, settings }: SourceEntry, lacking: string | null): SourceState {
  const needsKey = lacking !== null && lacking === settings.apiKey?.variable;
  return { id, kind, title, configured: false, needsKey, setting: lacking ?? "SOURCES", lastTry: null };
}
