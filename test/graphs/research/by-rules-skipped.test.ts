import { expect, it } from "vitest";
import { BUILDER, BUILT, NOWHERE, YEAR } from "../../fakes/scripted-roles.ts";
import { TENANT } from "../../helpers/open-dossier.ts";
import { expectSameAgain, research, statuses, watch } from "./ask-research.ts";

it("keeps the reason why a todo was skipped, even if rules find something for it, and lists the todo at the end", async () => {
  const parts = { tools: [] };
  const { dossier, run } = await research({ question: BUILDER, planApproval: true }, { parts });
  const todos = [
    { id: "A", description: NOWHERE },
    { id: "B", description: YEAR, dependsOn: ["A"] },
    { id: "C", description: "What is Ada Penrose?", dependsOn: ["B"] },
    { id: "D", description: BUILDER },
  ];
  await dossier.runs.answer(TENANT, run.id, { plan: { todos } as never });
  const done = await watch(dossier, run.id);
  expect(statuses(done.run.todos)).toBe("A failed, B skipped, C skipped, D completed");
  expect(done.run.todos?.slice(1, 3).map(({ feedback }) => feedback)).toEqual([
    "It needs A, which was not answered.",
    "It needs B, which was not answered.",
  ]);
  expect(done.run.termination?.detail).toBe(`not answered: A ${NOWHERE}; B ${YEAR}; C What is Ada Penrose?`);
  expect(done.run.report?.missing).toContain(`${YEAR}（It needs A, which was not answered.）`);
  expect(done.run.report?.citations.map(({ quote }) => quote).join("\n")).toContain(BUILT);
  await expectSameAgain(done, parts);
});
