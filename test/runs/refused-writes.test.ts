import { join } from "node:path";
import { Annotation, END, START, StateGraph } from "@langchain/langgraph";
import Database from "better-sqlite3";
import pg from "pg";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Parts } from "../../src/compose/parts.ts";
import { replay } from "../../src/compose.ts";
import type { Effects } from "../../src/domain/ports/effects.ts";
import { bindNode } from "../../src/graphs/bind.ts";
import { readRecording } from "../../src/journal/recording-file.ts";
import { httpTool } from "../fakes/http-tool.ts";
import { startLoopback } from "../fakes/loopback-server.ts";
import { scriptedAnalyst } from "../fakes/scripted-analyst.ts";
import { openDossier, type TestDossier } from "../helpers/open-dossier.ts";
import { createDatabase, cutConnections } from "../helpers/postgres.ts";
import { testGraph } from "../helpers/test-graph.ts";
import { withStorage } from "../helpers/with-storage.ts";

const QUESTION = "谁建造了奥尔德穆尔灯塔？";

const State = Annotation.Root({ answers: Annotation<string[]> });

/** A graph that asks twice at the same time, and then ends. */
const defineAsking = (url: string) => {
  const ask = (effects: Effects, query: string): Promise<string> => {
    const live = async (signal: AbortSignal) => (await fetch(`${url}/alpha?query=${query}`, { signal })).text();
    return effects.perform({ kind: "tool", request: query, timeoutMs: 600_000, live });
  };
  return testGraph<typeof State.State>({
    compile: (checkpointer) =>
      new StateGraph(State)
        .addNode(
          "ask",
          bindNode(async (_: typeof State.State, effects: Effects) => ({
            answers: await Promise.all(["a", "b"].map((one) => ask(effects, one))),
          })),
        )
        .addEdge(START, "ask")
        .addEdge("ask", END)
        .compile({ checkpointer }) as never,
    input: { answers: [] },
    report: ({ answers }) => answers.join(),
  });
};

/** Another program that lets the database refuse writes. */
interface Operator {
  /** Refuses these changes of this table, if the condition holds. */
  refuse(change: "insert" | "update", table: string, condition: string): Promise<void>;
  allow(table: string): Promise<void>;
}

interface Opened {
  readonly dossier: TestDossier;
  /** What the run asked, in order. */
  readonly requests: readonly string[];
  /** Lets the server answer this request. */
  readonly answer: (query: "a" | "b") => void;
  readonly parts: Parts;
  readonly operator: Operator;
  /** Returns how often the run was to be queued again. */
  readonly releases: () => number;
  readonly ends: () => number;
}

async function openWith(database: "SQLite" | "PostgreSQL", url?: string): Promise<Opened> {
  const gates = { a: Promise.withResolvers<void>(), b: Promise.withResolvers<void>() };
  const server = await startLoopback(async ({ url: path = "" }, response) => {
    await gates[path.endsWith("a") ? "a" : "b"].promise;
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ text: "ok", sources: [] }));
  });
  onTestFinished(() => server.close());
  const { graphs, stored } = withStorage();
  const analyst = scriptedAnalyst([[["alpha", { query: "a" }]], [["alpha", { query: "b" }]]]);
  const asking = defineAsking(server.url);
  const parts: Parts = {
    graphs: [...graphs, (storage) => asking(storage.checkpoints)],
    ...{ analyst, tools: [httpTool("alpha", server.url)] },
  };
  const address = database === "SQLite" ? null : (url ?? (await createDatabase()));
  const dossier = await openDossier({ parts, environment: address === null ? {} : { DATABASE_URL: address } });
  const [released, ended] = [vi.spyOn(stored().runs, "release"), vi.spyOn(stored().runs, "endSegment")];
  const operator = address === null ? operatorOfSqlite(dossier.dir) : operatorOfPostgres(await connect(address));
  const counts = { releases: () => released.mock.calls.length, ends: () => ended.mock.calls.length };
  return { dossier, requests: server.requests, answer: (query) => gates[query].resolve(), parts, operator, ...counts };
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client(url);
  // The database is dropped before the connection ends.
  client.on("error", () => undefined);
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

