import type { Logger } from "pino";
import type { DomainEvent } from "../domain/events.ts";
import type { ClaimedRun } from "../domain/ports/run-store.ts";
import type { DossierError } from "../errors.ts";
import { logLineOf } from "../runs/log-line.ts";
import type { OnRefusal } from "../storage/sqlite/write-refusals.ts";

/** Told of every event when it is said, before it is committed. */
export type OnEvent = (run: ClaimedRun, event: DomainEvent, node: string | null) => void;

/** What the engine tells the log, and whoever else listens. */
export function observers(logger: Logger, { onEvent }: { readonly onEvent?: OnEvent }) {
  return {
    onEvent(run: ClaimedRun, event: DomainEvent, node: string | null): void {
      const line = logLineOf(event);
      if (line !== null) logger[line.level]({ runId: run.runId, ...(node === null ? {} : { node }), ...line.fields }, line.message);
      onEvent?.(run, event, node);
    },
    onError(run: ClaimedRun | null, error: DossierError): void {
      logger.error({ runId: run?.runId, code: error.code, err: error }, "run stopped");
    },
  };
}

/** Tells the log when the database refuses, and when it does no longer. */
export function refusalLog(logger: Logger): OnRefusal {
  return (refusal) => {
    if (refusal === null) logger.info("database takes writes again");
    else logger.error({ code: refusal.code, err: refusal }, "database refuses writes");
  };
}
