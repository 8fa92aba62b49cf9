import type { AnalyzedDocument } from "../analysis.ts";
import type { Block } from "../blocks.ts";
import type { SpentBudget } from "../budget.ts";
import type { RankedHit } from "../hit.ts";
import type { Limits } from "../limits.ts";
import type { NextAction, PlannedTodo, Todo } from "../plan.ts";
import type { PlannedQuery, SourceFacts } from "../queries.ts";
import type { Answers, Citation, DraftClaim, LedgerEntry, Passage, StruckSentence } from "../report.ts";
import type { Models } from "../request.ts";
import type { SupportCheck, Turn } from "../task.ts";
import type { ToolCall, ToolDescription, ToolOutcome } from "../tool.ts";
import type { Effects } from "./effects.ts";

export interface ModelView {
  readonly models: Models | null;
  readonly limits: Limits;
  /** The time left for the call. If absent, only the timeouts of the settings apply. */
  readonly timeoutMs?: number;
}

export interface QuestionView extends ModelView {
  readonly question: string;
  /** The ISO 8601 date of the run. */
  readonly today: string;
  readonly language: string;
  readonly systemContext: string;
  /** The templates of the request, by role. */
  readonly prompts?: Readonly<Record<string, string>>;
  readonly history: readonly Turn[];
}

/** The cache of decisions uses this view as its key, without `limits` and `timeoutMs`. */
export interface DecisionView extends QuestionView {
  readonly round: number;
  readonly tools: readonly ToolDescription[];
  /** The sources that a query can go to. Without them a model writes no queries. */
  readonly sources?: Readonly<Record<string, SourceFacts>>;
  /** Set if no tool is offered and the question cannot stand alone as a query, so that queries alone are worth a call. */
  readonly needsQueries?: true;
  readonly outcomes: readonly ToolOutcome[];
  readonly resultsBySource: Readonly<Record<string, number>>;
  readonly earlier?: string;
  readonly best: readonly { readonly title: string; readonly publishedAt: string | null; readonly firstLine: string }[];
}

export interface Decision {
  readonly calls: readonly ToolCall[];
  readonly reason: string;
  /** What to search for after the loop; absent if the analyst did not say. */
  readonly queries?: readonly PlannedQuery[];
  readonly ledger?: readonly LedgerEntry[];
}

/** What a search without a relevant hit asked, and the nearest hits. */
export interface RewritingView extends QuestionView {
  readonly sources: Readonly<Record<string, SourceFacts>>;
  readonly asked: readonly string[];
  readonly best: DecisionView["best"];
}

export interface Rewriting {
  /** Empty if there are no others to ask. */
  readonly queries: readonly PlannedQuery[];
  readonly ledger?: readonly LedgerEntry[];
}

export interface Reading {
  readonly hit: RankedHit;
  readonly document: AnalyzedDocument;
}

export interface WritingView extends QuestionView {
  readonly readings: readonly Reading[];
  /** What the user gave to search for. The quoting search answers each of these texts in place of the question. */
  readonly subjects?: readonly string[];
  /** The texts of the queries that found them. They choose passages in the language of the sources. */
  readonly queries?: readonly string[];
  /** Set if an earlier call could not reach the model. The writer then tries only once. */
  readonly modelUnreachable?: boolean;
  readonly showsUnsupported?: boolean;
  readonly supportCheck?: SupportCheck;
}

export interface NotesView extends WritingView {
  /** Whether a model reads each document in a call of its own. */
  readonly each: boolean;
  /** Whether a link of a document may be followed; absent if none may be. */
  readonly follows?: (url: string, reading: Reading) => boolean;
}

/** A web page that a document names as its source: the words of the link, its address, and the id of the source that has it. */
export interface NamedSource {
  readonly text: string;
  readonly url: string;
  readonly sourceId: string;
}

export interface RulesFallback {
  readonly ledger?: readonly LedgerEntry[];
  readonly spent?: SpentBudget | null;
}

