import { z } from "zod";
import type { Parts } from "../../src/compose/parts.ts";
import type { Tool } from "../../src/domain/ports/tools.ts";
import type { ResearchRequest } from "../../src/domain/request.ts";
import type { Behavior, ScriptedCall } from "../fakes/model-server/behavior.ts";
import * as say from "../fakes/model-server/behaviors.ts";
import { roleScript } from "../fakes/model-server/role-script.ts";
import type { Script } from "../fakes/model-server/script.ts";
import { contentsOf, offeredTools, type SeenRequest } from "../fakes/model-server/seen-request.ts";
import { BUILDER, BUILT, plan, ROLES, verdict, YEAR, YEAR_QUOTE } from "../fakes/scripted-roles.ts";
import { TEAM, teamScript } from "../replays/model-scripts.ts";

/** What a model thinks before each answer. */
export const THOUGHT = "先想一想再说。 First a thought, which nobody may quote.";

/** How a question is asked of a graph, and what the model says. */
export interface GraphCase {
  readonly name: string;
  readonly request: Partial<ResearchRequest> & { readonly question: string };
  readonly parts: Parts;
  readonly script: () => Script;
  /** The quotes of the report, in any order. */
  readonly quotes: readonly string[];
  /** Why the run ended. */
  readonly reason: string;
  /** The tools that ran, in any order. */
  readonly tools: readonly string[];
}

/** Finds one thing, inside the process. */
const finder: Tool<{ query: string }> = {
  name: "finder",
  description: "Finds.",
  kind: "query",
  schema: z.object({ query: z.string().min(1).max(2_000) }),
  timeoutMs: 60_000,
  async call({ query }) {
    const text = `The finder knows of ${query}.`;
    return { text, sources: [{ title: query, url: "https://found.example/1", publishedAt: null, snippet: text, text }] };
  },
};

/** One optional tool for the executor. */
export const FINDER: Parts = { tools: [finder as Tool] };

interface Language {
  readonly name: string;
  readonly question: string;
  readonly sentence: string;
  readonly quote: string;
}

const ENGLISH: Language = { name: "English", question: BUILDER, sentence: "Ada Penrose built it in 1874.", quote: BUILT };
const CHINESE: Language = { name: "Chinese", question: YEAR, sentence: "奥尔德穆尔灯塔建于1874年。", quote: YEAR_QUOTE };

/** All that a request says, without the system's message. */
const toldIn = (request: SeenRequest): string => ["user", "tool"].flatMap((role) => contentsOf(request, role)).join("\n");

/** Cites the passage or source that is shown last before the quote. */
function cited({ sentence, quote }: Language, request: SeenRequest, letter: "P" | "S"): Behavior {
  const told = toldIn(request);
  const id = told
    .slice(0, told.indexOf(quote))
    .match(new RegExp(`\\b${letter}\\d+\\b`, "g"))
    ?.at(-1);
  return say.text(`${sentence} [${id}: "${quote}"]`);
}

/** Whether tools are offered, also if a server that takes none gets them only in words. */
const hasTools = (request: SeenRequest): boolean =>
  offeredTools(request).length > 0 || ["system", "user"].some((role) => contentsOf(request, role).join().includes("You can call tools."));

/** Calls tools, in words where they are offered in words. */
const callTools = (request: SeenRequest, calls: readonly ScriptedCall[]): Behavior =>
  offeredTools(request).length > 0 ? say.toolCalls(calls) : say.text(JSON.stringify({ tool_calls: calls }));

/** One round with the tool, then the report. */
const executorScript =
  (language: Language): Script =>
  (request) => {
    if (!hasTools(request)) return cited(language, request, "P");
    if (toldIn(request).includes("The finder knows")) return say.text("Enough.");
    return callTools(request, [{ name: "finder", arguments: { query: language.question } }]);
  };

const SEARCHES = [
  { name: "search", arguments: { query: "lighthouse Aldermoor built" } },
  { name: "search", arguments: { query: "奥尔德穆尔灯塔 建于" } },
];

/** Two calls in one answer, one more in the next, then the report. */
const agentScript =
  (language: Language) =>
  (request: SeenRequest): Behavior => {
    const inWords = toldIn(request).split("Result of the tool ").length - 1;
    const results = inWords + request.body.messages.filter(({ role }) => role === "tool").length;
    if (results === 0) return callTools(request, SEARCHES);
    if (results === 2) return callTools(request, [{ name: "calculator", arguments: { expression: "2024 - 1874" } }]);
    return cited(language, request, "S");
  };

const executorCase = (language: Language): GraphCase => ({
  ...{ name: `executor in ${language.name}`, request: { graph: "executor", question: language.question } },
  ...{ parts: FINDER, script: () => executorScript(language), quotes: [language.quote], reason: "completed", tools: ["finder"] },
});

const agentCase = (language: Language): GraphCase => ({
  ...{ name: `agent in ${language.name}`, request: { graph: "agent", question: language.question }, parts: { tools: [] } },
  ...{ script: () => agentScript(language), quotes: [language.quote], reason: "answered", tools: ["search", "search", "calculator"] },
});

/** A todo for the executor and one for an agent. */
const researchScript = (): Script =>
  roleScript({
    ...ROLES,
    "planner-response": [
      plan([
        { id: "T1", description: BUILDER },
        { id: "T2", description: YEAR, by: "agent", dependsOn: ["T1"] },
      ]),
    ],
    "verifier-response": [verdict(true)],
    tools: ({ request }) => agentScript(CHINESE)(request),
    text: (asked) => (hasTools(asked.request) ? agentScript(CHINESE)(asked.request) : ROLES.text(asked)),
  });

export const EXECUTOR = executorCase(ENGLISH);

export const AGENT = agentCase(ENGLISH);

export const RESEARCH: GraphCase = {
  ...{ name: "research in both", request: { graph: "research", question: `${BUILDER} ${YEAR}` }, parts: { tools: [] } },
  ...{ script: researchScript, quotes: [BUILT, YEAR_QUOTE], reason: "completed", tools: ["search", "search", "calculator"] },
};

export const GRAPHS: readonly GraphCase[] = [
  AGENT,
  RESEARCH,
  agentCase(CHINESE),
  EXECUTOR,
  executorCase(CHINESE),
  {
    ...{ name: "team in both", request: { graph: "team", question: BUILDER, team: TEAM as never }, parts: { tools: [] } },
    ...{ script: () => teamScript, quotes: [BUILT], reason: "completed", tools: ["search", "search", "calculator"] },
  },
];

/** The same script, whose model thinks before each answer. */
export const thinking =
  (script: Script): Script =>
  async (request, index) => {
    const said = typeof script === "function" ? await script(request, index) : script[index];
    return said?.kind === "text" || said?.kind === "tool-calls" ? { ...said, reasoning: THOUGHT } : said;
  };
