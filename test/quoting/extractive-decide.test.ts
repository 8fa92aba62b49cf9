import { expect, test } from "vitest";
import type { DecisionView } from "../../src/domain/ports/analyst.ts";
import { createExtractiveAnalyst } from "../../src/quoting/analyst.ts";
import { NO_MODEL } from "../helpers/no-model.ts";
import { plainEffects } from "../helpers/plain-effects.ts";

const view: DecisionView = {
  question: "特斯拉2023年的营收 and the annual report of Apple",
  today: "2026-08-01",
  language: "auto",
  systemContext: "",
  history: [],
  ...NO_MODEL,
  round: 0,
  tools: ["sec_edgar_search", "akshare_search"].map((name) => ({ name, description: "", kind: "query", parameters: {} })),
  outcomes: [],
  resultsBySource: {},
  best: [],
};

test("the quoting search chooses no tool, whatever the question names", async () => {
  const analyst = createExtractiveAnalyst();
  expect(analyst.name).toBe("extractive");
  expect(await analyst.decide(view, plainEffects())).toEqual({
    calls: [],
    reason: "Without a model, only the calls of the request are made.",
  });
});
