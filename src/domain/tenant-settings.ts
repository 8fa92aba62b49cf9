import { z } from "zod";
import { JsonFieldsSchema, type JsonValue } from "./json.ts";
import type { Tenant } from "./owners.ts";
import { MAX_CONTEXT_LENGTH, ModelNameSchema, PriceSchema } from "./request.ts";
import { ModelRoleSchema } from "./roles.ts";

/** The setting of a model that has no role of its own. */
export const DEFAULT_MODEL = "default";

export const TenantModelSchema = z.strictObject({
  model: ModelNameSchema.describe(
    "The name of the model, with its provider in front (`anthropic:...`) unless the server speaks OpenAI's protocol.",
  ),
  baseUrl: z
    .url({ protocol: /^https?$/ })
    .max(2_000)
    .optional()
    .describe("Default: the provider's own address."),
  apiKey: z.string().trim().min(1).max(2_000).optional(),
  contextTokens: z.int().min(2_000).max(10_000_000).optional(),
  price: PriceSchema.optional().describe("US dollars; without it, runs with a limit of money cannot use the model."),
});
export type TenantModel = z.infer<typeof TenantModelSchema>;

export const TenantPromptSchema = z.strictObject({ text: z.string().max(MAX_CONTEXT_LENGTH) });
export type TenantPrompt = z.infer<typeof TenantPromptSchema>;

/** What a tenant sets for its own runs, by the name that a route has for it. `id` is part of the ids of its operations. */
export const TENANT_SETTINGS = {
  models: {
    ...{ id: "Model", what: "a model" },
    name: z.enum([DEFAULT_MODEL, ...ModelRoleSchema.options]),
    value: TenantModelSchema,
    about: "the model of your tenant's runs: `default`, or that of a role",
  },
  "mcp-servers": {
    ...{ id: "McpServer", what: "an MCP server" },
    name: z.string().regex(/^[A-Za-z0-9_-]{1,60}$/),
    value: JsonFieldsSchema.describe("An entry as in a file of `mcpServers`, with `url` and `headers`; no `command`."),
    about: "an MCP server of your tenant's runs",
  },
  prompts: {
    ...{ id: "Prompt", what: "a prompt" },
    name: ModelRoleSchema,
    value: TenantPromptSchema,
    about: "the prompt of a role in your tenant's runs; those of a request come before it",
  },
} as const;

export type SettingKind = keyof typeof TENANT_SETTINGS;
export const SETTING_KINDS = Object.keys(TENANT_SETTINGS) as SettingKind[];

/** `shown` is the value without secrets. */
export const TenantSettingSchema = z.object({
  kind: z.enum(SETTING_KINDS),
  name: z.string(),
  value: z.record(z.string(), z.json()).describe("Secrets are shown as `***`."),
  updatedAt: z.string(),
});
export type TenantSetting = z.infer<typeof TenantSettingSchema>;

export type SettingValue = Readonly<Record<string, JsonValue>>;

/** A setting with its secrets. `value` is null if the key that encrypted it is missing. */
export interface OpenSetting extends Omit<TenantSetting, "value"> {
  readonly shown: SettingValue;
  readonly value: SettingValue | null;
}

/** Checks a new setting against the others of its kind. Returns it as it is shown. @throws DossierError `invalid_request` */
export type CheckSetting = (kind: SettingKind, name: string, value: SettingValue, others: readonly TenantSetting[]) => SettingValue;

export interface TenantSettings {
  /** Without secrets. */
  list(tenant: Tenant): Promise<TenantSetting[]>;
  /** With secrets. */
  open(tenant: Tenant): Promise<OpenSetting[]>;
  /** @throws DossierError `invalid_request`, `secret_key_missing` if there is a secret, and no key to encrypt it with */
  put(tenant: Tenant, kind: SettingKind, name: string, value: SettingValue): Promise<TenantSetting>;
  /** Returns false if there is no such setting. */
  delete(tenant: Tenant, kind: SettingKind, name: string): Promise<boolean>;
  /** Encrypts with the current key what another one encrypted. */
  clean(): Promise<void>;
}
