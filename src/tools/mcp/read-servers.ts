import { readFileSync } from "node:fs";
import { z } from "zod";
import { DossierError } from "../../errors.ts";
import { ForeignSchema, isEnabled, notFollowed, withoutForeign, wrongWay } from "./foreign-keys.ts";
import { secretsInArguments, secretsUnder, writtenForms } from "./secret-values.ts";
import { ServerNameSchema, type ServerSettings, WAYS } from "./server-settings.ts";

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
