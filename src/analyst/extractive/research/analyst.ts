import type { ResearchAnalyst } from "../../../domain/ports/research-analyst.ts";
import { assessByRules } from "./assess.ts";
import { planByRules } from "./plan.ts";
import { recallByRules } from "./recall.ts";
import { summariseByRules } from "./summarise.ts";
import { verifyByRules } from "./verify.ts";

/** Plans, judges and sums up without a model: equal views give equal results, and every sentence of a summary is a quote. */
export function createExtractiveResearch(): ResearchAnalyst {
  return {
    plan: async (view, effects) => planByRules(view, effects),
    assess: async (view, effects) => assessByRules(view, effects),
    verify: async (view, effects) => verifyByRules(view, effects),
    summarise: async (view, effects) => summariseByRules(view, effects),
    recall: recallByRules,
  };
}
