import { once } from "node:events";
import type { Logger } from "pino";
import { onStopSignal, readOpenFilesLimit } from "../compose/process.ts";
import { readSettings } from "../compose/settings.ts";
import { compose } from "../compose.ts";
import { type Config, isLoopback, unknownNames } from "../config.ts";
import type { KeyStore } from "../domain/keys.ts";
import { DossierError, toDossierError } from "../errors.ts";
import { buildApp } from "../http/build-app.ts";

async function serve(stopped: AbortSignal): Promise<Logger> {
  const config = await readSettings();
  // The other half is for files, child processes and connections to others.
  const maxConnections = Math.floor(readOpenFilesLimit() / 2);
  await using opened = new AsyncDisposableStack();
  const dossier = opened.adopt(await compose(config), (one) => one.close(0));
  const { runs, threads, operations, tenancy, reports, logger, version } = dossier;
  await refuseStrangers(config, tenancy.keys);
  const unknown = unknownNames(config);
  if (unknown.length > 0) logger.warn({ names: unknown }, ".env has names that have no effect");
  const recovered = Promise.withResolvers<void>();
  const settings = {
    basePath: config.BASE_PATH,
    allowedHosts: config.ALLOWED_HOSTS,
    corsOrigins: config.CORS_ORIGINS,
    opened: recovered.promise,
    maxConnections,
    isWorker: config.ROLE === "worker",
    requestsPerMinute: config.REQUESTS_PER_MINUTE,
    allowAnonymous: config.ALLOW_ANONYMOUS === "1",
  };
  const app = opened.adopt(await buildApp({ runs, threads, operations, tenancy, reports, logger, version, ...settings }), (one) =>
    one.close(),
  );
  opened.defer(recovered.resolve);
  opened.defer(() => dossier.drain(dossier.damaged.aborted ? 0 : config.DRAIN_SECONDS * 1_000));
  const ended = AbortSignal.any([stopped, dossier.damaged]);
  if (stopped.aborted) return logger;
  const address = await app.listen({ host: config.HOST, port: config.PORT }).catch((cause: Error) => {
    const failure = `Cannot listen on HOST=${config.HOST}, PORT=${config.PORT}: ${cause.message}.`;
    throw new DossierError("config_invalid", `${failure} Nothing was started. Choose another HOST or PORT.`, { cause });
  });
  // Requests wait until the unfinished runs are queued, so that these runs come first.
  const unfinished = await dossier.recover();
  recovered.resolve();
  logger.info({ address, unfinished, version }, "listening");
  // The server does not wait for the corpus index, because each search waits for it.
  dossier
    .prepare(ended)
    .catch((error: unknown) => ended.aborted || logger.warn({ code: toDossierError(error).code, err: error }, "corpus not indexed"));
  if (!ended.aborted) await once(ended, "abort");
  dossier.damaged.throwIfAborted();
  logger.info({ signal: stopped.reason }, "draining");
  return logger;
}

/** @throws DossierError `config_invalid` if other machines would be served without keys */
async function refuseStrangers({ HOST, ALLOW_ANONYMOUS }: Config, keys: KeyStore): Promise<void> {
  if (isLoopback(HOST) || ALLOW_ANONYMOUS === "1" || (await keys.areNeeded())) return;
  const what = `HOST: ${HOST} would serve other machines, and there are no keys. Nothing was started`;
  const advice =
    "Make a key with npm run keys -- create NAME, set OIDC_ISSUER, use a loopback address, or set ALLOW_ANONYMOUS=1 to serve everybody";
  throw new DossierError("config_invalid", `${what}. ${advice}.`);
}

function die(error: unknown): never {
  const { code, message, stack } = toDossierError(error);
  const details = code === "internal" ? { stack } : {};
  process.stderr.write(`${JSON.stringify({ level: 60, time: Date.now(), code, ...details, msg: message })}\n`);
  process.exit(1);
}

process.on("uncaughtException", die);
const stopping = new AbortController();
// A second signal exits at once; the next start recovers the runs.
onStopSignal(
  (signal) => stopping.abort(signal),
  () => process.exit(1),
);
serve(stopping.signal).then((logger) => {
  logger.info("stopped");
  process.exit(0);
}, die);
