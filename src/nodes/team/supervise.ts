import type { AnalyzedDocument } from "../../domain/analysis.ts";
import { refusedBudget } from "../../domain/budget.ts";
import type { ChatRequest } from "../../domain/chat.ts";
import { unverified, verifyClaims, type Written } from "../../domain/citations.ts";
import { modelFailureEntry } from "../../domain/failures.ts";
import { type Hit, mergeHits } from "../../domain/hit.ts";
import type { Effects, GraphNode } from "../../domain/ports/effects.ts";
import type { ChatModel, RenderPrompt } from "../../domain/ports/models.ts";
import type { DocumentStore } from "../../domain/ports/sources.ts";
import type { Citation, Claim, LedgerEntry, ReportRenderer } from "../../domain/report.ts";
import { modelOf, taskView } from "../../domain/request.ts";
import { joinDetails, type Termination } from "../../domain/run.ts";
import type { Child } from "../../domain/team.ts";
import { DossierError, toDossierError } from "../../errors.ts";
import { languageName } from "../../ranking/language.ts";
import { finishInTurns } from "../../util/turns.ts";
import { type Answer, CUT_DETAIL, makeReport, readAnswer, toReadSource } from "../agent/answer.ts";
import type { AnalyzedEvidence } from "../agent/load-evidence.ts";
import { modelsOf, readerFilters, toHistoryMessages } from "../agent/request.ts";
import { recordModelFailure } from "../agent/think.ts";
import { writingMsLeft } from "../shared/limits.ts";
import { countOrigins, knownAddresses, loadAnalyzed, originsOfCited } from "../shared/sources.ts";
import { formatResults } from "./child-results.ts";
import type { ChildWork, TeamStateValue, TeamUpdate } from "./state.ts";

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
}

type EvidenceById = ReadonlyMap<string, AnalyzedEvidence>;

const NO_SUMMARY: Summary = { text: null, cut: false, ledger: [], spent: null };

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
    const empty = modelFailureEntry({ model: request.model, target: "report", code: "empty", message: "The model gave no answer.", ms: 0 });
    return { ...NO_SUMMARY, ledger: [empty] };
  } catch (thrown) {
    effects.signal.throwIfAborted();
    const error = toDossierError(thrown);
    const spent = refusedBudget(error);
    if (spent !== null) return { ...NO_SUMMARY, spent };
    const failed = { node: "supervise", model: request.model, since, replaceable: true, isNested: false };
    return { ...NO_SUMMARY, ledger: recordModelFailure(error, failed, effects).ledger };
  }
}

async function requestOf({ task, children, work }: TeamStateValue, passages: QuotedPassages, prompts: RenderPrompt): Promise<ChatRequest> {
  const models = modelsOf(task);
  const language = languageName(task);
  const results = formatResults(children, work, { idOf: (citation) => `P${passages.numberOf(citation)}`, models });
  const { today, systemContext } = taskView(task);
  const system = await prompts("supervisor", { language, today, systemContext });
  const asked = await prompts("messages/supervisor-task", { question: task.question, results });
  return {
    model: modelOf(models, "supervisor"),
    messages: [{ role: "system", content: system }, ...toHistoryMessages(task.history), { role: "user", content: asked }],
    tools: [],
    toolChoice: "none",
    schema: null,
    maxOutputTokens: models.maxOutputTokens,
    stopTools: [],
  };
}

const MODEL_FAILURES = ["model_refused", "model_unavailable"] as const;

/** Lets the model write the answer from the children's results. If the model fails, lists the results instead. */
export function createSuperviseNode(deps: SuperviseDeps): GraphNode<TeamStateValue, TeamUpdate> {
  return async (state, effects) => {
    const { task, children, work, hits, readings } = state;
    const hasSuccess = children.some(({ success }) => success === true);
    const passages = new QuotedPassages(work);
    if (!hasSuccess && passages.all.length === 0) throwSharedFailure(children);
    const evidence = await evidenceOf(passages, hits, deps.documents, effects);
    const summed = hasSuccess ? await askSupervisor(state, passages, deps, effects) : NO_SUMMARY;
    const known = knownAddresses(state);
    const view = { question: task.question, hits, prefixes: ["S"], known, evidence };
    const answer =
      summed.text === null
        ? listAnswers(children, work, passages, evidence)
        : removeUnsupported(await finishInTurns(readAnswer(summed.text, view), effects.signal), work, passages, evidence);
    const ledger = [...state.ledger, ...summed.ledger];
    const reason = hasSuccess ? null : describeFailures(children);
    const report = makeReport(answer, { task, hits, readings, known, ledger, reason, cut: summed.cut }, deps.renderMarkdown);
    if (report.markdown.trim() !== summed.text?.trim())
      effects.emit({ type: "content", node: "supervise", callId: "report", try: 1, delta: report.markdown });
    return { report, termination: terminationOf(answer, summed, children) };
  };
}

function throwSharedFailure(children: readonly Child[]): void {
  const first = children[0]?.error;
  const code = MODEL_FAILURES.find((one) => one === first?.code);
  if (first && code && children.every(({ error }) => error?.code === code)) throw new DossierError(code, first.message);
}

