import { expect, it } from "vitest";
import { createExtractiveResearch } from "../../../src/quoting/research.ts";
import { UNVERIFIED } from "../../helpers/claims.ts";
import { plainEffects } from "../../helpers/plain-effects.ts";
import { executedOf, findingsOf, todoOf, viewOf } from "./research-views.ts";

const research = createExtractiveResearch();
const FOUND = findingsOf("a:The Orin Bridge is green.");
const UNQUOTED = {
  ...FOUND,
  claims: FOUND.claims.map((claim) => ({
    ...claim,
    citations: [],
    ...UNVERIFIED,
  })),
  citations: [],
};

it.each([
  ["How long is the Orin Bridge?", FOUND, "completed", "The Orin Bridge is green."],
  ["How long is the Orin Bridge?", findingsOf(), "failed", "Nothing quoted. Nothing was found."],
  ["桥有多长？", { ...findingsOf(), reason: null }, "failed", "没有引文。"],
  ["What is 19 + 23?", UNQUOTED, "failed", "Nothing quoted."],
])(
  "a todo with a quote is completed, whatever the quote says, and is not searched again: %s",
  async (question, findings, status, summary) => {
    const effects = plainEffects();
    const view = { ...viewOf(question), todo: todoOf(question), round: 1, roundsLeft: 9, findings };
    const assessment = { taskCompleted: status === "completed", shouldContinue: false, nextAction: "complete", summary, nextQuery: null };
    expect(await research.assess(view, effects)).toEqual(assessment);
    const props = { ...assessment, status, todoId: "T1" };
    expect(effects.events).toEqual([{ type: "component", component: "executor-response", partial: false, props }]);
  },
);

it.each([
  ["Who built it?", ["Quoted.", "Nothing quoted. Nothing was found."], "Nothing quoted. Nothing was found."],
  ["谁建的？", ["有引文。", "没有引文。Nothing was found."], "没有引文。Nothing was found."],
])("the verdict on each todo is whether it has a quote: %s", async (question, feedback, overallFeedback) => {
  const effects = plainEffects();
  const executed = [executedOf("A?", FOUND), executedOf("B?", findingsOf(), { id: "T2", status: "failed" })];
  const verdict = await research.verify({ ...viewOf(question), role: "verifier", executed }, effects);
  expect(verdict).toEqual({
    allCompleted: false,
    overallFeedback,
    tasks: [
      { id: "T1", completed: true, feedback: feedback[0] },
      { id: "T2", completed: false, feedback: feedback[1] },
    ],
  });
  expect(effects.events).toMatchObject([{ component: "verifier-response", partial: false, props: verdict }]);
});

it("gives no verdict in place of another judge", async () => {
  const effects = plainEffects();
  const executed = [executedOf("A?", findingsOf())];
  const verdict = await research.verify({ ...viewOf("A?"), role: "reviewer", executed }, effects);
  expect([verdict, effects.events]).toEqual([{ allCompleted: true, overallFeedback: "", tasks: [] }, []]);
});
