import { expect, it } from "vitest";
import type { Behavior } from "../../fakes/model-server/behavior.ts";
import * as say from "../../fakes/model-server/behaviors.ts";
import { contentsOf, offeredTools, type SeenRequest } from "../../fakes/model-server/seen-request.ts";
import { startModelServer } from "../../fakes/model-server.ts";
import { scriptedResearch, todo } from "../../fakes/scripted-research.ts";
import { openDossier, TENANT } from "../../helpers/open-dossier.ts";
import { expectSameAgain, statuses, told, watch } from "./ask-research.ts";

const BUILT = "The lighthouse of Aldermoor was built in 1874 by Ada Penrose.";
const WALL = "What is the harbour wall made of?";

/** Each agent asks its user, searches, and answers; executors decide and write as little as they can. */
function does(request: SeenRequest): Behavior {
  const { messages } = request.body;
  if (!offeredTools(request).includes("ask_user")) return say.text("Nothing to add.");
  const about = contentsOf(request, "user").join("\n").includes("东") ? "东" : "西";
  const results = messages.filter(({ role }) => role === "tool").length;
  if (results === 0) return say.toolCalls([{ name: "ask_user", arguments: { question: `Which lighthouse, ${about}?` } }]);
  if (results === 1) return say.toolCalls([{ name: "search", arguments: { query: "lighthouse Aldermoor built" } }]);
  return say.text(`Ada Penrose built it in 1874. [S1: "${BUILT}"]`);
}

const parts = () => ({
  tools: [],
  research: scriptedResearch({
    plan: () => ({
      todos: [
        todo("东", "Ask which lighthouse in the 东 is meant, and who built it", { by: "agent" }),
        todo("west", "Ask which lighthouse in the west is meant, and who built it", { by: "agent" }),
        todo("T3", WALL),
        todo("T4", "What does the lamp of the lighthouse of Aldermoor burn?", { dependsOn: ["东"] }),
      ],
    }),
  }),
});

it("waits in two todos at once, answers one by one in other processes, and continues with the todos that depend on them", async () => {
  const model = await startModelServer(does);
  const environment = { OPENAI_BASE_URL: model.url, OPENAI_MODEL: "scripted", UNSUPPORTED_SENTENCES: "strike" };
  const first = await openDossier({ parts: parts(), environment });
  const { id } = await first.start({ question: "Which lighthouses?", graph: "research" });
  const waiting = await first.finish(id);
  expect([waiting.error, waiting.termination]).toEqual([null, null]);
  // The todos run in parallel, and either may ask first.
  const pending = waiting.pending.toSorted((one, other) => (one.path < other.path ? 1 : -1));
  expect(pending.map(({ kind, path, prompt }) => [kind, path, prompt])).toEqual([
    ["question", "todo:东/round:1", "Which lighthouse, 东?"],
    ["question", "todo:west/round:1", "Which lighthouse, 西?"],
  ]);
  expect(statuses(waiting.todos)).toBe("东 executing, west executing, T3 completed, T4 pending");
  await first.runs.answer(TENANT, id, { answer: "Aldermoor", pendingId: pending[1]?.id ?? "" });
  expect((await first.finish(id)).pending).toHaveLength(1);
  await first.close(0);

  const second = await openDossier({ parts: parts(), environment, dir: first.dir });
  await second.recover();
  await second.runs.answer(TENANT, id, { answer: "奥尔德穆尔" });
  const done = await watch(second, id);
  expect(done.run.error).toBeNull();
  expect(statuses(done.run.todos)).toBe("东 completed, west completed, T3 completed, T4 completed");
  // Todos that had ended before the wait are known at once after it.
  const after = done.events.findLastIndex(({ type }) => type === "run-waiting");
  expect(told(done.events.slice(after))[0]).toBe("东 executing, west pending, T3 completed, T4 pending");
  expect(done.run.report?.citations.filter(({ quote }) => quote === BUILT)).toHaveLength(1);
  await expectSameAgain(done, parts());
});
