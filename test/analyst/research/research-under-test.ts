import { createModelResearch, type ModelResearchDeps } from "../../../src/analyst/research-analyst.ts";
import type { DomainEvent } from "../../../src/domain/events.ts";
import type { Todo } from "../../../src/domain/plan.ts";
import type { Executed, QuestionView, Reading, ResearchAnalyst } from "../../../src/domain/ports/analyst.ts";
import { loadPrompts } from "../../../src/models/prompts.ts";
import type { ModelServer } from "../../fakes/model-server/serve.ts";
import { QUOTED } from "../../helpers/claims.ts";
import type { PlainEffects } from "../../helpers/plain-effects.ts";
import { openModel } from "../../models/model-under-test.ts";
import { LIMITS, MODELS } from "../../writing/model-under-test.ts";

/** Rules whose texts can be told from a model's. */
export const RULES: ResearchAnalyst = {
  plan: async () => ({ todos: [todoOf("R1", "by rules")], needsMorePlanning: false, question: null }),
  assess: async () => ({ taskCompleted: true, shouldContinue: false, nextAction: "complete", summary: "by rules", nextQuery: null }),
  verify: async () => ({ allCompleted: true, overallFeedback: "by rules", tasks: [] }),
  summarize: async () => ({ claims: [], citations: [], reason: "by rules", missing: [] }),
};

export async function modelResearch(server: ModelServer, changes: Partial<ModelResearchDeps> = {}): Promise<ResearchAnalyst> {
  return createModelResearch({ model: openModel(server), prompts: (await loadPrompts()).render, rules: RULES, ...changes });
}

export function viewOf(question: string): QuestionView {
  return { question, today: "2026-08-01", language: "auto", systemContext: "", history: [], models: MODELS, limits: LIMITS };
}

export function planningView(question: string) {
  return { ...viewOf(question), round: 1, sources: ["corpus"], tools: [], todos: [], feedback: null, rejection: null, asked: [] };
}

export function todoOf(id: string, description: string, changes: Partial<Todo> = {}): Todo {
  return {
    ...{ id, description, doneCriteria: "", keyFacts: [], priority: 1, dependsOn: [], status: "completed", planRound: 1, rounds: 1 },
    ...{ answeredBy: "execution", result: null, feedback: null, citations: [], ms: 0, path: `todo:${id}` },
    ...changes,
  } as Todo;
}

/** Returns the findings of a todo that quotes these words from that reading; no findings for no words. */
export function executed(todo: Todo, found: readonly (readonly [Reading, string])[] = []): Executed {
  const citations = found.map(([{ hit, document }, quote], i) => {
    const start = document.text.indexOf(quote);
    return { id: i + 1, sourceId: hit.id, contentHash: document.contentHash, start, end: start + quote.length, quote };
  });
  const claims = citations.map(({ id, quote }) => ({
    text: quote,
    citations: [id],
    ...QUOTED,
    section: "",
  }));
  return { todo, findings: { claims, citations, reason: found.length > 0 ? null : "nothing was found" } };
}

/** Returns the components that readers were shown, in order, and the retractions between them. */
export function shownBy({ events }: PlainEffects): DomainEvent[] {
  return events.filter(({ type }) => type === "component" || type === "call-restarted");
}

export function wholeOf({ events }: PlainEffects): unknown {
  const whole = events.filter((event) => event.type === "component" && !event.partial);
  return whole.length === 1 && whole[0]?.type === "component" ? whole[0].props : whole;
}
