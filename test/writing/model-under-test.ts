import { createModelAnalyst } from "../../src/analyst/analyst.ts";
import type { Analyst, DecisionView, Reading, WritingView } from "../../src/domain/ports/analyst.ts";
import { isChecked } from "../../src/domain/report.ts";
import type { Models } from "../../src/domain/request.ts";
import { loadPrompts } from "../../src/models/prompts.ts";
import { createExtractiveAnalyst } from "../../src/quoting/analyst.ts";
import type { Script } from "../fakes/model-server/script.ts";
import type { ModelServer } from "../fakes/model-server/serve.ts";
import { startModelServer } from "../fakes/model-server.ts";
import { NO_MODEL } from "../helpers/no-model.ts";
import { type PlainEffects, plainEffects } from "../helpers/plain-effects.ts";
import { openModel, tool } from "../models/model-under-test.ts";

export const MODELS: Models = { default: "m", roles: {}, contextTokens: 32_000, maxOutputTokens: 4_000, prices: {} };
export const LIMITS = NO_MODEL.limits;

/** The analyst with the real adapter against `server`, and the real rules. */
export async function modelAnalyst(server: ModelServer, limits: Parameters<typeof openModel>[1] = {}): Promise<Analyst> {
  return createModelAnalyst({ model: openModel(server, limits), rules: createExtractiveAnalyst(), prompts: (await loadPrompts()).render });
}

/** The fields that all views of a question have. */
const VIEW = { today: "2026-08-01", language: "auto", systemContext: "", history: [], models: MODELS, limits: LIMITS };

export function decisionView(changes: Partial<DecisionView> = {}): DecisionView {
  const first = { round: 0, tools: [tool("sec_edgar_search"), tool("akshare_search")], outcomes: [], resultsBySource: {}, best: [] };
  return { question: "What was the revenue of Acme in 2024?", ...VIEW, ...first, ...changes };
}

export function writingView(question: string, readings: readonly Reading[], changes: Partial<WritingView> = {}): WritingView {
  return { question, ...VIEW, readings, ...changes };
}

/** Writes with a model that answers by the script; returns the draft, its checked sentences, what the model was sent, and the events. */
export async function writeWith(script: Script, ...view: Parameters<typeof writingView>) {
  const server = await startModelServer(script);
  const effects = plainEffects();
  const draft = await (await modelAnalyst(server)).write(writingView(...view), effects);
  const said = draft.claims.filter(isChecked).map(({ text, citations }) => [text, citations]);
  return { draft, said, server, effects };
}

/** Decides with a model that answers by the script. */
export async function decideWith(script: Script, view: Partial<DecisionView> = {}, limits: Parameters<typeof openModel>[1] = {}) {
  const server = await startModelServer(script);
  const effects = plainEffects();
  return { decision: await (await modelAnalyst(server, limits)).decide(decisionView(view), effects), server, effects };
}

/** Returns the text that readers were shown as content, in order. */
export function contentOf({ events }: PlainEffects): string[] {
  return events.flatMap((event) => (event.type === "content" ? [event.delta] : []));
}
