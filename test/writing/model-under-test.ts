import { createModelAnalyst } from "../../src/analyst/analyst.ts";
import type { Limits } from "../../src/domain/limits.ts";
import type { Analyst, DecisionView, Reading, WritingView } from "../../src/domain/ports/analyst.ts";
import type { Models } from "../../src/domain/request.ts";
import { loadPrompts } from "../../src/models/prompts.ts";
import { createExtractiveAnalyst } from "../../src/quoting/analyst.ts";
import type { ModelServer } from "../fakes/model-server/serve.ts";
import type { PlainEffects } from "../helpers/plain-effects.ts";
import { openModel, tool } from "../models/model-under-test.ts";

export const MODELS: Models = { default: "m", roles: {}, contextTokens: 32_000, maxOutputTokens: 4_000, prices: {} };
export const LIMITS: Limits = {
  optionalToolLoops: 3,
  steps: 50,
  modelCalls: 40,
  tokens: 200_000,
  costUsd: null,
  seconds: 600,
  downloads: 12,
};

/** The analyst with the real adapter against `server`, and the real rules. */
export async function modelAnalyst(server: ModelServer, limits: Parameters<typeof openModel>[1] = {}): Promise<Analyst> {
  return createModelAnalyst({ model: openModel(server, limits), rules: createExtractiveAnalyst(), prompts: (await loadPrompts()).render });
}

export function decisionView(changes: Partial<DecisionView> = {}): DecisionView {
  return {
    question: "What was the revenue of Acme in 2024?",
    today: "2026-08-01",
    language: "auto",
    systemContext: "",
    history: [],
    models: MODELS,
    limits: LIMITS,
    round: 0,
    tools: [tool("sec_edgar_search"), tool("akshare_search")],
    outcomes: [],
    resultsBySource: {},
    best: [],
    ...changes,
  };
}

export function writingView(question: string, readings: readonly Reading[], changes: Partial<WritingView> = {}): WritingView {
  return {
    question,
    today: "2026-08-01",
    language: "auto",
    systemContext: "",
    history: [],
    models: MODELS,
    limits: LIMITS,
    readings,
    ...changes,
  };
}

/** Returns the text that readers were shown as content, in order. */
export function contentOf({ events }: PlainEffects): string[] {
  return events.flatMap((event) => (event.type === "content" ? [event.delta] : []));
}
