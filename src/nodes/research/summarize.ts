import { citationsSharedWith, coverageOf, mergeCitations, mergeFindings, verifiedPassages, verifyClaims } from "../../domain/citations.ts";
import type { Hit } from "../../domain/hit.ts";
import type { Todo } from "../../domain/plan.ts";
import type { Reading } from "../../domain/ports/analyst.ts";
import type { DocumentStore } from "../../domain/ports/documents.ts";
import type { Effects, GraphNode } from "../../domain/ports/effects.ts";
import type { ReportRenderer } from "../../domain/ports/reports.ts";
import type { Executed, ResearchAnalyst, Summary } from "../../domain/ports/research-analyst.ts";
import type { Citation, DraftClaim, LedgerEntry, Report } from "../../domain/report.ts";
import { stripUnknownAddresses } from "../../evidence/address-filter.ts";
import { hasUnknownDetails } from "../../evidence/unknown-references.ts";
import type { ReadHit } from "../executor/state.ts";
import { writingMsLeft } from "../shared/limits.ts";
import { countOrigins, loadReadings, originsOfRead, sourcesOf } from "../shared/sources.ts";
import type { ResearchStateValue, ResearchUpdate, TodoWork } from "./state.ts";
import { terminationOf } from "./termination.ts";
import { emitTodos, executedOf } from "./todos.ts";
import { textsFor } from "./texts.ts";

export interface ResearchSummarizeDeps {
  readonly research: ResearchAnalyst;
  readonly documents: DocumentStore;
  readonly renderMarkdown: ReportRenderer;
}

/** Writes one report over the todos of the latest plan; nothing is shown whose quote does not stand where its citation says. */
export function createResearchSummarizeNode(deps: ResearchSummarizeDeps): GraphNode<ResearchStateValue, ResearchUpdate> {
  return async (state, effects) => {
    const { question, language, unsupported } = state.task;
    const works = state.todos.flatMap(({ id }) => state.work.find(({ todo }) => todo.id === id) ?? []);
    const readings = await loadReadings(readOf(works), deps.documents, effects);
    const unsourced = unsourcedOf(state.todos, works);
    const summary = withoutThose(await write(state, readings, deps, effects), unsourced);
    // One number for each passage.
    const united = saidOnce(mergeCitations(summary));
    const texts = new Map(readings.map(({ document }) => [document.contentHash, document.text]));
    const verified = verifyClaims(united.claims, united.citations, (hash) => texts.get(hash), unsupported);
    const { citations } = verified;
    const origins = originsOfRead(citations, readings);
    const shown = [...verified.claims, ...withoutQuoted(unsourced, verified.claims)];
    const coverage = coverageOf(shown, verified.struck.length);
    const claims = countOrigins(shown, citations, origins);
    const ledger = ledgerOf(state, works, summary.ledger ?? []);
    const closest =
      claims.length > 0
        ? []
        : verifiedPassages(mergeFindings(works.map(({ findings }) => findings)).closest ?? [], (hash) => texts.get(hash));
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
    emitTodos(todos, effects);
    const timeIsUp = writingMsLeft(state, effects) === 0;
    return {
      steps: 1,
      todos: { changed: todos },
      report,
      termination: terminationOf(state, { summary, works, supported: coverage.supported, unsourced: unsourced.length, timeIsUp, ledger }),
    };
  };
}

