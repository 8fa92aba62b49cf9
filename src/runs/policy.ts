import type { DomainRules } from "../domain/domains.ts";
import type { Limits } from "../domain/limits.ts";
import type { PromptHashes } from "../domain/ports/models.ts";
import { type Allowance, lesser } from "../domain/quota.ts";
import type { Models, Price, ResearchRequest } from "../domain/request.ts";
import type { SupportCheck, Task, TerminationTerms, UnsupportedSentencePolicy } from "../domain/task.ts";
import type { Team } from "../domain/team.ts";
import type { ToolCall } from "../domain/tool.ts";

/** Returns the request and the policy for a run that may spend no more than what is left of a day. */
export function withinAllowance(request: ResearchRequest, policy: Policy, left: Allowance): { request: ResearchRequest; policy: Policy } {
  if (left.tokens === null && left.costUsd === null) return { request, policy };
  const { tokens, costUsd } = policy.limits;
  const caps = { tokens: lesser(tokens, left.tokens) ?? tokens, costUsd: lesser(costUsd, left.costUsd) };
  const { limits: asked = {} } = request;
  const limits = {
    ...asked,
    ...(asked.tokens !== undefined && { tokens: Math.min(asked.tokens, left.tokens ?? asked.tokens) }),
    ...(asked.costUsd !== undefined && { costUsd: Math.min(asked.costUsd, left.costUsd ?? asked.costUsd) }),
  };
  return { request: { ...request, limits }, policy: { ...policy, limits: { ...policy.limits, ...caps } } };
}

/** Says why an address is never read, such as one in a private network; null if it may be. */
export type UrlRefusal = (url: string) => string | null;

/** Says why a call cannot be made in a run with these tools in scope; null if nothing is known against it. */
export type CallRefusal = (call: ToolCall, scope: readonly string[]) => { readonly code: string; readonly message: string } | null;

/**
 * What the folder of the source `corpus` is: Dossier's own documentation; the user's own, which alone is searched by default; or one of the
 * sources that the operator lists.
 */
export type CorpusRole = "documentation" | "own" | "listed";

export interface Policy {
  readonly sources: readonly string[];
  readonly corpus?: CorpusRole;
  readonly tools: readonly string[];
  /** The names of the tools that every agent has. A request may name them. */
  readonly agentTools?: readonly string[];
  /** If false, the addresses that users give are refused. */
  readonly readsUrls?: boolean;
  readonly refusalOf?: UrlRefusal;
  /** Which sites may be found and read. */
  readonly domains?: DomainRules;
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
  /** The templates that the tenant has set, by role. Those of a request come before them. */
  readonly prompts?: NonNullable<ResearchRequest["prompts"]>;
  /** Returns the setting of the tenant that a model goes by; null if it is one of the deployment's. */
  readonly settingOf?: (model: string) => string | null;
  readonly teams?: ReadonlyMap<string, Team>;
  readonly priceOf: (model: string) => Price | null;
  /** The context in tokens; null if nobody tells it. */
  readonly contextOf: (model: string) => number | null;
  /** The address of the model's server; null if its provider has no key here. */
  readonly serverOf: (model: string) => string | null;
}
