import { existsSync } from "node:fs";
import { z } from "zod";
import { DossierError } from "./errors.ts";

const LOOPBACK_NAMES = ["localhost", "127.0.0.1", "[::1]"];
const list = z.string().transform((text) =>
  text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== ""),
);
/** Services that can be given another address, and those of them that take a key. */
const SERVICES = [
  "ARXIV",
  "OPENALEX",
  "CROSSREF",
  "SEMANTIC_SCHOLAR",
  "PUBMED",
  "EUROPE_PMC",
  "WIKIPEDIA",
  "SEARXNG",
  "TAVILY",
  "BRAVE",
  "SERPER",
  "DUCKDUCKGO",
  "SEC_EDGAR",
  "AKTOOLS",
  "EASTMONEY",
] as const;
const SERVICES_WITH_KEY = ["OPENALEX", "SEMANTIC_SCHOLAR", "PUBMED", "TAVILY", "BRAVE", "SERPER"] as const;
type Service = (typeof SERVICES)[number];
type ServiceWithKey = (typeof SERVICES_WITH_KEY)[number];

const addresses = settingsOf<Service, "_BASE_URL">(SERVICES, "_BASE_URL", z.url({ protocol: /^https?$/ }).optional());
const keys = settingsOf<ServiceWithKey, "_API_KEY">(SERVICES_WITH_KEY, "_API_KEY", z.string().trim().optional());
const whole = (min: number, max: number) => z.coerce.number().int().min(min).max(max);

/** Every setting of the service, as the environment names it. */
const ConfigSchema = z.object({
  HOST: z.string().default("127.0.0.1"),
  PORT: whole(0, 65_535).default(3000),
  DATA_DIR: z.string().default("./data"),
  CORPUS_DIR: z.string().default("./docs"),
  LOG_LEVEL: z.enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"]).default("info"),
  SOURCES: list.optional(),
  CONTACT_EMAIL: z.email().optional(),
  ALLOWED_PRIVATE_HOSTS: list.default([]),
  ALLOW_ANONYMOUS: z.enum(["0", "1"]).default("0"),
  ALLOWED_HOSTS: list.default(LOOPBACK_NAMES),
  CORS_ORIGINS: list.default([]),
  RUN_CONCURRENCY: whole(1, 1_000).default(8),
  MAX_OPTIONAL_TOOL_LOOPS: whole(0, 100).default(3),
  MAX_STEPS: whole(1, 10_000).default(50),
  MAX_MODEL_CALLS: whole(0, 10_000).default(40),
  MAX_TOKENS: whole(0, 1_000_000_000).default(200_000),
  MAX_COST_USD: z.coerce.number().min(0).optional(),
  MAX_SECONDS: z.coerce.number().positive().max(86_400).default(600),
  MAX_DOWNLOADS: whole(0, 1_000).default(12),
  DRAIN_SECONDS: z.coerce.number().min(0).max(3_600).default(20),
  ...addresses,
  ...keys,
});

/** The names of all settings. */
export const SETTINGS: readonly string[] = Object.keys(ConfigSchema.shape);

type Environment = Readonly<Record<string, string | undefined>>;
export type Config = Readonly<z.infer<typeof ConfigSchema>>;

/**
 * The settings, checked once; an empty value counts as unset.
 * @throws DossierError `config_invalid` that names every setting that is wrong
 */
export function readConfig(environment: Environment = environmentWithFile()): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined && value.trim() !== ""));
  const parsed = ConfigSchema.safeParse(given);
  if (!parsed.success) {
    const faults = parsed.error.issues.map(({ path, message }) => ({ path: path.join("."), message }));
    throw new DossierError("config_invalid", `Settings are wrong: ${faults.map((fault) => `${fault.path}: ${fault.message}`).join("; ")}`, {
      faults,
    });
  }
  const config = parsed.data;
  if (!isLoopback(config.HOST) && config.ALLOW_ANONYMOUS !== "1") {
    throw new DossierError(
      "config_invalid",
      `HOST=${config.HOST} would serve other machines without keys. Use a loopback address, or set ALLOW_ANONYMOUS=1 if that is what you want.`,
    );
  }
  return Object.freeze(config);
}

/** What the environment does not say, a file `.env` in the working folder may. */
function environmentWithFile(): Environment {
  if (existsSync(".env")) process.loadEnvFile(".env");
  return process.env;
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
}

/** One optional setting for each of `names`. */
function settingsOf<Name extends string, Suffix extends string>(
  names: readonly Name[],
  suffix: Suffix,
  schema: z.ZodOptional<z.ZodType<string>>,
): Record<`${Name}${Suffix}`, typeof schema> {
  return Object.fromEntries(names.map((name) => [`${name}${suffix}`, schema])) as Record<`${Name}${Suffix}`, typeof schema>;
}

/** What the operator said about the service of that id, such as `sec_edgar`. */
export function serviceSettings(config: Config, id: string): { readonly baseUrl?: string; readonly apiKey?: string } {
  const settings: Readonly<Record<string, unknown>> = config;
  const baseUrl = settings[`${id.toUpperCase()}_BASE_URL`];
  const apiKey = settings[`${id.toUpperCase()}_API_KEY`];
  return { ...(typeof baseUrl === "string" && { baseUrl }), ...(typeof apiKey === "string" && { apiKey }) };
}