/** What the analyst makes of it all. */
function write(
  state: ResearchStateValue,
  readings: readonly Reading[],
  { research }: ResearchSummarizeDeps,
  effects: Effects,
): Promise<Summary> {
  const { question, language, systemContext, history, models, limits } = state.task;
  return research.summarize(
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
  const { citations } = mergeFindings(works.map(({ findings }) => findings));
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
  const objection = objected && hasUnknownDetails(feedback, words) ? textsFor(task).notAccepted : feedback;
  return [...unanswered, ...(objected && objection ? [objection] : [])].map((line) => stripUnknownAddresses(line, known));
}

/** The same without sentences that repeat one with the same citations. */
function saidOnce({ claims, citations }: ReturnType<typeof mergeCitations>): ReturnType<typeof mergeCitations> {
  const firsts = new Map(claims.map((claim) => [JSON.stringify([claim.text, claim.citations]), claim] as const).reverse());
  const once = new Set(firsts.values());
  return { claims: claims.filter((claim) => once.has(claim)), citations };
}

/** The most rows of one report. */
const MAX_ROWS = 2_000;

/** Where every part of the run looked, the todos first, in the order of the plan. */
function ledgerOf(state: ResearchStateValue, works: readonly TodoWork[], ofTheSummary: readonly LedgerEntry[]): LedgerEntry[] {
  const ids = new Set(works.map(({ todo }) => todo.id));
  const replaced = state.work.filter(({ todo }) => !ids.has(todo.id));
  const ofTodos = [...works, ...replaced].flatMap(({ ledger }) => ledger);
  return [...ofTodos.slice(0, MAX_ROWS), ...state.ledger, ...ofTheSummary];
}

/**
 * The todos with the numbers of the report that each has brought. A passage that several came upon is of the one whose result it is; where
 * it is nobody's result, of the one under whose words it stands; and where it stands under none, of all that came upon it.
 */
export function withCitations(
  todos: readonly Todo[],
  works: readonly TodoWork[],
  { claims, citations }: { readonly claims: readonly DraftClaim[]; readonly citations: readonly Citation[] },
): Todo[] {
  const found = new Map(works.map(({ todo, findings }) => [todo.id, new Set(citationsSharedWith(findings, citations))]));
  const brought = citations.map(({ id }) => {
    const finders = todos.filter((todo) => found.get(todo.id)?.has(id));
    return { id, owners: finders.length > 1 ? ownersAmong(finders, sentencesWith(id, claims)) : finders };
  });
  return todos.map((todo) => {
    if (!found.has(todo.id)) return todo;
    return { ...todo, citations: brought.filter(({ owners }) => owners.includes(todo)).map(({ id }) => id) };
  });
}

function sentencesWith(id: number, claims: readonly DraftClaim[]): DraftClaim[] {
  return claims.filter(({ citations }) => citations.includes(id));
}

function ownersAmong(finders: readonly Todo[], sentences: readonly DraftClaim[]): readonly Todo[] {
  const saying = finders.filter(({ result }) => result && sentences.some(({ text }) => text.startsWith(result)));
  if (saying.length > 0) return saying;
  const heading = finders.filter(({ description }) => sentences.some(({ section }) => section.includes(description)));
  return heading.length > 0 ? heading : finders;
}

/**
 * The words of agents that completed a todo and quote nothing, such as a calculation or what their user said. Each stands under its todo,
 * none is `supported`.
 */
function unsourcedOf(todos: readonly Todo[], works: readonly TodoWork[]): DraftClaim[] {
  return todos.flatMap((todo) => {
    const findings = works.find((one) => one.todo.id === todo.id)?.findings;
    if (findings === undefined || !isUnsourced({ todo, findings })) return [];
    return findings.claims.map(({ text }) => ({ text, citations: [], supported: false, section: todo.description }));
  });
}

/** The same without the sentences that are shown as unsourced anyway. */
function withoutThose(summary: Summary, shown: readonly DraftClaim[]): Summary {
  const texts = new Set(shown.map(({ text }) => text));
  return { ...summary, claims: summary.claims.filter(({ text, citations }) => citations.length > 0 || !texts.has(text)) };
}

/** Those that `claims` do not hold with a quote, in the same words; what several todos came to once, under them all. */
function withoutQuoted(unsourced: readonly DraftClaim[], claims: readonly DraftClaim[]): DraftClaim[] {
  const quoted = new Set(claims.filter(({ supported }) => supported).map(({ text }) => text.trim()));
  const open = unsourced.filter(({ text }) => !quoted.has(text.trim()));
  return [...Map.groupBy(open, ({ text }) => text.trim()).values()].flatMap(([first, ...more]) => {
    if (first === undefined) return [];
    return { ...first, section: sideBySide([first, ...more].map(({ section }) => section)) };
  });
}

/** Headings as one: what ends as a sentence does needs no mark before the next. */
function sideBySide(sections: readonly string[]): string {
  return [...new Set(sections)].reduce((all, next) => `${all}${/\p{Sentence_Terminal}$/u.test(all) ? " " : "; "}${next}`);
}

function isUnsourced({ todo, findings }: Executed): boolean {
  return todo.status === "completed" && todo.by === "agent" && findings.citations.length === 0;
}
