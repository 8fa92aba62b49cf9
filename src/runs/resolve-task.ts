import { begunMessages, resultsIn, splitAtQuestion } from "../domain/conversation.ts";
import { limitsOf } from "../domain/depth.ts";
import { refusalOfDomain } from "../domain/domains.ts";
import { conversationTurns } from "../domain/history.ts";
import { DOCUMENTS_SOURCE, type Hit, URLS_SOURCE } from "../domain/hit.ts";
import { JsonFieldsSchema } from "../domain/json.ts";
import type { Limits } from "../domain/limits.ts";
import type { ThreadMaterial } from "../domain/ports/material.ts";
import { completeTemplate } from "../domain/prompt-template.ts";
import { readAskedQueries } from "../domain/queries.ts";
import type { Models, Price, ResearchRequest } from "../domain/request.ts";
import { type ModelRole, ROLES } from "../domain/roles.ts";
import { dateIn } from "../domain/run-date.ts";
import type { Task } from "../domain/task.ts";
import { CHILD_TIMEOUT_MS, type Team } from "../domain/team.ts";
import type { GivenCalls, ToolCall } from "../domain/tool.ts";
import { DossierError, type Fault } from "../errors.ts";
import type { GraphDefinition, GraphRegistry } from "../graphs/registry.ts";
import type { CallRefusal, Policy } from "./policy.ts";
import { refuse, refuseTogether } from "./refuse.ts";
import { checkUrls, givenHits, refuseUrls, resolveScope } from "./resolve-scope.ts";

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
  const { depth, report, since } = request;
  const today = dateIn(request.timeZone ?? policy.timeZone ?? "UTC", at);
  const given = givenHits(request.urls ?? [], material);
  const parts = partsOf(request, { policy, graphs, material, given, today, at });
  refuseTogether(Object.values(parts));
  const [graph, limits, team, scope, requestedModels] = [parts.graph(), parts.limits(), parts.team(), parts.scope(), parts.models()];
  const queries = request.queries === undefined ? undefined : readAskedQueries(request.queries);
  // With 0 model calls allowed, rules do the work; a graph that needs a model ends with `model_call_cap`.
  const models = limits.modelCalls === 0 && !graph.needsModel ? null : requestedModels;
  const { termination, factsOf } = policy;
  return {
    question: request.question.trim().toWellFormed(),
    today,
    ...(since !== undefined && { since }),
    ...domainsOf(request, policy),
    language: request.language,
    systemContext: [policy.systemContext, request.systemContext].filter(Boolean).join("\n\n"),
    ...scope,
    ...((models !== null || queries !== undefined) &&
      factsOf !== undefined && { sourceFacts: { ...factsOf(scope.sources), ...factsOfDocuments(given) } }),
    ...(queries !== undefined && { queries }),
    ...(request.calls !== undefined && { calls: parts.calls() }),
    ...(given.length > 0 && { given }),
    ...otherNamesOf(material),
    limits,
    ...(depth !== undefined && { depth }),
    ...(report !== undefined && { report }),
    ...conversationOf(request, graph, at),
    models,
    ...(models === null && requestedModels !== null && { modelUnpaid: true as const }),
    ...(models !== null && resolvePrompts(request, policy, graph)),
    unsupported: policy.unsupported ?? "show",
    ...(models !== null && policy.supportCheck === "model" && { supportCheck: policy.supportCheck }),
    ...(policy.reuseSeconds !== undefined && policy.reuseSeconds > 0 && { reuseSeconds: policy.reuseSeconds }),
    ...(termination !== undefined && (termination.policy !== "stock_phrases" || termination.phrases.length > 0) && { termination }),
    ...(policy.semantic !== null && { semantic: policy.semantic }),
    ...(request.planApproval === true && { planApproval: true as const }),
    ...(request.clarify === false && { clarify: false as const }),
    ...(graph.plans === true && policy.parallelTodos !== undefined && { parallelTodos: policy.parallelTodos }),
    ...(team !== undefined && { team }),
    metadata: parts.metadata(),
  };
}

interface Surroundings {
  readonly policy: Policy;
  readonly graphs: GraphRegistry;
  readonly material: ThreadMaterial | null;
  readonly given: readonly Hit[];
  readonly today: string;
  readonly at: number;
}

