import { expect, it } from "vitest";
import { readRecording } from "../../../src/journal/recording-file.ts";
import type { Behavior } from "../../fakes/model-server/behavior.ts";
import * as say from "../../fakes/model-server/behaviors.ts";
import { contentsOf, offeredTools, type SeenRequest } from "../../fakes/model-server/seen-request.ts";
import { startModelServer } from "../../fakes/model-server.ts";
import { scriptedResearch, todo } from "../../fakes/scripted-research.ts";
import { openDossier, TENANT } from "../../helpers/open-dossier.ts";
import { expectSameAgain, watch } from "./ask-research.ts";

const NEEDS = "Which lighthouse does the user mean?";
const BOTH = "两座灯塔各有多少级台阶？";

const about = (request: SeenRequest): string => contentsOf(request, "user").join("\n");

/** The agents calculate endlessly and ask their user after `before` steps; one of them answers at once. */
function endless(before: number) {
  return (request: SeenRequest): Behavior => {
    const results = request.body.messages.filter(({ role }) => role === "tool").length;
    if (!offeredTools(request).includes("ask_user") || about(request).includes("knows")) return say.text("Nothing to add.");
    if (results === before) return say.toolCalls([{ name: "ask_user", arguments: { question: "哪一座？" } }]);
    return say.toolCalls([{ name: "calculator", arguments: { expression: `${results}+7` } }]);
  };
}

const isShare = (request: unknown): boolean => JSON.stringify(request) === '{"of":"share of the todo"}';
const planned = (...todos: ReturnType<typeof todo>[]) => ({ tools: [], research: scriptedResearch({ plan: () => ({ todos }) }) });
const agents = (...ids: string[]) => ids.map((id) => todo(id, `${id}: ${NEEDS}`, { by: "agent" }));

it("a todo that spends half of its budget, asks its user and continues in another process, stops at its budget", async () => {
  const model = await startModelServer(endless(3));
  const environment = { OPENAI_BASE_URL: model.url, OPENAI_MODEL: "scripted" };
  const parts = planned(...agents("T1"));
  const first = await openDossier({ parts, environment });
  const { id } = await first.start({ question: BOTH, graph: "research", limits: { modelCalls: 10 } });
  expect((await first.finish(id)).pending).toHaveLength(1);
  expect(model.requests).toHaveLength(4);
  await first.close(0);

  const second = await openDossier({ parts, environment, dir: first.dir });
  await second.recover();
  await second.runs.answer(TENANT, id, { answer: "奥尔德穆尔的那座" });
  const done = await watch(second, id);
  expect([done.run.status, done.run.error]).toEqual(["succeeded", null]);
  // Its budget is 7 of the 10 calls. An agent reserves two for its report, and needed one.
  expect(model.requests).toHaveLength(6);
  expect(done.run.usage.modelCalls).toBe(6);
  await expectSameAgain(done, parts);
});

it("two todos that wait at the same time continue with what they started with and borrow again, in whatever order they are answered", async () => {
  const model = await startModelServer(endless(3));
  const environment = { OPENAI_BASE_URL: model.url, OPENAI_MODEL: "scripted" };
  const parts = planned(...agents("东", "west", "knows"));
  const dossier = await openDossier({ parts, environment });
  const { id } = await dossier.start({ question: BOTH, graph: "research", limits: { modelCalls: 40 } });
  const { pending } = await dossier.finish(id);
  const [east, west] = ["东", "west"].map((name) => pending.find(({ path }) => path === `todo:${name}/round:1`)?.id ?? "");
  expect(pending).toHaveLength(2);
  const asked = (name: string) => model.requests.filter((request) => about(request).includes(`${name}: `)).length;
  expect([asked("东"), asked("west"), asked("knows")]).toEqual([4, 4, 1]);
  await dossier.runs.answer(TENANT, id, { answer: "the one in the west", pendingId: west ?? "" });
  await dossier.finish(id);
  await dossier.runs.answer(TENANT, id, { answer: "东边的", pendingId: east ?? "" });
  const done = await watch(dossier, id);
  expect(done.run.error).toBeNull();
  // Each of the two gives ten responses, of which the last writes, with five calls of its own and five that it borrows of the 34 for todos.
  expect([asked("东"), asked("west"), asked("knows")]).toEqual([10, 10, 1]);
  const recording = await readRecording(await dossier.recordingLines(id));
  const shares = recording.segments.flatMap(({ records }) => records.filter(({ request }) => isShare(request)));
  expect(shares.map(({ result }) => (result as { share: { modelCalls: number } }).share.modelCalls)).toEqual([5, 5]);
  await expectSameAgain(done, parts);
});