function terminationOf(answer: Answer, { text, cut, spent }: Summary, children: readonly Child[]): Termination {
  const node = "supervise";
  const nothing = answer.claims.length === 0 && (answer.text ?? "").trim() === "";
  if (nothing) return { reason: spent ?? "no_answer", node, detail: describeFailures(children) };
  const listed = text === null ? "the children's answers are listed" : null;
  return { reason: spent ?? "completed", node, detail: joinDetails(describeFailures(children), listed, cut ? CUT_DETAIL : null) };
}

function describeFailures(children: readonly Child[]): string | null {
  const failed = children.flatMap(({ id, success, error }) => (success === true ? [] : [`${id} (${error?.code ?? "not begun"})`]));
  return failed.length === 0 ? null : `failed: ${failed.join(", ")}`;
}

/** Drops citations that no child quoted, and marks sentences that the children could not support. */
function removeUnsupported(answer: Answer, work: readonly ChildWork[], passages: QuotedPassages, evidence: EvidenceById): Answer {
  const found = work.flatMap(({ claims }) => claims);
  const supported = new Set(found.filter((claim) => claim.supported).map(({ text }) => normalized(text)));
  const unsupported = new Set(found.map(({ text }) => normalized(text)).filter((text) => !supported.has(text)));
  const claims = answer.claims.map((claim) =>
    unsupported.has(normalized(claim.text)) ? { ...claim, ...unverified("no_citation"), citations: [] } : claim,
  );
  const citations = answer.citations.filter((citation) => passages.overlaps(citation));
  return verifiedAnswer({ ...answer, claims, citations }, evidence, answer.text);
}

function listAnswers(children: readonly Child[], work: readonly ChildWork[], passages: QuotedPassages, evidence: EvidenceById): Answer {
  const finished = children.filter(({ success }) => success === true);
  const shown = finished.length > 0 ? finished : children;
  const parts = shown.flatMap(({ id }) => work.filter((one) => one.id === id));
  const claims = parts.flatMap(({ id, claims, citations }) =>
    claims.map((claim): Claim => {
      const cited = citations.filter((citation) => claim.citations.includes(citation.id));
      return { ...claim, citations: cited.map((citation) => passages.numberOf(citation)), section: id };
    }),
  );
  const citations = passages.all.map((citation, index) => ({ ...citation, id: index + 1 }));
  const outputs = finished.map(({ id, output }) => `## ${id}\n\n${output ?? ""}`).join("\n\n");
  const cites = claims.some((claim) => claim.citations.length > 0);
  return verifiedAnswer({ claims, citations }, evidence, cites || outputs === "" ? null : outputs);
}

function verifiedAnswer(written: Written, evidence: EvidenceById, text: string | null): Answer {
  const texts = new Map([...evidence.values()].map(({ contentHash, text }) => [contentHash, text]));
  const checked = verifyClaims(written, (hash) => texts.get(hash));
  const origins = originsOfCited(checked.citations, [...evidence.values()].map(toReadSource));
  return { ...checked, claims: countOrigins(checked.claims, checked.citations, origins), origins, text };
}

function normalized(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\p{P}\p{S}\s]+/gu, "");
}

const MAX_TEXTS = 40;

/** Numbers the passages that the children quoted. The model sees the first passage as P1. */
class QuotedPassages {
  readonly all: readonly Citation[];
  readonly #numbers: ReadonlyMap<string, number>;

  constructor(work: readonly ChildWork[]) {
    const places = Map.groupBy(
      work.flatMap(({ citations }) => citations),
      keyOf,
    );
    this.all = [...places.values()].flatMap(([first]) => first ?? []);
    this.#numbers = new Map([...places.keys()].map((key, index) => [key, index + 1]));
  }

  numberOf(citation: Citation): number {
    return this.#numbers.get(keyOf(citation)) ?? 0;
  }

  overlaps({ contentHash, start, end }: Citation): boolean {
    return this.all.some((passage) => passage.contentHash === contentHash && passage.start < end && passage.end > start);
  }
}

async function evidenceOf(passages: QuotedPassages, hits: readonly Hit[], documents: DocumentStore, effects: Effects) {
  const titles = new Map(mergeHits([], hits).map(({ id, title }) => [id, title]));
  const texts = new Map<string, AnalyzedDocument>();
  const evidence = new Map<string, AnalyzedEvidence>();
  for (const citation of passages.all) {
    const { contentHash, sourceId, start, end } = citation;
    const id = `P${passages.numberOf(citation)}`;
    if (!texts.has(contentHash) && texts.size >= MAX_TEXTS) continue;
    const document = texts.get(contentHash) ?? (await loadAnalyzed(contentHash, documents, effects));
    texts.set(contentHash, document);
    const title = `${document.title} ${titles.get(sourceId) ?? ""}`;
    evidence.set(id, { id, sourceId, title, contentHash, text: document.text, start, end, words: document.analysis.words });
  }
  return evidence;
}

function keyOf({ contentHash, start, end }: Citation): string {
  return `${contentHash} ${start} ${end}`;
}
