import { readFileSync } from "node:fs";
import { z } from "zod";
import { type Config, environmentVariable, readConfig } from "../config.ts";
import { URLS_SOURCE } from "../domain/hit.ts";
import { plainIssue } from "../domain/plain-issue.ts";
import type { Price } from "../domain/request.ts";
import { ROLES } from "../domain/roles.ts";
import { type Team, TeamSchema } from "../domain/team.ts";
import { isServerId, SERVER_PREFIX } from "../domain/tool.ts";
import { DossierError, type Fault, invalidSettings, toDossierError } from "../errors.ts";
import { readPrices } from "../models/call-budget.ts";
import { loadPrompts } from "../models/prompts.ts";
import { readSecretKeys } from "../storage/secret-box.ts";
import { readServers, type ServersFile } from "../tools/mcp/servers-file.ts";
import { SOURCES } from "../tools/sources/sources.ts";
import { TOOLS } from "../tools/tools.ts";
import type { AnalystParts } from "./parts.ts";

/** `urls` allows the addresses of requests where no other source reaches the network. */
export const SOURCE_NAMES: readonly string[] = [
  "corpus",
  URLS_SOURCE,
  ...SOURCES.map(({ endpoint }) => endpoint.id),
  ...TOOLS.map(({ name }) => name),
];

const GRAPH_NAMES: readonly string[] = ["executor", "agent", "research", "team"];

type Environment = Readonly<Record<string, string | undefined>>;
type Files = Partial<Pick<Config, "TEAMS" | "MODEL_PRICES" | "MCP_SERVERS" | "PROMPTS_DIR" | "SOURCES" | "SECRET_KEY_FILE">>;

/** Reads all settings. If one is wrong, also checks the files that settings name. @throws DossierError `config_invalid` with all faults */
export async function readSettings(environment?: Environment): Promise<Config> {
  try {
    return readConfig(environment, SOURCE_NAMES);
  } catch (error) {
    const given = (name: string) => (environment === undefined ? environmentVariable(name) : environment[name]) || undefined;
    const names = ["TEAMS", "MODEL_PRICES", "MCP_SERVERS", "PROMPTS_DIR", "SECRET_KEY_FILE"];
    const files: Files = Object.fromEntries(names.map((name) => [name, given(name)]));
    return (await allOrFaults([Promise.reject<Config>(error), readSettingsFiles(files)]))[0];
  }
}

/** Reads and checks the files that settings name. @throws DossierError `config_invalid` with the faults of all files */
export async function readSettingsFiles(files: Files, { promptsDir = files.PROMPTS_DIR, roles }: AnalystParts = {}) {
  const [prompts, teams, prices, servers, secretKeys] = await allOrFaults([
    loadPrompts({ folder: promptsDir, roles: { ...ROLES, ...roles } }),
    Promise.try(readTeams, files.TEAMS),
    Promise.try(readOwnPrices, files.MODEL_PRICES),
    Promise.try(readOwnServers, files.MCP_SERVERS, files.SOURCES),
    Promise.try(readOwnKeys, files.SECRET_KEY_FILE),
  ]);
  return { prompts, teams, prices, servers, secretKeys };
}

/** Works like `Promise.all`, but the error has the faults of all rejected promises. */
async function allOrFaults<T extends readonly Promise<unknown>[]>(readings: readonly [...T]): Promise<{ [K in keyof T]: Awaited<T[K]> }> {
  const settled = await Promise.allSettled(readings);
  const errors = settled.flatMap((one) => (one.status === "rejected" ? [toDossierError(one.reason)] : []));
  if (errors.length < 2 || errors.some(({ code }) => code !== "config_invalid")) return Promise.all(readings);
  throw invalidSettings(errors.flatMap(({ faults, message }) => (faults.length > 0 ? faults : [{ path: "settings", message }])));
}

const MAX_TEAMS = 100;
const NAME = /^[\p{L}\p{N}_.-]{1,100}$/u;

function readTeams(file: string | undefined): ReadonlyMap<string, Team> {
  if (file === undefined) return new Map();
  const path = `TEAMS, ${file}`;
  const given = z.record(z.string(), z.unknown()).safeParse(readFile(file, path, JSON.parse));
  if (!given.success) throw invalidSettings([{ path, message: "it must contain one JSON object whose keys are names of teams" }]);
  const entries = Object.entries(given.data);
  if (entries.length > MAX_TEAMS)
    throw invalidSettings([{ path, message: `it has ${entries.length} teams; at most ${MAX_TEAMS} are allowed` }]);
  const teams = entries.map(([name, team]) => ({ name, read: TeamSchema.safeParse(team, { error: plainIssue }) }));
  const faults = teams.flatMap(({ name, read }): Fault[] => {
    if (!NAME.test(name))
      return [{ path, message: `${JSON.stringify(name)} is not a valid name of a team: use 1 to 100 letters, digits, _ . or -` }];
    const issues = read.error?.issues ?? [];
    return issues.map((issue) => ({ path, message: `${[name, ...issue.path.map(String)].join("/")}: ${issue.message}` }));
  });
  if (faults.length > 0) throw invalidSettings(faults);
  return new Map(teams.flatMap(({ name, read }) => (read.success ? [[name, read.data]] : [])));
}

function readOwnPrices(file: string | undefined): Readonly<Record<string, Price>> {
  return file === undefined ? {} : readFile(file, `MODEL_PRICES, ${file}`, readPrices);
}

function readOwnKeys(file: string | undefined): readonly Buffer[] {
  if (file === undefined) return [];
  const path = `SECRET_KEY_FILE, ${file}`;
  const keys = readFile(file, path, readSecretKeys);
  if (keys === null)
    throw invalidSettings([{ path, message: "each line must be 32 bytes in base64, as `openssl rand -base64 32` prints them" }]);
  return keys;
}

function readFile<T>(file: string, path: string, parse: (text: string) => T): T {
  try {
    return parse(readFileSync(file, "utf8"));
  } catch (cause) {
    if (cause instanceof DossierError) throw cause;
    throw invalidSettings([{ path, message: `it cannot be read: ${toDossierError(cause).message}` }], cause);
  }
}

function readOwnServers(file: string | undefined, named: readonly string[] = []): ServersFile {
  const read = file === undefined ? { servers: [], disabled: [], warnings: [] } : readServers(file, environmentVariable);
  const ids = [...read.servers.map(({ name }) => name), ...read.disabled].map((name) => `${SERVER_PREFIX}${name}`);
  const unknown = named.filter((id) => isServerId(id) && !ids.includes(id));
  const faults = read.servers.flatMap(({ name, graphs }): Fault[] => {
    const wrong = (graphs ?? []).filter((graph) => !GRAPH_NAMES.includes(graph));
    const message = `names unknown graphs: ${wrong.join(", ")}; the graphs are: ${GRAPH_NAMES.join(", ")}`;
    return wrong.length > 0 ? [{ path: `MCP_SERVERS, ${file}: mcpServers.${name}.graphs`, message }] : [];
  });
  if (unknown.length > 0)
    faults.push({ path: "SOURCES", message: `${unknown.join(", ")} is not in the file MCP_SERVERS; add it there or remove it here` });
  if (faults.length > 0) throw invalidSettings(faults);
  return read;
}
