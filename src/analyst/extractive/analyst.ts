import type { Analyst } from "../../domain/ports/analyst.ts";
import { decideByRules, type ToolRules } from "./decide.ts";
import { askAkshare } from "./tool-rules/akshare.ts";
import { secEdgarRule } from "./tool-rules/sec-edgar.ts";
import { writeExtract } from "./write.ts";

/** In the order in which they are asked, a round each; one file for each tool in tool-rules/. */
const TOOL_RULES: ToolRules = { sec_edgar_search: secEdgarRule, akshare_search: askAkshare };

/**
 * An analyst without a model: rules decide, and reports are made of verbatim sentences. Needs no effects; equal views
 * give equal results.
 */
export function createExtractiveAnalyst(): Analyst {
  return {
    name: "extractive",
    decide: async (view) => decideByRules(TOOL_RULES, view),
    write: (view, effects) => writeExtract(view, effects.signal),
  };
}
