import { begunMessages, resultsIn, splitAtQuestion } from "../domain/conversation.ts";
import { limitsOf } from "../domain/depth.ts";
import { conversationTurns } from "../domain/history.ts";
import { DOCUMENTS_SOURCE, type Hit, sourceIdOf, URLS_SOURCE } from "../domain/hit.ts";
import type { Limits } from "../domain/limits.ts";
import type { ThreadMaterial } from "../domain/ports/material.ts";
import type { PromptHashes } from "../domain/ports/models.ts";
import { completeTemplate } from "../domain/prompt-template.ts";
import { readAskedQueries } from "../domain/queries.ts";
import {
  MAX_URLS,
  type Models,
  type Price,
  type ResearchRequest,
  type SupportCheck,
  type Task,
  type TerminationTerms,
  type UnsupportedSentencePolicy,
} from "../domain/request.ts";
import { type ModelRole, ROLES } from "../domain/roles.ts";
import { dateIn } from "../domain/run-date.ts";
import { CHILD_TIMEOUT_MS, type ChildSpec, type Team } from "../domain/team.ts";
import { type GivenCalls, isServerId, SERVER_PREFIX, type ToolCall, toolPrefix } from "../domain/tool.ts";
import { uploadUrl } from "../domain/upload.ts";
import { DossierError, type ErrorCode, type Fault } from "../errors.ts";
import type { GraphDefinition, GraphRegistry } from "../graphs/registry.ts";

export interface Policy {
  readonly sources: readonly string[];
  readonly tools: readonly string[];
  /** If false, the addresses that users give are refused. */
  readonly readsUrls?: boolean;
  readonly refusalOf?: UrlRefusal;
  readonly refusalOfCall?: CallRefusal;
  /** The facts of sources by id, at the time of the call. */
  readonly factsOf?: (sources: readonly string[]) => NonNullable<Task["sourceFacts"]>;
  /** Maps a tool to the graphs that may use it. All graphs may use a tool that is not listed. */
  readonly graphsByTool?: Readonly<Record<string, readonly string[]>>;
  readonly limits: Limits;
  readonly parallelTodos?: number;
  /** The IANA time zone of requests that name none; UTC if absent. */
  readonly timeZone?: string;
  readonly unsupported?: UnsupportedSentencePolicy;
  readonly supportCheck?: SupportCheck;
  /** Comes before the `systemContext` of each request. */
  readonly systemContext?: string | undefined;
  readonly termination?: TerminationTerms;
  /** For this many seconds, equal calls of a conversation thread reuse a tool's result. 0 turns reuse off. */
  readonly reuseSeconds?: number;
  readonly models: Omit<Models, "prices"> | null;
  readonly semantic: string | null;
  readonly promptsOf: (roles: readonly string[]) => PromptHashes;
  readonly teams?: ReadonlyMap<string, Team>;
  readonly priceOf: (model: string) => Price | null;
}

/**
 * Resolves a request into everything that the graph depends on, so that recoveries and replays need no configuration.
 * @param at when the run is created, in milliseconds since 1970
 * @param material what the user gave to the thread; null if that is not known yet
 * @throws DossierError `unknown_graph`, `unknown_source`, `limit_too_high`, `model_required`, `unpriced_model`, `invalid_request`
 */
