import { type RawBuilder, sql } from "kysely";
import type { Caller, Tenants, ThreadOwners, ThreadState } from "../domain/owners.ts";
import type { ThreadPlace } from "../domain/ports/material.ts";
import { DossierError } from "../errors.ts";
import { CLIENT, change, type Database, firstRow, type Transaction } from "./database.ts";

interface OwnerRow {
  readonly thread_id: string;
  readonly owner: string;
  readonly shared: number;
}

/**
 * Call it in the transaction that first stores something in a thread: a thread that nobody has used belongs to the caller from then on. One
 * that was used without a key belongs to the whole tenant.
 * @throws DossierError `not_found`, `not_owner`
 */
export async function ownThread(tx: Transaction, { tenant, threadId, owner = null }: ThreadPlace): Promise<void> {
  const unused = ["runs", "thread_documents", "thread_urls"].map(
    (table) => sql`not exists (select 1 from ${sql.table(table)} where tenant = ${tenant} and thread_id = ${threadId})`,
  );
  if (owner !== null)
    await change(
      tx,
      sql`insert into thread_owners (tenant, thread_id, owner, shared) select ${sql.join([tenant, threadId, owner])}, 0
        where ${sql.join(unused, sql` and `)} on conflict (tenant, thread_id) do nothing`,
    );
  refuseOthers(await ownerOf(tx, tenant, sql`${threadId}`), { tenant, owner }, `thread ${threadId}`, false);
}

/** The condition that a row is of these tenants. */
export function ofTenants(whose: Tenants) {
  if ("only" in whose) return sql`tenant = ${whose.only}`;
  return whose.except.length === 0 ? sql`1 = 1` : sql`tenant not in (${sql.join(whose.except)})`;
}

/** The condition that the caller may see a row of `runs`. */
export function visibleTo(owner: string | null): RawBuilder<unknown> {
  return sql`not exists (select 1 from thread_owners where thread_owners.tenant = runs.tenant and thread_owners.thread_id = runs.thread_id
    and shared = 0 and thread_owners.owner <> ${owner ?? ""})`;
}

export function createThreadOwners(database: Pick<Database, "db" | "write">): ThreadOwners {
  const find = async (caller: Caller, threadId: string, isReading: boolean): Promise<ThreadState> => {
    const row = await ownerOf(database, caller.tenant, sql`${threadId}`);
    refuseOthers(row, caller, `thread ${threadId}`, isReading);
    return { threadId, owner: row?.owner ?? null, shared: row === undefined || row.shared === 1 };
  };
  return {
    async check(caller, what, isReading) {
      if ("threadId" in what) return isOfOther((await find(caller, what.threadId, isReading)).owner, caller);
      const thread = sql`(select thread_id from runs where id = ${what.runId} and tenant = ${caller.tenant})`;
      const row = await ownerOf(database, caller.tenant, thread);
      refuseOthers(row, caller, `run ${what.runId}`, isReading);
      return isOfOther(row?.owner ?? null, caller);
    },
    get: (caller, threadId) => find(caller, threadId, true),
    async share(caller, threadId, shared) {
      const state = await find(caller, threadId, false);
      if (state.owner === null)
        throw new DossierError("not_found", `Nobody owns the thread ${threadId}: everybody in the tenant may use it.`);
      const which = sql`tenant = ${caller.tenant} and thread_id = ${threadId}`;
      await database.write((tx) => change(tx, sql`update thread_owners set shared = ${shared ? 1 : 0} where ${which}`), CLIENT);
      return { ...state, shared };
    },
  };
}

function isOfOther(owner: string | null, caller: Caller): boolean {
  return owner !== null && owner !== caller.owner;
}

function ownerOf(database: Pick<Database, "db">, tenant: string, threadId: RawBuilder<unknown>): Promise<OwnerRow | undefined> {
  return firstRow(
    database,
    sql<OwnerRow>`select thread_id, owner, shared from thread_owners where tenant = ${tenant} and thread_id = ${threadId}`,
  );
}

/** Nobody learns from the answer that there is a thread which he may not see. */
function refuseOthers(row: OwnerRow | undefined, { owner }: Caller, what: string, isReading: boolean): void {
  if (row === undefined || row.owner === owner) return;
  if (row.shared === 0) throw new DossierError("not_found", `There is no ${what}.`);
  if (!isReading)
    throw new DossierError("not_owner", `The ${what} belongs to ${row.owner}, who shares it for reading. Nothing was changed.`);
}