/** `reason` says why there are no claims, or what is missing. Citation ids are unique within the findings. */
export interface Findings {
  readonly claims: readonly DraftClaim[];
  readonly citations: readonly Citation[];
  readonly reason: string | null;
  /** The passages closest to the question, best first. Set only if there are no claims. */
  readonly closest?: readonly Passage[];
  /** What the question asks for and the claims do not answer. */
  readonly missing?: readonly string[];
}

export interface Draft extends Findings, RulesFallback {
  /** If absent, the sentences are listed by section. */
  readonly blocks?: readonly Block[];
  readonly struck?: readonly StruckSentence[];
  /** Absent without a model. */
  readonly answers?: Answers | null;
  readonly cutOff?: boolean;
  /** What the documents of these notes name as their sources, to be read next. */
  readonly named?: readonly NamedSource[];
}

export interface Analyst {
  readonly name: string;
  /** @throws DossierError `model_call_cap`, `token_budget`, `cost_budget`, `model_refused` */
  decide(view: DecisionView, effects: Effects): Promise<Decision>;
  /** Absent if the analyst writes no queries. Makes at most one model call. @throws DossierError `model_refused` */
  rewrite?(view: RewritingView, effects: Effects): Promise<Rewriting>;
  /** @throws DossierError `model_refused` */
  write(view: WritingView, effects: Effects): Promise<Draft>;
  /**
   * Takes notes from the documents: sentences with quotes, for who writes the report. An analyst without it writes instead.
   * @throws DossierError `model_refused`
   */
  takeNotes?(view: NotesView, effects: Effects): Promise<Draft>;
}

export interface DecisionMemo {
  get(key: string): Decision | undefined;
  set(key: string, decision: Decision): void;
}

export interface PlanningView extends QuestionView {
  readonly round: number;
  readonly sources: readonly string[];
  readonly tools: readonly ToolDescription[];
  readonly todos: readonly Todo[];
  /** Completed todos with the answers of earlier runs of the thread. They are not in the plan. */
  readonly earlier?: readonly Executed[];
  readonly feedback: string | null;
  readonly rejection: string | null;
  readonly asked: readonly { readonly question: string; readonly answer: string }[];
  /** If false, the user cannot be asked. */
  readonly mayAsk?: boolean;
}

export interface Planning extends RulesFallback {
  readonly todos: readonly PlannedTodo[];
  readonly needsMorePlanning: boolean;
  readonly question: string | null;
  readonly reasonUnused?: true;
}

export interface AssessmentView extends QuestionView {
  readonly todo: PlannedTodo;
  readonly round: number;
  readonly roundsLeft: number;
  readonly findings: Findings;
  /** The titles of sources that the documents name and that another round would read. */
  readonly named?: readonly string[];
}

export interface Assessment extends RulesFallback {
  readonly taskCompleted: boolean;
  readonly shouldContinue: boolean;
  readonly nextAction: NextAction;
  readonly summary: string;
  /** If null, the next round asks the todo's description as a question. */
  readonly nextQuery: PlannedQuery | null;
}

export interface Executed {
  readonly todo: Todo;
  readonly findings: Findings;
}

export interface VerificationView extends QuestionView {
  readonly role: string;
  readonly executed: readonly Executed[];
}

export interface Verdict extends RulesFallback {
  readonly allCompleted: boolean;
  readonly overallFeedback: string;
  readonly tasks: readonly { readonly id: string; readonly completed: boolean; readonly feedback: string }[];
}

export interface SummaryView extends WritingView {
  /** Set if the report is written section by section. Returns the `systemContext` of who writes one of `sections` sections, or the lead if that is 0. */
  readonly contextOfPart?: (sections: number) => string;
  readonly executed: readonly Executed[];
}

export interface ResearchAnalyst {
  /** @throws DossierError `model_refused` */
  plan(view: PlanningView, effects: Effects): Promise<Planning>;
  assess(view: AssessmentView, effects: Effects): Promise<Assessment>;
  verify(view: VerificationView, effects: Effects): Promise<Verdict>;
  summarize(view: SummaryView, effects: Effects): Promise<Draft>;
}
