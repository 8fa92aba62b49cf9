import pg from "pg";
import { expect, it } from "vitest";
import type { WorkerState } from "../../src/domain/ports/run-service.ts";
import { expectWhole } from "../e2e/held-service.ts";
import { readEvents, type SeenEvent } from "../e2e/read-events.ts";
import type { SeenRequest } from "../fakes/model-server/seen-request.ts";
import { createDatabase } from "../helpers/postgres.ts";
import { Client, CONCURRENCY, callOf, type Member, memberOf, openModel, startMember, storedCalls } from "./many-processes.ts";

const RUNS = 300;

/** Which runs the process executes, as soon as there are some. */
async function someRunsOf(api: Member, { child }: Member): Promise<string[]> {
  for (;;) {
    const { workers } = (await (await fetch(`${api.url}/workers`)).json()) as { workers: WorkerState[] };
    const runs = workers.find(({ pid }) => pid === child.pid)?.runs ?? [];
    if (runs.length > 0) return [...runs];
  }
}

async function rowsOf<Row extends pg.QueryResultRow>(database: string, statement: string): Promise<Row[]> {
  const client = new pg.Client(database);
  await client.connect();
  return (await client.query<Row>(statement).finally(() => client.end())).rows;
}

it(`ends each of ${RUNS} runs once while processes are killed, stopped, woken and drained`, { timeout: 1_200_000 }, async () => {
  const [database, model] = [await createDatabase(), await openModel()];
  const start = (role: "api" | "worker", name: string) => startMember(role, name, database, model);
  // One after the other: on a busy machine, each needs its time.
  const first = await start("worker", "first");
  const second = await start("worker", "second");
  const third = await start("worker", "third");
  const api = await start("api", "api");
  const other = await start("api", "other");
  const client = new Client([api, other]);
  const lost: { name: string; runs: string[]; stored: Set<string>; asked: number }[] = [];
  const lose = async (member: Member, signal: NodeJS.Signals) => {
    const runs = await someRunsOf(api, member);
    member.child.kill(signal);
    if (signal === "SIGTERM") await member.ended;
    lost.push({ name: member.name, runs, stored: await storedCalls(database), asked: model.requests.length });
  };
  const all: SeenEvent[][] = [];
  /** Starts a third of the runs, and does this to the processes when some have ended. */
  const whileRunning = async (act: () => Promise<unknown>) => {
    const before = all.length;
    const reading = Promise.all(Array.from({ length: RUNS / 3 }, (_, nth) => client.run(before + nth)));
    await expect.poll(() => client.ended.length, { timeout: 600_000 }).toBeGreaterThan(before + RUNS / 30);
    await act();
    all.push(...(await reading));
  };

  await whileRunning(async () => {
    await lose(first, "SIGKILL");
    await other.stop("SIGKILL");
  });
  await whileRunning(async () => {
    await lose(second, "SIGSTOP");
    for (const runId of lost.at(-1)?.runs ?? []) await readEvents(`${api.url}/research/${runId}/events`);
    second.child.kill("SIGCONT");
  });
  const fourth = await start("worker", "fourth");
  await whileRunning(async () => {
    await lose(third, "SIGTERM");
    expect(third.child.exitCode).toBe(0);
  });

  for (const events of all) {
    expectWhole(events);
    expect(events.filter(({ event }) => event === "run-ended")).toMatchObject([{ data: { status: "succeeded" } }]);
  }
  expect(new Set(all.map((events) => events[0]?.data["runId"])).size).toBe(RUNS);
  for (const { name, runs, stored, asked } of lost) {
    const later = model.requests.slice(asked).map(({ body }) => callOf(body.messages));
    expect(
      later.filter((call) => stored.has(call)),
      "stored calls made again",
    ).toEqual([]);
    const times = all.flatMap((events) => (runs.includes(String(events[0]?.data["runId"])) ? startedAgain(events) : []));
    console.log(
      `${name}: ${runs.length} runs, ${times.length} started again, the last one after ${Math.max(0, ...times)} ms after its last event.`,
    );
  }
  const isAgain = (earlier: SeenRequest): boolean =>
    model.requests.some(({ body, at }) => (earlier.endedAt ?? at) < at && callOf(earlier.body.messages) === callOf(body.messages));
  const again = model.requests.filter(isAgain);
  // What the lost processes had not stored yet: at most one call of each of their runs.
  console.log(`${model.requests.length} calls, of which ${again.length} were answered and asked again.`);
  // The third process ended by itself, and had stored all.
  expect(again.map(memberOf).filter((name) => ![first.name, second.name].includes(name))).toEqual([]);
  expect(again.length).toBeLessThanOrEqual(2 * CONCURRENCY);
  const timed = await rowsOf<{ together: string; done: string }>(
    database,
    `select count(*) filter (where exists (select 1 from pgboss.job other where other.name = job.name and other.id <> job.id
      and other.started_on < job.completed_on and other.completed_on > job.started_on)) as together, count(*) as done
      from pgboss.job job where name in ('retention', 'expiry') and state = 'completed'`,
  );
  console.log(`${timed[0]?.done} times scheduled work.`);
  expect(Number(timed[0]?.together)).toBe(0);
  expect(Number(timed[0]?.done)).toBeGreaterThan(0);
  await fourth.stop("SIGTERM");
});

/** How long after the last event of its first attempt the run was started again. */
function startedAgain(events: readonly SeenEvent[]): number[] {
  const second = events.findIndex(({ event, data }) => event === "run-started" && Number(data["attempt"]) > 1);
  const timeOf = (at: number): number => Date.parse(String(events[at]?.data["at"]));
  return second < 0 ? [] : [timeOf(second) - timeOf(second - 1)];
}
