import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, onTestFinished } from "vitest";
import type { Run } from "../../src/domain/run.ts";
import { readEvents, type SeenEvent } from "../e2e/read-events.ts";
import { type ServerProcess, startServer } from "../e2e/server-process.ts";
import { slow, text } from "../fakes/model-server/behaviors.ts";
import type { SeenMessage, SeenRequest } from "../fakes/model-server/seen-request.ts";
import { type ModelServer, openModelServer } from "../fakes/model-server/serve.ts";
import { CORPUS, makeHome } from "../helpers/open-dossier.ts";
import { COMPILE_CACHE, freePort } from "../helpers/processes.ts";
import { nameOf } from "./graph-scenarios.ts";
import { runsInPostgres } from "./stored-runs.ts";

const SERVER = new URL("../../src/server.ts", import.meta.url).pathname;
/** How many runs each worker executes at once. */
export const CONCURRENCY = 8;
/** How long the model takes for an answer, so that several runs are in flight in each process. */
const ANSWER_MS = 400;

/** One process of the program. Its name is its key for the model. */
export interface Member extends ServerProcess {
  readonly name: string;
}

export async function openModel(): Promise<ModelServer> {
  const model = await openModelServer(() => slow(text("The lighthouse was built in 1874. 建于1874年。"), { firstMs: ANSWER_MS }));
  onTestFinished(() => model.close());
  return model;
}

/** Starts a process with a data folder of its own. */
export async function startMember(role: "api" | "worker", name: string, database: string, model: ModelServer): Promise<Member> {
  const [home, port] = [await makeHome(CORPUS), await freePort()];
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const environment = {
    ...{ NODE_COMPILE_CACHE: COMPILE_CACHE, PORT: String(port), LOG_LEVEL: "warn", SOURCES: "corpus" },
    ...{ ROLE: role, DATABASE_URL: database, DATABASE_CONNECTIONS: "6", RUN_CONCURRENCY: String(CONCURRENCY) },
    ...{ DATA_DIR: join(home, "data"), CORPUS_DIR: join(home, "corpus") },
    ...{ OPENAI_BASE_URL: model.url, OPENAI_API_KEY: name, OPENAI_MODEL: "scripted" },
  };
  return { ...(await startServer(SERVER, [], environment, port)), name };
}

/** A client of several processes: where one does not answer, it asks the next one. */
export class Client {
  readonly #apis: readonly Member[];
  readonly ended: SeenEvent[][] = [];
  #next = 0;

  constructor(apis: readonly Member[]) {
    this.#apis = apis;
  }

  /** Starts a run, reads its events to the end over as many connections as it takes, and returns them. */
  async run(nth: number): Promise<SeenEvent[]> {
    const { id } = await this.#start(nth);
    const seen: SeenEvent[] = [];
    while (seen.at(-1)?.event !== "run-ended") {
      const lastEventId = seen.at(-1)?.id ?? "0";
      seen.push(...(await readEvents(`${this.#url()}/research/${id}/events`, { lastEventId }).catch(() => [])));
      await nextTurn();
    }
    this.ended.push(seen);
    return seen;
  }

  async #start(nth: number): Promise<Run> {
    const request = { question: questionOf(nth), graph: "agent" };
    const headers = { "content-type": "application/json", "idempotency-key": `run ${nth}` };
    for (;;) {
      const answer = await fetch(`${this.#url()}/research`, { method: "POST", headers, body: JSON.stringify(request) }).catch(() => null);
      if (answer?.ok === true) return (await answer.json()) as Run;
      expect([undefined, 503]).toContain(answer?.status);
      await nextTurn();
    }
  }

  #url(): string {
    this.#next += 1;
    const alive = this.#apis.filter(({ child }) => child.exitCode === null && child.signalCode === null);
    return alive[this.#next % alive.length]?.url ?? "";
  }
}

const questionOf = (nth: number): string => `When was lighthouse ${nth} built? 第${nth}座灯塔建于哪一年？`;

export const memberOf = ({ headers }: SeenRequest): string => String(headers.authorization).replace("Bearer ", "");

/** Names a call by its lighthouse and its last message, on the wire and in the journal. */
export function callOf(messages: readonly Pick<SeenMessage, "content">[]): string {
  const [lighthouse] = /lighthouse \d+/.exec(JSON.stringify(messages)) ?? [];
  return `${lighthouse}: ${nameOf(messages)}`;
}

/** The calls whose results are stored. */
export async function storedCalls(database: string): Promise<Set<string>> {
  const requests = await runsInPostgres(database).requests("model");
  return new Set(requests.map((request) => callOf((request as { messages: { content: string }[] }).messages)));
}