function operatorOfSqlite(dir: string): Operator {
  const raw = new Database(join(dir, "data", "dossier.sqlite"), { timeout: 10_000 });
  onTestFinished(() => void raw.close());
  return {
    async refuse(change, table, condition) {
      raw.exec(`create trigger refuse before ${change} on ${table} when ${condition} begin select raise(abort, 'no'); end`);
    },
    async allow() {
      raw.exec("drop trigger refuse");
    },
  };
}

function operatorOfPostgres(client: pg.Client): Operator {
  return {
    async refuse(change, table, condition) {
      await client.query(`create function refuse() returns trigger language plpgsql as
        $$ begin raise exception 'no' using errcode = 'disk_full'; end $$`);
      await client.query(`create trigger refuse before ${change} on ${table} for each row when (${condition}) execute function refuse()`);
    },
    async allow(table) {
      await client.query(`drop trigger refuse on ${table}`);
    },
  };
}

/** Checks that the run has ended, and that each of its calls was made once. */
async function expectEachOnce({ dossier, requests, parts }: Opened, id: string): Promise<void> {
  expect(await dossier.finish(id)).toMatchObject({ status: "succeeded" });
  expect(requests.toSorted()).toEqual(["/alpha?query=a", "/alpha?query=b"]);
  const recording = await readRecording(await dossier.recordingLines(id));
  expect(recording.events.map(({ seq }) => seq)).toEqual(recording.events.map((_, index) => index + 1));
  // A replay knows only the graphs of the program.
  if (recording.run.graph === "test") return;
  const again = await replay(recording, parts);
  expect(again.difference).toBeNull();
  expect(again.events).toEqual(recording.events);
}

describe.each(["SQLite", "PostgreSQL"] as const)("a run in %s", (database) => {
  it("asks nothing again whose answer the database refused for a while", async () => {
    const opened = await openWith(database);
    const { dossier, requests, answer, operator, releases } = opened;
    const { id } = await dossier.start({ question: QUESTION });
    await expect.poll(() => requests.length).toBe(1);
    await operator.refuse("insert", "journal", "new.kind = 'tool'");
    answer("a");
    answer("b");
    await expect.poll(releases).toBeGreaterThan(1);
    await operator.allow("journal");
    await expectEachOnce(opened, id);
  });
});

it("asks nothing again that was to be written together with an end which PostgreSQL refuses", async () => {
  const url = await createDatabase();
  const opened = await openWith("PostgreSQL", url);
  const { dossier, requests, answer, operator, releases, ends } = opened;
  const { id } = await dossier.start({ question: QUESTION, graph: "test" });
  await expect.poll(() => requests.length).toBe(2);
  await operator.refuse("update", "runs", "new.status = 'succeeded'");
  const [other, monitor] = [await connect(url), await connect(url)];
  await other.query("begin");
  await other.query("select 1 from runs for update");
  answer("a");
  const waiting = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  await expect.poll(async () => (await monitor.query(waiting)).rowCount).toBe(1);
  // The first answer waits for the row, and everything later for the first answer.
  answer("b");
  await expect.poll(ends).toBe(1);
  await other.query("commit");
  await expect.poll(releases).toBe(1);
  await operator.allow("runs");
  await expectEachOnce(opened, id);
});

it("refuses new runs while PostgreSQL is read-only, and then goes on and asks nothing again", async () => {
  const url = await createDatabase();
  const opened = await openWith("PostgreSQL", url);
  const { dossier, requests, answer, releases } = opened;
  await dossier.recover();
  const { id } = await dossier.start({ question: QUESTION });
  await expect.poll(() => requests.length).toBe(1);
  const [, name = ""] = new URL(url).pathname.split("/");
  const admin = await connect(url.replace(name, "postgres"));
  const setReadOnly = async (value: "on" | "off"): Promise<void> => {
    await admin.query(`alter database ${name} set default_transaction_read_only = ${value}`);
    await cutConnections(url);
  };
  await setReadOnly("on");
  await expect(dossier.start({ question: QUESTION })).rejects.toMatchObject({ code: "storage_unavailable" });
  await expect(dossier.operations.ready()).rejects.toMatchObject({ code: "storage_unavailable" });
  answer("a");
  answer("b");
  await expect.poll(releases).toBeGreaterThan(1);
  await setReadOnly("off");
  await expectEachOnce(opened, id);
});
