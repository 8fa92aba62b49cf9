import { sql } from "kysely";
import type { NewRun } from "../domain/ports/run-store.ts";

export function openRuns(tenant: string) {
  return sql`select 1 from runs where status in ('queued', 'running') and tenant = ${tenant}`;
}

/** A run that starts at a time of its own waits for no other one of its thread, and none for it. */
export function readiness({ id, tenant, threadId, startAfter }: Pick<NewRun, "id" | "tenant" | "threadId" | "startAfter">) {
  if (threadId === id || startAfter !== null) return sql`1`;
  return sql`case when exists (${openRuns(tenant)} and thread_id = ${threadId} and (status = 'running' or start_after is null)) then 0 else 1 end`;
}
