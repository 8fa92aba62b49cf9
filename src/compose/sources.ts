import { createHash } from "node:crypto";
import { existsSync, readdirSync, rmSync, statSync, utimesSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Logger } from "pino";
import { type Config, DOCUMENTATION_DIR } from "../config.ts";
import { createFileExtractor } from "../documents/read-upload.ts";
import { DOCUMENTS_SOURCE } from "../domain/hit.ts";
import type { SourceState } from "../domain/ports/run-service.ts";
import type { SharedLimits } from "../domain/ports/shared-limits.ts";
import type { DocumentExtractor, DocumentReader } from "../domain/ports/sources.ts";
import type { WorkerPool } from "../domain/ports/workers.ts";
import { SERVER_PREFIX } from "../domain/tool.ts";
import { DossierError, toDossierError } from "../errors.ts";
import { readAllowedHosts } from "../network/check-link.ts";
import { createServerFetch } from "../network/configured-server.ts";
import { createNetwork, type Network } from "../network/network.ts";
import type { Proxies } from "../network/proxies.ts";
import { type Corpus, FolderCorpus } from "../tools/corpus/corpus.ts";
import type { ServersFile } from "../tools/mcp/servers-file.ts";
import { createToolServers, type OpenToolServers } from "../tools/mcp/tool-servers.ts";
import type { LimitParts, ObserverParts, SourceParts } from "./parts.ts";
import { VERSION } from "./process.ts";

/** Returns null if everything leaves without a proxy. */
export function proxiesOf({ HTTP_PROXY: http, HTTPS_PROXY: https, NO_PROXY: none, PROXY_RESOLVES }: Config): Proxies | null {
  return http === undefined && https === undefined ? null : { http, https, none, resolves: PROXY_RESOLVES === "1" };
}

export function openNetwork(config: Config, shared: SharedLimits, { network }: LimitParts): Network {
  const contact = config.CONTACT_EMAIL === undefined ? "" : ` (mailto:${config.CONTACT_EMAIL})`;
  const baseUrls = Object.entries(config.services).flatMap(([id, { baseUrl }]) => (baseUrl === undefined ? [] : [[id, baseUrl]]));
  return createNetwork({
    baseUrls: Object.fromEntries(baseUrls),
    allowedHosts: readAllowedHosts(config.ALLOWED_PRIVATE_HOSTS),
    proxies: proxiesOf(config),
    shared,
    obeysRobots: config.ROBOTS_TXT === "obey",
    userAgent: `dossier/${VERSION}${contact}`,
    ...network,
  });
}

const MAX_LOGGED_FAILURES = 50;

const KEPT_INDEXES = 5;
const INDEX_FILE = /^corpus-[0-9a-f]{12}\.sqlite$/;

/** The folder of the settings, else Dossier's own documentation, which the image lacks. */
export function folderOf({ CORPUS_DIR = DOCUMENTATION_DIR }: Config): string {
  return resolve(CORPUS_DIR);
}

function indexFileOf(config: Config, tenant?: string): string {
  const name = createHash("sha256").update(folderOf(config)).digest("hex").slice(0, 12);
  // The name of a tenant keeps it from being deleted with old ones.
  return join(resolve(config.DATA_DIR), `corpus-${tenant === undefined ? "" : `of-${tenant}-`}${name}.sqlite`);
}

