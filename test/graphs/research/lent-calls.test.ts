import { expect, it, onTestFinished } from "vitest";
import * as say from "../../fakes/model-server/behaviors.ts";
import { contentsOf } from "../../fakes/model-server/seen-request.ts";
import { openWithModel } from "../../helpers/with-model.ts";
import { DEEP, deepScript, HARBOURS, settingsOf, startWorld, taskOf } from "./deep-world.ts";
import { expectReplay } from "./roles-under-test.ts";

const [BUSY = ""] = HARBOURS;
const PAGES_OF_BUSY = 10;
/** The web has no page of this harbour. */
const IDLE = "邓恩港";

it("a todo that reads much uses the calls that the todo at its side does not need, while that one still works", async () => {
  const web = await startWorld();
  onTestFinished(() => web.close());
  const written = deepScript();
  const todos = [taskOf(BUSY), taskOf(IDLE)].map((description, at) => ({ id: `T${at + 1}`, description }));
  const plan = { needsMorePlanning: false, question: null, reasoning: "", todos };
  const skips = { taskCompleted: false, shouldContinue: false, nextAction: "skip", summary: "nothing" };
  const isRead = Promise.withResolvers<void>();
  const { dossier, model } = await openWithModel(
    async (request) => {
      const said = contentsOf(request, "user").at(-1) ?? "";
      if (request.body.model === "planner") return say.component("planner-response", plan);
      if (request.body.model !== "executor") return written(request);
      if (!said.includes("Task T2:")) isRead.resolve();
      else await isRead.promise;
      return said.includes("Task T2:") ? say.component("executor-response", skips) : written(request);
    },
    { environment: settingsOf(web.url), parts: { tools: [] }, corpus: {} },
  );
  // 20 calls are left for the todos: an equal share is ten, of which two are for writing.
  const run = await dossier.finish((await dossier.start({ ...DEEP, limits: { modelCalls: 30 } })).id);
  expect([run.error, run.todos?.map(({ status }) => status)]).toEqual([null, ["completed", "skipped"]]);
  const alone = model.requests.filter(({ body }) => body.model === "reader").map((request) => contentsOf(request, "user").at(-1) ?? "");
  expect(alone.filter((said) => said.includes(taskOf(BUSY)))).toHaveLength(PAGES_OF_BUSY);
  for (const said of alone) expect(said.match(/^<data source /gm) ?? []).toHaveLength(1);
  await expectReplay({ dossier, run });
});
