import type { PlannedTodo, Todo } from "../../../src/domain/plan.ts";
import type { Executed, Findings, PlanningView, QuestionView } from "../../../src/domain/ports/analyst.ts";
import { QUOTED } from "../../helpers/claims.ts";
import { NO_MODEL } from "../../helpers/no-model.ts";

export function viewOf(question: string): QuestionView {
  return { question, today: "2026-08-01", language: "auto", systemContext: "", history: [], ...NO_MODEL };
}

/** Returns the view of the first planning call. */
export function planningView(question: string, more: Partial<PlanningView> = {}): PlanningView {
  return {
    ...viewOf(question),
    round: 1,
    sources: ["corpus"],
    tools: [],
    todos: [],
    feedback: null,
    rejection: null,
    asked: [],
    mayAsk: true,
    ...more,
  };
}

export function todoOf(description: string, more: Partial<Todo> = {}): Todo {
  const planned: PlannedTodo = { id: "T1", description, doneCriteria: "", keyFacts: [], priority: 1, dependsOn: [] };
  const stands = { planRound: 1, rounds: 1, answeredBy: null, result: null, feedback: null, citations: [], ms: 0, path: "todo:T1" };
  return { ...planned, status: "completed", ...stands, ...more };
}

/**
 * Returns findings whose sentences are quoted completely, each from the document named by the letter before the colon, at its own offset.
 */
export function findingsOf(...sentences: readonly string[]): Findings {
  const citations = sentences.map((sentence, i) => {
    const [document = "", text = ""] = [sentence.slice(0, 1), sentence.slice(2)];
    return { id: i + 1, sourceId: document, contentHash: document, start: 100 * text.length, end: 101 * text.length, quote: text };
  });
  const claims = citations.map(({ id, quote }) => ({
    text: quote,
    citations: [id],
    ...QUOTED,
    section: "",
  }));
  return { claims, citations, reason: claims.length > 0 ? null : "Nothing was found." };
}

export function executedOf(description: string, findings: Findings, more: Partial<Todo> = {}): Executed {
  return { todo: todoOf(description, more), findings };
}
