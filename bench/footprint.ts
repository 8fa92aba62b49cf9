// Prints what a run costs the database: rows, bytes, statements and transactions, on SQLite and on PostgreSQL. bench/README.md explains it.
import { chmod, cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import pg from "pg";
import { compose } from "../src/compose.ts";
import { readConfig } from "../src/config.ts";
import { ResearchRequestSchema } from "../src/domain/request.ts";
import { onStatement } from "../test/chaos/count-statements.ts";
import { text, toolCalls } from "../test/fakes/model-server/behaviors.ts";
import { openModelServer } from "../test/fakes/model-server/serve.ts";
import { addDatabase, startPostgres } from "../test/helpers/postgres-server.ts";

const TENANT = "default";
const WARM_UP = 3;
const RUNS = 20;
/** Statements that a run causes; the queue looks after itself by others, whose number depends on the time. */
const UPKEEP = /pgboss\.(?:queue|version|instance|schedule|warning)|pg_stat|pg_class|locked_parents|'(?:retention|expiry|dead-runs)'/;

const CASES = {
  "keyless executor": { graph: "executor", question: "How does the service keep a run after a crash?" },
  "agent, one search": { graph: "agent", question: "How does the service keep a run after a crash?" },
} as const;

interface Counted {
  readonly rows: () => Promise<number>;
  readonly bytes: () => Promise<number>;
}

const counts = { statements: 0, transactions: 0 };
onStatement((sql) => {
  if (UPKEEP.test(sql)) return;
  counts.statements += 1;
  if (/^begin/i.test(sql)) counts.transactions += 1;
});

function countedSqlite(file: string): Counted {
  const open = <T>(read: (database: Database.Database) => T): T => {
    const database = new Database(file, { readonly: true });
    try {
      return read(database);
    } finally {
      database.close();
    }
  };
  const tables = "select name from sqlite_master where type = 'table' and name not like 'sqlite%'";
  return {
    rows: async () =>
      open((database) => {
        const names = database.prepare(tables).pluck().all() as string[];
        return names.reduce((sum, name) => sum + (database.prepare(`select count(*) from "${name}"`).pluck().get() as number), 0);
      }),
    bytes: async () => open((database) => Number(database.pragma("page_count", { simple: true })) * 4_096),
  };
}

function countedPostgres(url: string): Counted {
  const number = async (statement: string): Promise<number> => {
    const client = new pg.Client(url);
    await client.connect();
    const { rows } = await client.query({ text: statement, rowMode: "array" }).finally(() => client.end());
    return rows.reduce((sum, [value]) => sum + Number(value), 0);
  };
  const names = `select format('select count(*) from %I.%I', schemaname, tablename) as name from pg_tables where schemaname = 'public'`;
  return {
    async rows() {
      const client = new pg.Client(url);
      await client.connect();
      const { rows } = await client.query<{ name: string }>(names).finally(() => client.end());
      return number(rows.map(({ name }) => name).join(" union all "));
    },
    bytes: () => number("select pg_database_size(current_database())"),
  };
}

async function measure(home: string, modelUrl: string, database: string | null) {
  const environment = {
    ...{ DATA_DIR: join(home, "data"), CORPUS_DIR: join(home, "corpus"), SOURCES: "corpus", LOG_LEVEL: "silent" },
    ...(database !== null && { DATABASE_URL: database }),
  };
  const counted = database === null ? countedSqlite(join(home, "data", "dossier.sqlite")) : countedPostgres(database);
  const figures: Record<string, Record<string, number>> = {};
  for (const [name, { graph, question }] of Object.entries(CASES)) {
    const model = graph === "agent" ? { OPENAI_BASE_URL: modelUrl, OPENAI_API_KEY: "none", OPENAI_MODEL: "scripted" } : {};
    const dossier = await compose(readConfig({ ...environment, ...model }));
    await dossier.recover();
    await dossier.prepare(new AbortController().signal);
    const perform = async (): Promise<void> => {
      const { id } = await dossier.runs.start(TENANT, ResearchRequestSchema.parse({ graph, question }));
      const run = await dossier.runs.wait(TENANT, id, { timeoutMs: 120_000, signal: new AbortController().signal });
      if (run.status !== "succeeded") throw new Error(`The run is ${run.status}: ${run.error?.message}`);
    };
    for (let run = 0; run < WARM_UP; run += 1) await perform();
    const before = { rows: await counted.rows(), bytes: await counted.bytes(), ...counts };
    for (let run = 0; run < RUNS; run += 1) await perform();
    const statements = counts.statements - before.statements;
    const transactions = counts.transactions - before.transactions;
    const of = (total: number): number => Math.round(total / RUNS);
    figures[name] = {
      rows: of((await counted.rows()) - before.rows),
      bytes: of((await counted.bytes()) - before.bytes),
      statements: of(statements),
      transactions: of(transactions),
    };
    await dossier.close(0);
  }
  return figures;
}

const home = await mkdtemp(join(tmpdir(), "dossier-footprint-"));
// PostgreSQL may run as another user.
await chmod(home, 0o755);
const postgres = await startPostgres(home);
const model = await openModelServer(({ body: { messages } }) =>
  messages.some(({ role }) => role === "tool")
    ? text("Runs go on after a crash. [S1]")
    : toolCalls([{ name: "search", arguments: { query: "run crash" } }]),
);
try {
  const figures: Record<string, unknown> = {};
  for (const name of ["SQLite", "PostgreSQL"]) {
    const folder = join(home, name);
    await mkdir(folder);
    await cp(join(import.meta.dirname, "../docs"), join(folder, "corpus"), { recursive: true });
    figures[name] = await measure(folder, model.url, name === "SQLite" ? null : await addDatabase(postgres.url, "footprint"));
  }
  process.stdout.write(`${JSON.stringify(figures)}\n`);
} finally {
  await model.close();
  await postgres.stop();
  await rm(home, { recursive: true, force: true });
}
process.exit(0);
