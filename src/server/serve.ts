import { onStopSignal } from "../compose/process.ts";
import { compose, SOURCE_NAMES } from "../compose.ts";
import { readConfig } from "../config.ts";
import { DossierError, toDossierError } from "../errors.ts";
import { buildApp } from "../http/build-app.ts";

/** Starts the service; resolves when it listens and has taken up what an earlier process left unfinished. */
async function serve(): Promise<void> {
  const config = readConfig(undefined, SOURCE_NAMES);
  const dossier = await compose(config);
  const { runs, operations, reports, logger, version } = dossier;
  const app = await buildApp({
    runs,
    operations,
    reports,
    logger,
    version,
    allowedHosts: config.ALLOWED_HOSTS,
    corsOrigins: config.CORS_ORIGINS,
  });
  const stopped = new AbortController();
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    logger.info({ signal }, "draining");
    stopped.abort();
    await dossier.close(config.DRAIN_SECONDS * 1000, () => app.close());
    logger.info("stopped");
    process.exit(0);
  };
  // A second signal ends the process at once; what was recorded is recovered.
  onStopSignal(stop, () => process.exit(1));
  // Before anybody can ask for anything: what was running is queued again, ahead of what comes now.
  const unfinished = await dossier.recover();
  const address = await app.listen({ host: config.HOST, port: config.PORT }).catch((error: Error) => {
    throw new DossierError("config_invalid", `HOST=${config.HOST}, PORT=${config.PORT} cannot be listened on: ${error.message}`, {
      cause: error,
    });
  });
  logger.info({ address, unfinished, version }, "listening");
  // Searches wait for it by themselves; until then only they would notice.
  dossier
    .prepare(stopped.signal)
    .catch(
      (error: unknown) => stopped.signal.aborted || logger.warn({ code: toDossierError(error).code, err: error }, "corpus not indexed"),
    );
}

/** The last line of a process that cannot go on; what was recorded is recovered by the next one. */
function die(error: unknown): never {
  const { code, message, stack } = toDossierError(error);
  const details = code === "internal" ? { stack } : {};
  process.stderr.write(`${JSON.stringify({ level: 60, time: Date.now(), code, ...details, msg: message })}\n`);
  process.exit(1);
}

process.on("uncaughtException", die);
serve().catch(die);
