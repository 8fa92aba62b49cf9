import { modelFailureEntry } from "../../domain/failures.ts";
import type { Analyst } from "../../domain/ports/analyst.ts";
import type { Effects, GraphNode } from "../../domain/ports/effects.ts";
import type { DocumentStore } from "../../domain/ports/sources.ts";
import type { LedgerEntry, ReportRenderer } from "../../domain/report.ts";
import { modelOf, taskView } from "../../domain/request.ts";
import { joinDetails, type Termination } from "../../domain/run.ts";
import { DossierError, isErrorCode, storedError } from "../../errors.ts";
import { readClosingBlock } from "../../evidence/closing-lines.ts";
import { createTurns, finishInTurns } from "../../util/turns.ts";
import { gatheringMsLeft, unreadUrlEntries } from "../shared/limits.ts";
import { knownAddresses } from "../shared/sources.ts";
import { type Answer, answerFromClaims, CUT_DETAIL, makeReport, readAnswer, SAID_NOTHING } from "./answer.ts";
import type { Decide, NextStep } from "./decide.ts";
import { allReadings, citedEvidence } from "./load-evidence.ts";
import { answerText, currentTurn } from "./messages.ts";
import { citedPrefixes, modelsOf } from "./request.ts";
import type { AgentReading, AgentStateValue, AgentUpdate } from "./state.ts";

export interface ConcludeDeps {
  readonly decide: Decide;
  readonly rules: Analyst;
  readonly documents: DocumentStore;
  readonly renderMarkdown: ReportRenderer;
}

interface Written extends Answer {
  readonly readings: readonly AgentReading[];
  readonly reason: string | null;
}

export function createConcludeNode(deps: ConcludeDeps): GraphNode<AgentStateValue, AgentUpdate> {
  return async (state, effects) => {
    const { task, hits } = state;
    const step = finalStep(state, deps.decide);
    const { text, cut } = finalText(state, step);
    const written = text === null ? await answerFromRules(state, deps, effects) : await answerFromText(text, state, deps, effects);
    const readings = [...state.readings, ...written.readings];
    const ledger = [...state.ledger, ...unreadUrls(state, effects), ...(text === null ? missingAnswerRow(state, step) : [])];
    const parts = { task, hits, readings, known: knownAddresses(state), ledger, reason: written.reason, cut };
    await createTurns(effects.signal)();
    const report = makeReport(written, parts, deps.renderMarkdown);
    const draft = task.part !== undefined && ({ draft: true } as const);
    effects.emit({ type: "content", node: "conclude", callId: "report", try: 1, delta: report.markdown, ...draft });
    const termination = terminationOf(cut ? { ...step, detail: joinDetails(step.detail, CUT_DETAIL) } : step, written, text);
    return { steps: 1, readings: [...written.readings], answer: text, report, termination };
  };
}

async function answerFromText(text: string, state: AgentStateValue, { documents }: ConcludeDeps, effects: Effects): Promise<Written> {
  const { evidence, readings } = await citedEvidence(text, state, documents, effects);
  const { task, hits } = state;
  const view = { task, hits, prefixes: citedPrefixes(state), known: knownAddresses(state), evidence };
  return { ...(await finishInTurns(readAnswer(text, view), effects.signal)), readings, reason: null };
}

async function answerFromRules(state: AgentStateValue, { rules, documents }: ConcludeDeps, effects: Effects): Promise<Written> {
  const { evidence, readings } = await allReadings(state, documents, effects);
  if (evidence.length === 0 && state.failure !== null && state.task.part === undefined) throw storedError(state.failure);
  const draft = await rules.write({ ...taskView(state.task), models: null, readings: evidence }, effects);
  const answer = answerFromClaims(draft, evidence, { text: null, said: SAID_NOTHING });
  return { ...answer, readings, reason: evidence.length === 0 ? null : draft.reason };
}

/** The run around a nested one says it of all its parts. */
function unreadUrls(state: AgentStateValue, effects: Effects): LedgerEntry[] {
  const { task, ledger, downloads } = state;
  if (effects.reads !== undefined) return [];
  const downloadsLeft = task.limits.downloads - downloads;
  return unreadUrlEntries(task, { ledger, downloadsLeft, msLeft: gatheringMsLeft(state, effects) });
}

function missingAnswerRow({ task, ledger }: AgentStateValue, { reason, detail }: FinalStep): LedgerEntry[] {
  if (ledger.some(({ what }) => what === "model")) return [];
  const code = reason === "time_budget" ? "timeout" : isErrorCode(reason) ? reason : "empty";
  const message = detail === null ? "The model gave no answer." : `${detail.charAt(0).toUpperCase()}${detail.slice(1)}.`;
  return [modelFailureEntry({ model: modelOf(modelsOf(task), "agent"), target: "report", error: { code, message }, ms: 0 })];
}

function terminationOf({ reason, detail }: FinalStep, written: Written, text: string | null): Termination {
  const node = "conclude";
  if (text !== null) return { reason, node, detail };
  const details = joinDetails(detail, "rules wrote the report");
  if (reason !== "completed" && reason !== "no_answer") return { reason, node, detail: details };
  if (written.claims.length > 0) return { reason: "completed", node, detail: details };
  return { reason: "no_answer", node, detail: written.reason ?? detail };
}

type FinalStep = Extract<NextStep, { type: "write" | "conclude" }>;

function finalStep(state: AgentStateValue, decide: Decide): FinalStep {
  const step = decide(state);
  if (step.type === "write" || step.type === "conclude") return step;
  throw new DossierError("internal", `The agent concludes although its next step is to ${step.type}.`);
}

interface FinalText {
  /** The model's answer, or null. */
  readonly text: string | null;
  readonly cut: boolean;
}

/** If a tool call ended the loop, the result of that call is the answer, unless it has only closing lines. */
function finalText(state: AgentStateValue, step: FinalStep): FinalText {
  const { written, finished, messages, finishReason } = state;
  if (step.type === "write") {
    const text = written ?? cutOffAnswer(state);
    return { text, cut: written === null ? text !== null : state.cut };
  }
  if (step.reason !== "finish_task") return { text: step.text, cut: step.reason === "answered" && finishReason === "length" };
  const said = currentTurn(messages).flatMap((message) => (message.role === "assistant" ? [message.content] : []));
  const texts = [finished ?? "", step.text ?? "", ...said.toReversed()].filter((text) => text.trim() !== "");
  return { text: texts.find((text) => readClosingBlock(text).text.trim() !== "") ?? texts[0] ?? null, cut: false };
}

function cutOffAnswer({ messages, finishReason }: AgentStateValue): string | null {
  if (finishReason !== "length") return null;
  const before = messages.at(-1)?.mark === "continue" ? messages.slice(0, -1) : messages;
  const last = before.at(-1);
  const text = last?.role === "assistant" && last.toolCalls.length === 0 ? answerText(before) : "";
  return text.trim() === "" ? null : text;
}
