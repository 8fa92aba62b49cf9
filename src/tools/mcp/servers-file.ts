import { readFileSync } from "node:fs";
import { z } from "zod";
import { DossierError } from "../../errors.ts";
import { secretsInArguments, secretsUnder, writtenForms } from "./secrets.ts";

const FileSchema = z.object({ mcpServers: z.record(z.string(), z.record(z.string(), z.json())) });
const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** What a file says of servers; those that are switched off are known by name alone. */
export interface ServersFile {
  readonly servers: readonly ServerSettings[];
  readonly disabled: readonly string[];
  /** What the file asks for and does not get, by the name of the server. */
  readonly warnings: readonly { readonly name: string; readonly message: string }[];
}

type Texts = Readonly<Record<string, string>>;

interface Place {
  readonly file: string;
  readonly key: string;
}

/**
 * The servers of a file in the usual `mcpServers` form. `${NAME}` in `env` and `headers` stands for what `variable` says.
 * @throws DossierError `config_invalid` with the file and the key that is wrong
 */
export function readServers(file: string, variable: (name: string) => string | undefined): ServersFile {
  const { mcpServers } = parsed(FileSchema, jsonOf(file), { file, key: "" });
  const entries = Object.entries(mcpServers);
  const on = entries.filter(([, entry]) => isEnabled(entry));
  return {
    servers: on.map(([name, entry]) => settingsOf(name, entry, file, variable)),
    disabled: entries.filter(([, entry]) => !isEnabled(entry)).map(([name]) => name),
    warnings: on.flatMap(([name, entry]) => notFollowed(entry).map((message) => ({ name, message }))),
  };
}

function settingsOf(
  name: string,
  entry: Readonly<Record<string, unknown>>,
  file: string,
  variable: (name: string) => string | undefined,
): ServerSettings {
  const key = `mcpServers.${name}`;
  parsed(ServerNameSchema, name, { file, key });
  parsed(ForeignSchema, entry, { file, key });
  const fill = (texts: Texts, what: string) => filled(texts, { file, key: `${key}.${what}` }, variable);
  const secretsIn = (texts: Texts, given: Texts) => [...secretsOf(given), ...secretsOf(named(texts, variable))];
  if (entry["command"] !== undefined && entry["url"] !== undefined) refuse({ file, key }, "has both a command and a url; leave out one");
  const wrong = wrongWay(entry);
  if (wrong !== null && (entry["command"] ?? entry["url"]) !== undefined) refuse({ file, key: `${key}.${wrong.key}` }, wrong.message);
  const own = withoutForeign(entry);
  if (own["command"] !== undefined) {
    const { env, cwd = null, ...rest } = parsed(WAYS.stdio, own, { file, key });
    const given = fill(env, "env");
    return { ...rest, way: "stdio", name, env: given, cwd, secrets: formsOf([...secretsIn(env, given), ...secretsInArguments(rest.args)]) };
  }
  if (own["url"] === undefined) refuse({ file, key }, "needs a command (a process here) or a url (streamable HTTP)");
  const { headers, ...rest } = parsed(WAYS.http, own, { file, key });
  const given = fill(headers, "headers");
  return { ...rest, way: "http", name, headers: given, secrets: formsOf([...secretsIn(headers, given), ...secretsUnder("url", rest.url)]) };
}

function formsOf(secrets: readonly string[]): string[] {
  return [...new Set(secrets.flatMap(writtenForms))];
}

function secretsOf(texts: Texts): string[] {
  return Object.entries(texts).flatMap(([name, text]) => secretsUnder(name, text));
}

/** The variables that texts name, with what they stand for: their names tell of them too. */
function named(texts: Texts, variable: (name: string) => string | undefined): Texts {
  const names = Object.values(texts).flatMap((text) => [...text.matchAll(VARIABLE)].map(([, name = ""]) => name));
  return Object.fromEntries(names.map((name) => [name, variable(name) ?? ""]));
}

function filled(texts: Texts, { file, key }: Place, variable: (name: string) => string | undefined): Record<string, string> {
  const one = (name: string, text: string): string =>
    text.replace(VARIABLE, (_, asked: string) => {
      const value = variable(asked);
      if (value === undefined) refuse({ file, key: `${key}.${name}` }, `\${${asked}} is not set in the environment`);
      return value;
    });
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, one(name, text)]));
}

function jsonOf(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    // What is said of wrong JSON quotes a piece of it, which may be one of a secret.
    const why = error instanceof Error ? error.message.replace(/, (?:\.{3})?".*$/s, " is not valid JSON") : String(error);
    throw new DossierError("config_invalid", `MCP_SERVERS cannot be read: ${file}: ${why}. Nothing was started; name a JSON file.`);
  }
}

function parsed<Schema extends z.ZodType>(schema: Schema, value: unknown, { file, key }: Place): z.infer<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const path = [key, ...(issue?.path ?? [])].filter((part) => part !== "").join(".");
  return refuse({ file, key: path || "the file" }, issue?.message ?? "is wrong");
}

function refuse({ file, key }: Place, message: string): never {
  throw new DossierError(
    "config_invalid",
    `MCP_SERVERS (${file}): ${key}: ${message}. Nothing was started; set it right and start again.`,
    {
      faults: [{ path: key, message }],
    },
  );
}

