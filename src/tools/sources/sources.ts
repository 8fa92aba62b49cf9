import type { SourceState } from "../../domain/ports/run-service.ts";
import type { HttpFetch, SearchSource } from "../../domain/ports/sources.ts";
import { DossierError } from "../../errors.ts";
import type { SourceEntry } from "../services/entry.ts";
import { ARXIV, createArxiv } from "./arxiv.ts";
import { BRAVE, createBrave } from "./brave.ts";
import { CROSSREF, createCrossref } from "./crossref.ts";
import { createDuckduckgo, DUCKDUCKGO } from "./duckduckgo.ts";
import { createEuropePmc, EUROPE_PMC } from "./europe-pmc.ts";
import { createOpenAlex, OPENALEX } from "./openalex.ts";
import { createPubmed, PUBMED } from "./pubmed.ts";
import { createSearxng, SEARXNG } from "./searxng.ts";
import { createSemanticScholar, SEMANTIC_SCHOLAR } from "./semantic-scholar.ts";
import { createSerper, SERPER } from "./serper.ts";
import { createTavily, TAVILY } from "./tavily.ts";
import { createWikipedia, WIKIPEDIA } from "./wikipedia.ts";

/** Every source but the corpus. A new one is a folder here and a line in this list. */
export const SOURCES: readonly SourceEntry[] = [
  { endpoint: OPENALEX, needs: "nothing", create: createOpenAlex },
  { endpoint: CROSSREF, needs: "nothing", create: createCrossref },
  { endpoint: ARXIV, needs: "nothing", create: createArxiv },
  { endpoint: SEMANTIC_SCHOLAR, needs: "nothing", create: createSemanticScholar },
  { endpoint: PUBMED, needs: "nothing", create: createPubmed },
  { endpoint: EUROPE_PMC, needs: "nothing", create: createEuropePmc },
  { endpoint: WIKIPEDIA, needs: "nothing", create: createWikipedia },
  { endpoint: SEARXNG, needs: "address", create: createSearxng },
  { endpoint: TAVILY, needs: "key", create: createTavily },
  { endpoint: BRAVE, needs: "key", create: createBrave },
  { endpoint: SERPER, needs: "key", create: createSerper },
  { endpoint: DUCKDUCKGO, needs: "nothing", onlyWhenNamed: true, create: createDuckduckgo },
];

interface SourceSettings {
  readonly fetch: HttpFetch;
  readonly contactEmail: string | undefined;
  /** What the operator set for the service of that id. */
  settingsOf(id: string): { readonly baseUrl?: string; readonly apiKey?: string };
}

/** The sources of a deployment, and those it would have if more were set. */
interface OpenedSources {
  readonly sources: SearchSource[];
  readonly missing: SourceState[];
}

/**
 * Makes every source of the network that has what it needs; one that must be named is among them only where `named` has it.
 * @throws DossierError `config_invalid` for a named source that lacks its key or its address
 */
export function openSources(named: readonly string[] | undefined, settings: SourceSettings): OpenedSources {
  const complete = SOURCES.filter((entry) => hasWhatItNeeds(entry, settings));
  for (const entry of SOURCES) {
    if (named?.includes(entry.endpoint.id) !== true || complete.includes(entry)) continue;
    const setting = `${entry.endpoint.id.toUpperCase()}_${entry.needs === "key" ? "API_KEY" : "BASE_URL"}`;
    throw new DossierError("config_invalid", `SOURCES names ${entry.endpoint.id}, which needs ${setting}.`);
  }
  const opened = complete.filter(({ endpoint, onlyWhenNamed }) => onlyWhenNamed !== true || named?.includes(endpoint.id) === true);
  return {
    sources: opened.map((entry) => create(entry, settings)),
    missing: SOURCES.filter((entry) => !opened.includes(entry)).map((entry) => stateOfMissing(entry, settings)),
  };
}

function hasWhatItNeeds({ endpoint: { id }, needs }: SourceEntry, { settingsOf }: SourceSettings): boolean {
  const { baseUrl, apiKey } = settingsOf(id);
  return needs === "nothing" || (needs === "key" ? apiKey : baseUrl) !== undefined;
}

function create(entry: SourceEntry, { fetch, contactEmail, settingsOf }: SourceSettings): SearchSource {
  const { apiKey } = settingsOf(entry.endpoint.id);
  return entry.create({ fetch, ...(apiKey !== undefined && { apiKey }), ...(contactEmail !== undefined && { contactEmail }) });
}

function stateOfMissing(entry: SourceEntry, settings: SourceSettings): SourceState {
  const { id, kind, title } = create(entry, settings);
  return { id, kind, title, configured: false, needsKey: entry.needs === "key" && !hasWhatItNeeds(entry, settings), lastTry: null };
}
