import type { Tenant } from "../domain/owners.ts";
import type { ThreadMaterialService } from "../domain/ports/material.ts";
import type { RunService } from "../domain/ports/run-service.ts";
import { isEnded, type Run } from "../domain/run.ts";
import type { TenantRecords } from "../domain/tenant-records.ts";
import { DossierError, toDossierError } from "../errors.ts";

interface Stores {
  readonly runs: Pick<RunService, "list" | "recording" | "cancel" | "wait" | "delete">;
  readonly threads: Pick<ThreadMaterialService, "list" | "deleteDocument" | "deleteUrl">;
  readonly records: TenantRecords;
}

const PAGE = 50;
/** How long a cancelled run may take to end. */
const ENDING_MS = 30_000;

/** Yields all that is stored of a tenant, as lines of JSON: its runs, each with the lines of its recording if it has ended, then the rest. */
export async function* exportTenant({ runs, records }: Stores, tenant: Tenant): AsyncGenerator<string> {
  yield lineOf({ type: "tenant", tenant });
  for await (const run of runsOf(runs, tenant)) {
    yield lineOf({ type: "run", run });
    if (!isEnded(run.status)) continue;
    for await (const line of runs.recording(tenant, run.id))
      yield `{"type":"recording","runId":${JSON.stringify(run.id)},"line":${line.trim()}}\n`;
  }
  for await (const record of records.read(tenant)) yield lineOf(record);
}

/**
 * Cancels and deletes the runs of a tenant, and then all else that is stored of it. Of its keys only ids and times stay, all revoked. Returns
 * the number of deleted runs. @throws DossierError `run_not_finished` if a run does not end in time; what is deleted by then stays deleted
 */
export async function deleteTenant(
  { runs, threads, records }: Stores,
  tenant: Tenant,
  keyId: string | null,
  signal: AbortSignal,
): Promise<number> {
  await records.lock(tenant, keyId);
  let deleted = 0;
  for await (const { id, status } of runsOf(runs, tenant)) {
    if (!isEnded(status)) await endNow(runs, tenant, id, signal);
    await runs.delete(tenant, id);
    deleted += 1;
  }
  for (const threadId of await records.threads(tenant)) {
    const { documents, urls } = await threads.list(tenant, threadId);
    for (const { contentHash } of documents) await threads.deleteDocument(tenant, threadId, contentHash);
    for (const { sourceId } of urls) await threads.deleteUrl(tenant, threadId, sourceId);
  }
  await records.erase(tenant);
  return deleted;
}

async function endNow(runs: Stores["runs"], tenant: Tenant, runId: string, signal: AbortSignal): Promise<void> {
  // It may have ended since it was listed.
  await runs.cancel(tenant, runId).catch((error: unknown) => {
    if (toDossierError(error).code !== "run_finished") throw error;
  });
  const { status } = await runs.wait(tenant, runId, { timeoutMs: ENDING_MS, signal });
  if (isEnded(status)) return;
  const message = `The run ${runId} is cancelled and has not ended yet. What was deleted before it stays deleted; ask again to delete the rest.`;
  throw new DossierError("run_not_finished", message);
}

async function* runsOf(runs: Stores["runs"], tenant: Tenant): AsyncGenerator<Run> {
  let cursor: string | null = "";
  while (cursor !== null) {
    const page = await runs.list(tenant, { limit: PAGE, ...(cursor !== "" && { cursor }) });
    yield* page.runs;
    cursor = page.nextCursor;
  }
}

function lineOf(record: object): string {
  return `${JSON.stringify(record)}\n`;
}
