import { once } from "node:events";
import { rm } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { CORPUS, makeHome } from "../helpers/open-dossier.ts";
import { COMPILE_CACHE, freePort } from "../helpers/processes.ts";
import { startServer } from "./server-process.ts";

const SERVICE = new URL("../../src/server.ts", import.meta.url).pathname;

async function environment(): Promise<{ env: NodeJS.ProcessEnv; port: number }> {
  const home = await makeHome(CORPUS);
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const port = await freePort();
  return {
    port,
    env: { DATA_DIR: `${home}/data`, CORPUS_DIR: home, SOURCES: "corpus", PORT: `${port}`, NODE_COMPILE_CACHE: COMPILE_CACHE },
  };
}

async function connectIdly(port: number, count: number): Promise<Socket[]> {
  const sockets: Socket[] = [];
  for (let i = 0; i < count; i += 1) {
    const socket = connect(port, "127.0.0.1").on("error", () => undefined);
    sockets.push(socket);
    await Promise.race([once(socket, "connect"), once(socket, "close")]);
  }
  return sockets;
}

it("answers and finishes runs after more idle connections than it can open files", async () => {
  const { env, port } = await environment();
  const { url, child, log } = await startServer(SERVICE, [], env, port, { openFiles: 256 });
  const sockets = await connectIdly(port, 400);
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  await expect.poll(log).toContain("connections are refused");
  expect(child.exitCode).toBeNull();
  for (const socket of sockets.splice(0, 200)) socket.destroy();
  const ask = () =>
    fetch(`${url}/research`, {
      method: "POST",
      headers: { "content-type": "application/json", prefer: "wait=30" },
      body: JSON.stringify({ question: "灯塔多高？" }),
    }).catch(() => null);
  await expect.poll(async () => (await ask())?.status).toBe(200);
});

it("does not start if the system lets it open too few files", async () => {
  const { env, port } = await environment();
  await expect(startServer(SERVICE, [], env, port, { openFiles: 64 })).rejects.toThrow(
    /config_invalid.*Only 64 files can be open at once; Dossier needs 256/,
  );
});
