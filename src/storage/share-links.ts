import { sql } from "kysely";
import type { ShareLink, ShareLinks } from "../domain/share-links.ts";
import { DossierError } from "../errors.ts";
import { allRows, CLIENT, change, type Database, firstRow } from "./database.ts";
import { hashOf, newId, newSecret } from "./secrets.ts";

interface ShareRow {
  readonly id: string;
  readonly tenant: string;
  readonly run_id: string;
  readonly created_by: string | null;
  readonly created_at: number;
  readonly expires_at: number;
}

const MAX_LINKS = 100;

/** Links end with their run. `clock` returns milliseconds since 1970. */
export function createShareLinks(database: Pick<Database, "db" | "write">, clock: () => number): ShareLinks {
  const ofRun = (tenant: string, runId: string) => sql`tenant = ${tenant} and run_id = ${runId} and expires_at > ${clock()}`;
  return {
    create: ({ tenant, owner }, runId, lifetimeMs) =>
      database.write(async (tx) => {
        await change(tx, sql`delete from share_links where expires_at <= ${clock()}`);
        const others = await firstRow(tx, sql<{ links: number }>`select count(*) as links from share_links where ${ofRun(tenant, runId)}`);
        if (Number(others?.links ?? 0) >= MAX_LINKS)
          throw new DossierError("invalid_request", `This run has ${MAX_LINKS} links already. Nothing was made; revoke one first.`);
        const [id, secret, at] = [newId(), newSecret(""), clock()];
        const row = { id, tenant, run_id: runId, created_by: owner, created_at: at, expires_at: at + lifetimeMs };
        await change(
          tx,
          sql`insert into share_links (id, tenant, run_id, created_by, created_at, expires_at, secret_hash)
            values (${sql.join([...Object.values(row), hashOf(secret)])})`,
        );
        return { link: toLink(row), secret };
      }, CLIENT),
    async list(tenant, runId) {
      const rows = sql<ShareRow>`select * from share_links where ${ofRun(tenant, runId)} order by created_at, id`;
      return (await allRows(database, rows)).map(toLink);
    },
    async revoke(tenant, runId, id) {
      const statement = sql`delete from share_links where ${ofRun(tenant, runId)} and id = ${id}`;
      return (await database.write((tx) => change(tx, statement), CLIENT)) > 0;
    },
    async find(secret) {
      const which = sql`secret_hash = ${hashOf(secret)} and expires_at > ${clock()}`;
      const row = await firstRow(database, sql<Pick<ShareRow, "tenant" | "run_id">>`select tenant, run_id from share_links where ${which}`);
      return row === undefined ? null : { tenant: row.tenant, runId: row.run_id };
    },
  };
}

function toLink({ id, run_id: runId, created_by: createdBy, created_at: createdAt, expires_at: expiresAt }: ShareRow): ShareLink {
  return { id, runId, createdBy, createdAt: new Date(createdAt).toISOString(), expiresAt: new Date(expiresAt).toISOString() };
}
