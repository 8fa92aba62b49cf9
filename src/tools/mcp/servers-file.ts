import { readFileSync } from "node:fs";
import { z } from "zod";
import { plainIssue } from "../../domain/plain-issue.ts";
import { DossierError, invalidSettings } from "../../errors.ts";
import { writtenForms } from "../../util/mask-values.ts";
import { secretsInArguments, secretsUnder } from "./secrets.ts";

const FileSchema = z.object({ mcpServers: z.record(z.string(), z.record(z.string(), z.json())) });

const ServerNameSchema = z
  .string()
  .min(1)
  .max(90)
  .regex(/^[^\s,]+$/, "must have no spaces and no commas");

const texts = z.record(z.string(), z.string());

const common = {
  graphs: z.array(z.string().min(1)).min(1).nullable().default(null),
  /** Allows tools that change something to run without the user's consent. */
  allowMutations: z.boolean().default(false),
  connectTimeoutMs: z.int().min(100).max(60_000).default(10_000),
  timeoutMs: z.int().min(100).max(60_000).default(30_000),
  maxResultCharacters: z.int().min(100).max(1_000_000).default(50_000),
};

const StdioSchema = z.strictObject({
  command: z.string().min(1),
  args: z.array(z.string()).default([]),
  env: texts.default({}),
  cwd: z
    .string()
    .min(1)
    .optional()
    .transform((cwd) => cwd ?? null),
  ...common,
});

const HttpSchema = z.strictObject({ url: z.url({ protocol: /^https?$/ }), headers: texts.default({}), ...common });

const approval = z.union([z.boolean(), z.array(z.string())]).optional();

const ForeignSchema = z.looseObject({
  enabled: z.boolean().optional(),
  disabled: z.boolean().optional(),
  isActive: z.boolean().optional(),
  name: z.string().optional(),
  description: z.string().optional(),
  type: z.string().optional(),
  transport: z.string().optional(),
  autoApprove: approval,
  alwaysAllow: approval,
  trust: approval,
  /** Ignored: some clients write seconds here, others milliseconds. */
  timeout: z.number().optional(),
});

interface Named {
  readonly name: string;
  readonly secrets: readonly string[];
}

export type StdioServer = Readonly<z.infer<typeof StdioSchema>> & Named & { readonly transport: "stdio" };
export type HttpServer = Readonly<z.infer<typeof HttpSchema>> & Named & { readonly transport: "http" };

export type ServerSettings = StdioServer | HttpServer;

export interface ServersFile {
  readonly servers: readonly ServerSettings[];
  readonly disabled: readonly string[];
  readonly warnings: readonly { readonly name: string; readonly message: string }[];
}

type Entry = Readonly<Record<string, unknown>>;
type Texts = Readonly<Record<string, string>>;
type Variable = (name: string) => string | undefined;

interface Place {
  readonly file: string;
  readonly key: string;
}

/** Replaces `${NAME}` in `env` and `headers` by `variable(NAME)`. @throws DossierError `config_invalid` with file and key */
export function readServers(file: string, variable: Variable): ServersFile {
  const { mcpServers } = parse(FileSchema, readJson(file), { file, key: "" });
  const entries = Object.entries(mcpServers);
  const enabled = entries.filter(([, entry]) => isEnabled(entry));
  return {
    servers: enabled.map(([name, entry]) => readEntry(name, entry, file, variable)),
    disabled: entries.filter(([, entry]) => !isEnabled(entry)).map(([name]) => name),
    warnings: enabled.flatMap(([name, entry]) => ignoredKeys(entry).map((message) => ({ name, message }))),
  };
}

/** Reads an entry that a tenant has set. @throws DossierError `invalid_request` */
export function readTenantServer(name: string, entry: Entry): HttpServer {
  const place = { file: "", key: `mcpServers.${name}` };
  try {
    if (entry["command"] !== undefined) refuse(place, "a tenant's server needs a url: a command would run on the operator's machine");
    const settings = readEntry(name, entry, "", (asked) =>
      refuse(place, `\${${asked}} is not filled for a tenant; write the value itself`),
    );
    if (settings.transport === "http") return settings;
    return refuse(place, "a tenant's server needs a url");
  } catch (error) {
    if (!(error instanceof DossierError)) throw error;
    const [{ path, message } = { path: "", message: error.message }] = error.faults;
    const at = path.slice(path.indexOf(place.key) + place.key.length).replaceAll(".", "/");
    throw new DossierError("invalid_request", `Nothing was changed: ${`${at} ${message}`.trim()}.`, { faults: [{ path: at, message }] });
  }
}

