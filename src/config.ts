import { isAbsolute, relative, resolve } from "node:path";
import { z } from "zod";
import { readEnvFile } from "./config/env-file.ts";
import { FILE, readSecretFile, readSecretFiles } from "./config/secret-files.ts";
import { DomainsSchema } from "./domain/domains.ts";
import { DEFAULT_TENANT, SCOPES, TenantSchema } from "./domain/keys.ts";
import { plainIssue } from "./domain/plain-issue.ts";
import { MAX_CONTEXT_LENGTH, TimeZoneSchema } from "./domain/request.ts";
import { type ModelRole, ModelRoleSchema } from "./domain/roles.ts";
import { SupportCheckSchema, TERMINATION_POLICIES, UnsupportedSchema } from "./domain/task.ts";
import { isServerId } from "./domain/tool.ts";
import { type Fault, invalidSettings } from "./errors.ts";
import { dividedName, OPENAI, PROVIDERS, type Provider } from "./models/providers.ts";
import type { ServiceValues } from "./tools/shared/entry.ts";
import { SERVICES } from "./tools/tools.ts";
import { parseAuthority, parseHostAndPort, parseOrigin } from "./util/web-address.ts";

export const DOCUMENTATION_DIR = "./docs";

const LOOPBACK_NAMES = ["localhost", "127.0.0.1", "[::1]"];
const split = (separator: string) => z.string().transform((text) => text.split(separator).flatMap((item) => item.trim() || []));
const list = split(",");
const listOf = (parse: (item: string) => unknown, form: string) =>
  list.refine((items) => items.every((item) => parse(item) !== null), `each entry must be ${form}`);
const privateHosts = listOf(parseHostAndPort, "host:port, such as intranet.example:8080");
const hosts = listOf(parseAuthority, "name or name:port, without *");
const domains = list.pipe(DomainsSchema);
const origins = listOf(parseOrigin, "like https://example.com, without a slash at its end");

const phrase = z
  .string()
  .max(99, "each phrase must have less than 100 characters")
  .regex(/[\p{L}\p{N}]/u, "each phrase must have words");
const phrases = split("|").pipe(z.array(phrase).max(100, "at most 100 phrases"));

/** Accepts decimal digits only, because a value such as 0x50 or 1e3 is most likely a mistake. */
const number = (pattern: RegExp, message: string) => z.string().trim().regex(pattern, message).transform(Number);
const whole = (min: number, max: number) =>
  number(/^[0-9]{1,15}$/, "must be a whole number in decimal digits").pipe(z.number().min(min).max(max));
const decimal = (range: z.ZodNumber) =>
  number(/^[0-9]{1,15}(\.[0-9]{1,15})?$/, "must be a number in decimal digits, such as 20 or 0.5").pipe(range);

function toRoles(items: readonly string[], context: z.core.$RefinementCtx<readonly string[]>): Partial<Record<ModelRole, string>> {
  const entries = items.map((item) => /^([a-z-]+)=(.+)$/.exec(item));
  if (entries.some((entry) => !ModelRoleSchema.safeParse(entry?.[1]).success))
    context.addIssue({ code: "custom", message: `each entry must be role=model; the roles are: ${ModelRoleSchema.options.join(", ")}` });
  const roles = entries.map((entry) => entry?.[1]);
  const twice = roles.find((role, at) => role !== undefined && roles.indexOf(role) !== at);
  if (twice !== undefined) context.addIssue({ code: "custom", message: `the role ${twice} is given twice; a role has one model` });
  return Object.fromEntries(entries.flatMap((entry) => (entry === null ? [] : [[entry[1], entry[2]?.trim()]])));
}

const days = decimal(z.number().positive().max(36_500));

function toTenantDays(items: readonly string[], context: z.core.$RefinementCtx<readonly string[]>): Record<string, number> {
  const entries = items.map((item) => {
    const [, tenant, age] = /^(.+)=(.+)$/.exec(item) ?? [];
    return { tenant: TenantSchema.safeParse(tenant), age: days.safeParse(age) };
  });
  if (entries.some(({ tenant, age }) => !tenant.success || !age.success))
    context.addIssue({ code: "custom", message: "each entry must be tenant=days, such as acme=30" });
  return Object.fromEntries(entries.flatMap(({ tenant, age }) => (tenant.success && age.success ? [[tenant.data, age.data]] : [])));
}

