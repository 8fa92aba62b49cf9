import type { Parts } from "../../src/compose/parts.ts";
import type { JsonValue } from "../../src/domain/json.ts";
import type { SearchSource } from "../../src/domain/ports/sources.ts";
import { scriptedResearch, todo } from "../fakes/scripted-research.ts";
import { finding } from "../helpers/search-answer.ts";

const BUILDER = "Who built the lighthouse of Aldermoor?";

/** The plan as the user edits it: three todos side by side, and one that needs two of them. */
export const EDITED = {
  todos: [
    todo("T1", BUILDER),
    todo("T2", "What is the harbour wall of Aldermoor made of?"),
    todo("T3", "奥尔德穆尔灯塔建于哪一年？"),
    todo("T4", "What does the lamp of the lighthouse of Aldermoor burn?", { dependsOn: ["T1", "T3"] }),
  ],
} as unknown as JsonValue;

/** Sends the server its query and finds nothing there: the corpus has the answers. */
function asking(serverUrl: string): SearchSource {
  return {
    id: "pages",
    kind: "web",
    title: "Pages",
    search: finding(async ({ text }, { signal }) => {
      await (await fetch(`${serverUrl}/pages?query=${encodeURIComponent(text)}`, { signal })).text();
      return [];
    }),
  };
}

/** The research graph with a scripted planner, and a source over the network. */
export function researchParts(serverUrl: string): Parts {
  return {
    research: scriptedResearch({ plan: () => ({ todos: [todo("T1", BUILDER)] }) }),
    sources: [asking(serverUrl)],
    tools: [],
  };
}

/** The research graph with a single todo, for an agent. */
export function shareParts(): Parts {
  return { research: scriptedResearch({ plan: () => ({ todos: [todo("T1", BUILDER, { by: "agent" })] }) }), tools: [] };
}
