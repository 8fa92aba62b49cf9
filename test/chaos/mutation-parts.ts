import { appendFileSync } from "node:fs";
import { z } from "zod";
import type { Parts } from "../../src/compose/parts.ts";
import type { Tool } from "../../src/domain/ports/tools.ts";
import { httpTool } from "../fakes/http-tool.ts";
import { type ScriptedCall, scriptedAnalyst } from "../fakes/scripted-analyst.ts";

const call = (tool: string, query: string): ScriptedCall => [tool, { query }];

/** The script: one lookup, then two changes and a lookup at the same time, then one more change. */
export const MUTATIONS = [[call("alpha", "a1")], [call("mark", "一"), call("alpha", "a2"), call("mark", "二")], [call("mark", "三")]];

/** The file in the run's folder that gets one line per change made without a server. */
export const MARKS = "marks";

/** The nodes in the order in which the script visits them. */
export const MUTATION_PATH = [
  ...["llm_decision", "optional_tool", "llm_decision", "optional_tool", "llm_decision", "optional_tool", "llm_decision"],
  ...["search", "rerank", "download", "summarize"],
];

/** Changes something at the server, which learns which process asks. */
function marking(url: string): Tool<{ query: string }> {
  return {
    ...markingTool,
    async call({ query }, { signal }) {
      await fetch(`${url}/mark?query=${encodeURIComponent(query)}&pid=${process.pid}`, { signal });
      return { text: `${query} is marked.`, sources: [] };
    },
  };
}

/** Changes a file, and kills the process before it can do anything else. */
function markingAndDying(file: string): Tool<{ query: string }> {
  return {
    ...markingTool,
    async call({ query }) {
      appendFileSync(file, `${query}\n`);
      process.kill(process.pid, "SIGKILL");
      return { text: "", sources: [] };
    },
  };
}

const markingTool = {
  name: "mark",
  description: "Marks something.",
  kind: "mutation" as const,
  confirm: false,
  schema: z.strictObject({ query: z.string() }),
  timeoutMs: 120_000,
};

/** With a file, each change is a line in it and kills its process. */
export function mutationParts(url: string, file: string | null): Parts {
  const mark = file === null ? marking(url) : markingAndDying(file);
  return { analyst: scriptedAnalyst(MUTATIONS), tools: [httpTool("alpha", url, 120_000), mark as Tool] };
}
