import type { PlannedTodo } from "../../src/domain/plan.ts";
import type { Behavior } from "./model-server/behavior.ts";
import * as say from "./model-server/behaviors.ts";
import type { AskedRole, RoleAnswers } from "./model-server/role-script.ts";
import { contentsOf, type SeenRequest } from "./model-server/seen-request.ts";

export const BUILDER = "Who built the lighthouse of Aldermoor?";
export const WALL = "What is the harbour wall of Aldermoor made of?";
export const YEAR = "奥尔德穆尔灯塔是哪一年建成的？";
export const NOWHERE = "谁画了伊索尔德·法罗的肖像？";

export const BUILT = "The lighthouse of Aldermoor was built in 1874 by Ada Penrose.";
export const GRANITE = "Ada Penrose also designed the harbour wall, which is made of granite from Tolmere.";
export const YEAR_QUOTE = "奥尔德穆尔灯塔建于1874年，由艾达·彭罗斯设计。";

/** A text of the corpus, and a sentence that a model could write from it. */
const FACTS = [
  { of: BUILDER, quote: BUILT, sentence: "Ada Penrose built it in 1874." },
  { of: WALL, quote: GRANITE, sentence: "The harbour wall is made of granite from Tolmere." },
  { of: YEAR, quote: YEAR_QUOTE, sentence: "奥尔德穆尔灯塔建于1874年。" },
];

/** Returns sentences about the facts in the passages shown, cited under the passages' ids. */
function written(shown: string, facts: typeof FACTS): string {
  const cited = facts.flatMap(({ quote, sentence }) => {
    const id = shown.includes(quote) ? [...shown.slice(0, shown.indexOf(quote)).matchAll(/\bP\d+\b/g)].at(-1)?.[0] : undefined;
    return id === undefined ? [] : [`${sentence} [${id}: "${quote}"]`];
  });
  return cited.join(" ");
}

/** Writes what answers its todo. */
function writer({ request }: AskedRole): Behavior {
  const shown = lastSaid(request);
  const asked = shown.slice(shown.lastIndexOf("Question:"));
  const text = written(
    shown,
    FACTS.filter(({ of }) => asked.includes(of)),
  );
  return say.text(text || "NO ANSWER: no passage says it");
}

export const plan = (todos: readonly Partial<PlannedTodo>[], more: object = {}): Behavior =>
  say.component("planner-response", { needsMorePlanning: false, question: null, reasoning: "", todos, ...more });

export const done = (summary = "It was found."): Behavior =>
  say.component("executor-response", { taskCompleted: true, shouldContinue: false, nextAction: "complete", summary });

export const failed = (summary: string): Behavior =>
  say.component("executor-response", { taskCompleted: false, shouldContinue: true, nextAction: "retry", summary, nextQuery: null });

export const verdict = (allCompleted: boolean, tasks: readonly object[] = [], overallFeedback = ""): Behavior =>
  say.component("verifier-response", { allCompleted, overallFeedback, tasks });

export const summary =
  (missing: readonly string[] = []) =>
  ({ request }: AskedRole): Behavior =>
    say.component("summary-response", {
      answer: written(lastSaid(request), FACTS),
      answers: missing.length === 0 ? "fully" : "partly",
      missing,
    });

/** Roles that cooperate: each todo's findings are enough, every judge agrees, and the summary cites what was found. */
export const ROLES = {
  "executor-response": [done()],
  "verifier-response": [verdict(true)],
  "summary-response": summary(),
  text: writer,
} satisfies Record<string, RoleAnswers>;

export const lastSaid = (request: SeenRequest): string => contentsOf(request, "user").at(-1) ?? "";
