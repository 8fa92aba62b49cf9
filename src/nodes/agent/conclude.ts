import { verifiedPassages, withPlaces } from "../../domain/citations.ts";
import { modelFailureEntry } from "../../domain/failures.ts";
import type { Analyst } from "../../domain/ports/analyst.ts";
import type { Effects, GraphNode } from "../../domain/ports/effects.ts";
import type { DocumentStore } from "../../domain/ports/sources.ts";
import type { LedgerEntry, ReportRenderer } from "../../domain/report.ts";
import { modelOf, taskView } from "../../domain/request.ts";
import { joinDetails, type Termination } from "../../domain/run.ts";
import { DossierError, isErrorCode, storedError } from "../../errors.ts";
import { readClosingBlock } from "../../evidence/closing-lines.ts";
import { knownAddresses } from "../../gathering/found.ts";
import { unreadUrlEntries } from "../../gathering/limits.ts";
import type { KnownReading } from "../../gathering/reading.ts";
import { createTurns, finishInTurns } from "../../util/turns.ts";
import { type Answer, answerFromClaims, bestAnswer, CUT_DETAIL, makeReport, readAnswer, SAID_NOTHING } from "./answer.ts";
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

interface Written extends Answer {
  readonly readings: readonly KnownReading[];
  readonly reason: string | null;
}

export function createConcludeNode(deps: ConcludeDeps): GraphNode<AgentStateValue, AgentUpdate> {
  return async (state, effects) => {
    const { task, hits } = state;
    const step = finalStep(state, deps.decide);
    const { texts, cut } = finalTexts(state, step);
    const byModel = texts.length > 0;
    const written = byModel ? await answerFromTexts(texts, state, deps, effects) : await answerFromRules(state, deps, effects);
    const readings = [...state.readings, ...written.readings];
    // The run around a nested one says it of all its parts.
    const unread = effects.budget === undefined ? unreadUrlEntries(state, effects) : [];
    const ledger = [...state.ledger, ...unread, ...(byModel ? [] : missingAnswerRow(state, step))];
    const parts = { task, hits, readings, known: knownAddresses(state), ledger, reason: written.reason, cut };
    await createTurns(effects.signal)();
    const report = makeReport(written, parts, deps.renderMarkdown);
    const draft = task.part !== undefined && ({ draft: true } as const);
    effects.emit({ type: "content", node: "conclude", callId: "report", try: 1, delta: report.markdown, ...draft });
    const termination = terminationOf(cut ? { ...step, detail: joinDetails(step.detail, CUT_DETAIL) } : step, written, byModel);
    return { steps: 1, readings: [...written.readings], byModel, report, termination };
  };
}

type Texts = readonly string[];

async function answerFromTexts(texts: Texts, state: AgentStateValue, { documents }: ConcludeDeps, effects: Effects): Promise<Written> {
  const { evidence, readings } = await citedEvidence(texts.join("\n"), state, documents, effects);
  const { task, hits } = state;
  const view = { task, hits, prefixes: citedPrefixes(state), known: knownAddresses(state), evidence };
  const answers: Answer[] = [];
  for (const text of texts) answers.push(await finishInTurns(readAnswer(text, view), effects.signal));
  return { ...bestAnswer(answers), readings, reason: null };
}

async function answerFromRules(state: AgentStateValue, { rules, documents }: ConcludeDeps, effects: Effects): Promise<Written> {
  const { evidence, readings } = await allReadings(state, documents, effects);
  if (evidence.length === 0 && state.failure !== null && state.task.part === undefined) throw storedError(state.failure);
  const draft = await rules.write({ ...taskView(state.task), models: null, readings: evidence }, effects);
  const answer = answerFromClaims(draft, evidence, { text: null, said: SAID_NOTHING });
  const texts = new Map(evidence.map(({ document }) => [document.contentHash, document.text]));
  const closest =
    answer.claims.length > 0
      ? []
      : withPlaces(
          verifiedPassages(draft.closest ?? [], (hash) => texts.get(hash)),
          evidence.map(({ document }) => document),
        );
  return { ...answer, closest, readings, reason: evidence.length === 0 ? null : draft.reason };
}

function missingAnswerRow({ task, ledger, failure }: AgentStateValue, { reason, detail }: FinalStep): LedgerEntry[] {
  if (ledger.some(({ what }) => what === "model")) return [];
  if (failure !== null)
    return [modelFailureEntry({ model: modelOf(modelsOf(task), "agent"), target: "report", error: storedError(failure), ms: 0 })];
  const code = reason === "time_budget" ? "timeout" : isErrorCode(reason) ? reason : "empty";
  const message = detail === null ? "The model gave no answer." : `${detail.charAt(0).toUpperCase()}${detail.slice(1)}.`;
  return [modelFailureEntry({ model: modelOf(modelsOf(task), "agent"), target: "report", error: { code, message }, ms: 0 })];
}

function terminationOf({ reason, detail }: FinalStep, written: Written, byModel: boolean): Termination {
  const node = "conclude";
  if (byModel) return { reason, node, detail };
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
  const counts = (text: string): boolean => readClosingBlock(text).text.trim() !== "" && policy(text, []) === null;
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
