import { execFile } from "node:child_process";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { CORPUS, makeHome } from "../helpers/open-dossier.ts";

const SERVICE = new URL("../../src/server.ts", import.meta.url).pathname;
const CLI = new URL("../../src/cli.ts", import.meta.url).pathname;
const LIMIT_MS = 30_000;

interface Ending {
  readonly code: number | null;
  readonly stderr: string;
}

/** How a program ends that cannot start; a code of null says that it had to be killed. */
async function end(args: string[], environment: Record<string, string>): Promise<Ending> {
  const options = { env: { PORT: "0", ...environment }, timeout: LIMIT_MS, killSignal: "SIGKILL" as const };
  return promisify(execFile)(process.execPath, args, options).then(
    ({ stderr }) => ({ code: 0, stderr }),
    ({ code, stderr }) => ({ code, stderr }),
  );
}

async function home(): Promise<string> {
  const dir = await makeHome(CORPUS);
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

/** The one line a service leaves that cannot start. */
async function lastWords(environment: Record<string, string>): Promise<{ code: string; msg: string }> {
  const { code, stderr } = await end([SERVICE], environment);
  expect(code).toBe(1);
  expect(stderr.trim().split("\n")).toHaveLength(1);
  return JSON.parse(stderr);
}

it("says which file is no database, and leaves it as it is", async () => {
  const data = join(await home(), "数据");
  await mkdir(data);
  await writeFile(join(data, "dossier.sqlite"), "不是数据库".repeat(1_000));
  const { code, msg } = await lastWords({ DATA_DIR: data });
  expect(code).toBe("config_invalid");
  expect(msg).toBe(
    `The database ${join(data, "dossier.sqlite")} cannot be opened: file is not a database. Everything was left as it is. Put a backup in its place, move it away to begin without runs, or set DATA_DIR to another folder.`,
  );
  expect(await readFile(join(data, "dossier.sqlite"), "utf8")).toBe("不是数据库".repeat(1_000));
  expect(await end([CLI, "ask", "q"], { DATA_DIR: join(data, "dossier.sqlite") })).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^config_invalid: .*DATA_DIR/),
  });
});

it("says that a damaged lock may be deleted", async () => {
  const data = join(await home(), "data");
  await mkdir(data);
  await writeFile(join(data, "lock.sqlite"), "x".repeat(5_000));
  expect((await lastWords({ DATA_DIR: data })).msg).toContain(`The lock ${join(data, "lock.sqlite")} is damaged`);
});

it("ends at once where the data folder cannot be", async () => {
  const dir = await home();
  await writeFile(join(dir, "file"), "");
  const folders = [join(dir, "file"), join(dir, "file", "below"), "/proc/x", "/proc/x/y", "/proc"];
  const ends = await Promise.all(folders.map(async (DATA_DIR) => ({ DATA_DIR, ...(await lastWords({ DATA_DIR })) })));
  for (const { DATA_DIR, code, msg } of ends) {
    expect([code, msg]).toEqual(["config_invalid", expect.stringContaining(`The data folder ${DATA_DIR} cannot be written: `)]);
    expect(msg).toContain("or set DATA_DIR to another folder.");
  }
});

it("names an unusable folder on the command line too", async () => {
  const { code, stderr } = await end([CLI, "ask", "灯塔是谁设计的？"], { DATA_DIR: "/proc/x" });
  expect(code).toBe(1);
  expect(stderr).toMatch(/^config_invalid: The data folder \/proc\/x\/ask cannot be written: .*DATA_DIR/);
});

it("names all settings that are wrong at once, each by its name", async () => {
  const { msg } = await lastWords({
    PORT: "0x50",
    DRAIN_SECONDS: "1e1",
    ALLOWED_HOSTS: "localhost,a b",
    CORS_ORIGINS: "example.com",
    SOURCES: "corpus,moon",
    HOST: "0.0.0.0",
    LOG_LEVEL: "loud",
  });
  for (const name of ["PORT", "DRAIN_SECONDS", "ALLOWED_HOSTS", "CORS_ORIGINS", "SOURCES", "HOST", "LOG_LEVEL"])
    expect(msg).toContain(` ${name}: `);
  expect(msg).toContain("SOURCES: moon is not known; there are: corpus");
});
