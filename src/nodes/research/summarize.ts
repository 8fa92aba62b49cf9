import { arrangeBySection, keepSentences } from "../../domain/blocks.ts";
import { citationsSharedWith, mergeCitations, mergeFindings, unverified, type Written } from "../../domain/citations.ts";
import { hasSections } from "../../domain/depth.ts";
import type { Hit } from "../../domain/hit.ts";
import type { Todo } from "../../domain/plan.ts";
import type { Draft, Reading, ResearchAnalyst } from "../../domain/ports/analyst.ts";
import type { Effects, GraphNode } from "../../domain/ports/effects.ts";
import type { DocumentStore } from "../../domain/ports/sources.ts";
import { type Citation, type DraftClaim, isChecked, type LedgerEntry, type ReportRenderer, statedAnswers } from "../../domain/report.ts";
import { partContext, writingTerms } from "../../domain/task.ts";
import { stripUnknownAddresses } from "../../evidence/address-filter.ts";
import { createDetailCheck } from "../../evidence/unknown-references.ts";
import { loadReadings } from "../../gathering/documents.ts";
import { countDownloads, unreadUrlEntries, writingMsLeft } from "../../gathering/limits.ts";
import type { ReadHit } from "../../gathering/reading.ts";
import { finishReport } from "../../writing/finish-report.ts";
import { formEntries } from "../shared/report-form.ts";
import { reportSources } from "../shared/sources.ts";
import type { ResearchStateValue, ResearchUpdate, TodoWork } from "./state.ts";
import { terminationOf } from "./termination.ts";
import { emitTodos, executedOf } from "./todos.ts";
import { textsFor } from "./user-messages.ts";

export interface ResearchSummarizeDeps {
  readonly research: ResearchAnalyst;
  readonly documents: DocumentStore;
  readonly renderMarkdown: ReportRenderer;
}

export function createResearchSummarizeNode(deps: ResearchSummarizeDeps): GraphNode<ResearchStateValue, ResearchUpdate> {
  return async (state, effects) => {
    const works = state.todos.flatMap(({ id }) => state.work.find(({ todo }) => todo.id === id) ?? []);
    const readings = await loadReadings(citedOrRead(works), deps.documents, effects);
    const unsourced = unsourcedOf(state.todos, works);
    const summary = removeUnsourced(await write(state, readings, deps.research, effects), unsourced);
    // Of a source that several todos read, the text that is cited counts.
    const read = [...works.flatMap((work) => work.read), ...citedOrRead(works)];
    const found = { hits: works.flatMap(({ hits }) => hits), ranked: works.flatMap(({ ranked }) => ranked), read, readings };
    const missing = openQuestions(summary, state, found.hits);
    const closest = mergeFindings(works.map(({ findings }) => findings)).closest ?? [];
    const ledger = ledgerOf(state, works, [...(summary.ledger ?? []), ...formEntries(state.task)], effects);
    const report = await finishReport(
      {
        task: state.task,
        draft: { ...summary, ...removeRepeats(summary), missing, answers: statedAnswers(summary.answers, missing), closest },
        readings,
        loadOthers: () => loadReadings(readBeside(readings, works), deps.documents, effects),
        sources: (origins) => reportSources(found, origins),
        ledger,
        added: (claims) => removeQuoted(unsourced, claims),
        render: deps.renderMarkdown,
      },
      effects,
    );
    effects.emit({ type: "content", node: "summarize", callId: "report", try: 1, delta: report.markdown });
    const todos = assignCitations(state.todos, works, report);
    emitTodos(todos, effects);
    const checked = report.claims.filter(isChecked).length;
    const ended = { summary, works, checked, unsourced: unsourced.length, ledger: report.ledger };
    const termination = terminationOf(state, { ...ended, timeIsUp: writingMsLeft(state, effects) === 0 });
    return { steps: 1, todos: { changed: todos }, report, termination };
  };
}

function write(state: ResearchStateValue, readings: readonly Reading[], research: ResearchAnalyst, effects: Effects): Promise<Draft> {
  const { task } = state;
  const inSections = task.depth === "deep" && hasSections(task);
  const parts = inSections && { contextOfPart: (sections: number) => partContext(task, sections) };
  const view = { ...writingTerms(task), ...parts, readings, timeoutMs: writingMsLeft(state, effects) };
  return research.summarize({ ...view, executed: executedOf(state) }, effects);
}

function citedOrRead(works: readonly TodoWork[]): ReadHit[] {
  const read = works.flatMap((work) => work.read);
  const { citations } = mergeFindings(works.map(({ findings }) => findings));
  const cited = citations.flatMap(({ sourceId, contentHash }) => {
    return read.find((one) => one.hit.id === sourceId && one.contentHash === contentHash) ?? [];
  });
  return [...new Map((cited.length > 0 ? cited : read).map((one) => [`${one.hit.id} ${one.contentHash}`, one])).values()];
}