/** What can be wrong in a request, in the order in which its faults are told. A part that needs another one fails as that one does. */
function partsOf(request: ResearchRequest, { policy, graphs, material, given, today, at }: Surroundings) {
  const { since, startAfter, domains, urls = [], calls = [] } = request;
  const limits = once(() => resolveLimits(request, policy.limits));
  const team = once(() => resolveTeam(request, policy.teams ?? new Map(), limits()));
  const scope = once(() => resolveScope(request, policy, material, given.length > 0));
  const isAddress = ({ foundBy }: Hit): boolean => foundBy === URLS_SOURCE;
  return {
    graph: once(() => graphOf(request, graphs, policy)),
    since: () => since !== undefined && checkSince(since, today),
    startAfter: () => startAfter !== undefined && checkStart(startAfter, at),
    limits,
    team,
    ownModels: () => resolveModels(request, [], policy),
    models: once(() => resolvePaidModels(request, modelsOfChildren(team()), policy, limits())),
    scope,
    urls: () => checkUrls(urls, (url) => policy.refusalOf?.(url) ?? refusalOfDomain(domains === undefined ? [] : [domains], url)),
    given: () => policy.readsUrls === false && given.some(isAddress) && refuseUrls(),
    calls: once(() => (calls.length === 0 ? [] : resolveCalls(calls, scope().tools, limits(), policy.refusalOfCall))),
    metadata: once(() => mergeMetadata(request)),
  };
}

/** Does the work when its result is first asked for. */
function once<T>(work: () => T): () => T {
  let done: { readonly value: T } | undefined;
  return () => {
    done ??= { value: work() };
    return done.value;
  };
}

function modelsOfChildren(team: Team | undefined): string[] {
  return team?.children.flatMap(({ model }) => model ?? []) ?? [];
}

