import { onStopSignal } from "../compose/process.ts";
import { compose, SOURCE_NAMES } from "../compose.ts";
import { readConfig } from "../config.ts";
import { DossierError, toDossierError } from "../errors.ts";
import { buildApp } from "../http/build-app.ts";

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
  // A second signal exits at once; the next start recovers the runs.
  onStopSignal(stop, () => process.exit(1));
  // The server does not listen yet, so unfinished runs come first in the queue.
  const unfinished = await dossier.recover();
  const address = await app.listen({ host: config.HOST, port: config.PORT }).catch((error: Error) => {
    throw new DossierError(
      "config_invalid",
      `Cannot listen on HOST=${config.HOST}, PORT=${config.PORT}: ${error.message}. Nothing was started. Choose another HOST or PORT.`,
      {
        cause: error,
      },
    );
  });
  logger.info({ address, unfinished, version }, "listening");
  // Nothing waits for the index here, because a search waits for it.
  dossier
    .prepare(stopped.signal)
    .catch(
      (error: unknown) => stopped.signal.aborted || logger.warn({ code: toDossierError(error).code, err: error }, "corpus not indexed"),
    );
}

function die(error: unknown): never {
  const { code, message, stack } = toDossierError(error);
  const details = code === "internal" ? { stack } : {};
  process.stderr.write(`${JSON.stringify({ level: 60, time: Date.now(), code, ...details, msg: message })}\n`);
  process.exit(1);
}

process.on("uncaughtException", die);
serve().catch(die);
