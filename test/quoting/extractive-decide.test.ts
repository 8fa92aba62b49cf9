import { expect, test } from "vitest";
import { createExtractiveAnalyst } from "../../src/quoting/analyst.ts";
import { plainEffects } from "../helpers/plain-effects.ts";
import { decisionView } from "../writing/model-under-test.ts";

test("the quoting search chooses no tool, whatever the question names", async () => {
  const analyst = createExtractiveAnalyst();
  expect(analyst.name).toBe("extractive");
  const view = decisionView({ question: "特斯拉2023年的营收 and the annual report of Apple", models: null });
  expect(await analyst.decide(view, plainEffects())).toEqual({
    calls: [],
    reason: "Without a model, only the calls of the request are made.",
  });
});
