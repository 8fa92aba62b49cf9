import { join } from "node:path";
import Database from "better-sqlite3";
import pg from "pg";
import type { Recording } from "../../src/domain/recording.ts";
import { expireLeases } from "../helpers/postgres.ts";

/** What a dead process has stored of its run, read past the program. */
export interface StoredRuns {
  /** The requests of the effects of this kind that have a result. */
  requests(kind: string): Promise<unknown[]>;
  /** The crashes of the run without a result between, with that of a process that has just died. */
  crashes(): Promise<number>;
  /** The log as readers could see it. */
  log(): Promise<Recording["events"]>;
  /** Call it when a process has died, so that the next one takes its runs over at once. */
  afterDeath(): Promise<void>;
}

type Query = <Row>(statement: string) => Promise<Row[]>;

/** The runs of a data folder. */
export function runsInFolder(dataDir: string): StoredRuns {
  const query = async <Row>(statement: string): Promise<Row[]> => {
    let database: Database.Database;
    try {
      database = new Database(join(dataDir, "dossier.sqlite"), { fileMustExist: true });
    } catch {
      return [];
    }
    try {
      const known = database.prepare("select 1 from sqlite_master where name = 'journal'").get();
      return known === undefined ? [] : (database.prepare(statement).all() as Row[]);
    } finally {
      database.close();
    }
  };
  return { ...readBy(query), afterDeath: async () => undefined };
}

/** The runs of a PostgreSQL database. */
export function runsInPostgres(url: string): StoredRuns {
  const ask = async <Row extends pg.QueryResultRow>(statement: string): Promise<Row[]> => {
    const client = new pg.Client(url);
    await client.connect();
    return (await client.query<Row>(statement).finally(() => client.end())).rows;
  };
  const hasTables = async () =>
    (await ask("select 1 from pg_tables where (schemaname, tablename) in (('public', 'journal'), ('pgboss', 'job'))")).length === 2;
  return {
    ...readBy(async <Row>(statement: string) => ((await hasTables()) ? ((await ask(statement)) as Row[]) : [])),
    afterDeath: async () => void ((await hasTables()) && (await expireLeases(url))),
  };
}

/** The driver of PostgreSQL returns large numbers as text. */
function readBy(query: Query): Omit<StoredRuns, "afterDeath"> {
  return {
    async requests(kind) {
      const rows = await query<{ kind: string; request: string }>("select kind, request from journal where ok = 1");
      return rows.filter((row) => row.kind === kind).map(({ request }) => JSON.parse(request));
    },
    async crashes() {
      const runs = await query<{ crashes: number; status: string }>("select crashes, status from runs");
      return Math.max(0, ...runs.map(({ crashes, status }) => Number(crashes) + (status === "running" ? 1 : 0)));
    },
    async log() {
      const rows = await query<{ seq: number; origin: string; at: number; path: string; body: string }>(
        "select * from events order by seq",
      );
      return rows.map(({ seq, origin, at, path, body }) => ({ seq: Number(seq), event: { origin, at: Number(at), path, body } }));
    },
  };
}
