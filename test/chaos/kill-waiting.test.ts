import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import type { Run } from "../../src/domain/run.ts";
import { startServer } from "../e2e/server-process.ts";
import { home, post } from "../e2e/slow-service.ts";
import { slow, text } from "../fakes/model-server/behaviors.ts";
import { openModelServer } from "../fakes/model-server/serve.ts";
import { COMPILE_CACHE, freePort } from "../helpers/processes.ts";

const SERVER = new URL("../../src/server.ts", import.meta.url).pathname;
const RUNS = 16;
const KILLS = 5;
const NEVER_MS = 600_000;
const QUIET_MS = 700;

it(`${KILLS} kills of a process whose ${RUNS} runs wait for the model end none of them`, async () => {
  let firstMs = NEVER_MS;
  const model = await openModelServer(() => slow(text("The lighthouse was built in 1874."), { firstMs }));
  onTestFinished(() => model.close());
  const [dir, port] = [await home(), await freePort()];
  const environment = {
    ...{ NODE_COMPILE_CACHE: COMPILE_CACHE, PORT: String(port), LOG_LEVEL: "warn", SOURCES: "corpus" },
    ...{ DATA_DIR: join(dir, "data"), CORPUS_DIR: join(dir, "corpus"), RUN_CONCURRENCY: String(RUNS) },
    ...{ OPENAI_BASE_URL: model.url, OPENAI_API_KEY: "sk-test", OPENAI_MODEL: "scripted", MODEL_FIRST_TOKEN_SECONDS: "600" },
  };
  const start = () => startServer(SERVER, [], environment, port);
  /** Waits until the runs of this process have asked the model and wait. */
  const allAsked = async (before: number): Promise<void> => {
    for (let seen = -1; seen <= before || seen < model.requests.length; await pause(QUIET_MS)) seen = model.requests.length;
  };
  let service = await start();
  const ids: string[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const answer = await post(service.url, { question: `When was lighthouse ${run} built?`, graph: "agent" });
    ids.push(((await answer.json()) as Run).id);
  }
  for (let kill = 0, before = 0; kill < KILLS; kill += 1) {
    await allAsked(before);
    before = model.requests.length;
    await service.stop("SIGKILL");
    firstMs = kill === KILLS - 1 ? 0 : NEVER_MS;
    service = await start();
  }
  const ended = await Promise.all(
    ids.map(async (id) => {
      for (;;) {
        const run = (await (await fetch(`${service.url}/research/${id}`)).json()) as Run;
        if (run.endedAt !== null) return run;
        await pause(100);
      }
    }),
  );
  expect(ended.map(({ status, error }) => ({ status, error }))).toEqual(ids.map(() => ({ status: "succeeded", error: null })));
  // Every process started all runs: none was held back as a suspect.
  expect(model.requests.length).toBeGreaterThanOrEqual(RUNS * (KILLS + 1));
});
