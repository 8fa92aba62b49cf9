import type { Tenant } from "../domain/owners.ts";
import { checkTemplate } from "../domain/prompt-template.ts";
import type { Models } from "../domain/request.ts";
import { type ModelRole, ROLES } from "../domain/roles.ts";
import {
  type CheckSetting,
  DEFAULT_MODEL,
  type OpenSetting,
  type SettingValue,
  type TenantModel,
  TenantModelSchema,
  TenantPromptSchema,
  type TenantSetting,
} from "../domain/tenant-settings.ts";
import { SERVER_PREFIX } from "../domain/tool.ts";
import { DossierError, type Fault } from "../errors.ts";
import { dividedName, isInstalled, OPENAI, PROVIDERS } from "../models/providers.ts";
import { type AllowedHosts, whyForbidden } from "../network/check-link.ts";
import type { Policy } from "../runs/policy.ts";
import { readTenantServer } from "../tools/mcp/servers-file.ts";
import { maskJson } from "../util/mask-values.ts";
import { serverOfModel, settingOf } from "./tenant-parts.ts";

const SHOWN_SECRET = "***";

interface Deployment {
  readonly allowed: AllowedHosts;
  /** The ids of the deployment's MCP servers. */
  readonly servers: readonly string[];
  /** The names of the deployment's models. */
  readonly models: readonly string[];
  /** Whether SOURCES lets runs reach the network. */
  readonly isOnline: boolean;
}

/** Checks what a tenant sets, and takes the secrets out of what is shown of it. */
export function checkSettings(deployment: Deployment): CheckSetting {
  return (kind, name, value, others) => {
    const { faults, shown } = CHECKS[kind](name, value, others, deployment);
    const [first] = faults;
    if (first === undefined) return shown;
    throw new DossierError("invalid_request", `Nothing was changed: ${first.path} ${first.message}.`, { faults });
  };
}

type Check = (
  name: string,
  value: SettingValue,
  others: readonly TenantSetting[],
  deployment: Deployment,
) => { readonly faults: readonly Fault[]; readonly shown: SettingValue };

const CHECKS: Readonly<Record<OpenSetting["kind"], Check>> = {
  models(name, value, others, { allowed, models }) {
    const { model, baseUrl, apiKey } = TenantModelSchema.parse(value);
    const provider = PROVIDERS[dividedName(model).id] ?? OPENAI;
    const refusal = whyForbidden(baseUrl ?? serverOfModel(model), allowed);
    const twice = others.find((other) => other.kind === "models" && other.value["model"] === model);
    const isKeyless = (provider.compatible === true && baseUrl !== undefined) || provider.keyless === true;
    const faults = [
      // Its calls would not go through the guarded network, or would have the keys of the operator's own cloud.
      provider.ownNetwork === true && { path: "/model", message: "has a provider that only the operator can set" },
      !isInstalled(provider) && { path: "/model", message: `has a provider whose package is not installed here (${provider.package})` },
      // Its name decides to which server a call goes, whatever its role.
      name !== DEFAULT_MODEL && models.includes(model) && { path: "/model", message: "is a model of this deployment; set it as default" },
      twice !== undefined && { path: "/model", message: `is set for ${twice.name} already; a model has one server` },
      apiKey === undefined && !isKeyless && { path: "/apiKey", message: "is needed for this model" },
      refusal !== null && { path: "/baseUrl", message: refusal },
    ].filter((fault) => fault !== false);
    return { faults, shown: { ...value, ...(apiKey !== undefined && { apiKey: SHOWN_SECRET }) } };
  },
  "mcp-servers"(name, value, _others, { allowed, servers, isOnline }) {
    const { url, headers, secrets } = readTenantServer(name, value);
    const refusal = isOnline ? whyForbidden(url, allowed) : "SOURCES allows only the corpus on this server";
    const isTaken = servers.includes(`${SERVER_PREFIX}${name}`);
    const faults = [
      isTaken && { path: "/name", message: "is the name of an MCP server of this deployment; choose another" },
      refusal !== null && { path: "/url", message: refusal },
    ].filter((fault) => fault !== false);
    const hidden = Object.fromEntries(Object.keys(headers).map((header) => [header, SHOWN_SECRET]));
    return { faults, shown: { ...maskJson(value, secrets), ...("headers" in value && { headers: hidden }) } };
  },
  prompts(name, value) {
    const { text } = TenantPromptSchema.parse(value);
    const wrong = checkTemplate(text, ROLES[name as ModelRole].placeholders);
    return { faults: wrong.map(({ line, message }) => ({ path: "/text", message: `line ${line}: ${message}` })), shown: value };
  },
};

