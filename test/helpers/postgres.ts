import { onTestFinished } from "vitest";
import { addDatabase, ask, type PostgresServer, startPostgres } from "./postgres-server.ts";

/** What the global setup tells the workers, which start later and inherit it. */
export const SERVER = { address: "TEST_POSTGRES_URL", folder: "TEST_POSTGRES_FOLDER" } as const;

/** A server of the test's own, stopped when the test has finished. */
export async function startOwnPostgres(): Promise<PostgresServer> {
  // biome-ignore lint/style/noProcessEnv: set by the global setup
  const starting = startPostgres(process.env[SERVER.folder] ?? "");
  // Before the await: later, a concurrent test is not known any more.
  onTestFinished(async () => (await starting).stop());
  return starting;
}

/** Creates an empty database, deleted when the test has finished, and returns its address. */
export async function createDatabase(): Promise<string> {
  // biome-ignore lint/style/noProcessEnv: set by the global setup
  const server = process.env[SERVER.address] ?? "";
  const name = `test_${crypto.randomUUID().replaceAll("-", "")}`;
  // Before the await: later, a concurrent test is not known any more.
  onTestFinished(() => ask(server, `drop database if exists ${name} with (force)`));
  return addDatabase(server, name);
}

/** Ends all connections to a database. */
export async function cutConnections(url: string): Promise<void> {
  await ask(url, "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()");
}

/** Takes the leases of all runs, or of those of one process, as if it had said nothing for long. */
export async function expireLeases(url: string, pid?: number): Promise<void> {
  const own = `select md5(runs.id)::uuid from runs join pgboss.instance on instance.name = runs.worker where pid = ${pid}`;
  const which = pid === undefined ? "" : `and id in (${own})`;
  await ask(url, `update pgboss.job set state = 'retry', start_after = now() where name = 'runs' and state = 'active' ${which}`);
}