type Entry = Readonly<Record<string, unknown>>;

const wishes = z.union([z.boolean(), z.array(z.string())]).optional();

/** What other clients write into the entry of a server, beside what is read here. */
const ForeignSchema = z.looseObject({
  /** Whether it is used at all, as three kinds of clients have it. */
  enabled: z.boolean().optional(),
  disabled: z.boolean().optional(),
  isActive: z.boolean().optional(),
  /** For whoever reads the file. */
  name: z.string().optional(),
  description: z.string().optional(),
  /** How it is spoken with, which its command or its url says as well. */
  type: z.string().optional(),
  transport: z.string().optional(),
  /** Tools, or all of them, that need no confirmation there. */
  autoApprove: wishes,
  alwaysAllow: wishes,
  trust: wishes,
  /** In seconds for some, in milliseconds for others. */
  timeout: z.number().optional(),
});

/** Whether a server is used. */
function isEnabled({ enabled, disabled, isActive }: Entry): boolean {
  return enabled !== false && disabled !== true && isActive !== false;
}

/** The entry without what other clients write. */
function withoutForeign(entry: Entry): Entry {
  return Object.fromEntries(Object.entries(entry).filter(([key]) => !Object.hasOwn(ForeignSchema.shape, key)));
}

/** What an entry asks for and does not get, and what to write instead, sentence by sentence. */
function notFollowed(entry: Entry): string[] {
  const approved = ["autoApprove", "alwaysAllow", "trust"].filter((key) => isWish(entry[key]));
  return [
    ...approved.map(
      (key) => `${key} is not followed: what changes something waits for the user. To let the server do it unasked, write allowMutations.`,
    ),
    ...(entry["timeout"] === undefined
      ? []
      : ["timeout is not followed, as clients differ in its unit. Write timeoutMs, in milliseconds."]),
  ];
}

function isWish(value: unknown): boolean {
  return value === true || (Array.isArray(value) && value.length > 0);
}

interface WrongWay {
  readonly key: string;
  readonly message: string;
}

/** What is wrong with the way that an entry names, where it names one. */
function wrongWay(entry: Entry): WrongWay | null {
  const faults = ["type", "transport"].flatMap((key) => {
    const named = entry[key];
    const message = typeof named === "string" ? faultOf(named, entry) : null;
    return message === null ? [] : [{ key, message }];
  });
  return faults[0] ?? null;
}

function faultOf(named: string, { command }: Entry): string | null {
  const way = named.toLowerCase().replaceAll(/[-_ ]/g, "");
  if (way === "sse")
    return "sse is an older transport, which is not spoken here; write http, and the address at which the server speaks streamable HTTP";
  if (way !== "stdio" && way !== "http" && way !== "streamablehttp") return `${named} is none of stdio, http and streamable-http`;
  if ((way === "stdio") === (command !== undefined)) return null;
  return `${named} does not go with ${command === undefined ? "a url" : "a command"}; leave it out`;
}

const CONNECT_TIMEOUT_MS = 10_000;
const TIMEOUT_MS = 30_000;
const MAX_RESULT_CHARACTERS = 50_000;
const MAX_NAME_LENGTH = 90;

const texts = z.record(z.string(), z.string());

/** Of every server, beside what other clients write. */
const common = {
  graphs: z.array(z.string().min(1)).min(1).nullable().default(null),
  allowMutations: z.boolean().default(false),
  connectTimeoutMs: z.int().min(100).max(15_000).default(CONNECT_TIMEOUT_MS),
  timeoutMs: z.int().min(100).max(60_000).default(TIMEOUT_MS),
  maxResultCharacters: z.int().min(100).max(1_000_000).default(MAX_RESULT_CHARACTERS),
};

const StdioSchema = z.strictObject({
  command: z.string().min(1),
  args: z.array(z.string()).default([]),
  env: texts.default({}),
  cwd: z.string().min(1).optional(),
  ...common,
});

const HttpSchema = z.strictObject({
  url: z.url({ protocol: /^https?$/ }),
  headers: texts.default({}),
  ...common,
});

/** The two ways to a server: a process of ours, or an address. */
const WAYS = { stdio: StdioSchema, http: HttpSchema };

const ServerNameSchema = z
  .string()
  .min(1)
  .max(MAX_NAME_LENGTH)
  .regex(/^[^\s,]+$/, "must have no spaces and no commas");

/** What a run needs to know of a server that it may use. */
interface Common {
  readonly name: string;
  /** Names of the graphs that may use it; null for all. */
  readonly graphs: readonly string[] | null;
  /** Whether its tools may change something without the user's word. */
  readonly allowMutations: boolean;
  /** Milliseconds until it has to be ready for calls, and those that one call may take. */
  readonly connectTimeoutMs: number;
  readonly timeoutMs: number;
  readonly maxResultCharacters: number;
  /** What its entry holds that nobody may read, in the forms in which it may be written. */
  readonly secrets: readonly string[];
}

export interface StdioServer extends Common {
  readonly way: "stdio";
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string | null;
}

export interface HttpServer extends Common {
  readonly way: "http";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A server that is enabled, with all that its entry leaves open. */
export type ServerSettings = StdioServer | HttpServer;