/** Returns what the todos have read, each text once, without `readings`. */
function readBeside(readings: readonly Reading[], works: readonly TodoWork[]): ReadHit[] {
  const known = new Set(readings.map(({ document }) => document.contentHash));
  const others = works.flatMap(({ read }) => read).filter(({ contentHash }) => contentHash !== null && !known.has(contentHash));
  return [...new Map(others.map((one) => [one.contentHash, one])).values()];
}

function openQuestions({ missing = [] }: Draft, { task, todos, feedback }: ResearchStateValue, hits: readonly Hit[]): string[] {
  const known = [task.question, ...hits.map(({ url }) => url)];
  const words = [task.question, ...todos.map(({ description }) => description)];
  const objected = feedback !== null && todos.every(({ status }) => status === "completed");
  const objection = objected && createDetailCheck(words)(feedback) ? textsFor(task).notAccepted : feedback;
  return [...missing, ...(objected && objection ? [objection] : [])].map((line) => stripUnknownAddresses(line, known));
}

function removeRepeats(summary: Draft): Written {
  const { claims, citations } = mergeCitations(summary);
  const firsts = new Map(claims.map((claim) => [JSON.stringify([claim.text, claim.citations]), claim] as const).reverse());
  const once = new Set(firsts.values());
  return keepClaims({ ...summary, claims, citations }, (claim) => once.has(claim));
}

function keepClaims<Kept extends Written>(written: Kept, isKept: (claim: DraftClaim) => boolean): Kept {
  const { claims, blocks = arrangeBySection(claims) } = written;
  return { ...written, ...keepSentences({ claims, blocks }, isKept) };
}

const MAX_ROWS = 2_000;

function ledgerOf(
  state: ResearchStateValue,
  works: readonly TodoWork[],
  ofTheSummary: readonly LedgerEntry[],
  effects: Effects,
): LedgerEntry[] {
  const ids = new Set(works.map(({ todo }) => todo.id));
  const replaced = state.work.filter(({ todo }) => !ids.has(todo.id));
  const ofTodos = [...works, ...replaced].flatMap(({ ledger }) => ledger);
  const unread = unreadUrlEntries({ ...state, ledger: ofTodos, downloads: countDownloads(ofTodos) }, effects);
  return [...ofTodos.slice(0, MAX_ROWS), ...unread, ...state.ledger, ...ofTheSummary];
}

/** Assigns each citation to the todos that found it. If several found it, the citing sentence decides. */
export function assignCitations(
  todos: readonly Todo[],
  works: readonly TodoWork[],
  { claims, citations }: { readonly claims: readonly DraftClaim[]; readonly citations: readonly Citation[] },
): Todo[] {
  const found = new Map(works.map(({ todo, findings }) => [todo.id, new Set(citationsSharedWith(findings, citations))]));
  const assigned = citations.map(({ id }) => {
    const finders = todos.filter((todo) => found.get(todo.id)?.has(id));
    const sentences = claims.filter((claim) => claim.citations.includes(id));
    return { id, owners: ownersAmong(finders, sentences) };
  });
  return todos.map((todo) => {
    if (!found.has(todo.id)) return todo;
    return { ...todo, citations: assigned.filter(({ owners }) => owners.includes(todo)).map(({ id }) => id) };
  });
}

function ownersAmong(finders: readonly Todo[], sentences: readonly DraftClaim[]): readonly Todo[] {
  const saying = finders.filter(({ result }) => result && sentences.some(({ text }) => text.startsWith(result)));
  if (saying.length > 0) return saying;
  const heading = finders.filter(({ description }) => sentences.some(({ section }) => section.includes(description)));
  return heading.length > 0 ? heading : finders;
}

function unsourcedOf(todos: readonly Todo[], works: readonly TodoWork[]): DraftClaim[] {
  return todos.flatMap((todo) => {
    const findings = works.find((one) => one.todo.id === todo.id)?.findings;
    if (todo.status !== "completed" || findings === undefined || findings.citations.length > 0) return [];
    const said = todo.result ? [{ text: todo.result, reason: null }] : [];
    return (findings.claims.length > 0 ? findings.claims : said).map(({ text, reason }) => {
      return { text, citations: [], ...unverified(reason ?? "no_citation"), section: todo.description };
    });
  });
}

function removeUnsourced(summary: Draft, shown: readonly DraftClaim[]): Draft {
  const texts = new Set(shown.map(({ text }) => text));
  return keepClaims(summary, ({ text, citations }) => citations.length > 0 || !texts.has(text));
}

function removeQuoted(unsourced: readonly DraftClaim[], claims: readonly DraftClaim[]): DraftClaim[] {
  const quoted = new Set(claims.filter(isChecked).map(({ text }) => text.trim()));
  const open = unsourced.filter(({ text }) => !quoted.has(text.trim()));
  return [...Map.groupBy(open, ({ text }) => text.trim()).values()].flatMap(([first, ...more]) => {
    if (first === undefined) return [];
    return { ...first, section: joinHeadings([first, ...more].map(({ section }) => section)) };
  });
}

function joinHeadings(sections: readonly string[]): string {
  return [...new Set(sections)].reduce((all, next) => `${all}${/\p{Sentence_Terminal}$/u.test(all) ? " " : "; "}${next}`);
}
