import { createModelResearch, type ModelResearchDeps } from "../../../src/analyst/research-analyst.ts";
import type { DomainEvent } from "../../../src/domain/events.ts";
import type { Todo } from "../../../src/domain/plan.ts";
import type { Executed, Findings, PlanningView, QuestionView, Reading, ResearchAnalyst } from "../../../src/domain/ports/analyst.ts";
import { loadPrompts } from "../../../src/models/prompts.ts";
import type { Script } from "../../fakes/model-server/script.ts";
import type { ModelServer, ModelServerOptions } from "../../fakes/model-server/serve.ts";
import { startModelServer } from "../../fakes/model-server.ts";
import { QUOTED } from "../../helpers/claims.ts";
import { type PlainEffects, plainEffects } from "../../helpers/plain-effects.ts";
import { openModel } from "../../models/model-under-test.ts";
import { LIMITS, MODELS } from "../../writing/model-under-test.ts";

/** Rules whose texts can be told from a model's. */
export const RULES: ResearchAnalyst = {
  plan: async () => ({ todos: [todoOf("R1", "by rules")], needsMorePlanning: false, question: null }),
  assess: async () => ({ taskCompleted: true, shouldContinue: false, nextAction: "complete", summary: "by rules", nextQuery: null }),
  verify: async () => ({ allCompleted: true, overallFeedback: "by rules", tasks: [] }),
  summarize: async () => ({ claims: [], citations: [], reason: "by rules", missing: [] }),
};

export async function modelResearch(server: Pick<ModelServer, "url">, changes: Partial<ModelResearchDeps> = {}): Promise<ResearchAnalyst> {
  return createModelResearch({ model: openModel(server), prompts: (await loadPrompts()).render, rules: RULES, ...changes });
}

/** Asks a role of a model that answers by the script; returns its result, what the model was sent, and the events. */
export async function ask<T>(
  script: Script,
  role: (research: ResearchAnalyst, effects: PlainEffects) => Promise<T>,
  { effects = plainEffects(), ...options }: ModelServerOptions & { effects?: PlainEffects } = {},
) {
  const server = await startModelServer(script, options);
  return { result: await role(await modelResearch(server), effects), server, effects };
}

export function viewOf(question: string): QuestionView {
  return { question, today: "2026-08-01", language: "auto", systemContext: "", history: [], models: MODELS, limits: LIMITS };
}

/** Returns the view of the first planning call. */
export function planningView(question: string, changes: Partial<PlanningView> = {}): PlanningView {
  const first = { round: 1, sources: ["corpus"], tools: [], todos: [], feedback: null, rejection: null, asked: [] };
  return { ...viewOf(question), ...first, ...changes };
}

export function todoOf(id: string, description: string, changes: Partial<Todo> = {}): Todo {
  return {
    ...{ id, description, doneCriteria: "", keyFacts: [], priority: 1, dependsOn: [], status: "completed", planRound: 1, rounds: 1 },
    ...{ answeredBy: "execution", result: null, feedback: null, citations: [], ms: 0, path: `todo:${id}` },
    ...changes,
  } as Todo;
}

/** Returns findings of quoted sentences, each from the document named by the letter before the colon, at an offset of its own. */
export function findingsOf(...sentences: readonly string[]): Findings {
  return quoted(
    sentences.map((sentence) => {
      const [document = "", quote = ""] = [sentence.slice(0, 1), sentence.slice(2)];
      return { sourceId: document, contentHash: document, start: 100 * quote.length, end: 101 * quote.length, quote };
    }),
  );
}

/** Returns the findings of a todo that quotes these words from that reading; no findings for no words. */
export function executed(todo: Todo, found: readonly (readonly [Reading, string])[] = []): Executed {
  const places = found.map(([{ hit, document }, quote]) => {
    const start = document.text.indexOf(quote);
    return { sourceId: hit.id, contentHash: document.contentHash, start, end: start + quote.length, quote };
  });
  return { todo, findings: quoted(places) };
}

function quoted(places: readonly Omit<Findings["citations"][number], "id">[]): Findings {
  const citations = places.map((place, i) => ({ id: i + 1, ...place }));
  const claims = citations.map(({ id, quote }) => ({ text: quote, citations: [id], ...QUOTED, section: "" }));
  return { claims, citations, reason: places.length > 0 ? null : "Nothing was found." };
}

/** Returns the components that readers were shown, in order, and the retractions between them. */
export function shownBy({ events }: PlainEffects): DomainEvent[] {
  return events.filter(({ type }) => type === "component" || type === "call-restarted");
}

export function wholeOf({ events }: PlainEffects): unknown {
  const whole = events.filter((event) => event.type === "component" && !event.partial);
  return whole.length === 1 && whole[0]?.type === "component" ? whole[0].props : whole;
}
