import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import type { Run } from "../../src/domain/run.ts";
import type { SeenRequest } from "../fakes/model-server/seen-request.ts";
import { startModelServer } from "../fakes/model-server.ts";
import { deepScript, settingsOf, startWorld } from "../graphs/research/deep-world.ts";
import { makeHome } from "../helpers/open-dossier.ts";
import { COMPILE_CACHE } from "../helpers/processes.ts";
import { seeded } from "../helpers/seeded.ts";
import { processClock } from "./process-clock.ts";

const HOST = new URL("./deep-host.ts", import.meta.url).pathname;
const KILLS = 10;
/** Each process gets up to so many answers before it is killed. Three deaths without any would end the run. */
const ANSWERS_BETWEEN = 4;
const MODEL_MS = 200;
const SPREAD_MS = 2_000;
const KILL_WITHIN_MS = 100;
const WEB_MS = 50;
const LOOK_MS = 5;
/** What was answered so long before a kill is not asked again; waits for a processor do not count. */
const MAX_AGE_MS = 250;

async function startHost(options: object) {
  const child = spawn(process.execPath, [HOST, JSON.stringify(options)], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { NODE_COMPILE_CACHE: COMPILE_CACHE },
  });
  let errors = "";
  child.stderr.on("data", (chunk) => {
    errors += chunk;
  });
  await Promise.race([once(child.stdout, "data"), once(child, "close")]);
  return { child, closed: once(child, "close"), errors: () => errors, now: processClock(child.pid ?? 0) };
}

it(`a deep run whose process is killed ${KILLS} times pays nothing twice but what was in flight`, { timeout: 900_000 }, async () => {
  const home = await makeHome({});
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const web = await startWorld(WEB_MS);
  onTestFinished(() => web.close());
  const model = await startModelServer(deepScript(MODEL_MS, SPREAD_MS));
  const answered = (): number => model.requests.filter(({ endedAt }) => endedAt !== null).length;
  const environment = { ...settingsOf(web.url), OPENAI_BASE_URL: model.url, OPENAI_API_KEY: "sk-test", OPENAI_MODEL: "writer" };
  const random = seeded(11);
  const ages = new Map<SeenRequest, number>();
  for (let kill = 0; kill < KILLS; kill += 1) {
    const { child, closed, errors, now } = await startHost({ home, environment });
    const wanted = answered() + 1 + Math.floor(random() * ANSWERS_BETWEEN);
    const seenAt = new Map<SeenRequest, number>();
    const look = async (): Promise<void> => {
      for (const request of model.requests)
        if (request.endedAt !== null && !ages.has(request) && !seenAt.has(request)) seenAt.set(request, now());
      await pause(LOOK_MS);
    };
    while (answered() < wanted && child.exitCode === null) await look();
    const killAt = performance.now() + random() * KILL_WITHIN_MS;
    while (performance.now() < killAt) await look();
    const killedAt = now();
    child.kill("SIGKILL");
    expect((await closed)[1], errors()).toBe("SIGKILL");
    // The server may end an answer for a process that is already dead: that one was in flight.
    for (const request of model.requests) if (!ages.has(request)) ages.set(request, killedAt - (seenAt.get(request) ?? killedAt));
  }
  const last = await startHost({ home, environment });
  expect((await last.closed)[0], last.errors()).toBe(0);
  const run: Run = JSON.parse(await readFile(join(home, "run.json"), "utf8"));
  expect([run.status, run.termination?.reason]).toEqual(["succeeded", "completed"]);
  const same = [...Map.groupBy(model.requests, ({ body }) => JSON.stringify(body)).values()];
  const again = same.flatMap((requests) => requests.slice(0, -1));
  const pages = web.requests.filter((path) => path.startsWith("/pages/"));
  console.log(
    `${KILLS} kills; ${model.requests.length} calls, of which the run has ${run.usage.modelCalls}; ${pages.length} downloads of ${run.usage.downloads}.`,
  );
  const late = again.map((request) => ({ ageMs: Math.round(ages.get(request) ?? 0), request }));
  const describe = ({ ageMs, request: { body } }: (typeof late)[number]): string =>
    `${ageMs} ms before a kill: ${JSON.stringify(body).slice(0, 200)} … ${JSON.stringify(body).slice(-200)}`;
  expect(late.filter(({ ageMs }) => ageMs > MAX_AGE_MS).map(describe)).toEqual([]);
});
