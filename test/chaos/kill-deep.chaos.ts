import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, it, onTestFinished } from "vitest";
import type { Run } from "../../src/domain/run.ts";
import { startModelServer } from "../fakes/model-server.ts";
import { deepScript, settingsOf, startWorld } from "../graphs/research/deep-world.ts";
import { makeHome } from "../helpers/open-dossier.ts";
import { seeded } from "../helpers/seeded.ts";
import { dying } from "./die-at.ts";
import { runHost } from "./run-host.ts";

const HOST = new URL("./deep-host.ts", import.meta.url).pathname;
const KILLS = 10;
/** Eleven processes that work on a deep run, one after the other. */
const LIMIT_MS = 900_000;
/** Within so many statements after its first new result a process is killed. Three deaths without a result would end the run. */
const MAX_STATEMENTS = 200;
const MAX_TURNS = 12;

type Asked = { readonly model: string; readonly messages: readonly { readonly content?: unknown }[] };

const nameOf = ({ model, messages }: Asked): string => `${model}: ${messages.map(({ content }) => String(content)).join("\n")}`;

/** Returns the calls whose answers the dead process has recorded. */
function recordedCalls(home: string): Set<string> {
  const database = new Database(join(home, "data", "dossier.sqlite"));
  const requests = database.prepare("select request from journal where ok = 1 and kind = 'model'").pluck().all() as string[];
  database.close();
  return new Set(requests.map((request) => nameOf(JSON.parse(request))));
}

it(`a deep run whose process is killed ${KILLS} times pays nothing twice but what was in flight`, { timeout: LIMIT_MS }, async () => {
  const home = await makeHome({});
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const web = await startWorld();
  onTestFinished(() => web.close());
  const model = await startModelServer(deepScript());
  const environment = { ...settingsOf(web.url), OPENAI_BASE_URL: model.url, OPENAI_API_KEY: "sk-test", OPENAI_MODEL: "writer" };
  const random = seeded(11);
  const upTo = (max: number): number => Math.floor(random() * max);
  const deaths: { readonly recorded: ReadonlySet<string>; readonly before: number }[] = [];
  for (let kill = 0; kill < KILLS; kill += 1) {
    const death = { nth: 1 + upTo(MAX_STATEMENTS), turns: upTo(MAX_TURNS), afterResult: true };
    const { signal, errors } = await runHost(HOST, { home, environment }, [dying(death)]);
    expect(signal, errors).toBe("SIGKILL");
    deaths.push({ recorded: recordedCalls(home), before: model.requests.length });
  }
  const { code, errors } = await runHost(HOST, { home, environment });
  expect(code, errors).toBe(0);
  const run: Run = JSON.parse(await readFile(join(home, "run.json"), "utf8"));
  expect([run.status, run.termination?.reason]).toEqual(["succeeded", "completed"]);
  const asked = model.requests.map(({ body }) => nameOf(body as Asked));
  for (const { recorded, before } of deaths) expect(asked.slice(before).filter((name) => recorded.has(name))).toEqual([]);
  expect(deaths.at(-1)?.recorded.size).toBeGreaterThan(KILLS);
});
