import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import Database from "better-sqlite3";
import { expect, it, onTestFinished } from "vitest";
import { readSettings } from "../../src/compose/settings.ts";
import { compose } from "../../src/compose.ts";
import { readConfig } from "../../src/config.ts";
import { ResearchRequestSchema } from "../../src/domain/request.ts";
import type { DossierError } from "../../src/errors.ts";
import { writeServers } from "../helpers/mcp-servers.ts";
import { CORPUS, makeHome } from "../helpers/open-dossier.ts";
import { freePort } from "../helpers/processes.ts";
import { runCli } from "../helpers/run-cli.ts";
import { startServer } from "./server-process.ts";

const SERVICE = new URL("../../src/server.ts", import.meta.url).pathname;

async function home(): Promise<string> {
  const dir = await makeHome(CORPUS);
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

/** Returns why a service cannot start. */
async function refusal(environment: Record<string, string>): Promise<{ code: string; message: string }> {
  const opening = async () => (await compose(await readSettings(environment))).close(0);
  return opening().then(
    () => ({ code: "", message: "it starts" }),
    ({ code, message }: DossierError) => ({ code, message }),
  );
}

/** Returns the single line that the process of a service prints if it cannot start. */
async function lastWords(environment: Record<string, string>): Promise<{ code: string; msg: string }> {
  const options = { env: { PORT: "0", ...environment } };
  const { code, stderr } = await promisify(execFile)(process.execPath, [SERVICE], options).catch((error) => error);
  expect(code).toBe(1);
  expect(stderr.trim().split("\n")).toHaveLength(1);
  return JSON.parse(stderr);
}

function storedRuns(dataDir: string): unknown[] {
  const database = new Database(join(dataDir, "dossier.sqlite"));
  const runs = database.prepare("select attempt, status from runs order by position").all();
  database.close();
  return runs;
}

it("names a file that is not a database, and leaves it unchanged", async () => {
  const data = join(await home(), "数据");
  await mkdir(data);
  await writeFile(join(data, "dossier.sqlite"), "不是数据库".repeat(1_000));
  const { code, message } = await refusal({ DATA_DIR: data });
  expect(code).toBe("config_invalid");
  expect(message).toBe(
    `The database ${join(data, "dossier.sqlite")} cannot be opened: file is not a database. Nothing was changed. Put a backup in its place, move it away to begin without runs, or set DATA_DIR to another folder.`,
  );
  expect(await readFile(join(data, "dossier.sqlite"), "utf8")).toBe("不是数据库".repeat(1_000));
  expect(await runCli(["ask", "q"], { DATA_DIR: join(data, "dossier.sqlite") })).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^config_invalid: .*DATA_DIR/),
  });
});

it("says that a damaged lock file may be deleted", async () => {
  const data = join(await home(), "data");
  await mkdir(data);
  await writeFile(join(data, "lock.sqlite"), "x".repeat(5_000));
  expect((await refusal({ DATA_DIR: data })).message).toContain(`The lock ${join(data, "lock.sqlite")} is damaged`);
});

it("exits at once if the data folder cannot be created", async () => {
  const dir = await home();
  await writeFile(join(dir, "file"), "");
  const folders = [join(dir, "file"), join(dir, "file", "below"), "/proc/x", "/proc/x/y", "/proc"];
  for (const DATA_DIR of folders) {
    const { code, message } = await refusal({ DATA_DIR });
    expect([code, message]).toEqual(["config_invalid", expect.stringContaining(`The data folder ${DATA_DIR} cannot be written: `)]);
    expect(message).toContain("or set DATA_DIR to another folder.");
    if (DATA_DIR.includes("file")) expect(message).toContain("Move away the file that is in the place of a folder");
  }
});

it.each(["no-such-host.invalid", "203.0.113.7"])(
  "executes no run and leaves no open file behind if it cannot listen on %s",
  async (HOST) => {
    const dir = await home();
    const settings = { DATA_DIR: join(dir, "data"), CORPUS_DIR: join(dir, "corpus"), SOURCES: "corpus", RUN_CONCURRENCY: "1" };
    const dossier = await compose(readConfig({ ...settings, LOG_LEVEL: "silent" }));
    const request = ResearchRequestSchema.parse({ question: "灯塔是谁设计的？" });
    await Promise.all(Array.from({ length: 5 }, () => dossier.runs.start("default", request)));
    await dossier.close(0);
    const before = storedRuns(settings.DATA_DIR);
    expect(before).toContainEqual({ attempt: 0, status: "queued" });
    expect((await lastWords({ ...settings, HOST, ALLOW_ANONYMOUS: "1" })).msg).toContain(`Cannot listen on HOST=${HOST}`);
    expect((await readdir(settings.DATA_DIR)).filter((name) => /-(?:wal|shm|journal)$/.test(name))).toEqual([]);
    expect(storedRuns(settings.DATA_DIR)).toEqual(before);
  },
);

