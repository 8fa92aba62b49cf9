import { createHash } from "node:crypto";
import { join, resolve } from "node:path";
import type { Logger } from "pino";
import { type Config, DOCUMENTATION_DIR, environmentVariable } from "../config.ts";
import type { DocumentExtractor, DocumentReader } from "../domain/ports/documents.ts";
import type { ToolServers } from "../domain/ports/tools.ts";
import { SERVER_PREFIX } from "../domain/tool.ts";
import { DossierError } from "../errors.ts";
import { readAllowedHosts } from "../network/check-link.ts";
import { createServerFetch } from "../network/configured-server.ts";
import type { Resolve } from "../network/guarded-connector.ts";
import { createNetwork, type Network } from "../network/network.ts";
import type { TimeLimits } from "../network/send-request.ts";
import { type Corpus, createCorpus } from "../tools/corpus/corpus.ts";
import { readServers } from "../tools/mcp/servers-file.ts";
import { createToolServers, type OpenToolServers } from "../tools/mcp/tool-servers.ts";
import { VERSION } from "./program.ts";

interface NetworkParts {
  readonly resolve?: Resolve;
  readonly timeLimits?: TimeLimits;
}

/** The way outside of all sources and tools, with the addresses that the operator gave them. */
export function openNetwork(config: Config, { resolve, timeLimits }: NetworkParts): Network {
  const contact = config.CONTACT_EMAIL === undefined ? "" : ` (mailto:${config.CONTACT_EMAIL})`;
  const baseUrls = Object.entries(config.services).flatMap(([id, { baseUrl }]) => (baseUrl === undefined ? [] : [[id, baseUrl]]));
  return createNetwork({
    baseUrls: Object.fromEntries(baseUrls),
    allowedHosts: readAllowedHosts(config.ALLOWED_PRIVATE_HOSTS),
    userAgent: `dossier/${VERSION}${contact}`,
    ...(resolve && { resolve }),
    ...(timeLimits && { limits: timeLimits }),
  });
}

/** Told of every file that is looked into. */
export type OnIndexed = (progress: { readonly done: number; readonly total: number }) => void;

/** The folder of the deployment as a source; each folder has an index of its own. */
export function openCorpus(config: Config, { onIndexed }: { readonly onIndexed?: OnIndexed }, extractor: DocumentExtractor): Corpus {
  const dir = resolve(config.CORPUS_DIR);
  const name = createHash("sha256").update(dir).digest("hex").slice(0, 12);
  return createCorpus({
    dir,
    databaseFile: join(resolve(config.DATA_DIR), `corpus-${name}.sqlite`),
    extractor,
    isDocumentation: dir === resolve(DOCUMENTATION_DIR),
    ...(onIndexed && { onProgress: onIndexed }),
  });
}

/** Files of the corpus are read for runs that may use it where the corpus found them; a page of the web that claims to be one is refused. */
export function readerOf(corpus: DocumentReader, web: DocumentReader): DocumentReader {
  return {
    async read(hit, context) {
      if (!hit.url.startsWith("corpus:")) return web.read(hit, context);
      if (context.scope.includes("corpus")) return (hit.foundBy === "corpus" ? corpus : web).read(hit, context);
      throw new DossierError("out_of_scope", `${hit.url} was not read: the scope of the run is ${context.scope.join(", ")}.`);
    },
  };
}

interface Options {
  readonly version: string;
  readonly clock: () => number;
  readonly logger: Logger;
}

/** The MCP servers of a deployment, none of them connected. @throws DossierError `config_invalid` */
export function openToolServers(config: Config, { version, clock, logger }: Options): OpenToolServers {
  const file = config.MCP_SERVERS === undefined ? NO_FILE : readServers(config.MCP_SERVERS, environmentVariable);
  const servers = createToolServers(file, {
    version,
    clock,
    openWay: createServerFetch,
    onFailed: (server, error) => logger.warn({ server, code: error.code, err: error }, "MCP server not connected"),
  });
  for (const { name, message } of file.warnings) logger.warn({ server: `${SERVER_PREFIX}${name}` }, `MCP_SERVERS: ${message}`);
  for (const server of servers.off.filter((id) => config.SOURCES?.includes(id)))
    logger.warn({ server }, "SOURCES names an MCP server that is disabled; no run uses it");
  return servers;
}

const NO_FILE = { servers: [], disabled: [], warnings: [] };

/** The servers of a replay, whose answers are all recorded. */
export const RECORDED_SERVERS: ToolServers = { list: refuse, call: refuse };

async function refuse(): Promise<never> {
  throw new DossierError("internal", "A replay connects to no server.");
}

/** @throws DossierError `config_invalid` for a server that is kept for a graph which is not there */
export function checkGraphs({ known }: OpenToolServers, graphs: readonly string[]): void {
  for (const { id, graphs: own } of known) {
    const unknown = (own ?? []).filter((name) => !graphs.includes(name));
    if (unknown.length > 0)
      throw new DossierError("config_invalid", `MCP_SERVERS: ${id} is for ${unknown.join(", ")}; the graphs are: ${graphs.join(", ")}.`);
  }
}
