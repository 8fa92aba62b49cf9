import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { Run } from "../../src/domain/run.ts";
import { home, post } from "../e2e/held-service.ts";
import { startServer } from "../e2e/server-process.ts";
import { hang, text } from "../fakes/model-server/behaviors.ts";
import { openModelServer } from "../fakes/model-server/serve.ts";
import { COMPILE_CACHE, freePort } from "../helpers/processes.ts";

const SERVER = new URL("../../src/server.ts", import.meta.url).pathname;
const RUNS = 16;
const KILLS = 5;
/** The next processes start the runs one at a time: each is killed when two wait, so that it was no run alone. */
const KILLS_WITH_ALL = 2;

it(`${KILLS} kills of a process whose ${RUNS} runs wait for the model end none of them`, async () => {
  let answers = false;
  const said = text("The lighthouse was built in 1874.");
  const model = await openModelServer(() => (answers ? said : hang({ after: "nothing", of: said })));
  onTestFinished(() => model.close());
  const [dir, port] = [await home(), await freePort()];
  const environment = {
    ...{ NODE_COMPILE_CACHE: COMPILE_CACHE, PORT: String(port), LOG_LEVEL: "warn", SOURCES: "corpus" },
    ...{ DATA_DIR: join(dir, "data"), CORPUS_DIR: join(dir, "corpus"), RUN_CONCURRENCY: String(RUNS) },
    ...{ OPENAI_BASE_URL: model.url, OPENAI_API_KEY: "sk-test", OPENAI_MODEL: "scripted", MODEL_FIRST_TOKEN_SECONDS: "600" },
  };
  const start = () => startServer(SERVER, [], environment, port);
  let service = await start();
  const ids: string[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const answer = await post(service.url, { question: `When was lighthouse ${run} built?`, graph: "agent" });
    ids.push(((await answer.json()) as Run).id);
  }
  for (let kill = 1, asked = 0; kill <= KILLS; kill += 1) {
    asked += kill <= KILLS_WITH_ALL ? RUNS : 2;
    await expect.poll(() => model.requests.length).toBeGreaterThanOrEqual(asked);
    asked = model.requests.length;
    await service.stop("SIGKILL");
    answers = kill === KILLS;
    service = await start();
  }
  const ended: Run[] = [];
  for (const id of ids) {
    const read = async (): Promise<Run> => (await fetch(`${service.url}/research/${id}`)).json() as Promise<Run>;
    await expect.poll(async () => (await read()).endedAt).not.toBeNull();
    ended.push(await read());
  }
  expect(ended.map(({ status, error }) => ({ status, error }))).toEqual(ids.map(() => ({ status: "succeeded", error: null })));
});