export function resolveTask(
  request: ResearchRequest,
  policy: Policy,
  graphs: GraphRegistry,
  at: number,
  material: ThreadMaterial | null = null,
): Task {
  const graph = graphOf(request, graphs, policy);
  const { depth, report, since } = request;
  const today = dateIn(request.timeZone ?? policy.timeZone ?? "UTC", at);
  if (since !== undefined) checkSince(since, today);
  const queries = request.queries === undefined ? undefined : readAskedQueries(request.queries);
  const limits = resolveLimits(request, policy.limits);
  const team = resolveTeam(request, policy.teams ?? new Map(), limits);
  const childModels = team?.children.flatMap(({ model }) => model ?? []) ?? [];
  const requestedModels = resolveModels(request, childModels, policy);
  // With 0 model calls allowed, rules do the work; a graph that needs a model ends with `model_call_cap`.
  const models = limits.modelCalls === 0 && !graph.needsModel ? null : requestedModels;
  checkPrices(models, childModels, limits);
  const { termination, factsOf } = policy;
  const scope = resolveScope(request, policy, material);
  const given = givenHits(request.urls ?? [], material);
  checkUrls(request.urls ?? [], policy.refusalOf);
  if (policy.readsUrls === false && given.some(({ foundBy }) => foundBy === URLS_SOURCE)) refuseUrls();
  return {
    question: request.question.trim().toWellFormed(),
    today,
    ...(since !== undefined && { since }),
    language: request.language,
    systemContext: [policy.systemContext, request.systemContext].filter(Boolean).join("\n\n"),
    ...scope,
    ...((models !== null || queries !== undefined) &&
      factsOf !== undefined && { sourceFacts: { ...factsOf(scope.sources), ...factsOfDocuments(given) } }),
    ...(queries !== undefined && { queries }),
    ...(request.calls !== undefined && { calls: resolveCalls(request.calls, scope.tools, limits, policy.refusalOfCall) }),
    ...(given.length > 0 && { given }),
    ...otherNamesOf(material),
    limits,
    ...(depth !== undefined && { depth }),
    ...(report !== undefined && { report }),
    ...conversationOf(request, graph, at),
    models,
    ...(models === null && requestedModels !== null && { modelUnpaid: true as const }),
    ...(models !== null && resolvePrompts(request, policy.promptsOf(graph.roles))),
    unsupported: policy.unsupported ?? "show",
    ...(models !== null && policy.supportCheck === "model" && { supportCheck: policy.supportCheck }),
    ...(policy.reuseSeconds !== undefined && policy.reuseSeconds > 0 && { reuseSeconds: policy.reuseSeconds }),
    ...(termination !== undefined && (termination.policy !== "stock_phrases" || termination.phrases.length > 0) && { termination }),
    ...(policy.semantic !== null && { semantic: policy.semantic }),
    ...(request.planApproval === true && { planApproval: true as const }),
    ...(request.clarify === false && { clarify: false as const }),
    ...(graph.plans === true && policy.parallelTodos !== undefined && { parallelTodos: policy.parallelTodos }),
    ...(team !== undefined && { team }),
    metadata: { ...request.metadata, ...request.context },
  };
}

/** The agent goes on after what was already done for the question. For the other graphs that is an earlier turn. */
function conversationOf({ messages = [], question }: ResearchRequest, { continues }: GraphDefinition, at: number) {
  const { before, begun } = splitAtQuestion(messages, question);
  const isContinued = continues === true && begun.length > 0;
  const results = resultsIn(messages, at);
  return {
    history: conversationTurns(isContinued || begun.length === 0 ? before : messages),
    ...(isContinued && { begun: begunMessages(begun) }),
    ...(results.length > 0 && { threadResults: results }),
  };
}

/** The request's own templates, as a model gets them. */
function resolvePrompts({ prompts }: ResearchRequest, deployed: PromptHashes): Pick<Task, "prompts" | "promptTexts"> {
  if (prompts === undefined) return { prompts: deployed };
  const own = Object.entries(prompts).map(([role, text]) => ({ role, ...completeTemplate(text, ROLES[role as ModelRole].placeholders) }));
  return {
    prompts: { ...deployed, ...Object.fromEntries(own.map(({ role, sha256 }) => [role, sha256])) },
    promptTexts: Object.fromEntries(own.map(({ role, text }) => [role, text])),
  };
}

function checkSince(since: string, today: string): void {
  const faults = since <= today ? [] : [{ path: "/since", message: `must not be after ${today}` }];
  const what = `Nothing can be published since ${since}: it is ${today}`;
  refuse(faults, { what, advice: "Name today or an earlier day, or leave out since." });
}

const EXECUTOR = "executor";
const PLANNING = "research";
const TEAM = "team";

function graphOf(request: ResearchRequest, graphs: GraphRegistry, { models }: Policy): GraphDefinition {
  const { graph: name, depth, queries, calls, planApproval, team } = request;
  const graph = graphs.get(name);
  if (graph === undefined) {
    const message = `There is no graph ${JSON.stringify(name)}. Nothing was stored. Choose from: ${[...graphs.keys()].join(", ")}.`;
    throw new DossierError("unknown_graph", message, { faults: [{ path: "/graph", message: "unknown" }] });
  }
  if (graph.needsModel && models === null) {
    const message = `Graph ${name} needs a model. Nothing was stored. Set OPENAI_API_KEY or OPENAI_BASE_URL, or use the graph ${EXECUTOR}.`;
    throw new DossierError("model_required", message);
  }
  const misfits = [
    { field: "depth", fits: depth !== "deep" || name === PLANNING, why: "has no depth deep", other: PLANNING },
    { field: "queries", fits: queries === undefined || name === EXECUTOR, why: "takes no queries", other: EXECUTOR },
    { field: "calls", fits: calls === undefined || name === EXECUTOR, why: "takes no calls", other: EXECUTOR },
    { field: "planApproval", fits: planApproval !== true || graph.plans === true, why: "makes no plan", other: PLANNING },
    { field: "team", fits: team === undefined || name === TEAM, why: "takes no team", other: TEAM },
  ].filter(({ fits }) => !fits);
  for (const { field, why, other } of misfits.slice(0, 1)) {
    const what = `The graph ${name} ${why}`;
    refuse([{ path: `/${field}`, message: `the graph ${name} ${why}` }], {
      what,
      advice: `Use the graph ${other}, or leave out ${field}.`,
    });
  }
  return graph;
}

