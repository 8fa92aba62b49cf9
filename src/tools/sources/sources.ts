import { mergeHits } from "../../domain/hit.ts";
import type { SourceState } from "../../domain/ports/run-service.ts";
import type { HttpFetch, SearchSource } from "../../domain/ports/sources.ts";
import { DossierError } from "../../errors.ts";
import type { ServiceValues, SourceEntry } from "../shared/entry.ts";
import { toHits } from "../shared/hits.ts";
import { withinDates } from "../shared/query.ts";
import { createServiceClient } from "../shared/service-client.ts";
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

/** The most results that every service sends for one request. */
const MAX_RESULTS = 100;

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

interface SourceParts {
  readonly fetch: HttpFetch;
  readonly apiKey?: string | undefined;
  readonly contactEmail?: string | undefined;
}

export function openSource(entry: SourceEntry, { fetch, ...options }: SourceParts): SearchSource {
  const { kind, title, languages, fasterRate } = entry;
  const { id } = entry.endpoint;
  const isFast = fasterRate !== undefined && options[fasterRate.needs] !== undefined;
  const endpoint = isFast ? { ...entry.endpoint, rate: fasterRate.rate } : entry.endpoint;
  const refusals = { check: entry.refusal, statuses: entry.statuses, secret: options.apiKey };
  const { wordsOf, search } = entry.create({ client: createServiceClient(endpoint, fetch, refusals), ...options });
  return {
    id,
    kind,
    title,
    wordsOf,
    async search(query, context) {
      const { found, gaps = null } = await search({ ...query, limit: Math.min(query.limit, MAX_RESULTS) }, context);
      const hits = mergeHits(
        [],
        found.flatMap((work) => toHits({ kind, foundBy: id }, work)),
      );
      // An encyclopedia dates its articles by their last change, which says nothing of what they are about.
      const fitting = kind === "encyclopedia" ? hits : withinDates(hits, query);
      return { hits: fitting.slice(0, query.limit), gaps, sent: wordsOf(query) };
    },
    ...(languages !== undefined && { languages: () => languages }),
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