/** Keeps the index of the corpus and those of four folders that were the corpus last. Others are made again when they are needed. */
function deleteOldIndexes(config: Config): void {
  const current = indexFileOf(config);
  // Searching changes no file, so the use is noted here.
  if (existsSync(current)) utimesSync(current, new Date(), new Date());
  const files = readdirSync(dirname(current)).filter((name) => INDEX_FILE.test(name));
  const others = files.map((name) => join(dirname(current), name)).filter((file) => file !== current);
  const byUse = others.toSorted((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  for (const file of byUse.slice(KEPT_INDEXES - 1)) {
    for (const suffix of ["", "-wal", "-shm", "-journal"]) rmSync(file + suffix, { force: true });
  }
}

/** Each corpus folder has its own index database, named by a hash of the folder's path. */
export function openCorpus(
  config: Config,
  { onIndexed, partialIndex = false }: ObserverParts & SourceParts,
  { extractor, workers, logger, tenant }: { extractor: DocumentExtractor; workers: WorkerPool; logger: Logger; tenant?: string },
): Corpus {
  return new FolderCorpus({
    dir: folderOf(config),
    databaseFile: indexFileOf(config, tenant),
    extractor: createFileExtractor(extractor),
    workers,
    isDocumentation: config.CORPUS_DIR === undefined,
    ...(partialIndex && { patienceMs: 0 }),
    ...(onIndexed && { onProgress: onIndexed }),
    onFailed(failures) {
      for (const failure of failures.slice(0, MAX_LOGGED_FAILURES)) logger.warn({ ...failure, tenant }, "corpus file not indexed");
    },
  });
}

/** How the list of sources shows the corpus where there is none. @throws DossierError `config_invalid` if `SOURCES` names it */
export function missingCorpus({ id, kind, title }: Corpus, { SOURCES }: Pick<Config, "SOURCES">): SourceState {
  if (SOURCES?.includes(id) === true)
    throw new DossierError("config_invalid", `SOURCES names ${id}, which needs CORPUS_DIR. Set it, or remove ${id} from SOURCES.`);
  return { id, kind, title, configured: false, needsKey: false, setting: "CORPUS_DIR", lastTry: null };
}

/** If the index cannot be opened, as on a full disk or in a read-only folder, each use tries again. */
export function openLater(config: Config, open: () => Corpus, onFailed: (error: DossierError) => void): Corpus {
  let corpus: Corpus | null = null;
  try {
    deleteOldIndexes(config);
    corpus = open();
  } catch (error) {
    onFailed(toDossierError(error));
  }
  const opened = (): Corpus => {
    corpus ??= open();
    return corpus;
  };
  return {
    id: "corpus",
    kind: "corpus",
    title: "Local documents",
    search: async (query, context) => opened().search(query, context),
    indexing: () => corpus?.indexing() ?? null,
    languages: () => corpus?.languages?.() ?? [],
    read: async (hit, context) => opened().read(hit, context),
    original: async (document, signal) => opened().original(document, signal),
    sync: async (signal) => opened().sync(signal),
    contents: (page) => opened().contents(page),
    close: async () => corpus?.close(),
  };
}

/** Reads a local address only if the search of its source found it. The web reader rejects all others. */
export function readerOf({ corpus, given }: { corpus: DocumentReader; given: DocumentReader }, web: DocumentReader): DocumentReader {
  return {
    async read(hit, context) {
      if (hit.url.startsWith("upload:")) return (hit.foundBy === DOCUMENTS_SOURCE ? given : web).read(hit, context);
      if (!hit.url.startsWith("corpus:")) return web.read(hit, context);
      if (context.scope.includes("corpus")) return (hit.foundBy === "corpus" ? corpus : web).read(hit, context);
      throw new DossierError("out_of_scope", `${hit.url} was not read: the scope of the run is ${context.scope.join(", ")}.`);
    },
  };
}

export function openToolServers(
  config: Config,
  file: ServersFile,
  { version, clock, logger }: { version: string; clock: () => number; logger: Logger },
): OpenToolServers {
  const servers = createToolServers(file, {
    version,
    clock,
    openHttp: (url, options) => createServerFetch(url, options, proxiesOf(config)),
    onFailed: (server, error) => logger.warn({ server, code: error.code, err: error }, "MCP server not connected"),
  });
  for (const { name, message } of file.warnings) logger.warn({ server: `${SERVER_PREFIX}${name}` }, `MCP_SERVERS: ${message}`);
  for (const server of servers.off.filter((id) => config.SOURCES?.includes(id)))
    logger.warn({ server }, "SOURCES names an MCP server that is disabled; no run uses it");
  return servers;
}
