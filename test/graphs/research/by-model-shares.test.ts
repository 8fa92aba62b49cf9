import { expect, it } from "vitest";
import * as say from "../../fakes/model-server/behaviors.ts";
import { BUILDER, plan, YEAR } from "../../fakes/scripted-roles.ts";
import { expectReplay, researchByModel } from "./roles-under-test.ts";

const EIGHT = ["甲", "B", "丙", "D", "戊", "F", "庚", "H"].map((name, at) => ({
  id: `T${at + 1}`,
  description: at % 2 === 0 ? `${YEAR}（${name}）` : `${BUILDER} (${name})`,
}));
const QUESTION = `${BUILDER} ${YEAR}`;
const again = (nextQuery: string) =>
  say.component("executor-response", { taskCompleted: false, shouldContinue: true, nextAction: "continue", summary: "", nextQuery });
const ledgerOf = ({ run }: Awaited<ReturnType<typeof researchByModel>>, what: string) =>
  (run.report?.ledger ?? []).filter((entry) => entry.what === what);

it("can pay the report and the verdict of each of eight simple todos with the default limits", async () => {
  const asked = await researchByModel({ "planner-response": [plan(EIGHT)] }, { question: QUESTION });
  expect(asked.run.todos?.map(({ status }) => status)).toEqual(Array(8).fill("completed"));
  expect(ledgerOf(asked, "model")).toEqual([]);
  expect(asked.run.termination).toEqual({ reason: "completed", node: "summarize", detail: null });
  // One call each for plan, verdict and summary, and two for each todo.
  expect(asked.run.usage.modelCalls).toBe(19);
  await expectReplay(asked);
});

it("says that a todo's budget is used up, not the run's, and keeps to the run's limit", async () => {
  const asked = await researchByModel(
    { "planner-response": [plan(EIGHT.slice(0, 3))], "executor-response": [again("1874")] },
    { question: QUESTION, limits: { modelCalls: 9 } },
  );
  expect(asked.run.usage.modelCalls).toBeLessThanOrEqual(9);
  const missed = ledgerOf(asked, "model").filter(({ failure }) => failure === "model_call_cap");
  expect(missed.map(({ detail }) => detail?.replace(/^T\d: /, ""))).toContain(
    "Rules judged what was found instead. The next call does not fit into what this part of the run has left. Raise limits.modelCalls, or the depth if that set it (at most MAX_MODEL_CALLS).",
  );
  expect(asked.run.report?.markdown).not.toContain("of the run are used up");
});
