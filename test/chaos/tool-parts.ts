import type { Parts } from "../../src/compose/parts.ts";
import { httpTool } from "../fakes/http-tool.ts";
import { type ScriptedCall, scriptedAnalyst } from "../fakes/scripted-analyst.ts";

const call = (tool: string, query: string): ScriptedCall => [tool, { query }];

/** Two rounds of tools, several at the same time, then all steps up to the report. */
export const SCRIPT = [
  [call("alpha", "a1"), call("beta", "b1"), call("alpha", "灯塔")],
  [call("beta", "b2"), call("alpha", "a2")],
];

export const QUESTION = "Who built the lighthouse of Aldermoor?";

/** The nodes in the order in which the script visits them. */
export const PATH = [
  "llm_decision",
  "optional_tool",
  "llm_decision",
  "optional_tool",
  "llm_decision",
  "search",
  "rerank",
  "download",
  "summarize",
];

export function scenarioParts(toolsUrl: string): Parts {
  return { analyst: scriptedAnalyst(SCRIPT), tools: ["alpha", "beta"].map((name) => httpTool(name, toolsUrl, 120_000)) };
}
