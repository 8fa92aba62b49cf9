import { expect, it } from "vitest";
import { createExtractiveResearch } from "../../../src/analyst/extractive/research/analyst.ts";
import { overAllEvidence } from "../../../src/analyst/model/research/whole-evidence.ts";
import type { VerificationView } from "../../../src/domain/ports/research-analyst.ts";
import { plainEffects } from "../../helpers/plain-effects.ts";
import { executedOf, findingsOf, viewOf } from "./research-views.ts";

const rules = createExtractiveResearch();
const judged = async (view: VerificationView) => (await rules.verify(view, plainEffects())).tasks.map(({ completed }) => completed);

it.each([
  [
    "How long is the Orin Bridge?",
    "The Orin Bridge is 1,240 metres long, the Harrow Bridge 2,310 metres.",
    "How long is the Harrow Bridge?",
    "It is made of stone.",
  ],
  ["雾川大桥有多长？", "雾川大桥全长1240米，松江大桥全长2310米。", "松江大桥有多长？", "桥身由石头建成。"],
])(
  "rules in a model's place find what answers a completed todo among the quotes of another one: %s",
  async (first, both, second, other) => {
    const executed = [executedOf(first, findingsOf(`a:${both}`)), executedOf(second, findingsOf(`b:${other}`), { id: "T2" })];
    const view: VerificationView = { ...viewOf(`${first} ${second}`), role: "verifier", executed };
    expect(await judged(view)).toEqual([true, false]);
    expect(await judged(overAllEvidence(view))).toEqual([true, true]);
  },
);

it("leaves a todo that has failed, or has found nothing, as it is", () => {
  const failed = executedOf("How long is the Orin Bridge?", findingsOf("a:It is long."), { id: "T2", status: "failed" });
  const empty = executedOf("雾川大桥有多长？", findingsOf(), { id: "三" });
  const executed = [executedOf("Who designed it?", findingsOf("a:Mara Lind designed the Orin Bridge.")), failed, empty];
  const view: VerificationView = { ...viewOf("How long is the Orin Bridge?"), role: "verifier", executed };
  expect(overAllEvidence(view).executed.slice(1)).toEqual([failed, empty]);
});
