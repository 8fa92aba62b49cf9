import type { Config } from "../config.ts";
import { type DomainRules, refusalOfDomain } from "../domain/domains.ts";
import type { Limits } from "../domain/limits.ts";
import type { SearchSource } from "../domain/ports/sources.ts";
import type { Tool } from "../domain/ports/tools.ts";
import type { SourceFacts } from "../domain/queries.ts";
import { isServerId, toolPrefix } from "../domain/tool.ts";
import { planCalls } from "../gathering/plan-calls.ts";
import { readAllowedHosts, whyForbidden } from "../network/check-link.ts";
import type { CallRefusal, CorpusRole } from "../runs/policy.ts";
import type { OpenToolServers } from "../tools/mcp/tool-servers.ts";
import { createToolbox } from "../tools/tools.ts";
import type { SourceParts } from "./parts.ts";

/** With nothing else in SOURCES, the service is to stay off the network. */
const LOCAL_SOURCE = "corpus";

export function widestScope(
  named: readonly string[] | undefined,
  sources: readonly SearchSource[],
  tools: readonly Tool[],
  servers: Pick<OpenToolServers, "known">,
) {
  const ids = sources.map(({ id }) => id);
  const names = [...tools.map(({ name }) => name), ...servers.known.map(({ id }) => id)];
  return {
    sources: named?.filter((id) => ids.includes(id)) ?? ids,
    tools: named?.filter((id) => names.includes(id)) ?? names,
    readsUrls: named?.some((id) => id !== LOCAL_SOURCE) ?? true,
    factsOf: (wanted: readonly string[]) =>
      Object.fromEntries(sources.filter(({ id }) => wanted.includes(id)).map((source) => [source.id, factsOf(source)])),
    refusalOfCall: refuseCalls(tools),
    graphsByTool: Object.fromEntries(servers.known.flatMap(({ id, graphs }) => (graphs === null ? [] : [[id, graphs]]))),
  };
}

/** Checks calls as a run does. Only the run can list the tools of an MCP server. */
function refuseCalls(tools: readonly Tool[]): CallRefusal {
  const toolbox = createToolbox(tools);
  return (call, scope) => {
    const prefixes = scope.filter(isServerId).map(toolPrefix);
    if (prefixes.some((prefix) => call.name.startsWith(prefix))) return null;
    const names = [...scope.filter((id) => !isServerId(id)), ...prefixes.map((prefix) => `${prefix}*`)];
    const [plan] = planCalls([call], names, toolbox, []);
    return plan?.type === "refuse" ? plan : null;
  };
}

function factsOf({ kind, languages }: SearchSource): SourceFacts {
  const known = languages?.() ?? [];
  return known.length === 0 ? { kind } : { kind, languages: [...known] };
}

/** Whoever names the sources in `SOURCES` has named more than a folder. The command line names a folder for one run. */
export function corpusRole({ CORPUS_DIR, SOURCES }: Pick<Config, "CORPUS_DIR" | "SOURCES">, { ownFolder }: SourceParts): CorpusRole {
  if (CORPUS_DIR === undefined) return "documentation";
  return SOURCES === undefined || ownFolder === true ? "own" : "listed";
}

export function policyOf(config: Config) {
  const allowed = readAllowedHosts(config.ALLOWED_PRIVATE_HOSTS);
  const domains: DomainRules = {
    ...(config.ALLOWED_DOMAINS !== undefined && { allow: config.ALLOWED_DOMAINS }),
    ...(config.DENIED_DOMAINS.length > 0 && { deny: config.DENIED_DOMAINS }),
  };
  const limits: Limits = {
    optionalToolLoops: config.MAX_OPTIONAL_TOOL_LOOPS,
    steps: config.MAX_STEPS,
    modelCalls: config.MAX_MODEL_CALLS,
    tokens: config.MAX_TOKENS,
    costUsd: config.MAX_COST_USD ?? null,
    seconds: config.MAX_SECONDS,
    downloads: config.MAX_DOWNLOADS,
  };
  return {
    limits,
    parallelTodos: config.MAX_PARALLEL_TODOS,
    systemContext: config.SYSTEM_CONTEXT,
    timeZone: config.TIME_ZONE,
    unsupported: config.UNSUPPORTED_SENTENCES,
    supportCheck: config.SUPPORT_CHECK,
    reuseSeconds: config.REUSE_TOOL_RESULTS_SECONDS,
    refusalOf: (url: string) => whyForbidden(url, allowed) ?? refusalOfDomain([domains], url),
    ...(Object.keys(domains).length > 0 && { domains }),
    termination: { policy: config.TERMINATION_POLICY, phrases: config.STOCK_PHRASES },
  };
}
