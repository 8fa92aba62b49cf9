import type { Analyst } from "../../domain/ports/analyst.ts";
import { decideByRules, type ToolRules } from "./decide.ts";
import { askAkshare } from "./tool-rules/akshare.ts";
import { secEdgarRule } from "./tool-rules/sec-edgar.ts";
import { writeQuotes } from "./write.ts";

/** In the order in which they are asked, a round each. */
const TOOL_RULES: ToolRules = { sec_edgar_search: secEdgarRule, akshare_search: askAkshare };

/** The quoting search, an analyst without a model: tables choose tools, and reports are verbatim passages. Equal views give equal results. */
export function createExtractiveAnalyst(): Analyst {
  return {
    name: "extractive",
    decide: async (view) => decideByRules(TOOL_RULES, view),
    write: (view, effects) => writeQuotes(view, effects.signal),
  };
}
