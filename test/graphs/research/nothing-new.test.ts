import { expect, it } from "vitest";
import { ResearchRequestSchema } from "../../../src/domain/request.ts";
import * as say from "../../fakes/model-server/behaviors.ts";
import { type AskedRole, roleScript } from "../../fakes/model-server/role-script.ts";
import { contentsOf } from "../../fakes/model-server/seen-request.ts";
import { GRANITE, lastSaid, plan, ROLES, verdict, WALL, YEAR, YEAR_QUOTE } from "../../fakes/scripted-roles.ts";
import { TENANT } from "../../helpers/open-dossier.ts";
import { openWithModel } from "../../helpers/with-model.ts";
import { askedOf, expectReplay, researchByModel } from "./roles-under-test.ts";

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
  expect(run.todos?.map(({ status, rounds, feedback, result }) => [status, rounds, feedback, result])).toContainEqual([
    "completed",
    2,
    "再次查找没有新的发现。 还要再找。",
    "奥尔德穆尔灯塔建于1874年。",
  ]);
  expect(run.usage.modelCalls).toBeLessThanOrEqual(14);
  expect(run.report?.citations.map(({ quote }) => quote)).toEqual([YEAR_QUOTE]);
  await expectReplay({ dossier, run });
});

const agent = ({ request }: AskedRole) => {
  const found = contentsOf(request, "tool").join("\n");
  const id = [...found.slice(0, Math.max(0, found.indexOf(GRANITE))).matchAll(/\bS\d+\b/g)].at(-1)?.[0];
  if (found === "") return say.toolCalls([{ name: "search", arguments: { query: "harbour wall Aldermoor granite" } }]);
  return say.text(`It is made of granite. [${id}: "${GRANITE}"]`);
};

const more = (nextAction: "continue" | "retry", missing: string, nextQuery: string) =>
  say.component("executor-response", { taskCompleted: false, shouldContinue: true, nextAction, summary: missing, nextQuery });

it.each([
  [{ id: "T1", description: YEAR }, "月份还缺。", "灯塔 月份", /^再次查找没有新的发现。 月份还缺。$/],
  [
    { id: "T1", description: WALL, by: "agent" as const },
    "The month is missing.",
    "harbour wall month",
    /^Another look brought nothing new\. The/,
  ],
])("a todo of which a part was found is finished with its notes when nothing new comes: %j", async (todo, missing, query, feedback) => {
  const question = todo.description;
  const asked = await researchByModel(
    {
      "planner-response": [plan([todo])],
      tools: agent,
      "executor-response": () => more("continue", missing, query),
      "verifier-response": [verdict(true, [{ id: "T1", completed: true, feedback: "" }])],
    },
    { question, language: todo.description === YEAR ? "zh" : "en" },
  );
  expect(asked.run.todos).toMatchObject([
    { status: "completed", rounds: 2, feedback: expect.stringMatching(feedback), answeredBy: "execution" },
  ]);
  expect(asked.run.termination).toMatchObject({ reason: "completed" });
  expect(asked.run.report?.missing).toEqual([]);
  // Who writes the report knows what is missing.
  expect(lastSaid(askedOf(asked, "summary-response")[0]!)).toContain(missing);
  expect(asked.run.report?.citations).not.toEqual([]);
  expect(askedOf(asked, "planner-response")).toHaveLength(1);
  await expectReplay(asked);
});

it("the verifier decides of a todo that failed with notes whether they are enough", async () => {
  const description = YEAR;
  const answers = (tasks: readonly object[]) => ({
    "planner-response": [plan([{ id: "T1", description }])],
    "executor-response": () => more("retry", "没有找到。", "别的词"),
    "verifier-response": [verdict(true, tasks)],
  });
  const accepted = await researchByModel(answers([{ id: "T1", completed: true, feedback: "" }]), { question: description });
  expect(accepted.run.todos).toMatchObject([{ status: "completed", result: expect.any(String), feedback: "没有找到。" }]);
  expect(accepted.run.report?.missing).toEqual([]);
  await expectReplay(accepted);
  const left = await researchByModel(answers([]), { question: description });
  expect(left.run.todos).toMatchObject([{ status: "failed", result: null, feedback: "没有找到。" }]);
  expect(left.run.report?.missing).toEqual([expect.stringContaining(description)]);
});
