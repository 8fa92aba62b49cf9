import { modelFailureEntry } from "../../domain/failures.ts";
import type { Analyst, Reading } from "../../domain/ports/analyst.ts";
import type { Effects, GraphNode } from "../../domain/ports/effects.ts";
import type { DocumentStore } from "../../domain/ports/sources.ts";
import type { LedgerEntry, ReportRenderer } from "../../domain/report.ts";
import { modelOf } from "../../domain/request.ts";
import { joinDetails, type Termination } from "../../domain/run.ts";
import { taskView } from "../../domain/task.ts";
import { DossierError, isErrorCode, storedError } from "../../errors.ts";
import { readClosingLines } from "../../evidence/closing-lines.ts";
import { knownAddresses } from "../../gathering/found.ts";
import { unreadUrlEntries } from "../../gathering/limits.ts";
import type { KnownReading } from "../../gathering/reading.ts";
import { type Answer, bestAnswer, CUT_DETAIL, computeAnswers, reportAnswer } from "./answer.ts";
import type { Decide, NextStep } from "./decide.ts";
import { allReadings, citedEvidence } from "./load-evidence.ts";
import { answerText, writtenTexts } from "./messages.ts";
import { citedPrefixes, modelsOf } from "./request.ts";
import type { AgentStateValue, AgentUpdate } from "./state.ts";
import { ANSWER_LENGTH, createPolicy } from "./termination-policy.ts";

export interface ConcludeDeps {
  readonly decide: Decide;
  readonly rules: Analyst;
  readonly documents: DocumentStore;
  readonly renderMarkdown: ReportRenderer;
}

interface Written {
  readonly answer: Answer;
  readonly readings: readonly Reading[];
  /** What was loaded for the answer. */
  readonly read: readonly KnownReading[];
}

export function createConcludeNode(deps: ConcludeDeps): GraphNode<AgentStateValue, AgentUpdate> {
  return async (state, effects) => {
    const { task, hits } = state;
    const step = finalStep(state, deps.decide);
    const { texts, cut } = finalTexts(state, step);
    const byModel = texts.length > 0;
    const { answer, readings, read } = byModel
      ? await answerFromTexts(texts, state, deps, effects)
      : await answerFromRules(state, deps, effects);
    // The run around a nested one says it of all its parts.
    const unread = effects.budget === undefined ? unreadUrlEntries(state, effects) : [];
    const ledger = [...state.ledger, ...unread, ...(byModel ? [] : missingAnswerRow(state, step))];
    const parts = { task, hits, read: [...state.readings, ...read], readings, known: knownAddresses(state), ledger, cut };
    const report = await reportAnswer(answer, parts, deps.renderMarkdown, effects);
    const draft = task.part !== undefined && ({ draft: true } as const);
    effects.emit({ type: "content", node: "conclude", callId: "report", try: 1, delta: report.markdown, ...draft });
    const termination = terminationOf(cut ? { ...step, detail: joinDetails(step.detail, CUT_DETAIL) } : step, answer, byModel);
    return { steps: 1, readings: [...read], byModel, report, termination };
  };
}

type Texts = readonly string[];

async function answerFromTexts(texts: Texts, state: AgentStateValue, { documents }: ConcludeDeps, effects: Effects): Promise<Written> {
  const { evidence, readings, read } = await citedEvidence(texts.join("\n"), state, documents, effects);
  const view = { task: state.task, prefixes: citedPrefixes(state), known: knownAddresses(state), evidence };
  return { answer: bestAnswer(await computeAnswers(texts, view, effects)), readings, read };
}

async function answerFromRules(state: AgentStateValue, { rules, documents }: ConcludeDeps, effects: Effects): Promise<Written> {
  const { readings, read } = await allReadings(state, documents, effects);
  if (readings.length === 0 && state.failure !== null && state.task.part === undefined) throw storedError(state.failure);
  const { missing: _, ...draft } = await rules.write({ ...taskView(state.task), models: null, readings }, effects);
  return { answer: { ...draft, reason: readings.length === 0 ? null : draft.reason, text: null }, readings, read };
}

function missingAnswerRow({ task, ledger, failure }: AgentStateValue, { reason, detail }: FinalStep): LedgerEntry[] {
  if (ledger.some(({ what }) => what === "model")) return [];
  if (failure !== null)
    return [modelFailureEntry({ model: modelOf(modelsOf(task), "agent"), target: "report", error: storedError(failure), ms: 0 })];
  const code = reason === "time_budget" ? "timeout" : isErrorCode(reason) ? reason : "empty";
  const message = detail === null ? "The model gave no answer." : `${detail.charAt(0).toUpperCase()}${detail.slice(1)}.`;
  return [modelFailureEntry({ model: modelOf(modelsOf(task), "agent"), target: "report", error: { code, message }, ms: 0 })];
}

function terminationOf({ reason, detail }: FinalStep, answer: Answer, byModel: boolean): Termination {
  const node = "conclude";
  if (byModel) return { reason, node, detail };
  const details = joinDetails(detail, "rules wrote the report");
  if (reason !== "completed" && reason !== "no_answer") return { reason, node, detail: details };
  if (answer.claims.length > 0) return { reason: "completed", node, detail: details };
  return { reason: "no_answer", node, detail: answer.reason ?? detail };
}

type FinalStep = Extract<NextStep, { type: "write" | "conclude" }>;

function finalStep(state: AgentStateValue, decide: Decide): FinalStep {
  const step = decide(state);
  if (step.type === "write" || step.type === "conclude") return step;
  throw new DossierError("internal", `The agent concludes although its next step is to ${step.type}.`);
}

/** Returns the texts of the model of which one is the answer; none if rules write the report. */
function finalTexts(state: AgentStateValue, step: FinalStep): { readonly texts: Texts; readonly cut: boolean } {
  const { written, finishReason } = state;
  if (step.type === "write") {
    const text = written ?? cutOffAnswer(state);
    return { texts: text === null ? [] : [text], cut: written === null ? text !== null : state.cut };
  }
  if (step.reason === "finish_task") return { texts: endingTexts(state), cut: false };
  return { texts: step.text === null ? [] : [step.text], cut: step.reason === "answered" && finishReason === "length" };
}

/**
 * Returns the texts of the response whose call ended the loop that count as answers. If it has none, or only a `summary`, which may tell of a long
 * text before it, the latest earlier answer is one of them.
 */
function endingTexts({ task, finished, messages }: AgentStateValue): Texts {
  const { answer = "", summary = "" } = finished ?? {};
  const [content = "", ...earlier] = writtenTexts(messages);
  // The call has ended the run, so the policy `finish_task` no longer asks for it.
  const policy = createPolicy(task.termination);
  const counts = (text: string): boolean => readClosingLines(text, { isReport: false }).text.trim() !== "" && policy(text, []) === null;
  const own = [answer, content].filter(counts);
  const shorter = [summary].filter(counts);
  const before = earlier.find((text) => counts(text) && (shorter.length === 0 || text.length >= ANSWER_LENGTH));
  const texts = [...(own.length === 0 && before !== undefined ? [before] : own), ...shorter];
  return texts.length > 0 ? texts : [answer, content, summary, ...earlier].filter((text) => text.trim() !== "").slice(0, 1);
}

function cutOffAnswer({ messages, finishReason }: AgentStateValue): string | null {
  if (finishReason !== "length") return null;
  const before = messages.at(-1)?.mark === "continue" ? messages.slice(0, -1) : messages;
  const last = before.at(-1);
  const text = last?.role === "assistant" && last.toolCalls.length === 0 ? answerText(before) : "";
  return text.trim() === "" ? null : text;
}