it("serves other machines only with a key, or if it is allowed explicitly", async () => {
  const settings = { DATA_DIR: join(await home(), "data"), SOURCES: "corpus", HOST: "0.0.0.0" };
  const { code, msg } = await lastWords(settings);
  expect(code).toBe("config_invalid");
  expect(msg).toMatch(
    /HOST: 0\.0\.0\.0 would serve other machines, and there are no keys\. .*npm run keys -- create NAME.*ALLOW_ANONYMOUS=1/,
  );
  for (const HOST of ["127.0.0.1.example.org", "0.0.0.0"]) expect((await lastWords({ ...settings, HOST })).code).toBe("config_invalid");
  const made = await runCli(["keys", "create", "研究组", "--tenant", "acme", "--expires", "30d"], settings);
  expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/^dossier_[\w-]{43}\n$/) });
  expect(made.stderr).toMatch(/\{"level":30,.*"audit":true,"operationId":"createKey",.*"key":"研究组"/);
  expect(made.stderr).not.toContain(made.stdout.trim());
  const port = await freePort();
  const service = await startServer(SERVICE, [], { ...settings, PORT: String(port) }, port);
  const status = async (headers: Record<string, string> = {}) => (await fetch(`${service.url}/research`, { headers })).status;
  expect(await status()).toBe(401);
  expect(await status({ authorization: `Bearer ${made.stdout.trim()}` })).toBe(200);
  // The service has the data folder; keys are managed beside it.
  expect(await runCli(["keys", "revoke", "研究组"], settings)).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('"operationId":"revokeKey"'),
  });
  expect(await status({ authorization: `Bearer ${made.stdout.trim()}` })).toBe(401);
  expect((await runCli(["keys", "list"], settings)).stdout).toMatch(/研究组 +acme +ask +no daily limit +revoked/);
});

it("names an unusable folder on the command line too", async () => {
  const { code, stderr } = await runCli(["ask", "灯塔是谁设计的？"], { DATA_DIR: "/proc/x" });
  expect(code).toBe(1);
  expect(stderr).toMatch(/^config_invalid: The data folder \/proc\/x\/ask cannot be written: .*DATA_DIR/);
});

it("names all wrong settings at once, each by its name", async () => {
  const { msg } = await lastWords({
    PORT: "0x50",
    DRAIN_SECONDS: "1e1",
    ALLOWED_HOSTS: "localhost,a b",
    CORS_ORIGINS: "example.com",
    SOURCES: "corpus,moon",
    LOG_LEVEL: "loud",
  });
  for (const name of ["PORT", "DRAIN_SECONDS", "ALLOWED_HOSTS", "CORS_ORIGINS", "SOURCES", "LOG_LEVEL"])
    expect(msg).toContain(` ${name}: `);
  expect(msg).toContain("SOURCES: moon is not known; the known names are: corpus");
});

it("names a wrong servers file, and the key in it", async () => {
  const dir = await home();
  const MCP_SERVERS = writeServers(dir, { 文件: { command: "x", graphs: ["nowhere"] } });
  expect((await refusal({ DATA_DIR: join(dir, "data"), MCP_SERVERS })).message).toMatch(
    /MCP_SERVERS, .*: mcpServers\.文件\.graphs: names unknown graphs: nowhere; the graphs are: executor/,
  );
  expect((await readdir(dir)).includes("data")).toBe(false);
});

it("names the faults of all settings and of all files that they name at once, before anything is created", async () => {
  const dir = await home();
  await writeFile(join(dir, "preise.json"), '{"模型": {"inputPerMillion": "viel"}}');
  await writeFile(join(dir, "teams.json"), '{"审稿": {"pattern": "round"}, "a b": {}}');
  await mkdir(join(dir, "prompts"));
  await writeFile(join(dir, "prompts", "wrietr.md"), "x");
  const files = {
    MODEL_PRICES: join(dir, "preise.json"),
    TEAMS: join(dir, "teams.json"),
    PROMPTS_DIR: join(dir, "prompts"),
    MCP_SERVERS: join(dir, "missing.json"),
    DATA_DIR: join(dir, "data"),
  };
  const fromFiles = [
    "模型.inputPerMillion: must be a number",
    "审稿/pattern",
    '"a b" is not',
    "wrietr.md:1: there is no",
    "missing.json: it cannot be",
  ];
  const { code, message } = await refusal(files);
  expect(code).toBe("config_invalid");
  for (const fault of fromFiles) expect(message).toContain(fault);
  const { msg } = await lastWords({ ...files, PORT: "0", MAX_STEPS: "many", ALLOWED_PRIVATE_HOSTS: "10.1.2.3,[::1]:80/x" });
  for (const fault of [...fromFiles, "MAX_STEPS: ", "ALLOWED_PRIVATE_HOSTS: each entry must be host:port"]) expect(msg).toContain(fault);
  expect(msg.match(/Nothing was started/g)).toHaveLength(1);
  expect((await readdir(dir)).includes("data")).toBe(false);
});

it("refuses a server in SOURCES that no file names, before anything is created", async () => {
  const dir = await home();
  const MCP_SERVERS = writeServers(dir, { 笔记: { command: "x", graphs: ["executor", "agent", "research", "team"] } });
  const settings = { DATA_DIR: join(dir, "data"), MCP_SERVERS };
  expect((await refusal({ ...settings, SOURCES: "corpus,mcp:notizen" })).message).toContain("SOURCES: mcp:notizen is not in the file");
  expect((await readdir(dir)).includes("data")).toBe(false);
  expect((await refusal({ ...settings, SOURCES: "corpus,mcp:笔记" })).message).toBe("it starts");
});

it("warns of names in the file .env that are no settings, without their values", async () => {
  const dir = await home();
  await writeFile(join(dir, ".env"), "MAX_DOWNLOAD=4711\n日志级别=verbose\nMAX_STEPS=9\nHOST=no-such-host.invalid\nALLOW_ANONYMOUS=1\n");
  const { stderr } = await promisify(execFile)(process.execPath, [SERVICE], { cwd: dir, env: {} }).catch((error) => error);
  const [warning, fault] = stderr
    .trim()
    .split("\n")
    .map((line: string) => JSON.parse(line));
  expect(warning).toMatchObject({ level: 40, names: ["MAX_DOWNLOAD", "日志级别"], msg: ".env has names that have no effect" });
  expect(fault.msg).toContain("Cannot listen");
  expect(stderr).not.toMatch(/4711|verbose/);
});
