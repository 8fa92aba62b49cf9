import { expect, it } from "vitest";
import * as say from "../../fakes/model-server/behaviors.ts";
import { contentsOf, offeredTools } from "../../fakes/model-server/seen-request.ts";
import { BUILDER, done, failed, lastSaid, NOWHERE, plan, verdict, WALL } from "../../fakes/scripted-roles.ts";
import { startTool } from "../../helpers/finding-tool.ts";
import { CORPUS } from "../../helpers/open-dossier.ts";
import { statuses } from "./ask-research.ts";
import { askedOf, expectReplay, researchByModel } from "./roles-under-test.ts";

const KNOWN = { id: "T1", description: BUILDER };
const UNKNOWN = { id: "T2", description: NOWHERE };
const portraitFails = ({ said }: { readonly said: string }) => (said.includes("Task T2:") ? failed("没有找到。") : done());

it("lists a failed todo that the planner leaves out of its next plan", async () => {
  const asked = await researchByModel(
    {
      "planner-response": [plan([KNOWN, UNKNOWN]), plan([KNOWN])],
      "executor-response": portraitFails,
      "verifier-response": [verdict(false, [{ id: "T2", completed: false, feedback: "哪里都没有" }])],
    },
    { question: `${BUILDER} ${NOWHERE}` },
  );
  expect(statuses(asked.run.todos)).toBe("T1 completed, T2 failed");
  expect(asked.run.termination).toEqual({ reason: "no_progress", node: "verify", detail: `not answered: T2 ${NOWHERE}` });
  expect(askedOf(asked, "planner-response")).toHaveLength(2);
  expect(lastSaid(askedOf(asked, "summary-response")[0]!)).toContain("failed: 哪里都没有");
  expect(asked.run.report?.missing).toEqual([`${NOWHERE}（哪里都没有）`]);
  await expectReplay(asked);
});

it("tells planner and executor which tools exist, and asks for a decision in each todo", async () => {
  const tools = [await startTool("alpha")];
  const asked = await researchByModel(
    { "planner-response": [plan([KNOWN, { id: "T2", description: WALL }])], tools: [say.text("不需要工具。")] },
    { question: `${BUILDER} ${WALL}`, models: { decision: "m-decide" } },
    { parts: { tools } },
  );
  expect(asked.run.termination).toEqual({ reason: "completed", node: "summarize", detail: null });
  expect(lastSaid(askedOf(asked, "planner-response")[0]!)).toContain("alpha");
  const decisions = askedOf(asked, "tools");
  expect(decisions.map((request) => [request.body.model, offeredTools(request)])).toEqual([
    ["m-decide", ["alpha", "search"]],
    ["m-decide", ["alpha", "search"]],
  ]);
  expect(decisions.map((request) => contentsOf(request, "user").at(-1)?.includes(WALL)).toSorted()).toEqual([false, true]);
  expect(new Set(asked.of("decision").map(({ path }) => path))).toEqual(new Set(["todo:T1/round:1", "todo:T2/round:1"]));
  await expectReplay(asked, { tools });
});

it("searches again in other words if the executor asks for it", async () => {
  const again = say.component("executor-response", {
    nextAction: "continue",
    taskCompleted: false,
    shouldContinue: true,
    summary: "还缺石料。",
    nextQuery: "港墙 kestrel7",
  });
  const asked = await researchByModel(
    { "planner-response": [plan([{ id: "T1", description: WALL }])], "executor-response": [again, done()] },
    { question: WALL },
    { corpus: { ...CORPUS, "石料.txt": "港墙 kestrel7" } },
  );
  expect(asked.run.todos?.[0]).toMatchObject({ status: "completed", rounds: 2 });
  const second = lastSaid(askedOf(asked, "executor-response")[1]!);
  expect(second).toContain("This was round 2;");
  expect(lastSaid(askedOf(asked, "text")[1]!)).toContain("港墙 kestrel7");
  await expectReplay(asked);
});
