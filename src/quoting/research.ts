import { arrangeBySection } from "../domain/blocks.ts";
import { mergeFindings } from "../domain/citations.ts";
import type { COMPONENT_SCHEMAS } from "../domain/components.ts";
import { PlannedTodoSchema, plannedTodo } from "../domain/plan.ts";
import type * as port from "../domain/ports/analyst.ts";
import type { Effects } from "../domain/ports/effects.ts";
import { type DraftClaim, formatUnanswered, isChecked } from "../domain/report.ts";
import { isChinese } from "../ranking/language.ts";

/** Plans one todo, the question. A todo with a quote is completed. */
export function createExtractiveResearch(): port.ResearchAnalyst {
  return {
    plan: async (view, effects) => plan(view, effects),
    assess: async (view, effects) => assess(view, effects),
    verify: async (view, effects) => verify(view, effects),
    async summarize(view, effects) {
      const summary = summarizeFindings(view);
      const lines = summary.claims.map(({ text, citations }) => `${text} ${citations.map((id) => `[${id}]`).join("")}`);
      emitComponent(effects, "summary-response", { answer: lines.join("\n\n"), answers: null, missing: summary.missing ?? [] });
      return summary;
    },
  };
}

/** Returns a rejected plan unchanged, because rules cannot use the reason. Does not plan failed todos again. */
function plan(view: port.PlanningView, effects: Effects): port.Planning {
  const isRejected = view.rejection !== null;
  const again = isRejected ? view.todos.map((todo) => PlannedTodoSchema.parse(todo)) : [];
  const todos = view.todos.length > 0 ? again : [plannedTodo("T1", view.question.trim())];
  const phrases = phrasesFor(view);
  const reasoning = view.todos.length === 0 ? phrases.whole : isRejected ? phrases.unchanged : phrases.nothingToPlan;
  emitComponent(effects, "planner-response", { needsMorePlanning: false, question: null, reasoning, todos });
  return { todos, needsMorePlanning: false, question: null, ...(isRejected && { reasonUnused: true }) };
}

function assess(view: port.AssessmentView, effects: Effects): port.Assessment {
  const { todo, findings } = view;
  const first = findings.claims.find(isQuoted);
  const taskCompleted = first !== undefined;
  const summary = first?.text ?? phrasesFor(view).nothingQuoted(findings);
  const assessment: port.Assessment = { taskCompleted, shouldContinue: false, nextAction: "complete", summary, nextQuery: null };
  emitComponent(effects, "executor-response", { ...assessment, status: taskCompleted ? "completed" : "failed", todoId: todo.id });
  return assessment;
}

function verify(view: port.VerificationView, effects: Effects): port.Verdict {
  if (view.role !== "verifier") return { allCompleted: true, overallFeedback: "", tasks: [] };
  const phrases = phrasesFor(view);
  const tasks = view.executed.map(({ todo: { id }, findings }) => {
    const completed = findings.claims.some(isQuoted);
    return { id, completed, feedback: completed ? phrases.quoted : phrases.nothingQuoted(findings) };
  });
  const failed = tasks.find(({ completed }) => !completed);
  const verdict = { allCompleted: failed === undefined, overallFeedback: failed?.feedback ?? phrases.quoted, tasks };
  emitComponent(effects, "verifier-response", verdict);
  return verdict;
}

function isQuoted(claim: DraftClaim): boolean {
  return isChecked(claim) && claim.citations.length > 0;
}

function emitComponent(effects: Effects, component: keyof typeof COMPONENT_SCHEMAS, props: object): void {
  effects.emit({ type: "component", component, props: JSON.parse(JSON.stringify(props)), partial: false });
}

const ENGLISH = {
  whole: "Without a model the question is one todo, as it stands.",
  nothingToPlan: "Without a model nothing is planned again.",
  unchanged: "Rules cannot use the reason: the plan is the rejected one.",
  quoted: "Quoted.",
  nothingQuoted: ({ reason }: port.Findings) => `Nothing quoted.${reason === null ? "" : ` ${reason}`}`,
};

const CHINESE: typeof ENGLISH = {
  whole: "没有模型时，整个问题就是一项任务。",
  nothingToPlan: "没有模型时不再重新制定计划。",
  unchanged: "规则无法使用拒绝的理由：计划保持不变。",
  quoted: "有引文。",
  nothingQuoted: ({ reason }) => `没有引文。${reason ?? ""}`,
};

function phrasesFor(view: { readonly language: string; readonly question: string }): typeof ENGLISH {
  return isChinese(view) ? CHINESE : ENGLISH;
}

function summarizeFindings({ executed }: port.SummaryView): port.Draft {
  const several = executed.length > 1;
  const { claims, citations, reason } = mergeFindings(executed.map(acceptedFindings));
  const headingOf = (text: string): string => {
    const found = executed.filter(({ findings }) => findings.claims.some((claim) => claim.text === text));
    return found.map(({ todo }) => todo.description).join(" / ");
  };
  const arranged = several ? claims.map((claim) => ({ ...claim, section: headingOf(claim.text) })) : claims;
  return {
    claims: arranged,
    citations,
    blocks: arrangeBySection(arranged),
    reason: several ? null : reason,
    missing: executed.flatMap((one) => (one.todo.status === "completed" ? (one.findings.missing ?? []) : unansweredLine(one))),
  };
}

/** Of a todo that was not accepted, only sentences that cite something count. */
function acceptedFindings({ todo, findings }: port.Executed): port.Findings {
  if (todo.status === "completed") return findings;
  return { ...findings, claims: findings.claims.filter(({ citations }) => citations.length > 0) };
}

function unansweredLine({ todo: { description, feedback }, findings: { reason } }: port.Executed): string {
  const why = feedback || reason;
  return why ? formatUnanswered(description, why) : description;
}