interface Refusal {
  readonly code?: ErrorCode;
  /** The faults if absent. */
  readonly what?: string;
  readonly advice?: string;
}

/** @throws DossierError if there are faults */
function refuse(faults: readonly Fault[], { code = "invalid_request", what, advice }: Refusal = {}): void {
  if (faults.length === 0) return;
  const reasons = what ?? faults.map(({ path, message }) => `${path} ${message}`).join("; ");
  throw new DossierError(code, [`${reasons}. Nothing was stored.`, advice].filter(Boolean).join(" "), { faults });
}

/** The request's `model` replaces the deployment's models of all roles, and `models` replaces those of single roles. */
function resolveModels({ model, models }: ResearchRequest, more: readonly string[], policy: Policy): Models | null {
  if (policy.models === null) {
    if (model === undefined && models === undefined) return null;
    const message = "This server has no model. Nothing was stored. Set OPENAI_API_KEY or OPENAI_BASE_URL, or leave out model and models.";
    throw new DossierError("model_required", message);
  }
  const deployed = policy.models;
  const chosen = { default: model ?? deployed.default, roles: { ...(model === undefined && deployed.roles), ...models } };
  const prices = [chosen.default, ...Object.values(chosen.roles), ...more].flatMap((name): [string, Price][] => {
    const price = policy.priceOf(name);
    return price === null ? [] : [[name, price]];
  });
  return { ...deployed, ...chosen, prices: Object.fromEntries(prices) };
}

function checkPrices(models: Models | null, more: readonly string[], { costUsd }: Limits): void {
  if (models === null || costUsd === null) return;
  const unpriced = [models.default, ...Object.values(models.roles), ...more].filter((name) => !Object.hasOwn(models.prices, name));
  if (unpriced.length === 0) return;
  const names = [...new Set(unpriced)].map((name) => name || "the model that the server offers").join(", ");
  const message = `The limit costUsd needs the price of ${names}. Add it to MODEL_PRICES, or leave out costUsd. Nothing was stored.`;
  throw new DossierError("unpriced_model", message);
}

