import { z } from "zod";
import type { Parts } from "../../src/compose/parts.ts";
import type { Tool } from "../../src/domain/ports/tools.ts";

/** What the user says to an agent's question. */
export const ANSWER = "奥尔德穆尔的那座";

/** Two children at the same time, one of which asks the user, and a third that sees their results. */
export const TEAM = {
  pattern: "hybrid",
  children: [
    { id: "东", prompt: "#东", critical: true },
    { id: "finds", prompt: "#finds" },
    { id: "last", prompt: "#last", tools: [] },
  ],
  stages: [{ children: ["东", "finds"], concurrent: true }, { children: ["last"] }],
};

/** A tool that finds one thing, inside the process. */
const finder: Tool<{ query: string }> = {
  name: "finder",
  description: "Finds.",
  kind: "query",
  schema: z.object({ query: z.string() }),
  timeoutMs: 1_000,
  async call({ query }) {
    const text = `The finder knows of ${query}.`;
    return { text, sources: [{ title: query, url: "https://found.example/1", publishedAt: null, snippet: text, text }] };
  },
};

/** The real graphs, with one tool. */
export function graphParts(): Parts {
  return { tools: [finder as Tool] };
}