/** What holds for the runs of a tenant. @throws DossierError `secret_key_missing` */
export function policyOfTenant(policy: Policy, tenant: Tenant, set: readonly OpenSetting[], fallback: Omit<Models, "prices">): Policy {
  if (set.length === 0) return policy;
  const locked = set.find(({ value }) => value === null);
  if (locked !== undefined) {
    const what = `the key that encrypted the ${locked.kind} ${locked.name} of your tenant is not in SECRET_KEY_FILE`;
    throw new DossierError("secret_key_missing", `Nothing was stored: ${what}. Tell the operator, or set it again.`);
  }
  const of = (kind: OpenSetting["kind"]) => set.filter((one) => one.kind === kind);
  const prompts = of("prompts").map(({ name, shown }) => [name, TenantPromptSchema.parse(shown).text]);
  const servers = of("mcp-servers").map(({ name, shown }) => ({ id: `${SERVER_PREFIX}${name}`, graphs: shown["graphs"] }));
  const listed = servers.flatMap(({ id, graphs }) => (Array.isArray(graphs) ? [[id, graphs.map(String)]] : []));
  return {
    ...policy,
    ...withModels(policy, tenant, new Map(of("models").map(({ name, value }) => [name, TenantModelSchema.parse(value)])), fallback),
    ...(prompts.length > 0 && { prompts: Object.fromEntries(prompts) }),
    tools: policy.readsUrls === false ? policy.tools : [...new Set([...policy.tools, ...servers.map(({ id }) => id)])],
    graphsByTool: { ...policy.graphsByTool, ...Object.fromEntries(listed) },
  };
}

/** A default of the tenant's takes the place of all models of the deployment, as the `model` of a request does. */
function withModels(policy: Policy, tenant: Tenant, own: ReadonlyMap<string, TenantModel>, fallback: Omit<Models, "prices">) {
  const general = own.get(DEFAULT_MODEL);
  const deployed = policy.models ?? (general === undefined ? null : fallback);
  if (own.size === 0 || deployed === null) return {};
  const roles = [...own].flatMap(([name, { model }]) => (name === DEFAULT_MODEL ? [] : [[name, model]]));
  const named = new Map([...own].map(([name, set]) => [set.model, { ...set, name }]));
  const providerOf = (model: string): string => dividedName(model).id;
  const find = (model: string) => {
    const found = named.get(model);
    // Whatever a request names goes to the tenant's server, and never to the deployment's.
    if (found !== undefined || general === undefined || providerOf(model) !== providerOf(general.model)) return found;
    return { ...general, name: DEFAULT_MODEL, contextTokens: undefined, price: undefined };
  };
  return {
    models: {
      ...deployed,
      ...(general !== undefined && { default: general.model }),
      roles: { ...(general === undefined && deployed.roles), ...Object.fromEntries(roles) },
    },
    settingOf(model: string) {
      const found = find(model);
      return found === undefined ? null : settingOf(tenant, found.name);
    },
    serverOf(model: string) {
      const found = find(model);
      if (found !== undefined) return found.baseUrl ?? serverOfModel(model);
      return general === undefined ? policy.serverOf(model) : null;
    },
    contextOf(model: string) {
      const found = find(model);
      return found === undefined ? policy.contextOf(model) : (found.contextTokens ?? null);
    },
    priceOf(model: string) {
      const found = find(model);
      return found === undefined ? policy.priceOf(model) : (found.price ?? null);
    },
  };
}
