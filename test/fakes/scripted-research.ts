import { mergeFindings } from "../../src/domain/citations.ts";
import { type PlannedTodo, PlannedTodoSchema } from "../../src/domain/plan.ts";
import type {
  Assessment,
  AssessmentView,
  Planning,
  PlanningView,
  ResearchAnalyst,
  Verdict,
  VerificationView,
} from "../../src/domain/ports/analyst.ts";
import type { Effects } from "../../src/domain/ports/effects.ts";

export interface ResearchScript {
  /** `round` is how often it has been asked, including this time. */
  readonly plan: (view: PlanningView, round: number) => Partial<Planning>;
  readonly assess?: (view: AssessmentView) => Partial<Assessment>;
  readonly verify?: (view: VerificationView) => Partial<Verdict>;
  /** Called in the middle of each of these, which waits for it; `plan 2` is the second planning, `assess T1 1` the first round of T1. */
  readonly onAsked?: (asked: string) => unknown;
}

export interface ScriptedResearch extends ResearchAnalyst {
  readonly planned: PlanningView[];
  readonly assessed: AssessmentView[];
  readonly verified: VerificationView[];
}

/** Returns a todo as a planner writes it. */
export function todo(id: string, description: string, more: Partial<PlannedTodo> = {}): PlannedTodo {
  return PlannedTodoSchema.parse({ id, description, ...more });
}

/** Follows its script, each step as an effect; the summary joins the findings. */
export function scriptedResearch({ plan, assess, verify, onAsked = () => {} }: ResearchScript): ScriptedResearch {
  const planned: PlanningView[] = [];
  const assessed: AssessmentView[] = [];
  const verified: VerificationView[] = [];
  const after = async <T>(request: string, effects: Effects, make: () => T): Promise<T> => {
    await effects.perform({
      kind: "memo",
      request: { scripted: request },
      timeoutMs: 600_000,
      live: async () => {
        await onAsked(request);
        return null;
      },
    });
    return make();
  };
  return {
    planned,
    assessed,
    verified,
    plan: (view, effects) =>
      after(`plan ${view.round}`, effects, () => {
        planned.push(structuredClone(view));
        return { todos: [], needsMorePlanning: false, question: null, ...plan(view, view.round) };
      }),
    assess: (view, effects) =>
      after(`assess ${view.todo.id} ${view.round}`, effects, () => {
        assessed.push(structuredClone(view));
        const taskCompleted = view.findings.claims.length > 0;
        const told = { taskCompleted, shouldContinue: false, nextAction: "complete", summary: "", nextQuery: null } as const;
        return { ...told, ...assess?.(view) };
      }),
    verify: (view, effects) =>
      after(`verify ${view.role}`, effects, () => {
        verified.push(structuredClone(view));
        return { allCompleted: true, overallFeedback: "", tasks: [], ...verify?.(view) };
      }),
    summarize: (view, effects) =>
      after("summarize", effects, () => {
        const { claims, citations } = mergeFindings(view.executed.map(({ findings }) => findings));
        const open = view.executed.filter((one) => one.todo.status !== "completed");
        return { claims, citations, reason: "nothing was found", missing: open.map((one) => one.todo.description) };
      }),
  };
}
