import { expect, it } from "vitest";
import type { Behavior } from "../../fakes/model-server/behavior.ts";
import * as say from "../../fakes/model-server/behaviors.ts";
import type { AskedRole } from "../../fakes/model-server/role-script.ts";
import { contentsOf, offeredTools } from "../../fakes/model-server/seen-request.ts";
import { BUILT, plan, WALL, YEAR_QUOTE } from "../../fakes/scripted-roles.ts";
import { countsOf } from "../../helpers/claims.ts";
import { TENANT } from "../../helpers/open-dossier.ts";
import { statuses, watch } from "./ask-research.ts";
import { askedOf, expectReplay, researchByModel } from "./roles-under-test.ts";

const AGE = "How many years old was the lighthouse of Aldermoor in 2024?";
const WHICH = "问用户是哪一座灯塔，再查它建于哪一年。";

/** One agent calculates from its findings, the other asks its user first. */
function agent({ request }: AskedRole): Behavior {
  const asks = contentsOf(request, "user").at(-1)?.includes(WHICH);
  const results = request.body.messages.filter(({ role }) => role === "tool").length;
  const steps = asks
    ? [
        say.toolCalls([{ name: "ask_user", arguments: { question: "哪一座灯塔？" } }]),
        say.toolCalls([{ name: "search", arguments: { query: "奥尔德穆尔灯塔 建于" } }]),
        say.text(`它建于1874年。 [${idOf(request, YEAR_QUOTE)}: "${YEAR_QUOTE}"]`),
      ]
    : [
        say.toolCalls([{ name: "search", arguments: { query: "lighthouse Aldermoor built" } }]),
        say.toolCalls([{ name: "calculator", arguments: { expression: "2024 - 1874" } }]),
        say.text(`It was built in 1874. [${idOf(request, BUILT)}: "${BUILT}"] So it was 150 years old.`),
      ];
  return steps[results] ?? say.text("");
}

function idOf(request: AskedRole["request"], quote: string): string {
  const found = contentsOf(request, "tool").join("\n");
  return [...found.slice(0, found.indexOf(quote.slice(0, 8))).matchAll(/\bS\d+\b/g)].at(-1)?.[0] ?? "S1";
}

const PLAN = plan([
  { id: "T1", description: AGE, by: "agent" },
  { id: "二", description: WHICH, by: "agent" },
  { id: "T3", description: WALL, by: "executor" },
]);

it("calculates in one todo and asks the user in another at the same time, continues with the answer, and cites the findings of both", async () => {
  const asked = await researchByModel({ "planner-response": [PLAN], tools: agent }, { question: `${AGE} ${WHICH}` });
  expect(asked.run.pending).toMatchObject([{ kind: "question", path: "todo:二/round:1", prompt: "哪一座灯塔？" }]);
  expect(statuses(asked.run.todos)).toBe("T1 completed, 二 executing, T3 completed");
  await asked.dossier.runs.answer(TENANT, asked.run.id, { answer: "奥尔德穆尔的那座" });
  const { run, events } = await watch(asked.dossier, asked.run.id);
  expect([run.error, asked.model.unexpected]).toEqual([null, []]);
  expect(statuses(run.todos)).toBe("T1 completed, 二 completed, T3 completed");
  expect(askedOf(asked, "tools").every((request) => offeredTools(request).includes("calculator"))).toBe(true);
  const tools = events.flatMap((event) => (event.type === "tool-ended" ? [`${event.path} ${event.tool} ${event.ok}`] : []));
  expect(tools).toContain("todo:T1/round:1 calculator true");
  expect(run.report?.citations.map(({ quote }) => quote)).toEqual(expect.arrayContaining([BUILT, YEAR_QUOTE]));
  expect(countsOf(run.report).unverified).toBe(0);
  await expectReplay({ ...asked, run });
});
