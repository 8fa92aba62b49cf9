import type { Tenant } from "../domain/owners.ts";
import type { ToolServers } from "../domain/ports/tools.ts";
import { type OpenSetting, type TenantModel, TenantModelSchema, type TenantSettings } from "../domain/tenant-settings.ts";
import { DossierError } from "../errors.ts";
import type { ModelEndpoint } from "../models/exchange.ts";
import { dividedName, OPENAI, PROVIDERS } from "../models/providers.ts";
import { createModelFetch, createServerFetch, type Guard } from "../network/configured-server.ts";
import type { Proxies } from "../network/proxies.ts";
import { readTenantServer } from "../tools/mcp/servers-file.ts";
import { createToolServers, type OpenToolServers, type ToolServersOptions } from "../tools/mcp/tool-servers.ts";
import { formsOfKey } from "./secrets.ts";

/** What a run has of its tenant. */
interface Opened {
  readonly tenant: Tenant;
  readonly models: ReadonlyMap<string, ModelEndpoint>;
  readonly servers: OpenToolServers;
  readonly secrets: readonly string[];
  close(): Promise<unknown>;
}

interface TenantPartsOptions extends Omit<ToolServersOptions, "openHttp"> {
  readonly connections: number;
  readonly proxies: Proxies | null;
  readonly guard: Guard;
}

/** Opens the models and MCP servers of tenants, for each run that this process executes. A run keeps what was set when its execution began. */
export class TenantParts {
  readonly #options: TenantPartsOptions;
  readonly #byRun = new Map<string, Opened>();

  constructor(options: TenantPartsOptions) {
    this.#options = options;
  }

  /** Call it before a run is executed. Returns what to call afterwards. */
  async enter({ runId, tenant }: { readonly runId: string; readonly tenant: Tenant }, settings: TenantSettings): Promise<() => void> {
    const opened = this.#openFor(tenant, await settings.open(tenant));
    this.#byRun.set(runId, opened);
    return () => {
      this.#byRun.delete(runId);
      opened.close().catch(() => undefined);
    };
  }

  /** The tenant of a run that is being executed here. */
  tenantOf(runId: string | undefined): Tenant | undefined {
    return this.#byRun.get(runId ?? "")?.tenant;
  }

  /** The secrets of the tenant of a run, in all ways to write them. */
  secretsOf(runId: string): readonly string[] {
    return this.#byRun.get(runId)?.secrets ?? [];
  }

  /** The secrets of all tenants whose runs are being executed. */
  get secrets(): string[] {
    return [...this.#byRun.values()].flatMap(({ secrets }) => secrets);
  }

  /** @throws DossierError `model_refused` */
  modelServer(runId: string, setting: string): ModelEndpoint {
    const found = this.#byRun.get(runId)?.models.get(setting);
    if (found !== undefined) return found;
    const why = "it is not set any more, or its key cannot be decrypted";
    throw new DossierError("model_refused", `The model of ${setting}, which your tenant had set, cannot be asked: ${why}.`);
  }

  /** The servers of the run's tenant come before those of the deployment. */
  serversWith(deployed: ToolServers): ToolServers {
    const own = (runId: string) => this.#byRun.get(runId)?.servers;
    const has = (runId: string, id: string): boolean => own(runId)?.known.some((server) => server.id === id) === true;
    return {
      list: async (ids, signal, runId) => {
        const [ours, others] = [ids.filter((id) => has(runId, id)), ids.filter((id) => !has(runId, id))];
        const listed = await Promise.all([own(runId)?.list(ours, signal, runId) ?? [], deployed.list(others, signal, runId)].flat());
        return { tools: listed.flatMap(({ tools }) => tools), failures: listed.flatMap(({ failures }) => failures) };
      },
      call: (called, args, context) => ((has(context.runId, called.server) && own(context.runId)) || deployed).call(called, args, context),
    };
  }

  #openFor(tenant: Tenant, set: readonly OpenSetting[]): Opened {
    const readable = set.flatMap(({ kind, name, value }) => (value === null ? [] : [{ kind, name, value }]));
    const of = (kind: OpenSetting["kind"]) => readable.filter((one) => one.kind === kind);
    const models = of("models").map(({ name, value }) => this.#openModel(settingOf(tenant, name), TenantModelSchema.parse(value)));
    const configured = of("mcp-servers").map(({ name, value }) => readTenantServer(name, value));
    const { proxies, guard } = this.#options;
    const openHttp: ToolServersOptions["openHttp"] = (url, options) => createServerFetch(url, options, proxies, guard);
    const servers = createToolServers({ servers: configured, disabled: [] }, { ...this.#options, openHttp });
    const secrets = [...models.flatMap(({ endpoint }) => endpoint.secrets ?? []), ...configured.flatMap((server) => server.secrets)];
    return {
      ...{ tenant, servers, secrets, models: new Map(models.map(({ setting, endpoint }) => [setting, endpoint])) },
      close: () => Promise.all([servers.close(), ...models.map(({ close }) => close())]),
    };
  }

  #openModel(setting: string, { model, baseUrl, apiKey }: TenantModel) {
    const address = baseUrl ?? serverOfModel(model);
    const { connections, proxies, guard } = this.#options;
    const { fetch, close } = createModelFetch(address, connections, proxies, guard);
    return { setting, endpoint: { baseUrl: address, apiKey, secrets: formsOfKey(apiKey), fetch }, close };
  }
}

/** The own address of a model's provider. */
export function serverOfModel(model: string): string {
  return (PROVIDERS[dividedName(model).id] ?? OPENAI).baseUrl;
}

/** How a task names a setting. With the tenant in it, no two tenants share what is remembered of a request. */
export function settingOf(tenant: Tenant, name: string): string {
  return `${tenant}/${name}`;
}
