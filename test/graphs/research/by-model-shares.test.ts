import { expect, it } from "vitest";
import { BUILDER, plan, YEAR } from "../../fakes/scripted-roles.ts";
import { expectReplay, researchByModel } from "./roles-under-test.ts";

const EIGHT = ["甲", "B", "丙", "D", "戊", "F", "庚", "H"].map((name, at) => ({
  id: `T${at + 1}`,
  description: at % 2 === 0 ? `${YEAR}（${name}）` : `${BUILDER} (${name})`,
}));
const QUESTION = `${BUILDER} ${YEAR}`;
const ledgerOf = ({ run }: Awaited<ReturnType<typeof researchByModel>>, what: string) =>
  (run.report?.ledger ?? []).filter((entry) => entry.what === what);

it("pays the writing and the judging of each of eight simple todos, by the default limits", async () => {
  const asked = await researchByModel({ "planner-response": [plan(EIGHT)] }, { question: QUESTION });
  expect(asked.run.todos?.map(({ status }) => status)).toEqual(Array(8).fill("completed"));
  expect(ledgerOf(asked, "model")).toEqual([]);
  expect(asked.run.termination).toEqual({ reason: "completed", node: "summarise", detail: null });
  // Plan, verdict and summary, and two for each todo.
  expect(asked.run.usage.modelCalls).toBe(19);
  await expectReplay(asked);
});
