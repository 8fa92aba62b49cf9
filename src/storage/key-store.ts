import { sql } from "kysely";
import type { Key, KeyStore, NewKey, Scope } from "../domain/keys.ts";
import { UNLIMITED } from "../domain/quota.ts";
import { DossierError } from "../errors.ts";
import { allRows, CLIENT, change, type Database, firstRow, locked, type Transaction } from "./database.ts";
import { hashOf, newId, newSecret } from "./secrets.ts";

interface KeyRow {
  id: string;
  /** The key that a session belongs to. */
  parent: string | null;
  name: string;
  tenant: string;
  /** Separated by spaces. */
  scopes: string;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
  tokens_per_day: number | null;
  usd_per_day: number | null;
}

/** A prefix lets people and scanners of leaked secrets recognize a key. */
const PREFIX = "dossier_";
/** The most sessions of a key. One more ends the oldest one. */
const MAX_SESSIONS = 100;

/** The keys of a database. `clock` returns milliseconds since 1970. */
export function createKeyStore(database: Pick<Database, "db" | "write">, clock: () => number, doPeopleSignIn = false): KeyStore {
  const valid = () => sql`revoked_at is null and (expires_at is null or expires_at > ${clock()})
    and not exists (select 1 from keys as parents where parents.id = keys.parent and parents.revoked_at is not null)`;
  const read = async (where: ReturnType<typeof sql>): Promise<Key[]> =>
    (await allRows(database, sql<KeyRow>`select * from keys where ${where} order by name, created_at, id`)).map(toKey);

  return {
    areNeeded: async () => doPeopleSignIn || (await firstRow(database, sql`select 1 from keys limit 1`)) !== undefined,
    create: (asked) =>
      database.write(async (tx) => {
        const same = sql`select 1 from keys where parent is null and name = ${asked.name} and ${valid()}`;
        if ((await firstRow(tx, same)) === undefined) return insert(tx, asked, clock());
        throw new DossierError("invalid_request", `There is a key ${asked.name} already. Choose another name, or revoke that key first.`);
      }),
    ofPerson: (person) =>
      database.write(async (tx) => {
        const same = sql`parent is null and name = ${person.name} and ${valid()}`;
        const known = (await allRows(tx, sql<KeyRow>`select * from keys where ${same}`)).map(toKey);
        const key = known.find(({ tenant, scopes }) => tenant === person.tenant && scopes.join() === person.scopes.join());
        if (key !== undefined) return key;
        await change(tx, sql`update keys set revoked_at = ${clock()} where ${same}`);
        return (await insert(tx, person, clock())).key;
      }, CLIENT),
    list: () => read(sql`parent is null`),
    async revoke(idOrName) {
      const found = await read(sql`(id = ${idOrName} or (parent is null and name = ${idOrName})) and ${valid()}`);
      const key = found.find(({ id }) => id === idOrName) ?? found[0];
      if (key === undefined) return null;
      await database.write((tx) => change(tx, sql`update keys set revoked_at = ${clock()} where id = ${key.id}`), CLIENT);
      return { ...key, revokedAt: clock() };
    },
    find: async (secret) => (await read(sql`secret_hash = ${hashOf(secret)} and ${valid()}`))[0] ?? null,
    openSession: (key, lifetimeMs) =>
      database.write(async (tx) => {
        const parent = sql`select 1 from keys where parent is null and id = ${key.id} and ${valid()} ${locked(tx)}`;
        if ((await firstRow(tx, parent)) === undefined) return null;
        await change(tx, sql`delete from keys where parent is not null and expires_at <= ${clock()}`);
        const latest = sql`select id from keys where parent = ${key.id} order by created_at desc, id limit ${MAX_SESSIONS - 1}`;
        await change(tx, sql`delete from keys where parent = ${key.id} and id not in (${latest})`);
        const expiresAt = Math.min(clock() + lifetimeMs, key.expiresAt ?? Number.POSITIVE_INFINITY);
        const { key: session, secret } = await insert(tx, { ...key, expiresAt }, clock(), key.id);
        return { session, secret };
      }, CLIENT),
    async validAmong(ids) {
      return new Set((await read(sql`id in (${sql.join(ids)}) and ${valid()}`)).map(({ id }) => id));
    },
  };
}

async function insert(tx: Transaction, asked: NewKey, createdAt: number, parent: string | null = null) {
  const { name, tenant, scopes, expiresAt, allowance = UNLIMITED } = asked;
  const [id, secret] = [newId(), newSecret(PREFIX)];
  const values = [id, parent, name, tenant, scopes.join(" "), hashOf(secret), createdAt, expiresAt, allowance.tokens, allowance.costUsd];
  await change(
    tx,
    sql`insert into keys (id, parent, name, tenant, scopes, secret_hash, created_at, expires_at, tokens_per_day, usd_per_day)
      values (${sql.join(values)})`,
  );
  const key = { id, name, tenant, scopes, createdAt, expiresAt, revokedAt: null, isSession: parent !== null, allowance };
  return { key, secret };
}

function toKey(row: KeyRow): Key {
  const { id, name, tenant, scopes, parent, created_at: createdAt, expires_at: expiresAt, revoked_at: revokedAt } = row;
  const allowance = { tokens: row.tokens_per_day, costUsd: row.usd_per_day };
  return { id, name, tenant, scopes: scopes.split(" ") as Scope[], createdAt, expiresAt, revokedAt, isSession: parent !== null, allowance };
}
