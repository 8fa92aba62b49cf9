import type { HttpFetch } from "../domain/ports/http-fetch.ts";
import type { SourceState } from "../domain/ports/operations.ts";
import type { SearchSource } from "../domain/ports/search-source.ts";
import { DossierError } from "../errors.ts";
import type { SourceEntry } from "./services/source-entry.ts";
import { SOURCES } from "./sources.ts";

export interface SourceSettings {
  readonly fetch: HttpFetch;
  readonly contactEmail: string | undefined;
  /** What the operator set for the service of that id. */
  settingsOf(id: string): { readonly baseUrl?: string; readonly apiKey?: string };
}

/** The sources of a deployment, and those it would have if more were set. */
export interface OpenedSources {
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
