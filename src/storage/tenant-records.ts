import { sql } from "kysely";
import type { Tenant } from "../domain/owners.ts";
import type { TenantRecord, TenantRecords } from "../domain/tenant-records.ts";
import { allRows, change, type Database } from "./database.ts";
import { createThreadMaterialStore } from "./thread-material.ts";

/** What is exported of the tables that are about people, by type of record. Hashes and sealed secrets stay here. */
const EXPORTED = {
  threadOwner: ["thread_owners", 'thread_id as "threadId", owner, shared'],
  shareLink: ["share_links", 'id, run_id as "runId", created_by as "createdBy", created_at as "createdAt", expires_at as "expiresAt"'],
  webhook: ["webhooks", 'id, owner, url, events, created_at as "createdAt", disabled_at as "disabledAt"'],
  key: [
    "keys",
    'id, parent, name, scopes, created_at as "createdAt", expires_at as "expiresAt", revoked_at as "revokedAt", tokens_per_day as "tokensPerDay", usd_per_day as "usdPerDay"',
  ],
  setting: ["tenant_settings", 'kind, name, shown as value, updated_at as "updatedAt"'],
  spending: ["spending", 'owner, day, tokens, cost_usd as "costUsd"'],
} as const;
const ERASED = ["thread_owners", "share_links", "webhooks", "spending", "tenant_settings"];

/** `clock` returns milliseconds since 1970. */
export function createTenantRecords(database: Database, clock: () => number): TenantRecords {
  const material = createThreadMaterialStore(database);

  async function threads(tenant: Tenant): Promise<string[]> {
    const given = sql<{ thread_id: string }>`select thread_id from thread_documents where tenant = ${tenant}
      union select thread_id from thread_urls where tenant = ${tenant} order by thread_id`;
    return (await allRows(database, given)).map((row) => row.thread_id);
  }

  async function* givenTo(tenant: Tenant, threadId: string): AsyncGenerator<TenantRecord> {
    const place = { tenant, threadId };
    const { documents, urls } = await material.list(place);
    for (const { url, addedAt } of urls) yield { type: "url", threadId, url, addedAt };
    for (const { contentHash, name, addedAt } of documents) {
      const text = (await material.document(place, contentHash))?.text ?? null;
      const file = (await material.original(place, contentHash))?.bytes;
      yield { type: "document", threadId, name, addedAt, text, file: file === undefined ? null : Buffer.from(file).toString("base64") };
    }
  }

  return {
    threads,
    async *read(tenant) {
      for (const threadId of await threads(tenant)) yield* givenTo(tenant, threadId);
      for (const [type, [table, columns]] of Object.entries(EXPORTED)) {
        const rows = sql<Omit<TenantRecord, "type">>`select ${sql.raw(columns)} from ${sql.table(table)} where tenant = ${tenant}`;
        for (const row of await allRows(database, rows)) yield { type, ...row };
      }
    },
    async lock(tenant, keyId) {
      const others = sql`update keys set revoked_at = ${clock()} where tenant = ${tenant} and revoked_at is null
        and id <> ${keyId ?? ""} and id not in (select parent from keys where id = ${keyId ?? ""} and parent is not null)`;
      await database.write((tx) => change(tx, others));
    },
    async erase(tenant) {
      await database.write(async (tx) => {
        await change(tx, sql`delete from deliveries where webhook_id in (select id from webhooks where tenant = ${tenant})`);
        for (const table of ERASED) await change(tx, sql`delete from ${sql.table(table)} where tenant = ${tenant}`);
        // Without a row, nobody would need a key any more.
        await change(tx, sql`update keys set name = id, revoked_at = coalesce(revoked_at, ${clock()}) where tenant = ${tenant}`);
      });
    },
  };
}
