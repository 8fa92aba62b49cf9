import { CORPUS_SOURCE, DOCUMENTS_SOURCE, type Hit, sourceIdOf, URLS_SOURCE } from "../domain/hit.ts";
import type { ThreadMaterial } from "../domain/ports/material.ts";
import { MAX_URLS, type ResearchRequest } from "../domain/request.ts";
import { isServerId, SERVER_PREFIX, toolPrefix } from "../domain/tool.ts";
import { uploadUrl } from "../domain/upload.ts";
import { DossierError, type Fault } from "../errors.ts";
import type { Policy, UrlRefusal } from "./policy.ts";
import { refuse, refuseTogether } from "./refuse.ts";

/** The addresses of the request, those of the thread, and the thread's documents. */
export function givenHits(urls: readonly string[], material: ThreadMaterial | null): Hit[] {
  const addresses = new Set([...urls, ...(material?.urls ?? []).map(({ url }) => url)].map((url) => new URL(url).href));
  const pages = [...addresses].map((url): Hit => {
    return { id: sourceIdOf(url), kind: "web", title: url, url, publishedAt: null, foundBy: URLS_SOURCE, contentHash: null, snippet: "" };
  });
  const documents = (material?.documents ?? []).map(({ sourceId: id, contentHash, name, title, publishedAt }): Hit => {
    const url = uploadUrl(contentHash, name);
    return { id, kind: "upload", title, url, publishedAt, foundBy: DOCUMENTS_SOURCE, contentHash: null, snippet: "" };
  });
  return [...pages.slice(0, MAX_URLS), ...documents];
}

/** @throws DossierError `invalid_request` */
export function checkUrls(urls: readonly string[], refusalOf: UrlRefusal = () => null): void {
  const faults = urls.flatMap((url, index): Fault[] => {
    const why = refusalOf(url);
    return why === null ? [] : [{ path: `/urls/${index}`, message: why }];
  });
  refuse(faults);
}

/** @throws DossierError `unknown_source` */
export function refuseUrls(): never {
  const message =
    "This server reads no web addresses: SOURCES allows only the corpus. Nothing was stored. Leave out urls and delete those of the thread, or add urls to SOURCES.";
  throw new DossierError("unknown_source", message, { faults: [{ path: "/urls", message: "are not read on this server" }] });
}

/**
 * The documents of the thread are in every scope, before all other sources. If the user gave something or has a folder, only that is searched
 * unless the request says more.
 */
export function resolveScope(request: ResearchRequest, policy: Policy, material: ThreadMaterial | null, hasGiven: boolean) {
  const { sources: wanted, graph } = request;
  const { graphsByTool = {}, agentTools = [] } = policy;
  const hasDocuments = material === null ? wanted?.includes(DOCUMENTS_SOURCE) === true : material.documents.length > 0;
  const given = hasDocuments ? [DOCUMENTS_SOURCE] : [];
  const sources = [...given, ...policy.sources];
  const tools = policy.tools.filter((id) => graphsByTool[id]?.includes(graph) !== false);
  const isOpen = wanted !== undefined || request.otherSources === true || !(hasGiven || policy.corpus === "own");
  const isSearched = (id: string): boolean => {
    if (id === CORPUS_SOURCE) return !(hasGiven && policy.corpus === "documentation");
    return isOpen || id === DOCUMENTS_SOURCE;
  };
  const found = wanted === undefined ? sources : [...given, ...new Set(wanted)].filter((id) => sources.includes(id));
  const isCalled = (id: string): boolean =>
    request.calls?.some(({ tool }) => (isServerId(id) ? tool.startsWith(toolPrefix(id)) : tool === id)) === true;
  // Whoever set the folder of this server also set its MCP servers.
  const offers = (id: string): boolean => isOpen || (isServerId(id) && !hasGiven) || isCalled(id);
  return { sources: [...new Set(found)].filter(isSearched), ...toolsInScope(request, tools, { sources, agentTools, offers }) };
}

/** `tools` and `mcpServers` take precedence over the tools that `sources` names. */
function toolsInScope(
  { sources, tools, mcpServers }: ResearchRequest,
  known: readonly string[],
  scope: { readonly sources: readonly string[]; readonly agentTools: readonly string[]; readonly offers: (id: string) => boolean },
) {
  const nameOf = (server: string): string => server.slice(SERVER_PREFIX.length);
  const isOf = (server: string) => (tool: string) => tool.startsWith(toolPrefix(server));
  const servers = known.filter(isServerId);
  const serverTools = tools?.filter((name) => servers.some((server) => isOf(server)(name)));
  refuseTogether([
    () => checkNames("sources", sources, [...scope.sources, ...known]),
    () => checkNames("mcpServers", mcpServers, servers.map(nameOf)),
    () => checkNames("tools", tools, [...known.filter((id) => !isServerId(id)), ...(serverTools ?? []), ...scope.agentTools]),
  ]);
  const isChosen = (id: string): boolean => {
    const byDefault = sources === undefined ? scope.offers(id) : sources.includes(id);
    if (!isServerId(id)) return tools?.includes(id) ?? byDefault;
    return (mcpServers?.includes(nameOf(id)) ?? (tools !== undefined || byDefault)) && serverTools?.some(isOf(id)) !== false;
  };
  return { tools: known.filter(isChosen), ...(serverTools !== undefined && { serverTools }) };
}

function checkNames(field: "sources" | "tools" | "mcpServers", wanted: readonly string[] = [], available: readonly string[]): void {
  const isUnknown = (name: string): boolean => !available.includes(name);
  const faults = wanted.flatMap((name, at): Fault[] =>
    isUnknown(name) ? [{ path: `/${field}/${at}`, message: `${name} is not available` }] : [],
  );
  const what = `Not available here: ${wanted.filter(isUnknown).join(", ")}`;
  refuse(faults, { code: "unknown_source", what, advice: `Choose from: ${available.join(", ") || "none"}.` });
}
