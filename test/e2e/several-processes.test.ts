import { expect, it } from "vitest";
import type { RunEvent } from "../../src/domain/events.ts";
import { startGated } from "../fakes/gated-server.ts";
import { httpTool } from "../fakes/http-tool.ts";
import { scriptedAnalyst } from "../fakes/scripted-analyst.ts";
import { openDossier, TENANT, type TestDossier } from "../helpers/open-dossier.ts";
import { createDatabase, expireLeases } from "../helpers/postgres.ts";

const QUESTION = "Who built the lighthouse of Aldermoor?";

type Opening = Parameters<typeof openDossier>[0];

/** Opens processes that share a database. They are one program here, and tell each other as processes do. */
async function openSeveral(options: NonNullable<Opening> = {}) {
  const DATABASE_URL = await createDatabase();
  const open = async (ROLE: "api" | "worker"): Promise<TestDossier> => {
    const one = await openDossier({ ...options, environment: { DATABASE_URL, ROLE, ...options.environment } });
    await one.recover();
    return one;
  };
  return { url: DATABASE_URL, api: await open("api"), worker: await open("worker"), openWorker: () => open("worker") };
}

/** A run that calls a tool twice. The tool answers when the test opens it. */
async function openGated() {
  const server = await startGated();
  const analyst = scriptedAnalyst([[["alpha", { query: "a" }]], [["alpha", { query: "b" }]]]);
  const opened = await openSeveral({ parts: { analyst, tools: [httpTool("alpha", server.url)] }, environment: { RUN_CONCURRENCY: "1" } });
  const { id } = await opened.api.start({ question: QUESTION });
  await server.asked(1);
  return { ...opened, server, id };
}

const isGapless = (events: readonly RunEvent[]) =>
  expect(events.map(({ seq }) => seq)).toEqual(Array.from({ length: events.length }, (_, at) => at + 1));

it("executes in one process what is asked of another, which shows every event and the report", async () => {
  const { api, openWorker } = await openSeveral();
  const other = await openWorker();
  const asked = [];
  for (const question of [QUESTION, "奥尔德穆尔灯塔建于哪一年？"]) asked.push(await api.start({ question, threadId: "T" }));
  const followed: RunEvent[] = [];
  const options = { after: 0, signal: new AbortController().signal, heartbeatMs: 1_000 };
  for await (const page of api.runs.follow(TENANT, asked[0]?.id ?? "", options)) followed.push(...(page ?? []));
  isGapless(followed);
  expect(followed.at(-1)).toMatchObject({ type: "run-ended", status: "succeeded" });
  const ended = [];
  for (const { id } of asked) ended.push(await api.finish(id));
  expect(ended.map(({ status }) => status)).toEqual(["succeeded", "succeeded"]);
  // Runs of one thread come one after the other, in whatever processes.
  expect((ended[1]?.startedAt ?? "") >= (ended[0]?.endedAt ?? "x")).toBe(true);
  for (const one of [api, other])
    expect((await one.operations.workers()).map(({ role }) => role).toSorted()).toEqual(["api", "worker", "worker"]);
});

it("stops a run in another process when it is cancelled", async () => {
  const { api, server, id } = await openGated();
  await api.runs.cancel(TENANT, id);
  expect((await api.finish(id)).status).toBe("cancelled");
  server.open();
});

it("goes on in another process from where one has stopped, and asks nothing again", async () => {
  const { api, worker, openWorker, server, id } = await openGated();
  const closing = worker.close(600_000);
  server.open();
  await closing;
  await openWorker();
  expect((await api.finish(id)).status).toBe("succeeded");
  expect(server.requests).toEqual(["/alpha?query=a", "/alpha?query=b"]);
  isGapless(await api.events(id));
});

it("goes on in another process when one says nothing any more, and refuses what that one writes later", async () => {
  const { url, api, worker, openWorker, server, id } = await openGated();
  await openWorker();
  await expireLeases(url);
  await server.asked(2);
  server.open();
  const run = await api.finish(id);
  expect(run.status).toBe("succeeded");
  isGapless(await api.events(id));
  const started = (await api.events(id)).flatMap((event) => (event.type === "run-started" ? [event.attempt] : []));
  expect(started).toEqual([1, 2]);
  await worker.close(0);
  expect((await api.events(id)).at(-1)).toMatchObject({ type: "run-ended", status: "succeeded" });
});
