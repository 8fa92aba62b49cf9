import { existsSync, readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { z } from "zod";
import { plainIssue } from "./domain/plain-issue.ts";
import { MAX_CONTEXT_LENGTH, SupportCheckSchema, TERMINATION_POLICIES, TimeZoneSchema, UnsupportedSchema } from "./domain/request.ts";
import { type ModelRole, ModelRoleSchema } from "./domain/roles.ts";
import { isServerId } from "./domain/tool.ts";
import { DossierError, type Fault, invalidSettings } from "./errors.ts";
import type { ServiceValues } from "./tools/shared/entry.ts";
import { SERVICES } from "./tools/tools.ts";
import { parseAuthority, parseHostAndPort, parseOrigin } from "./util/web-address.ts";

export const DOCUMENTATION_DIR = "./docs";

const LOOPBACK_NAMES = ["localhost", "127.0.0.1", "[::1]"];
const split = (separator: string) => z.string().transform((text) => text.split(separator).flatMap((item) => item.trim() || []));
const list = split(",");
const privateHosts = list.refine(
  (items) => items.every((item) => parseHostAndPort(item) !== null),
  "each entry must be host:port, such as intranet.example:8080",
);
const hosts = list.refine(
  (items) => items.every((item) => parseAuthority(item) !== null),
  "each entry must be name or name:port, without *",
);
const origins = list.refine(
  (items) => items.every((item) => parseOrigin(item) !== null),
  "each entry must be like https://example.com, without a slash at its end",
);

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

function checkModelAddress(address: string, context: z.core.$RefinementCtx<string>): void {
  if (!URL.canParse(address)) return;
  const { pathname } = new URL(address);
  if (/[?#]/.test(address))
    context.addIssue({ code: "custom", message: "must end with its path, without ? and #, such as http://127.0.0.1:11434/v1" });
  else if (/\/(?:chat\/)?completions\/*$/.test(pathname))
    context.addIssue({ code: "custom", message: "must be the address above /chat/completions, such as http://127.0.0.1:11434/v1" });
}

const address = z.url({ protocol: /^https?$/ });
const key = z.string().trim();
const modelName = key.max(200);
const seconds = decimal(z.number().positive().max(3_600));

const ServicesSchema = z.object(
  Object.fromEntries(
    SERVICES.flatMap(({ settings: { baseUrl, apiKey } }) => [
      [baseUrl.variable, address.optional()],
      ...(apiKey === undefined ? [] : [[apiKey.variable, key.optional()]]),
    ]),
  ) as Record<string, z.ZodOptional<z.ZodType<string>>>,
);

const ConfigSchema = z.object({
  HOST: z.string().default("127.0.0.1"),
  PORT: whole(0, 65_535).default(3000),
  DATA_DIR: z.string().default("./data"),
  CORPUS_DIR: z.string().default(DOCUMENTATION_DIR),
  LOG_LEVEL: z.enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"]).default("info"),
  SOURCES: list.optional(),
  TRACING: z.enum(["off", "langsmith"]).default("off"),
  CONTACT_EMAIL: z.email().optional(),
  ALLOWED_PRIVATE_HOSTS: privateHosts.default([]),
  ALLOW_ANONYMOUS: z.enum(["0", "1"]).default("0"),
  ALLOWED_HOSTS: hosts.default(LOOPBACK_NAMES),
  CORS_ORIGINS: origins.default([]),
  RUN_CONCURRENCY: whole(1, 1_000).default(8),
  OPENAI_API_KEY: key.optional(),
  OPENAI_BASE_URL: address.superRefine(checkModelAddress).optional(),
  OPENAI_MODEL: modelName.optional(),
  OPENAI_MODELS: list.transform(toRoles).default({}),
  MODEL_PRICES: z.string().optional(),
  MODEL_CONTEXT_TOKENS: whole(2_000, 10_000_000).default(32_000),
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
  RETENTION_DAYS: decimal(z.number().positive().max(36_500)).optional(),
  MAX_DATA_GB: decimal(z.number().positive().max(100_000)).optional(),
  MAX_WAITING_DAYS: decimal(z.number().positive().max(3_650)).default(30),
  DRAIN_SECONDS: decimal(z.number().min(0).max(3_600)).default(20),
});

export const SETTINGS: readonly string[] = [...Object.keys(ConfigSchema.shape), ...Object.keys(ServicesSchema.shape)];

type Environment = Readonly<Record<string, string | undefined>>;
export type Config = Readonly<z.infer<typeof ConfigSchema>> & {
  readonly services: Readonly<Record<string, ServiceValues>>;
};

/** Reads and checks all settings. An empty value counts as unset. @throws DossierError `config_invalid` with all faults */
export function readConfig(environment: Environment = environmentWithFile(), knownSources?: readonly string[]): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined && !/^[\s,]*$/.test(value)));
  const parsed = ConfigSchema.safeParse(given, { error: plainIssue });
  const services = ServicesSchema.safeParse(given, { error: plainIssue });
  const faults = [
    ...[...(parsed.error?.issues ?? []), ...(services.error?.issues ?? [])].map(
      ({ path, message }): Fault => ({ path: path.join("."), message }),
    ),
    ...hostFaults(given),
    ...modelFaults(given),
    ...sourceFaults(given, knownSources),
  ];
  if (parsed.success && services.success && faults.length === 0) {
    if (parsed.data.TRACING === "off") switchTracingOff();
    return Object.freeze({ ...parsed.data, services: serviceValues(services.data) });
  }
  throw invalidSettings(faults);
}

const OF_LANGCHAIN = /^LANG(?:SMITH|CHAIN)_/;
/** With these, LangChain sends the texts of models and graphs to LangSmith, or prints them. */
const TRACING_VARIABLES = ["LANGSMITH", "LANGCHAIN"].flatMap((of) => [`${of}_TRACING`, `${of}_TRACING_V2`, `${of}_VERBOSE`]);

/** LangChain reads the environment at each call. Empty variables are not set by the file `.env`, which may be read again. */
function switchTracingOff(): void {
  for (const name of TRACING_VARIABLES) process.env[name] = "";
}

/** Reads a variable that is not a setting, such as a secret that the file MCP_SERVERS refers to. */
export function environmentVariable(name: string): string | undefined {
  return environmentWithFile()[name];
}

function environmentWithFile(): Environment {
  try {
    if (existsSync(".env")) process.loadEnvFile(".env");
  } catch (cause) {
    throw new DossierError(
      "config_invalid",
      `The file .env cannot be read (${cause instanceof Error ? cause.message : cause}). Nothing was started. Correct or remove the file.`,
      { cause },
    );
  }
  return process.env;
}

/** Returns the names in the file `.env` that nothing reads, such as misspelled ones. */
export function unknownNames({ TRACING }: Pick<Config, "TRACING">): string[] {
  const names = existsSync(".env") ? Object.keys(parseEnv(readFileSync(".env", "utf8"))) : [];
  return names.filter((name) => !SETTINGS.includes(name) && !(TRACING === "langsmith" && OF_LANGCHAIN.test(name)));
}

// Takes raw values, because parsed values are missing if any setting is wrong.
function hostFaults({ HOST = "127.0.0.1", ALLOW_ANONYMOUS = "0" }: Environment): Fault[] {
  if (isLoopback(HOST) || ALLOW_ANONYMOUS === "1") return [];
  const advice = "Use a loopback address, or set ALLOW_ANONYMOUS=1 to allow that";
  return [{ path: "HOST", message: `${HOST} would serve other machines without API keys. ${advice}` }];
}

function modelFaults({ OPENAI_API_KEY, OPENAI_BASE_URL, ...given }: Environment): Fault[] {
  if (OPENAI_API_KEY !== undefined || OPENAI_BASE_URL !== undefined) return [];
  const message = "has no effect without OPENAI_BASE_URL or OPENAI_API_KEY; set one of them, or remove this setting";
  return ["OPENAI_MODEL", "OPENAI_MODELS"].filter((path) => given[path] !== undefined).map((path) => ({ path, message }));
}

// Skips names of MCP servers, which are checked when the file MCP_SERVERS is read.
function sourceFaults({ SOURCES = "" }: Environment, known: readonly string[] | undefined): Fault[] {
  const unknown = known === undefined ? [] : list.parse(SOURCES).filter((id) => !known.includes(id) && !isServerId(id));
  return unknown.length === 0
    ? []
    : [{ path: "SOURCES", message: `${unknown.join(", ")} is not known; the known names are: ${known?.join(", ")}` }];
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
}

function serviceValues(set: Readonly<Record<string, string | undefined>>): Config["services"] {
  const values = SERVICES.map(({ endpoint, settings }): [string, ServiceValues] => {
    const baseUrl = set[settings.baseUrl.variable];
    const apiKey = settings.apiKey && set[settings.apiKey.variable];
    return [endpoint.id, { ...(baseUrl !== undefined && { baseUrl }), ...(apiKey !== undefined && { apiKey }) }];
  });
  return Object.fromEntries(values);
}
