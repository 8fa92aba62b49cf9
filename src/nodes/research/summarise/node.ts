import { closestOf, coverageOf, verifyClaims } from "../../../domain/citation.ts";
import { joinFindings, uniteCitations } from "../../../domain/findings.ts";
import type { Hit } from "../../../domain/hit.ts";
import type { Reading } from "../../../domain/ports/analyst.ts";
import type { DocumentStore } from "../../../domain/ports/document-store.ts";
import type { Effects } from "../../../domain/ports/effects.ts";
import type { GraphNode } from "../../../domain/ports/node.ts";
import type { ReportRenderer } from "../../../domain/ports/report-renderer.ts";
import type { ResearchAnalyst, Summary } from "../../../domain/ports/research-analyst.ts";
import type { Report } from "../../../domain/report.ts";
import { stripUnknownAddresses } from "../../../evidence/address-filter.ts";
import { bringsNew } from "../../../evidence/brings-new.ts";
import type { ReadHit } from "../../../graphs/executor/state.ts";
import type { ResearchStateValue, ResearchUpdate, TodoWork } from "../../../graphs/research/state.ts";
import { countOrigins, originsOfRead } from "../../claim-origins.ts";
import { loadReadings } from "../../load-readings.ts";
import { sourcesOf } from "../../report-sources.ts";
import { writingMsLeft } from "../../time-budget.ts";
import { executedOf } from "../executed.ts";
import { sayTodos } from "../say-todos.ts";
import { wordingFor } from "../wording.ts";
import { howItEnded } from "./how-it-ended.ts";
import { ledgerOf } from "./ledger-of.ts";
import { withCitations } from "./todo-citations.ts";
import { unsourcedOf, withoutQuoted, withoutThose } from "./unsourced.ts";

export interface SummariseDeps {
  readonly research: ResearchAnalyst;
  readonly documents: DocumentStore;
  readonly renderMarkdown: ReportRenderer;
}

/** Writes one report over the todos of the latest plan; nothing is shown whose quote does not stand where its citation says. */
export function createSummariseNode(deps: SummariseDeps): GraphNode<ResearchStateValue, ResearchUpdate> {
  return async (state, effects) => {
    const { question, language, unsupported } = state.task;
    const works = state.todos.flatMap(({ id }) => state.work.find(({ todo }) => todo.id === id) ?? []);
    const readings = await loadReadings(readOf(works), deps.documents, effects);
    const unsourced = unsourcedOf(state.todos, works);
    const summary = withoutThose(await write(state, readings, deps, effects), unsourced);
    // One number for each passage.
    const united = saidOnce(uniteCitations(summary));
    const texts = new Map(readings.map(({ document }) => [document.contentHash, document.text]));
    const verified = verifyClaims(united.claims, united.citations, (hash) => texts.get(hash), unsupported);
    const { citations } = verified;
    const origins = originsOfRead(citations, readings);
    const shown = [...verified.claims, ...withoutQuoted(unsourced, verified.claims)];
    const coverage = coverageOf(shown, verified.struck.length);
    const claims = countOrigins(shown, citations, origins);
    const ledger = ledgerOf(state, works, summary.ledger ?? []);
    const closest =
      claims.length > 0 ? [] : closestOf(joinFindings(works.map(({ findings }) => findings)).closest ?? [], (hash) => texts.get(hash));
    const found = { hits: works.flatMap(({ hits }) => hits), ranked: works.flatMap(({ ranked }) => ranked), read: readOf(works) };
    const open = openQuestions(summary, state, found.hits);
    const content = {
      ...{ claims, citations, closest, sources: sourcesOf(found, origins), coverage, ledger },
      ...(open.length > 0 && { unanswered: open }),
      ...(summary.cutOff === true && { cutOff: true as const }),
    };
    const report: Report = { ...content, markdown: deps.renderMarkdown({ question, language, reason: summary.reason, ...content }) };
    effects.emit({ type: "content", node: "summarise", callId: "report", try: 1, delta: report.markdown });
    const todos = withCitations(state.todos, works, verified);
    sayTodos(todos, effects);
    const timeIsUp = writingMsLeft(state, effects) === 0;
    return {
      steps: 1,
      todos: { changed: todos },
      report,
      termination: howItEnded(state, { summary, works, supported: coverage.supported, unsourced: unsourced.length, timeIsUp, ledger }),
    };
  };
}

/** What the analyst makes of it all. */
function write(state: ResearchStateValue, readings: readonly Reading[], { research }: SummariseDeps, effects: Effects): Promise<Summary> {
  const { question, language, systemContext, history, models, limits } = state.task;
  return research.summarise(
    {
      ...{ question, language, systemContext, history, models, limits, readings },
      timeoutMs: writingMsLeft(state, effects),
      showsUnsupported: state.task.unsupported === "show",
      executed: executedOf(state),
    },
    effects,
  );
}

/** What the todos cite, in the order in which they do; where they cite nothing, all that was read. Each source once. */
function readOf(works: readonly TodoWork[]): ReadHit[] {
  const read = works.flatMap((work) => work.read);
  const { citations } = joinFindings(works.map(({ findings }) => findings));
  const cited = citations.flatMap(({ sourceId, contentHash }) => {
    return read.find((one) => one.hit.id === sourceId && one.contentHash === contentHash) ?? [];
  });
  return [...new Map((cited.length > 0 ? cited : read).map((one) => [`${one.hit.id} ${one.contentHash}`, one])).values()];
}

/** What the report names as not answered: where every todo is answered and a judge is not content, that. */
function openQuestions({ unanswered }: Summary, { task, todos, feedback }: ResearchStateValue, hits: readonly Hit[]): string[] {
  const known = [task.question, ...hits.map(({ url }) => url)];
  const words = [task.question, ...todos.map(({ description }) => description)];
  const objected = feedback !== null && todos.every(({ status }) => status === "completed");
  const objection = objected && bringsNew(feedback, words) ? wordingFor(task).notAccepted : feedback;
  return [...unanswered, ...(objected && objection ? [objection] : [])].map((line) => stripUnknownAddresses(line, known));
}

/** The same without sentences that repeat one with the same citations. */
function saidOnce({ claims, citations }: ReturnType<typeof uniteCitations>): ReturnType<typeof uniteCitations> {
  const firsts = new Map(claims.map((claim) => [JSON.stringify([claim.text, claim.citations]), claim] as const).reverse());
  const once = new Set(firsts.values());
  return { claims: claims.filter((claim) => once.has(claim)), citations };
}
