import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { Annotation, END, START, StateGraph } from "@langchain/langgraph";
import { expect, it, onTestFinished } from "vitest";
import type { Effects, KeptReplies } from "../../src/domain/ports/effects.ts";
import { bindNode } from "../../src/graphs/bind.ts";
import { startLoopback } from "../fakes/loopback-server.ts";
import * as say from "../fakes/model-server/behaviors.ts";
import { startModelServer } from "../fakes/model-server.ts";
import { openDossier } from "../helpers/open-dossier.ts";
import { testGraph } from "../helpers/test-graph.ts";

/** Whether the file of the service in this folder says that the run only waits. */
const isMarked = (dir: string, runId: string): boolean => readFileSync(join(dir, "data", "waiting-runs"), "utf8").includes(runId);

const State = Annotation.Root({ said: Annotation<string> });

it("says that a run only waits while all its effects wait, and no longer when one of them or a task goes on", async () => {
  const seen: Record<string, boolean> = {};
  let dir = "";
  const look = (effects: Effects, at: string): void => {
    seen[at] = isMarked(dir, effects.runId);
  };
  const gate = () => Promise.withResolvers<void>();
  const [first, second, told] = [gate(), gate(), gate()];
  const speak = bindNode(async (_: typeof State.State, effects: Effects) => {
    const perform = (request: string, live: (replies: KeptReplies) => Promise<void>) =>
      effects.perform({ kind: "tool", request, timeoutMs: 60_000, live: (_, replies) => live(replies) });
    look(effects, "task");
    const one = perform("one", async ({ whileWaiting }) => {
      look(effects, "effect");
      await whileWaiting(() => first.promise);
      look(effects, "after the wait of one effect");
      // The other effect waits, and this one works on.
      for (let turn = 0; turn < 3; turn += 1) await nextTurn();
      look(effects, "work of one effect");
    });
    const other = perform("other", ({ whileWaiting }) => whileWaiting(() => second.promise));
    const settled = async (): Promise<void> => {
      for (let turn = 0; turn < 3; turn += 1) await nextTurn();
    };
    void settled()
      .then(() => look(effects, "both wait"))
      .then(() => first.resolve());
    await one;
    look(effects, "between effects");
    void settled()
      .then(() => look(effects, "the other waits"))
      .then(() => second.resolve());
    await other;
    look(effects, "after the effects");
    told.resolve();
    return { said: "Well." };
  });
  const graph = testGraph<typeof State.State>({
    compile: (checkpointer) =>
      new StateGraph(State).addNode("speak", speak).addEdge(START, "speak").addEdge("speak", END).compile({ checkpointer }) as never,
    input: {},
    report: ({ said }) => said,
  });
  const dossier = await openDossier({ parts: { graphs: [(storage) => graph(storage.checkpoints)] } });
  dir = dossier.dir;
  const { id } = await dossier.start({ question: "wait", graph: "test" });
  await told.promise;
  expect((await dossier.finish(id)).status).toBe("succeeded");
  expect(seen).toEqual({
    task: false,
    effect: false,
    "both wait": true,
    "after the wait of one effect": false,
    "work of one effect": false,
    "between effects": false,
    "the other waits": true,
    "after the effects": false,
  });
  expect(isMarked(dir, id)).toBe(false);
});

async function expectWaits(open: () => ReturnType<typeof openDossier>, question: object, release: () => void): Promise<void> {
  const dossier = await open();
  const { id } = await dossier.start({ question: "When was the lighthouse of Aldermoor built?", ...question });
  await expect.poll(() => isMarked(dossier.dir, id)).toBe(true);
  release();
  await dossier.finish(id);
  expect(isMarked(dossier.dir, id)).toBe(false);
}

it.each([
  ["before the headers", say.hang({ after: "nothing" })],
  ["in the middle of an answer", say.hang({ after: 2 })],
])("a run that waits for its model %s only waits", async (_, behavior) => {
  const model = await startModelServer(() => behavior);
  const environment = { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: "sk-test", OPENAI_MODEL: "scripted", MODEL_PRICES: "" };
  await expectWaits(
    () => openDossier({ environment }),
    { graph: "agent" },
    () => void model.close(),
  );
});

it("a run that waits for a page of the web only waits", async () => {
  const answer = Promise.withResolvers<void>();
  const server = await startLoopback(async (_, response) => {
    await answer.promise;
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ results: [] }));
  });
  onTestFinished(() => server.close());
  const host = new URL(server.url).host;
  const environment = { SOURCES: "searxng", SEARXNG_BASE_URL: server.url, ALLOWED_PRIVATE_HOSTS: host };
  await expectWaits(() => openDossier({ environment }), { graph: "executor" }, answer.resolve);
});
