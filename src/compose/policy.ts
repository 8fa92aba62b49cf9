import { readFileSync } from "node:fs";
import { z } from "zod";
import type { Config } from "../config.ts";
import { plainIssue } from "../domain/plain-issue.ts";
import type { SearchSource } from "../domain/ports/sources.ts";
import type { Tool } from "../domain/ports/tools.ts";
import type { Limits } from "../domain/request.ts";
import { type Team, TeamSchema } from "../domain/team.ts";
import { DossierError } from "../errors.ts";
import type { OpenToolServers } from "../tools/mcp/tool-servers.ts";

/** Returns all sources and tools, or those in `named` (SOURCES), which may name disabled servers. @throws DossierError `config_invalid` */
export function widestScope(
  named: readonly string[] | undefined,
  sources: readonly SearchSource[],
  tools: readonly Tool[],
  servers: Pick<OpenToolServers, "known" | "off">,
) {
  const ids = sources.map(({ id }) => id);
  const names = [...tools.map(({ name }) => name), ...servers.known.map(({ id }) => id)];
  const unknown = named?.filter((id) => ![...ids, ...names, ...servers.off].includes(id)) ?? [];
  const known = [...ids, ...names].join(", ");
  if (unknown.length > 0)
    throw new DossierError(
      "config_invalid",
      `SOURCES names unknown sources: ${unknown.join(", ")}. Nothing was started. Choose from: ${known}.`,
    );
  return {
    sources: named?.filter((id) => ids.includes(id)) ?? ids,
    tools: named?.filter((id) => names.includes(id)) ?? names,
    graphsByTool: Object.fromEntries(servers.known.flatMap(({ id, graphs }) => (graphs === null ? [] : [[id, graphs]]))),
  };
}

export function policyOf(config: Config) {
  const limits: Limits = {
    optionalToolLoops: config.MAX_OPTIONAL_TOOL_LOOPS,
    steps: config.MAX_STEPS,
    modelCalls: config.MAX_MODEL_CALLS,
    tokens: config.MAX_TOKENS,
    costUsd: config.MAX_COST_USD ?? null,
    seconds: config.MAX_SECONDS,
    downloads: config.MAX_DOWNLOADS,
  };
  return {
    limits,
    parallelTodos: config.MAX_PARALLEL_TODOS,
    unsupported: config.UNSUPPORTED_SENTENCES,
    reuseSeconds: config.REUSE_TOOL_RESULTS_SECONDS,
    termination: { policy: config.TERMINATION_POLICY, phrases: config.STOCK_PHRASES },
  };
}

const MAX_TEAMS = 100;
const NAME = /^[\p{L}\p{N}_.-]{1,100}$/u;

/** Reads the teams of the file TEAMS, by name. @throws DossierError `config_invalid` that names the file and the key */
export function openTeams(file: string | undefined): ReadonlyMap<string, Team> {
  if (file === undefined) return new Map();
  const given = z.record(z.string(), z.unknown()).safeParse(readJson(file));
  if (!given.success) throw invalid(file, "it must contain one JSON object whose keys are names of teams");
  const entries = Object.entries(given.data);
  if (entries.length > MAX_TEAMS) throw invalid(file, `it has ${entries.length} teams; at most ${MAX_TEAMS} are allowed`);
  return new Map(entries.map(([name, team]) => [name, readTeam(file, name, team)]));
}

function readTeam(file: string, name: string, given: unknown): Team {
  if (!NAME.test(name))
    throw invalid(file, `${JSON.stringify(name)} is not a valid name of a team: use 1 to 100 letters, digits, _ . or -`);
  const team = TeamSchema.safeParse(given, { error: plainIssue });
  if (team.success) return team.data;
  const faults = team.error.issues.map(({ path, message }) => `${[name, ...path.map(String)].join("/")}: ${message}`);
  throw invalid(file, faults.join("; "));
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw invalid(file, `it cannot be read: ${why}`, cause);
  }
}

function invalid(file: string, fault: string, cause?: unknown): DossierError {
  return new DossierError("config_invalid", `TEAMS, ${file}: ${fault}. Nothing was started. Correct it and start again.`, { cause });
}