function isEnabled({ enabled, disabled, isActive }: Entry): boolean {
  return enabled !== false && disabled !== true && isActive !== false;
}

function ignoredKeys(entry: Entry): string[] {
  const approved = ["autoApprove", "alwaysAllow", "trust"].filter((key) => {
    const value = entry[key];
    return value === true || (Array.isArray(value) && value.length > 0);
  });
  const messages = approved.map(
    (key) => `${key} is ignored: calls that change something need the user's consent. To allow them without consent, set allowMutations.`,
  );
  if (entry["timeout"] !== undefined)
    messages.push("timeout is ignored, because clients differ in its unit. Use timeoutMs, in milliseconds.");
  return messages;
}

function readEntry(name: string, entry: Entry, file: string, variable: Variable): ServerSettings {
  const place = { file, key: `mcpServers.${name}` };
  parse(ServerNameSchema, name, place);
  parse(ForeignSchema, entry, place);
  const isStdio = entry["command"] !== undefined;
  if (isStdio && entry["url"] !== undefined) refuse(place, "has both a command and a url; leave out one");
  if (!isStdio && entry["url"] === undefined) refuse(place, "needs a command (a process here) or a url (streamable HTTP)");
  checkTransport(entry, place);
  const own = Object.fromEntries(Object.entries(entry).filter(([key]) => !Object.hasOwn(ForeignSchema.shape, key)));
  const fill = (given: Texts, key: string) => fillVariables(given, { file, key: `${place.key}.${key}` }, variable);
  if (isStdio) {
    const { env: given, ...rest } = parse(StdioSchema, own, place);
    const { filled: env, secrets } = fill(given, "env");
    return { ...rest, transport: "stdio", name, env, secrets: allForms([...secrets, ...secretsInArguments(rest.args)]) };
  }
  const { headers: given, ...rest } = parse(HttpSchema, own, place);
  const { filled: headers, secrets } = fill(given, "headers");
  return { ...rest, transport: "http", name, headers, secrets: allForms([...secrets, ...secretsUnder("url", rest.url)]) };
}

function checkTransport(entry: Entry, { file, key }: Place): void {
  for (const named of ["type", "transport"]) {
    const value = entry[named];
    const message = typeof value === "string" ? transportFault(value, entry["command"] !== undefined) : null;
    if (message !== null) refuse({ file, key: `${key}.${named}` }, message);
  }
}

function transportFault(value: string, isStdio: boolean): string | null {
  const transport = value.toLowerCase().replaceAll(/[-_ ]/g, "");
  if (transport === "sse")
    return "sse is an older transport that is not supported here; write http, and the URL of the server's streamable HTTP endpoint";
  if (transport !== "stdio" && transport !== "http" && transport !== "streamablehttp")
    return `${value} is not stdio, http or streamable-http`;
  return (transport === "stdio") === isStdio ? null : `${value} does not go with ${isStdio ? "a command" : "a url"}; leave it out`;
}

function fillVariables(given: Texts, { file, key }: Place, variable: Variable): { filled: Record<string, string>; secrets: string[] } {
  const used = new Map<string, string>();
  const fill = (name: string, text: string): string =>
    text.replace(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (_, asked: string) => {
      const value = variable(asked) ?? refuse({ file, key: `${key}.${name}` }, `\${${asked}} is not set in the environment`);
      used.set(asked, value);
      return value;
    });
  const filled = Object.fromEntries(Object.entries(given).map(([name, text]) => [name, fill(name, text)]));
  return { filled, secrets: [...Object.entries(filled), ...used].flatMap(([name, text]) => secretsUnder(name, text)) };
}

function allForms(secrets: readonly string[]): string[] {
  return [...new Set(secrets.flatMap(writtenForms))];
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    // The message of a SyntaxError quotes the file, which may contain a secret.
    const why = error instanceof Error ? error.message.replace(/, (?:\.{3})?".*$/s, " is not valid JSON") : String(error);
    throw invalidSettings([{ path: `MCP_SERVERS, ${file}`, message: `it cannot be read: ${why}` }]);
  }
}

function parse<Schema extends z.ZodType>(schema: Schema, value: unknown, { file, key }: Place): z.infer<Schema> {
  const result = schema.safeParse(value, { error: plainIssue });
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const path = [key, ...(issue?.path ?? [])].filter((part) => part !== "").join(".");
  return refuse({ file, key: path || "the file" }, issue?.message ?? "is wrong");
}

function refuse({ file, key }: Place, message: string): never {
  throw invalidSettings([{ path: `MCP_SERVERS, ${file}: ${key}`, message }]);
}
