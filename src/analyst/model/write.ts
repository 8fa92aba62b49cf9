import { refusedBudget } from "../../domain/budget.ts";
import type { ChatMessage, ChatReply } from "../../domain/chat.ts";
import { estimateTokens } from "../../domain/estimate-tokens.ts";
import { modelEntry } from "../../domain/model-failure.ts";
import type { Draft, WritingView } from "../../domain/ports/analyst.ts";
import type { Effects } from "../../domain/ports/effects.ts";
import { type Models, modelOf } from "../../domain/request.ts";
import { DossierError, toDossierError } from "../../errors.ts";
import { addressesIn } from "../../evidence/addresses-in.ts";
import type { Evidence } from "../../evidence/evidence.ts";
import { createShownText } from "../../evidence/shown-text.ts";
import { languageName } from "../../ranking/language-name.ts";
import type { ModelAnalystDeps } from "./decide.ts";
import { replaceable, tellFailure } from "./failure.ts";
import { lastTurns } from "./history.ts";
import { selectPassages, showPassages } from "./passages.ts";
import { betterOf, needsCorrection, type ReadReport, readReport } from "./read-report.ts";
import { ShownDraft } from "./shown-draft.ts";

const NODE = "summarize";
/** What is estimated may be wrong by so much. */
const CAUTION = 0.9;
/** More is read more slowly and not more carefully. */
const MOST_TOKENS = 16_000;
/** The most of what is left that a model may answer with, so that there is room for what it reads. */
const ANSWER_SHARE = 0.3;
const MAX_TOLD_FAULTS = 20;

interface Writing extends ModelAnalystDeps {
  readonly view: WritingView;
  readonly models: Models;
  readonly effects: Effects;
  /** The run's clock when the writing began. */
  readonly since: number;
}

/** What is cited from, and what readers see of the report while it is written. */
interface Paper {
  readonly evidence: ReadonlyMap<string, Evidence>;
  readonly known: readonly string[];
  readonly shown: ShownDraft;
}

/** The report a model writes, of which only sentences stay whose citations hold; or the rules' where it cannot be had. */
export async function writeByModel(view: WritingView, models: Models, deps: ModelAnalystDeps, effects: Effects): Promise<Draft> {
  const since = effects.now();
  try {
    const draft = view.readings.length === 0 ? null : await writeFitting({ ...deps, view, models, effects, since });
    return draft ?? (await deps.rules.write(view, effects));
  } catch (thrown) {
    effects.signal.throwIfAborted();
    const { code, message } = toDossierError(thrown);
    const spent = refusedBudget({ code });
    const missed = { model: modelOf(models, "writer"), target: "report", code, message, ms: effects.elapsedMs(since) } as const;
    const failed = { models, role: "writer", node: NODE, since } as const;
    const entry = spent === null ? tellFailure({ error: replaceable(thrown, effects), ...failed }, effects) : modelEntry(missed);
    const draft = await deps.rules.write(view, effects);
    return { ...draft, ledger: [...(draft.ledger ?? []), entry], spent };
  }
}

/** Where the passages are too much for the model, half of them have to do. Null where there are none. */
async function writeFitting(writing: Writing): Promise<Draft | null> {
  const { view, effects } = writing;
  const system = await writing.prompts("writer", { language: languageName(view), systemContext: view.systemContext });
  const messages: ChatMessage[] = [{ role: "system", content: system }, ...lastTurns(view.history)];
  const tokens = passageTokens(writing, messages);
  const passages = await selectPassages(view, tokens, effects.signal);
  if (passages.length === 0) return null;
  try {
    return await writeFrom(passages, messages, writing);
  } catch (thrown) {
    effects.signal.throwIfAborted();
    if (toDossierError(thrown).code !== "context_too_large") throw thrown;
    const size = passages.reduce((sum, { text, start, end }) => sum + estimateTokens(text.slice(start, end)), 0);
    return writeFrom(await selectPassages(view, Math.floor(size / 2), effects.signal), messages, writing);
  }
}

/** What passages may take of the model's context and of what is left of the run's tokens. */
function passageTokens({ view, models, effects }: Writing, messages: readonly ChatMessage[]): number {
  const { inputTokens, outputTokens } = effects.spent();
  const left = view.limits.tokens - inputTokens - outputTokens;
  const answer = Math.min(models.maxOutputTokens, left * ANSWER_SHARE);
  const room = Math.min(models.contextTokens - models.maxOutputTokens, left - answer) * CAUTION;
  const taken = messages.reduce((sum, { content }) => sum + estimateTokens(content), 0) + estimateTokens(view.question);
  return Math.max(0, Math.min(MOST_TOKENS, Math.floor(room - taken)));
}

