import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, it, onTestFinished } from "vitest";
import type { Parts } from "../../src/compose/parts.ts";
import { buildApp } from "../../src/http/build-app.ts";
import { startGated } from "../fakes/gated-server.ts";
import { httpTool } from "../fakes/http-tool.ts";
import { scriptedAnalyst } from "../fakes/scripted-analyst.ts";
import { openDossier, type TestDossier } from "../helpers/open-dossier.ts";
import { postJson } from "./app-under-test.ts";

const QUESTION = "Who built the lighthouse of Aldermoor?";
const TRIGGERS = {
  ...{ events: "insert on events", runs: "update on runs", gone: "delete on runs", texts: "insert on documents" },
  // What readiness tries.
  titles: "insert on titles",
};

/** The whole service over HTTP, with one run inside its tool and one that has ended. */
async function serve() {
  const tool = await startGated();
  const parts: Parts = { analyst: scriptedAnalyst([[["alpha", { query: "a" }]]]), tools: [httpTool("alpha", tool.url)] };
  const dossier = await openDossier({ parts, environment: { MAX_OPTIONAL_TOOL_LOOPS: "1" } });
  const app = await buildApp(dossier);
  onTestFinished(() => app.close());
  const url = await app.listen({ port: 0, host: "127.0.0.1" });
  const ended = await dossier.start({ question: QUESTION, limits: { optionalToolLoops: 0 } });
  await dossier.finish(ended.id);
  const running = await dossier.start({ question: QUESTION });
  await tool.asked(1);
  return { dossier, url, ended, running, letGo: tool.open };
}

/** Fails writes as a full disk does; `again` ends that. */
function refuseWrites({ dir }: TestDossier, triggers: Partial<typeof TRIGGERS> = TRIGGERS): { again: () => void } {
  const raw = new Database(join(dir, "data", "dossier.sqlite"));
  for (const [name, what] of Object.entries(triggers))
    raw.exec(`create trigger refuse_${name} before ${what} begin select raise(abort, 'database or disk is full'); end`);
  return {
    again: () => {
      raw.exec(
        Object.keys(triggers)
          .map((name) => `drop trigger refuse_${name}`)
          .join(";"),
      );
      raw.close();
    },
  };
}

it("answers 503 to every write and to readiness while the disk is full, and continues with everything afterwards", async () => {
  const { dossier, url, ended, running, letGo } = await serve();
  const ready = async (): Promise<number> => (await fetch(`${url}/readyz`)).status;
  expect(await ready()).toBe(200);
  const writes = refuseWrites(dossier);
  const answers = [
    await fetch(`${url}/research/${ended.id}`, { method: "DELETE" }),
    await postJson(`${url}/research`, { question: "谁建造了灯塔？" }),
  ];
  for (const answer of answers) {
    expect(answer.headers.get("retry-after")).toBe("5");
    expect([answer.status, await answer.json()]).toMatchObject([
      503,
      { code: "storage_unavailable", detail: expect.stringContaining("Nothing was changed") },
    ]);
  }
  letGo();
  // Each of them tries a write.
  for (let times = 0; times < 10; times += 1) expect(await ready()).toBe(503);
  expect((await fetch(`${url}/research/${ended.id}`)).status).toBe(200);
  writes.again();
  expect(await ready()).toBe(200);
  expect((await dossier.finish(running.id)).status).toBe("succeeded");
  expect((await fetch(`${url}/research/${ended.id}`, { method: "DELETE" })).status).toBe(204);
});

it("continues a run that the database has refused many times, and does not blame a document for it", async () => {
  const refused = Promise.withResolvers<void>();
  let writes: ReturnType<typeof refuseWrites> | null = null;
  let dossier: TestDossier | null = null;
  const parts: Parts = {
    onEvent: (_, event) => {
      if (event.type !== "node-started" || event.node !== "download" || writes !== null || dossier === null) return;
      // Events and records can be written meanwhile, a failed download for instance.
      writes = refuseWrites(dossier, { texts: TRIGGERS.texts });
      refused.resolve();
    },
  };
  dossier = await openDossier({ parts });
  // As if the database had refused it before: a claim each time.
  const raw = new Database(join(dossier.dir, "data", "dossier.sqlite"));
  raw.exec("create trigger many after insert on runs begin update runs set attempt = 100 where id = new.id; end");
  const { id } = await dossier.start({ question: QUESTION });
  raw.exec("drop trigger many");
  await refused.promise;
  await expect.poll(() => raw.prepare("select attempt from runs").pluck().get()).toBeGreaterThan(102);
  raw.close();
  (writes as ReturnType<typeof refuseWrites> | null)?.again();
  expect(await dossier.finish(id)).toMatchObject({ status: "succeeded", termination: { reason: "completed" } });
  const events = await dossier.events(id);
  expect(events.filter((event) => event.type === "document-failed" || event.type === "run-restarted")).toEqual([]);
});

it("answers 503 soon while another program keeps the write lock, changes nothing later, and knows which run does not exist", async () => {
  const { dossier, url, ended, running, letGo } = await serve();
  const other = new Database(join(dossier.dir, "data", "dossier.sqlite"));
  onTestFinished(() => void other.close());
  other.exec("begin immediate");
  const cancel = async (id: string) => (await fetch(`${url}/research/${id}/cancel`, { method: "POST" })).json();
  expect(await cancel("run-unknown")).toMatchObject({ status: 404 });
  const refused = { status: 503, code: "storage_unavailable" };
  expect(await cancel(running.id)).toMatchObject(refused);
  expect(await (await fetch(`${url}/readyz`)).json()).toMatchObject(refused);
  expect(await (await postJson(`${url}/research`, { question: QUESTION })).json()).toMatchObject(refused);
  expect(await (await fetch(`${url}/research/${ended.id}`, { method: "DELETE" })).json()).toMatchObject(refused);
  other.exec("commit");
  await expect.poll(async () => (await fetch(`${url}/readyz`)).status).toBe(200);
  expect(await cancel(running.id)).toMatchObject({ id: running.id });
  expect(await dossier.finish(running.id)).toMatchObject({ status: "cancelled" });
  expect((await fetch(`${url}/research/${ended.id}`)).status).toBe(200);
  letGo();
});
