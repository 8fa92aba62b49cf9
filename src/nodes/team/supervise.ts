import { refusedBudget } from "../../domain/budget.ts";
import { type ChatMessage, type ChatRequest, textRequest } from "../../domain/chat.ts";
import { modelFailureEntry } from "../../domain/failures.ts";
import type { Effects, GraphNode } from "../../domain/ports/effects.ts";
import type { ChatModel, RenderPrompt } from "../../domain/ports/models.ts";
import type { DocumentStore } from "../../domain/ports/sources.ts";
import type { LedgerEntry, ReportRenderer } from "../../domain/report.ts";
import { modelOf } from "../../domain/request.ts";
import { joinDetails, type Termination } from "../../domain/run.ts";
import { taskView, writersContext } from "../../domain/task.ts";
import type { Child } from "../../domain/team.ts";
import { DossierError, toDossierError } from "../../errors.ts";
import { knownAddresses } from "../../gathering/found.ts";
import { unreadUrlEntries, writingMsLeft } from "../../gathering/limits.ts";
import { languageName } from "../../ranking/language.ts";
import { type Answer, CUT_DETAIL, computeAnswers, reportAnswer } from "../agent/answer.ts";
import { modelsOf, readerFilters, toHistoryMessages } from "../agent/request.ts";
import type { AgentStateValue } from "../agent/state.ts";
import { recordModelFailure } from "../agent/think.ts";
import { formatResults } from "./child-results.ts";
import { evidenceOf, QuotedPassages } from "./quoted-passages.ts";
import type { TeamStateValue, TeamUpdate } from "./state.ts";
import { listAnswers, removeUnsupported } from "./team-answer.ts";

interface SuperviseDeps {
  readonly model: ChatModel;
  readonly prompts: RenderPrompt;
  readonly documents: DocumentStore;
  readonly renderMarkdown: ReportRenderer;
}

interface Summary {
  readonly text: string | null;
  readonly cut: boolean;
  readonly ledger: readonly LedgerEntry[];
  readonly spent: Termination["reason"] | null;
  readonly failure: AgentStateValue["failure"];
}

const NO_SUMMARY: Summary = { text: null, cut: false, ledger: [], spent: null, failure: null };

async function askSupervisor(state: TeamStateValue, passages: QuotedPassages, deps: SuperviseDeps, effects: Effects): Promise<Summary> {
  const { task } = state;
  const timeoutMs = writingMsLeft(state, effects);
  if (timeoutMs === 0) return { ...NO_SUMMARY, spent: "time_budget" };
  const request = await requestOf(state, passages, deps.prompts);
  const shown = readerFilters(state, ["S"]);
  const options = { node: "supervise", limits: task.limits, models: modelsOf(task), purpose: "write", timeoutMs, shown } as const;
  const since = effects.now();
  try {
    const { content, finishReason } = await deps.model.complete(request, options, effects);
    const usable = finishReason !== "repetition" && content.trim() !== "";
    if (usable) return { ...NO_SUMMARY, text: content, cut: finishReason === "length" };
    const nothing = { code: "empty", message: "The model gave no answer." } as const;
    return { ...NO_SUMMARY, ledger: [modelFailureEntry({ model: request.model, target: "report", error: nothing, ms: 0 })] };
  } catch (thrown) {
    effects.signal.throwIfAborted();
    const error = toDossierError(thrown);
    const spent = refusedBudget(error);
    if (spent !== null) return { ...NO_SUMMARY, spent };
    const failed = { node: "supervise", model: request.model, since, isReplaced: true };
    return { ...NO_SUMMARY, ...recordModelFailure(error, failed, effects) };
  }
}

async function requestOf(
  { task, children, work, hits }: TeamStateValue,
  passages: QuotedPassages,
  prompts: RenderPrompt,
): Promise<ChatRequest> {
  const models = modelsOf(task);
  const language = languageName(task);
  const results = formatResults(children, work, { idOf: (citation) => `P${passages.numberOf(citation)}`, hits, models });
  const { today } = taskView(task);
  const systemContext = writersContext(task);
  const system = await prompts("supervisor", { language, today, systemContext }, task.promptTexts);
  const asked = await prompts("messages/supervisor-task", { question: task.question, results });
  const messages: ChatMessage[] = [
    { role: "system", content: system },
    ...toHistoryMessages(task.history),
    { role: "user", content: asked },
  ];
  return textRequest(modelOf(models, "supervisor"), messages, models.maxOutputTokens);
}

const MODEL_FAILURES = ["model_refused", "model_unavailable"] as const;

/** Lets the model write the answer from the children's results. If the model fails, lists the results instead. */
export function createSuperviseNode(deps: SuperviseDeps): GraphNode<TeamStateValue, TeamUpdate> {
  return async (state, effects) => {
    const { task, children, work, hits, readings: read } = state;
    const hasSuccess = children.some(({ success }) => success === true);
    const passages = new QuotedPassages(work);
    if (!hasSuccess && passages.all.length === 0) throwSharedFailure(children);
    const { evidence, readings } = await evidenceOf(passages, hits, deps.documents, effects);
    const summed = hasSuccess ? await askSupervisor(state, passages, deps, effects) : NO_SUMMARY;
    const known = knownAddresses(state);
    const view = { task, prefixes: ["S"], known, evidence };
    const [written] = summed.text === null ? [] : await computeAnswers([summed.text], view, effects);
    const answer = written === undefined ? listAnswers(children, work, passages) : removeUnsupported(written, work, passages);
    const ledger = [...state.ledger, ...unreadUrlEntries(state, effects), ...summed.ledger];
    const reason = hasSuccess ? null : describeFailures(children);
    const parts = { task, hits, read, readings, known, ledger, cut: summed.cut };
    const report = await reportAnswer({ ...answer, reason }, parts, deps.renderMarkdown, effects);
    effects.emit({ type: "content", node: "supervise", callId: "report", try: 1, delta: report.markdown });
    return { report, termination: terminationOf(answer, summed, children) };
  };
}

function throwSharedFailure(children: readonly Child[]): void {
  const first = children[0]?.error;
  const code = MODEL_FAILURES.find((one) => one === first?.code);
  if (first && code && children.every(({ error }) => error?.code === code)) throw new DossierError(code, first.message);
}

function terminationOf(answer: Answer, { text, cut, spent, failure }: Summary, children: readonly Child[]): Termination {
  const node = "supervise";
  const nothing = answer.claims.length === 0 && (answer.text ?? "").trim() === "";
  if (nothing) return { reason: spent ?? "no_answer", node, detail: describeFailures(children) };
  const why = failure && `${failure.code}: ${failure.message}`;
  const listed = text === null ? "the children's answers are listed" : null;
  return { reason: spent ?? "completed", node, detail: joinDetails(describeFailures(children), why, listed, cut ? CUT_DETAIL : null) };
}

function describeFailures(children: readonly Child[]): string | null {
  const failed = children.flatMap(({ id, success, error }) => (success === true ? [] : [`${id} (${error?.code ?? "not begun"})`]));
  return failed.length === 0 ? null : `failed: ${failed.join(", ")}`;
}
