import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, rm } from "node:fs/promises";
import { expect, it, onTestFinished } from "vitest";
import { CORPUS, makeHome } from "../helpers/open-dossier.ts";
import { freePort } from "../helpers/processes.ts";

const PROJECT = new URL("../..", import.meta.url).pathname;
const ON_STOP_SIGNAL = new URL("../../src/compose/process.ts", import.meta.url).pathname;

/** Starts a program in its own process group; the whole group is killed when the test has finished. */
function start(command: string, args: readonly string[]) {
  const child = spawn(command, args, { cwd: PROJECT, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  const group = -(child.pid ?? 0);
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (said += chunk));
  onTestFinished(() => void lives(group, "SIGKILL"));
  const ended = once(child, "close").then(() => Promise.reject(new Error(said)));
  ended.catch(() => undefined);
  const saying = async (text: string): Promise<void> => {
    while (!said.includes(text)) await Promise.race([once(child.stdout, "data"), once(child.stderr, "data"), ended]);
  };
  return { child, group, saying, said: () => said };
}

/** Returns whether the process group has a process left. */
function lives(group: number, signal: NodeJS.Signals | 0 = 0): boolean {
  try {
    return process.kill(group, signal);
  } catch {
    return false;
  }
}

it.each(["SIGTERM", "SIGINT"] as const)("passes %s from npm to the service, which drains and leaves no process behind", async (signal) => {
  const home = await makeHome(CORPUS);
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const settings = [`DATA_DIR=${home}/data`, `CORPUS_DIR=${home}/corpus`, "SOURCES=corpus", `PORT=${await freePort()}`];
  // Everything else keeps npm's defaults.
  const npm = start("env", [...settings, "npm", "start"]);
  await npm.saying('"listening"');
  const ended = once(npm.child, "exit");
  npm.child.kill(signal);
  expect(await ended).toEqual([0, null]);
  expect(npm.said()).toContain('"msg":"draining"');
  expect(npm.said()).toContain('"msg":"stopped"');
  expect(lives(npm.group)).toBe(false);
});

it("starts every command that signals stop without a shell between npm and the command", async () => {
  const { scripts } = JSON.parse(await readFile(`${PROJECT}/package.json`, "utf8"));
  const { start: service, dev, ask, "model-server": models } = scripts;
  expect([service, dev, ask, models]).toEqual([
    "exec node --max-semi-space-size=16 --heap-growing-percent=40 src/server.ts",
    "exec node --max-semi-space-size=16 --heap-growing-percent=40 --watch src/server.ts",
    "exec node src/cli.ts ask",
    "exec node scripts/model-server.ts",
  ]);
});

it("treats npm's echo of a Ctrl-C as the same Ctrl-C, and a later one as the second", async () => {
  const program = `import { onStopSignal } from ${JSON.stringify(ON_STOP_SIGNAL)};
    onStopSignal((signal) => console.log("first", signal), () => { console.log("again"); process.exit(1); });
    process.emit("SIGINT", "SIGINT");
    process.emit("SIGINT", "SIGINT");
    console.log("echo");
    Object.assign(performance, { now: () => 1e9 });
    process.emit("SIGTERM", "SIGTERM");`;
  const { child, said } = start(process.execPath, ["--input-type=module", "-e", program]);
  expect(await once(child, "close")).toEqual([1, null]);
  expect(said()).toBe("first SIGINT\necho\nagain\n");
});

it("closes everything and exits with 0 at a signal before it listens", async () => {
  const home = await makeHome(CORPUS);
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const settings = [`DATA_DIR=${home}/data`, `CORPUS_DIR=${home}/corpus`, "SOURCES=corpus", "PORT=0"];
  const program = `await import(${JSON.stringify(`${PROJECT}src/server/serve.ts`)}); process.emit("SIGTERM", "SIGTERM");`;
  const { child, said } = start("env", [...settings, process.execPath, "--input-type=module", "-e", program]);
  expect(await once(child, "close")).toEqual([0, null]);
  expect(said()).toContain('"msg":"stopped"');
  expect(said()).not.toContain("listening");
  expect((await readdir(`${home}/data`)).filter((name) => !name.endsWith(".sqlite"))).toEqual([]);
});