async function writeFrom(passages: readonly Evidence[], before: readonly ChatMessage[], writing: Writing): Promise<Draft> {
  const { view, prompts } = writing;
  const places = { passages: showPassages(passages, view.readings), question: view.question };
  const messages: ChatMessage[] = [...before, { role: "user", content: await prompts("messages/writer-passages", places) }];
  const evidence = new Map(passages.map((passage) => [passage.id, passage]));
  const known = knownAddresses(view);
  const paper: Paper = { evidence, known, shown: new ShownDraft(NODE, evidence, known, view.question, writing.effects) };
  const first = await ask(messages, paper, writing);
  const report = needsCorrection(first) ? await correct(first, messages, paper, writing) : first;
  if (report.noAnswer !== null) return { claims: [], citations: [], reason: report.noAnswer || null };
  // What is shown for what it is worth needs no other report in its place.
  if (report.claims.length === 0 && !(view.showsUnsupported === true && report.written.length > 0))
    throw new DossierError(
      "model_output",
      report.text.trim() === "" ? "The model's report is empty." : "No sentence of the model's report has a citation that holds.",
    );
  return { claims: report.written, citations: report.citations, reason: null, cutOff: report.cutOff };
}

/** One more round; what kept it from being had does not take away what there is. */
async function correct(first: ReadReport, messages: readonly ChatMessage[], paper: Paper, writing: Writing): Promise<ReadReport> {
  const told = [
    ...first.faults.map(({ sentence, marker, why }) =>
      why === "figure_not_in_quote" ? `- ${sentence}: ${marker} ${REASONS[why]}` : `- ${marker}: ${REASONS[why]}`,
    ),
    ...first.unsupported.map((sentence) => `- ${sentence}: no citation holds`),
  ];
  const faults = told.slice(0, MAX_TOLD_FAULTS).join("\n") || "- there is none";
  const correction: ChatMessage[] = [
    ...messages,
    { role: "assistant", content: first.text || "…", toolCalls: [] },
    { role: "user", content: await writing.prompts("messages/writer-correction", { faults }) },
  ];
  try {
    paper.shown.restart("Not all that the report says is in its quotes; the model corrects it.");
    const second = await ask(correction, paper, writing);
    if (second.noAnswer !== null) return first.claims.length > 0 ? first : second;
    return betterOf(first, second);
  } catch (thrown) {
    writing.effects.signal.throwIfAborted();
    if (first.claims.length === 0 && !(writing.view.showsUnsupported === true && first.written.length > 0)) throw thrown;
    return first;
  }
}

const REASONS = {
  unknown_id: "there is no passage of that id",
  quote_not_found: "these words do not stand in that passage",
  no_quote: "it quotes no words",
  figure_not_in_quote: "stands in none of the words that it quotes",
} as const;

async function ask(messages: readonly ChatMessage[], { evidence, known, shown }: Paper, writing: Writing): Promise<ReadReport> {
  const { view, models, model, effects } = writing;
  const request = {
    model: modelOf(models, "writer"),
    messages,
    tools: [],
    toolChoice: "none" as const,
    schema: null,
    maxOutputTokens: models.maxOutputTokens,
    stopTools: [],
  };
  const reply: ChatReply = await model.complete(
    request,
    {
      node: NODE,
      limits: view.limits,
      models,
      purpose: "write",
      ...(view.modelUnreachable && { tries: 1 }),
      ...timeLeft(writing),
      shown: { reasoning: () => createShownText(known), known },
      onContent: (piece) => shown.push(piece),
      restart: () => shown.restart("What it had written is taken back."),
    },
    effects,
  );
  shown.end();
  const cutOff = CUT_OFF.includes(reply.finishReason);
  const report = readReport(reply.content, evidence, known, { question: view.question, cutOff });
  const lost = LOST[reply.finishReason];
  if (lost !== undefined && report.claims.length === 0) throw new DossierError("model_output", lost);
  return report;
}

/** Ends of an answer that are not the model's own. */
const CUT_OFF: readonly ChatReply["finishReason"][] = ["length", "content_filter", "repetition"];
/** Ends of an answer after which another one would be no better. */
const LOST: Partial<Record<ChatReply["finishReason"], string>> = {
  content_filter: "The model's server held its answer back.",
  repetition: "The model said the same again and again.",
};

function timeLeft({ view: { timeoutMs }, effects, since }: Writing): { readonly timeoutMs?: number } {
  return timeoutMs === undefined ? {} : { timeoutMs: timeoutMs - effects.elapsedMs(since) };
}

/** The addresses that sources have, and the user's own. */
function knownAddresses({ question, readings }: WritingView): string[] {
  const found = readings
    .flatMap(({ hit, document }) => [hit.url, document.url, hit.publication?.fullTextUrl ?? ""])
    .filter((url) => url !== "");
  return [...found, ...addressesIn(question)];
}