function mergeMetadata({ metadata, context }: ResearchRequest): Task["metadata"] {
  const merged = { ...metadata, ...context };
  const issues = JsonFieldsSchema.safeParse(merged).error?.issues ?? [];
  refuse(issues.map(({ message }) => ({ path: "/context", message: `${message} with metadata` })));
  return merged;
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

function domainsOf({ domains }: ResearchRequest, policy: Policy): Pick<Task, "domains"> {
  const rules = [policy.domains, domains].filter((one) => one !== undefined);
  return rules.length === 0 ? {} : { domains: rules };
}

/** The templates of the request and of its tenant, as a model gets them. */
function resolvePrompts(
  { prompts }: ResearchRequest,
  { prompts: ofTenant = {}, promptsOf }: Policy,
  { roles }: GraphDefinition,
): Pick<Task, "prompts" | "promptTexts"> {
  const deployed = promptsOf(roles);
  const used = Object.entries(ofTenant).filter(([role]) => roles.includes(role));
  if (prompts === undefined && used.length === 0) return { prompts: deployed };
  const own = Object.entries({ ...Object.fromEntries(used), ...prompts }).map(([role, text]) => ({
    role,
    ...completeTemplate(text, ROLES[role as ModelRole].placeholders),
  }));
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

const YEAR_MS = 366 * 86_400_000;

function checkStart(startAfter: string, at: number): void {
  const latest = new Date(at + YEAR_MS).toISOString();
  const faults = Date.parse(startAfter) <= at + YEAR_MS ? [] : [{ path: "/startAfter", message: `must not be after ${latest}` }];
  refuse(faults, { what: "A run cannot be planned more than a year ahead", advice: "Name an earlier time." });
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
    throw new DossierError("model_required", message, { faults: [{ path: "/graph", message: "needs a model" }] });
  }
  const misfits = [
    { field: "depth", fits: depth !== "deep" || name === PLANNING, why: "has no depth deep", other: PLANNING },
    { field: "queries", fits: queries === undefined || name === EXECUTOR, why: "takes no queries", other: EXECUTOR },
    { field: "calls", fits: calls === undefined || name === EXECUTOR, why: "takes no calls", other: EXECUTOR },
    { field: "planApproval", fits: planApproval !== true || graph.plans === true, why: "makes no plan", other: PLANNING },
    { field: "team", fits: team === undefined || name === TEAM, why: "takes no team", other: TEAM },
  ].filter(({ fits }) => !fits);
  refuse(
    misfits.map(({ field, why }) => ({ path: `/${field}`, message: `the graph ${name} ${why}` })),
    {
      what: `The graph ${name} ${misfits.map(({ why }) => why).join(", and ")}`,
      advice: misfits.map(({ field, other }) => `Use the graph ${other}, or leave out ${field}.`).join(" "),
    },
  );
  return graph;
}

/** The request's `model` replaces the deployment's models of all roles, and `models` replaces those of single roles. */
function resolveModels({ model, models }: ResearchRequest, more: readonly string[], policy: Policy): Models | null {
  if (policy.models === null) {
    if (model === undefined && models === undefined) return null;
    const message = "This server has no model. Nothing was stored. Set OPENAI_API_KEY or OPENAI_BASE_URL, or leave out model and models.";
    const path = model === undefined ? "/models" : "/model";
    throw new DossierError("model_required", message, { faults: [{ path, message: "this server has no model" }] });
  }
  const deployed = policy.models;
  const chosen = { default: model ?? deployed.default, roles: { ...(model === undefined && deployed.roles), ...models } };
  const names = [chosen.default, ...Object.values(chosen.roles), ...more];
  const unreachable = names.find((name) => policy.serverOf(name) === null);
  refuse(unreachable === undefined ? [] : [{ path: unreachable === model ? "/model" : "/models", message: "cannot be reached" }], {
    what: `The provider of the model ${unreachable} has no key on this server, or its package is not installed`,
  });
  const contextTokens = Math.min(...names.map((name) => policy.contextOf(name) ?? deployed.contextTokens));
  const prices = names.flatMap((name): [string, Price][] => {
    const price = policy.priceOf(name);
    return price === null ? [] : [[name, price]];
  });
  const servers = names.flatMap((name): [string, string][] => {
    const setting = policy.settingOf?.(name) ?? null;
    return setting === null ? [] : [[name, setting]];
  });
  const marked = servers.length > 0 && { servers: Object.fromEntries(servers) };
  return { ...deployed, ...chosen, contextTokens, prices: Object.fromEntries(prices), ...marked };
}

/** Returns the models, whose prices are known if the cost is limited. */
function resolvePaidModels(request: ResearchRequest, more: readonly string[], policy: Policy, limits: Limits): Models | null {
  const { costUsd, modelCalls } = limits;
  const models = resolveModels(request, more, policy);
  if (models === null || modelCalls === 0 || costUsd === null) return models;
  const unpriced = [models.default, ...Object.values(models.roles), ...more].filter((name) => !Object.hasOwn(models.prices, name));
  const names = [...new Set(unpriced)].map((name) => name || "the model that the server offers").join(", ");
  refuse(unpriced.length === 0 ? [] : [{ path: "/limits/costUsd", message: `needs the price of ${names}` }], {
    code: "unpriced_model",
    what: `The limit costUsd needs the price of ${names}`,
    advice: "Add it to MODEL_PRICES, or leave out costUsd.",
  });
  return models;
}

function otherNamesOf(material: ThreadMaterial | null): Pick<Task, "otherNames"> {
  const named = (material?.documents ?? []).filter(({ otherNames }) => otherNames.length > 0);
  return named.length === 0 ? {} : { otherNames: Object.fromEntries(named.map(({ sourceId, otherNames }) => [sourceId, otherNames])) };
}

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

function factsOfDocuments(given: readonly Hit[]): NonNullable<Task["sourceFacts"]> {
  return given.some(({ foundBy }) => foundBy === DOCUMENTS_SOURCE) ? { [DOCUMENTS_SOURCE]: { kind: "upload" } } : {};
}

function resolveLimits({ limits: wanted = {}, depth, since, graph }: ResearchRequest, caps: Limits): Limits {
  // Only this graph decides once what it reads, so only it needs downloads for what it reads in place of a page that is too old.
  const refills = since !== undefined && graph === EXECUTOR;
  const limits: Limits = { ...caps, ...(depth !== undefined && limitsOf(depth, caps, refills)) };
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
  const mostMs = Math.max(1, Math.floor(wholeMs));
  const children = given.children.map((child) => ({ ...child, timeoutMs: Math.min(child.timeoutMs ?? CHILD_TIMEOUT_MS, mostMs) }));
  return { ...given, children };
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
