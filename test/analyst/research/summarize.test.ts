import { expect, it } from "vitest";
import type { Executed } from "../../../src/domain/ports/analyst.ts";
import { createExtractiveResearch } from "../../../src/quoting/research.ts";
import { plainEffects } from "../../helpers/plain-effects.ts";
import { executedOf, findingsOf, viewOf } from "./research-views.ts";

const research = createExtractiveResearch();
const summarize = (question: string, executed: readonly Executed[], effects = plainEffects()) =>
  research.summarize({ ...viewOf(question), readings: [], executed }, effects);

it("puts findings under their questions in the order of the plan, each passage with one number", async () => {
  const effects = plainEffects();
  const both = "c:The Orin Bridge is 1,240 metres long, the Harrow Bridge 2,310 metres.";
  const executed = [
    executedOf("How long is the Orin Bridge?", findingsOf("a:The Orin Bridge is 1,240 metres long.", both)),
    executedOf("How long is the Harrow Bridge?", findingsOf(both, "b:The Harrow Bridge is 2,310 metres long."), { id: "T2" }),
  ];
  const summary = await summarize("How long are they?", executed, effects);
  expect(summary.claims.map(({ section, text, citations }) => [section, text, citations])).toEqual([
    ["How long is the Orin Bridge?", "The Orin Bridge is 1,240 metres long.", [1]],
    [
      "How long is the Orin Bridge? / How long is the Harrow Bridge?",
      "The Orin Bridge is 1,240 metres long, the Harrow Bridge 2,310 metres.",
      [2],
    ],
    ["How long is the Harrow Bridge?", "The Harrow Bridge is 2,310 metres long.", [3]],
  ]);
  expect(summary.citations.map(({ id, sourceId }) => [id, sourceId])).toEqual([
    [1, "a"],
    [2, "c"],
    [3, "b"],
  ]);
  expect(summary).toMatchObject({ reason: null, missing: [] });
  const answer =
    "The Orin Bridge is 1,240 metres long. [1]\n\nThe Orin Bridge is 1,240 metres long, the Harrow Bridge 2,310 metres. [2]\n\nThe Harrow Bridge is 2,310 metres long. [3]";
  expect(effects.events).toEqual([
    { type: "component", component: "summary-response", partial: false, props: { answer, answers: null, missing: [] } },
  ]);
});

it("names the todos without quotes, with the reason", async () => {
  const executed = [
    executedOf("雾川大桥是谁设计的？", findingsOf("a:雾川大桥由工程师林澈设计。")),
    executedOf("雾川大桥的造价", findingsOf(), { id: "T2", status: "failed", feedback: "没有引文。" }),
    executedOf("height of the mast", findingsOf(), { id: "T3", status: "skipped" }),
  ];
  const summary = await summarize("雾川大桥？", executed);
  expect(summary.claims.map(({ text }) => text)).toEqual(["雾川大桥由工程师林澈设计。"]);
  expect(summary.missing).toEqual(["雾川大桥的造价：没有引文。", "height of the mast: Nothing was found."]);
});

it("keeps the quotes of a todo that a judge did not accept", async () => {
  const found = findingsOf("a:The Orin Bridge is green.");
  const executed = [executedOf("Is it old?", found), executedOf("桥有多长？", found, { id: "T2", status: "failed", feedback: "太弱" })];
  const summary = await summarize("?", executed);
  expect(summary.claims.map(({ section, text }) => [section, text])).toEqual([["Is it old? / 桥有多长？", "The Orin Bridge is green."]]);
  expect(summary.missing).toEqual(["桥有多长？（太弱）"]);
});

it("keeps the sections and all sentences of a single question, and says why there are none", async () => {
  const found = findingsOf("a:The Orin Bridge is green.", "b:The Orin Bridge is 1,240 metres long.");
  const claims = found.claims.map((claim) => ({ ...claim, section: "Care" }));
  expect((await summarize("How long?", [executedOf("How long?", { ...found, claims })])).claims).toEqual(claims);
  const nothing = executedOf("Who?", { ...findingsOf(), reason: "No source could be searched." }, { status: "failed" });
  expect(await summarize("Who?", [nothing])).toMatchObject({
    claims: [],
    reason: "No source could be searched.",
    missing: ["Who? (No source could be searched.)"],
  });
});