/** The addresses of the request, those of the thread, and the thread's documents. */
function givenHits(urls: readonly string[], material: ThreadMaterial | null): Hit[] {
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

function otherNamesOf(material: ThreadMaterial | null): Pick<Task, "otherNames"> {
  const named = (material?.documents ?? []).filter(({ otherNames }) => otherNames.length > 0);
  return named.length === 0 ? {} : { otherNames: Object.fromEntries(named.map(({ sourceId, otherNames }) => [sourceId, otherNames])) };
}

/** Says why an address is never read, such as one in a private network; null if it may be. */
export type UrlRefusal = (url: string) => string | null;

/** @throws DossierError `invalid_request` */
export function checkUrls(urls: readonly string[], refusalOf: UrlRefusal = () => null): void {
  const faults = urls.flatMap((url, index): Fault[] => {
    const why = refusalOf(url);
    return why === null ? [] : [{ path: `/urls/${index}`, message: why }];
  });
  refuse(faults);
}

/** Says why a call cannot be made in a run with these tools in scope; null if nothing is known against it. */
export type CallRefusal = (call: ToolCall, scope: readonly string[]) => { readonly code: string; readonly message: string } | null;

function resolveCalls(given: GivenCalls, scope: readonly string[], limits: Limits, refusalOf: CallRefusal = () => null): ToolCall[] {
  const calls = given.map(({ tool, arguments: args }, index) => ({ id: `request-${index + 1}`, name: tool, arguments: args }));
  const faults = calls.flatMap((call, index): Fault[] => {
    const refusal = refusalOf(call, scope);
    const field = refusal?.code === "invalid_arguments" ? "arguments" : "tool";
    return refusal === null ? [] : [{ path: `/calls/${index}/${field}`, message: refusal.message }];
  });
  const noRound = { path: "/limits/optionalToolLoops", message: "must be at least 1, because calls are made in the first round" };
  refuse(limits.optionalToolLoops === 0 ? [...faults, noRound] : faults);
  return calls;
}

/** @throws DossierError `unknown_source` */
export function refuseUrls(): never {
  const message =
    "This server reads no web addresses: SOURCES allows only the corpus. Nothing was stored. Leave out urls and delete those of the thread, or add urls to SOURCES.";
  throw new DossierError("unknown_source", message, { faults: [{ path: "/urls", message: "are not read on this server" }] });
}

function factsOfDocuments(given: readonly Hit[]): NonNullable<Task["sourceFacts"]> {
  return given.some(({ foundBy }) => foundBy === DOCUMENTS_SOURCE) ? { [DOCUMENTS_SOURCE]: { kind: "upload" } } : {};
}

/** The documents of the thread are in every scope, before all other sources. */
function resolveScope(request: ResearchRequest, policy: Policy, material: ThreadMaterial | null) {
  const { sources: wanted, graph } = request;
  const { graphsByTool = {} } = policy;
  const hasDocuments = material === null ? wanted?.includes(DOCUMENTS_SOURCE) === true : material.documents.length > 0;
  const given = hasDocuments ? [DOCUMENTS_SOURCE] : [];
  const sources = [...given, ...policy.sources];
  const tools = policy.tools.filter((id) => graphsByTool[id]?.includes(graph) !== false);
  checkNames("sources", wanted, [...sources, ...tools]);
  const found = wanted === undefined ? sources : [...given, ...new Set(wanted)].filter((id) => sources.includes(id));
  return { sources: [...new Set(found)], ...toolsInScope(request, tools) };
}

/** `tools` and `mcpServers` take precedence over the tools that `sources` names. */
function toolsInScope({ sources, tools, mcpServers }: ResearchRequest, known: readonly string[]) {
  const nameOf = (server: string): string => server.slice(SERVER_PREFIX.length);
  const isOf = (server: string) => (tool: string) => tool.startsWith(toolPrefix(server));
  const servers = known.filter(isServerId);
  const serverTools = tools?.filter((name) => servers.some((server) => isOf(server)(name)));
  checkNames("mcpServers", mcpServers, servers.map(nameOf));
  checkNames("tools", tools, [...known.filter((id) => !isServerId(id)), ...(serverTools ?? [])]);
  const isChosen = (id: string): boolean => {
    const byDefault = sources?.includes(id) !== false;
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

function resolveLimits({ limits: wanted = {}, depth, since, graph }: ResearchRequest, caps: Limits): Limits {
  // Only this graph decides once what it reads, so only it needs downloads for what it reads in place of a page that is too old.
  const refills = since !== undefined && graph === EXECUTOR;
  const limits: Limits = { ...caps, ...(depth !== undefined && limitsOf(depth, caps, refills).limits) };
  const faults: Fault[] = [];
  for (const key of Object.keys(caps) as (keyof Limits)[]) {
    const value = wanted[key];
    const cap = caps[key];
    if (value === undefined) continue;
    if (cap !== null && value > cap) faults.push({ path: `/limits/${key}`, message: `at most ${cap} on this server`, limit: cap });
    else Object.assign(limits, { [key]: value });
  }
  const what = faults.map(({ path, message }) => `${path.slice(8)}: ${message}`).join("; ");
  refuse(faults, { code: "limit_too_high", what, advice: "Ask for less, or raise the server's MAX_ settings." });
  return limits;
}

const DEFAULT = "default";

function resolveTeam(request: ResearchRequest, teams: ReadonlyMap<string, Team>, limits: Limits): Team | undefined {
  const { graph, team } = request;
  if (graph !== TEAM) return undefined;
  const given = typeof team === "object" ? team : teamOf(team, teams);
  const wholeMs = limits.seconds * 1000;
  if (typeof team === "object") checkTimes(team, wholeMs);
  return { ...given, children: given.children.map((child) => withTime(child, wholeMs)) };
}

function teamOf(name: string | undefined, teams: ReadonlyMap<string, Team>): Team {
  const known = teams.get(name ?? DEFAULT);
  if (known !== undefined) return known;
  const offer = teams.size === 0 ? "this server has no teams" : `this server has: ${[...teams.keys()].join(", ")}`;
  const missing = teams.size === 0 ? "is missing" : `is missing, and no team is named ${DEFAULT}`;
  const message = `${name === undefined ? missing : `${JSON.stringify(name)} is not known`}; ${offer}`;
  throw new DossierError("invalid_request", `/team ${message}. Nothing was stored.`, { faults: [{ path: "/team", message }] });
}

function checkTimes({ children }: Team, wholeMs: number): void {
  const faults = children.flatMap(({ timeoutMs = 0 }, at): Fault[] =>
    timeoutMs <= wholeMs ? [] : [{ path: `/team/children/${at}/timeoutMs`, message: `at most the ${wholeMs} ms of the whole run` }],
  );
  refuse(faults);
}

function withTime(child: ChildSpec, wholeMs: number): ChildSpec {
  return { ...child, timeoutMs: Math.min(child.timeoutMs ?? CHILD_TIMEOUT_MS, Math.max(1, Math.floor(wholeMs))) };
}