function checkModelAddress(address: string, context: z.core.$RefinementCtx<string>): void {
  if (!URL.canParse(address)) return;
  const { pathname } = new URL(address);
  if (/[?#]/.test(address))
    context.addIssue({ code: "custom", message: "must end with its path, without ? and #, such as http://127.0.0.1:11434/v1" });
  else if (/\/(?:chat\/)?completions\/*$/.test(pathname))
    context.addIssue({ code: "custom", message: "must be the address above /chat/completions, such as http://127.0.0.1:11434/v1" });
}

const address = z.url({ protocol: /^https?$/ });
/** A proxy is often written without `http://`. */
const proxy = z
  .string()
  .trim()
  .transform((text) => (text.includes("://") ? text : `http://${text}`))
  .pipe(address);
const key = z.string().trim();
const modelName = key.max(200);
const seconds = decimal(z.number().positive().max(3_600));

const OTHER_PROVIDERS = Object.entries(PROVIDERS).filter(([id]) => id !== "openai");

const ServicesSchema = z.object(
  Object.fromEntries(
    SERVICES.flatMap(({ settings: { baseUrl, apiKey } }) => [
      [baseUrl.variable, address.optional()],
      ...(apiKey === undefined ? [] : [[apiKey.variable, key.optional()]]),
    ]),
  ) as Record<string, z.ZodOptional<z.ZodType<string>>>,
);

/** A provider may have no key: a server in one's own network, or one whose class reads the keys of its own cloud. */
const ProvidersSchema = z.object(
  Object.fromEntries(
    OTHER_PROVIDERS.flatMap(([, { variable }]) => [
      [`${variable}_API_KEY`, key.optional()],
      [`${variable}_BASE_URL`, address.optional()],
    ]),
  ) as Record<string, z.ZodOptional<z.ZodType<string>>>,
);

const ConfigSchema = z.object({
  HOST: z.string().default("127.0.0.1"),
  PORT: whole(0, 65_535).default(3000),
  BASE_PATH: z
    .string()
    .trim()
    .transform((path) => path.replace(/\/+$/, ""))
    .pipe(z.string().regex(/^(?:\/[\w.~-]+)*$/, "must be a path such as /dossier"))
    .default(""),
  DATA_DIR: z.string().default("./data"),
  CORPUS_DIR: z.string().optional(),
  TENANT_CORPUS_DIR: z.string().optional(),
  DATABASE_URL: z.url({ protocol: /^postgres(?:ql)?$/ }).optional(),
  DATABASE_CONNECTIONS: whole(2, 1_000).default(10),
  ROLE: z.enum(["all", "api", "worker"]).default("all"),
  LOG_LEVEL: z.enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"]).default("info"),
  LOG_FORMAT: z.enum(["auto", "json", "text"]).default("auto"),
  SOURCES: list.optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: address.optional(),
  TRACING: z.enum(["off", "langsmith"]).default("off"),
  CONTACT_EMAIL: z.email().optional(),
  HTTP_PROXY: proxy.optional(),
  HTTPS_PROXY: proxy.optional(),
  NO_PROXY: z.string().default(""),
  PROXY_RESOLVES: z.enum(["0", "1"]).default("0"),
  ALLOWED_PRIVATE_HOSTS: privateHosts.default([]),
  ALLOWED_DOMAINS: domains.optional(),
  DENIED_DOMAINS: domains.default([]),
  ROBOTS_TXT: z.enum(["ignore", "obey"]).default("ignore"),
  ALLOW_ANONYMOUS: z.enum(["0", "1"]).default("0"),
  OIDC_ISSUER: address.optional(),
  OIDC_CLIENT_ID: key.max(500).optional(),
  OIDC_CLIENT_SECRET: key.optional(),
  OIDC_TENANT: TenantSchema.default(DEFAULT_TENANT),
  OIDC_TENANT_CLAIM: key.max(200).optional(),
  OIDC_SCOPES: list.pipe(z.array(z.enum(SCOPES))).default(["ask"]),
  ALLOWED_HOSTS: hosts.default(LOOPBACK_NAMES),
  CORS_ORIGINS: origins.default([]),
  RUN_CONCURRENCY: whole(1, 1_000).default(8),
  MAX_QUEUED_RUNS: whole(1, 1_000_000).default(10_000),
  REQUESTS_PER_MINUTE: whole(1, 1_000_000).optional(),
  KEY_RUNS_AT_ONCE: whole(1, 1_000_000).optional(),
  TENANT_RUNS_AT_ONCE: whole(1, 1_000_000).optional(),
  TENANT_TOKENS_PER_DAY: whole(0, 1_000_000_000_000).optional(),
  TENANT_USD_PER_DAY: decimal(z.number().min(0)).optional(),
  OPENAI_API_KEY: key.optional(),
  OPENAI_BASE_URL: address.superRefine(checkModelAddress).optional(),
  OPENAI_MODEL: modelName.optional(),
  OPENAI_MODELS: list.transform(toRoles).default({}),
  MODEL: modelName.optional(),
  MODEL_PRICES: z.string().optional(),
  MODEL_CONTEXT_TOKENS: whole(2_000, 10_000_000).optional(),
  MODEL_MAX_OUTPUT_TOKENS: whole(100, 1_000_000).default(4_000),
  MODEL_FIRST_TOKEN_SECONDS: seconds.default(120),
  MODEL_TOKEN_SECONDS: seconds.default(30),
  MODEL_CALL_SECONDS: seconds.default(300),
  MODEL_CONNECTIONS: whole(1, 10_000).optional(),
  RERANK_BASE_URL: address.optional(),
  RERANK_API_KEY: key.optional(),
  RERANK_MODEL: modelName.optional(),
  EMBEDDINGS_BASE_URL: address.optional(),
  EMBEDDINGS_API_KEY: key.optional(),
  EMBEDDINGS_MODEL: modelName.optional(),
  PROMPTS_DIR: z.string().optional(),
  SYSTEM_CONTEXT: z.string().max(MAX_CONTEXT_LENGTH).optional(),
  MCP_SERVERS: z.string().optional(),
  TEAMS: z.string().optional(),
  SECRET_KEY_FILE: z.string().optional(),
  UNSUPPORTED_SENTENCES: UnsupportedSchema.default("show"),
  SUPPORT_CHECK: SupportCheckSchema.default("code"),
  TIME_ZONE: TimeZoneSchema.default("UTC"),
  TERMINATION_POLICY: z.enum(TERMINATION_POLICIES).default("stock_phrases"),
  STOCK_PHRASES: phrases.default([]),
  REUSE_TOOL_RESULTS_SECONDS: decimal(z.number().min(0).max(604_800)).default(600),
  ROUND_SECONDS: seconds.default(60),
  MAX_OPTIONAL_TOOL_LOOPS: whole(0, 100).default(3),
  MAX_STEPS: whole(1, 10_000).default(50),
  MAX_MODEL_CALLS: whole(0, 10_000).default(80),
  MAX_TOKENS: whole(0, 1_000_000_000).default(2_000_000),
  MAX_COST_USD: decimal(z.number().min(0)).optional(),
  MAX_SECONDS: decimal(z.number().positive().max(86_400)).default(3_600),
  MAX_DOWNLOADS: whole(0, 1_000).default(60),
  MAX_PARALLEL_TODOS: whole(1, 20).default(4),
  RETENTION_DAYS: days.optional(),
  TENANT_RETENTION_DAYS: list.transform(toTenantDays).default({}),
  MAX_DATA_GB: decimal(z.number().min(0.1).max(100_000)).optional(),
  MAX_WAITING_DAYS: decimal(z.number().positive().max(3_650)).default(30),
  DRAIN_SECONDS: decimal(z.number().min(0).max(3_600)).default(20),
});

/** As in other programs, the form in small letters counts first. */
const PROXY_NAMES = ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"];

export const SETTINGS: readonly string[] = [
  ...Object.keys(ConfigSchema.shape),
  ...Object.keys(ServicesSchema.shape),
  ...Object.keys(ProvidersSchema.shape),
];

/** Each of these may be in a file. */
const SECRETS = SETTINGS.filter((name) => /_(?:API_KEY|SECRET)$|^DATABASE_URL$|^HTTPS?_PROXY$/.test(name));

type Environment = Readonly<Record<string, string | undefined>>;
export type Config = Readonly<z.infer<typeof ConfigSchema>> & {
  readonly services: Readonly<Record<string, ServiceValues>>;
  /** The key and the address of each provider of models, by its name. */
  readonly providers: Readonly<Record<string, ServiceValues>>;
};

/** Reads and checks all settings. An empty value counts as unset. @throws DossierError `config_invalid` with all faults */
export function readConfig(environment: Environment = environmentWithFile(), knownSources?: readonly string[]): Config {
  const secrets = readSecretFiles(SECRETS, environment);
  const all = { ...environment, ...secrets.values };
  const named = Object.fromEntries(PROXY_NAMES.map((name) => [name, all[name.toLowerCase()] || all[name]]));
  const given = Object.fromEntries(
    Object.entries({ ...all, ...named }).filter(([, value]) => value !== undefined && !/^[\s,]*$/.test(value)),
  );
  const parsed = ConfigSchema.safeParse(given, { error: plainIssue });
  const services = ServicesSchema.safeParse(given, { error: plainIssue });
  const providers = ProvidersSchema.safeParse(given, { error: plainIssue });
  const faults = [
    ...[parsed, services, providers].flatMap(({ error }) =>
      (error?.issues ?? []).map(({ path, message }): Fault => ({ path: path.join("."), message })),
    ),
    ...secrets.faults,
    ...sizeFaults(given),
    ...roleFaults(given),
    ...signInFaults(given),
    ...corpusFaults(given),
    ...modelFaults(given),
    ...sourceFaults(given, knownSources),
  ];
  if (parsed.success && services.success && providers.success && faults.length === 0) {
    if (parsed.data.TRACING === "off") for (const name of TRACING_VARIABLES) process.env[name] = "";
    const values = { services: serviceValues(services.data), providers: providerValues(providers.data) };
    return Object.freeze({ ...parsed.data, ...values });
  }
  throw invalidSettings(faults);
}

const OF_LANGCHAIN = /^LANG(?:SMITH|CHAIN)_/;
/**
 * With these, LangChain sends the texts of models and graphs to LangSmith, or prints them. It reads the environment at each call. Empty
 * variables are not set by the file `.env`, which may be read again.
 */
const TRACING_VARIABLES = ["LANGSMITH", "LANGCHAIN"].flatMap((of) => [`${of}_TRACING`, `${of}_TRACING_V2`, `${of}_VERBOSE`]);

/** Names that a file such as MCP_SERVERS refers to. */
const REFERRED_TO = new Set<string>();

/** Reads a variable that is not a setting, such as a secret that the file MCP_SERVERS refers to, or the file that has it. */
export function environmentVariable(name: string): string | undefined {
  REFERRED_TO.add(name).add(name + FILE);
  const { [name]: value, [name + FILE]: file } = environmentWithFile();
  return value || !file ? value : readSecretFile(name, file);
}

/** What is set outside of the file counts. */
function environmentWithFile(): Environment {
  for (const [name, value] of Object.entries(readEnvFile())) process.env[name] ??= value;
  return process.env;
}

/** Returns the names in the file `.env` that nothing reads, such as misspelled ones. Call it after the files that settings name were read. */
export function unknownNames({ TRACING }: Pick<Config, "TRACING">): string[] {
  const files = SECRETS.map((name) => name + FILE);
  const isRead = (name: string): boolean =>
    [...SETTINGS, ...files].includes(name) || name.startsWith("OTEL_") || PROXY_NAMES.includes(name.toUpperCase()) || REFERRED_TO.has(name);
  return Object.keys(readEnvFile()).filter((name) => !isRead(name) && !(TRACING === "langsmith" && OF_LANGCHAIN.test(name)));
}

// These take raw values, because parsed values are missing if any setting is wrong.
function sizeFaults({ DATABASE_URL, MAX_DATA_GB }: Environment): Fault[] {
  if (DATABASE_URL === undefined || MAX_DATA_GB === undefined) return [];
  return [
    { path: "MAX_DATA_GB", message: "has no effect with DATABASE_URL: PostgreSQL frees no space of the disk at once; set RETENTION_DAYS" },
  ];
}

function roleFaults({ ROLE = "all", DATABASE_URL }: Environment): Fault[] {
  if (ROLE === "all" || DATABASE_URL !== undefined) return [];
  return [
    { path: "ROLE", message: `${ROLE} needs DATABASE_URL: several processes share a PostgreSQL database, and SQLite has one process` },
  ];
}

function corpusFaults({ CORPUS_DIR, TENANT_CORPUS_DIR }: Environment): Fault[] {
  if (CORPUS_DIR === undefined || TENANT_CORPUS_DIR === undefined) return [];
  const within = relative(resolve(CORPUS_DIR), resolve(TENANT_CORPUS_DIR));
  if (within.startsWith("..") || isAbsolute(within)) return [];
  return [{ path: "TENANT_CORPUS_DIR", message: "must not lie in CORPUS_DIR, which tenants without a folder of their own read" }];
}

function signInFaults({ OIDC_ISSUER, OIDC_CLIENT_ID }: Environment): Fault[] {
  if ((OIDC_ISSUER === undefined) === (OIDC_CLIENT_ID === undefined)) return [];
  const path = OIDC_ISSUER === undefined ? "OIDC_ISSUER" : "OIDC_CLIENT_ID";
  return [{ path, message: "people sign in only if OIDC_ISSUER and OIDC_CLIENT_ID are both set" }];
}

function modelFaults({ MODEL, OPENAI_MODEL, OPENAI_MODELS = "", ...given }: Environment): Fault[] {
  const roles = list.parse(OPENAI_MODELS).map((item): [string, string] => ["OPENAI_MODELS", item.replace(/^[a-z-]+=/, "")]);
  const named: [string, string | undefined][] = [["MODEL", MODEL], ["OPENAI_MODEL", OPENAI_MODEL], ...roles];
  const faults = named.flatMap(([path, name]): Fault[] => {
    if (name === undefined) return [];
    const { id } = dividedName(name);
    if (path === "MODEL" && !name.startsWith(`${id}:`))
      return [{ path, message: `must be provider:name, such as ollama:qwen3; the providers are: ${Object.keys(PROVIDERS).join(", ")}` }];
    return hasServer(PROVIDERS[id], given) ? [] : [{ path, message: withoutServer(PROVIDERS[id]) }];
  });
  return [...new Map(faults.map((fault) => [fault.path, fault])).values()];
}

function hasServer(provider: Provider | undefined, given: Environment): boolean {
  if (provider === undefined || provider.keyless) return true;
  return [`${provider.variable}_API_KEY`, `${provider.variable}_BASE_URL`].some((setting) => given[setting] !== undefined);
}

function withoutServer({ variable }: Pick<Provider, "variable"> = OPENAI): string {
  return `has no effect without ${variable}_BASE_URL or ${variable}_API_KEY; set one of them, or remove this setting`;
}

// Skips names of MCP servers, which are checked when the file MCP_SERVERS is read.
function sourceFaults({ SOURCES = "" }: Environment, known: readonly string[] | undefined): Fault[] {
  const unknown = known === undefined ? [] : list.parse(SOURCES).filter((id) => !known.includes(id) && !isServerId(id));
  return unknown.length === 0
    ? []
    : [{ path: "SOURCES", message: `${unknown.join(", ")} is not known; the known names are: ${known?.join(", ")}` }];
}

export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
}

function providerValues(set: Readonly<Record<string, string | undefined>>): Config["providers"] {
  const values = OTHER_PROVIDERS.map(([id, { variable }]): [string, ServiceValues] => {
    const [apiKey, baseUrl] = [set[`${variable}_API_KEY`], set[`${variable}_BASE_URL`]];
    return [id, { ...(baseUrl !== undefined && { baseUrl }), ...(apiKey !== undefined && { apiKey }) }];
  });
  return Object.fromEntries(values);
}

function serviceValues(set: Readonly<Record<string, string | undefined>>): Config["services"] {
  const values = SERVICES.map(({ endpoint, settings }): [string, ServiceValues] => {
    const baseUrl = set[settings.baseUrl.variable];
    const apiKey = settings.apiKey && set[settings.apiKey.variable];
    return [endpoint.id, { ...(baseUrl !== undefined && { baseUrl }), ...(apiKey !== undefined && { apiKey }) }];
  });
  return Object.fromEntries(values);
}
