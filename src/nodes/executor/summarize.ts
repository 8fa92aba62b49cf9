import type { Analyst, Draft } from "../../domain/ports/analyst.ts";
import type { Effects, GraphNode } from "../../domain/ports/effects.ts";
import type { DocumentStore } from "../../domain/ports/sources.ts";
import { type Claim, isChecked, type LedgerEntry, type ReportRenderer } from "../../domain/report.ts";
import { joinDetails, type Termination } from "../../domain/run.ts";
import { writingTerms } from "../../domain/task.ts";
import { loadReadings } from "../../gathering/documents.ts";
import { readingMsLeft, writingMsLeft } from "../../gathering/limits.ts";
import { isNothingRelevant } from "../../gathering/rank.ts";
import { isChinese } from "../../ranking/language.ts";
import { finishReport } from "../../writing/finish-report.ts";
import { followableLinks, namedHits } from "../shared/named-links.ts";
import { formEntries } from "../shared/report-form.ts";
import { reportSources } from "../shared/sources.ts";
import type { ExecutorStateValue, ExecutorUpdate } from "./state.ts";

export interface SummarizeDeps {
  readonly analyst: Analyst;
  readonly documents: DocumentStore;
  readonly renderMarkdown: ReportRenderer;
}

export function createSummarizeNode({ analyst, documents, renderMarkdown }: SummarizeDeps): GraphNode<ExecutorStateValue, ExecutorUpdate> {
  return async (state, effects) => {
    const readings = await loadReadings(state.read, documents, effects);
    const readingCut = readingMsLeft(state, effects) === 0;
    const modelUnreachable = state.ledger.some(({ what, failure }) => what === "model" && failure === "unreachable");
    const queries = state.queries.map(({ text }) => text);
    const subjects = state.task.queries?.map(({ text }) => text);
    const view = {
      ...writingTerms(state.task),
      ...(subjects && { subjects }),
      timeoutMs: writingMsLeft(state, effects),
      readings,
      queries,
      modelUnreachable,
    };
    const { notes } = state.task;
    const follows = followableLinks(state, effects);
    const noted =
      notes === undefined ? undefined : analyst.takeNotes?.({ ...view, each: notes === "each", ...(follows && { follows }) }, effects);
    const drafted = await (noted ?? analyst.write(view, effects));
    const isIrrelevant = readings.length === 0 && isNothingRelevant(state.ledger);
    const draft = isIrrelevant ? { ...drafted, reason: IRRELEVANT[isChinese(state.task) ? "zh" : "en"] } : drafted;
    const ledger = [...state.ledger, ...(draft.ledger ?? []), ...formEntries(state.task)];
    const sources = (origins: ReadonlyMap<string, string>) => reportSources({ ...state, readings }, origins);
    const parts = { task: state.task, draft, readings, loadOthers: async () => [], sources, ledger, render: renderMarkdown };
    const report = await finishReport(parts, effects);
    effects.emit({ type: "content", node: "summarize", callId: "report", try: 1, delta: report.markdown });
    return {
      report,
      named: namedHits(draft.named ?? []),
      termination: terminationOf(state, draft, report.claims, cutShort(state, readingCut, effects)),
    };
  };
}

const IRRELEVANT = {
  en: "What was found is not about the question, as far as its words tell, so none of it was read.",
  zh: "从字面上看，找到的资料与问题无关，因此没有读取。",
} as const;

function cutShort(state: ExecutorStateValue, readingCut: boolean, effects: Effects): Termination | null {
  if (readingCut) return { reason: "time_budget", node: "download", detail: "the reading was cut short" };
  return writingMsLeft(state, effects) > 0 ? null : { reason: "time_budget", node: "summarize", detail: "the writing was cut short" };
}

/** An answer without a supporting quote still completes the run. */
function terminationOf(state: ExecutorStateValue, draft: Draft, claims: readonly Claim[], timeIsUp: Termination | null): Termination {
  const node = "summarize";
  if (claims.length === 0 && timeIsUp === null)
    return { reason: "no_answer", node, detail: describeFailedSearches(state.ledger) ?? draft.reason };
  const unverified = claims.length > 0 && !claims.some(isChecked) ? "no sentence of the report is verified" : null;
  const ended = (by: Termination): Termination => ({ ...by, detail: joinDetails(by.detail, unverified) });
  if (state.spent !== null) return ended({ reason: state.spent, node: "llm_decision", detail: "the gathering was cut short" });
  if (draft.spent) return ended({ reason: draft.spent, node, detail: "rules wrote the report" });
  const detail = draft.cutOff === true ? "the model's report was cut off before its end" : draft.reason;
  return ended(timeIsUp ?? { reason: "completed", node, detail });
}

function describeFailedSearches(ledger: readonly LedgerEntry[]): string | null {
  const searches = ledger.filter(({ what }) => what === "search");
  if (searches.length === 0 || searches.some(({ outcome }) => outcome !== "failed")) return null;
  return `no source could be searched: ${searches.map(({ source, failure }) => `${source} (${failure})`).join(", ")}`;
}
