import { expect, it } from "vitest";
import { ResearchRequestSchema } from "../../../src/domain/request.ts";
import * as say from "../../fakes/model-server/behaviors.ts";
import { roleScript } from "../../fakes/model-server/role-script.ts";
import { plan, ROLES, verdict, YEAR, YEAR_QUOTE } from "../../fakes/scripted-roles.ts";
import { TENANT } from "../../helpers/open-dossier.ts";
import { openWithModel } from "../../helpers/with-model.ts";
import { askedOf, expectReplay } from "./roles-under-test.ts";

it("ends a todo and the planning by code when nothing new comes, although the model always asks for more", async () => {
  let asked = 0;
  const script = roleScript({
    ...ROLES,
    "planner-response": ({ count }) => plan([{ id: `T${count}`, description: `${YEAR}（${count}）` }]),
    "executor-response": () =>
      say.component("executor-response", {
        ...{ taskCompleted: false, shouldContinue: true, nextAction: "continue", summary: "还要再找。" },
        nextQuery: `灯塔 ${asked++}`,
      }),
    "verifier-response": [verdict(false, [], "还不够")],
  });
  const { dossier, model } = await openWithModel(script, { parts: { tools: [] }, corpus: {} });
  const documents = [{ name: "灯塔.txt", mediaType: "text/plain", bytes: new TextEncoder().encode(YEAR_QUOTE) }];
  const request = { question: YEAR, graph: "research", depth: "deep", sources: ["documents"] };
  const { id } = await dossier.runs.start(TENANT, ResearchRequestSchema.parse(request), { documents });
  const run = await dossier.finish(id);
  expect(run.error).toBeNull();
  expect(run.termination?.reason).toBe("no_progress");
  // Two plans with one todo each. Its first round is judged; the second brings nothing new, so no third follows.
  expect(askedOf({ model }, "planner-response")).toHaveLength(2);
  expect(askedOf({ model }, "executor-response")).toHaveLength(2);
  expect(run.todos?.map(({ rounds, feedback }) => [rounds, feedback])).toContainEqual([2, "还要再找。"]);
  expect(run.usage.modelCalls).toBeLessThanOrEqual(14);
  expect(run.report?.citations.map(({ quote }) => quote)).toEqual([YEAR_QUOTE]);
  await expectReplay({ dossier, run });
});
