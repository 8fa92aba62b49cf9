import type { Effects } from "../../../domain/ports/effects.ts";
import type { Planning, PlanningView } from "../../../domain/ports/research-analyst.ts";
import type { Models } from "../../../domain/request.ts";
import { sanePlan } from "../../../domain/sane-plan.ts";
import { addressesIn } from "../../../evidence/addresses-in.ts";
import { fence } from "../../../evidence/fence.ts";
import { type AskDeps, askRole } from "./ask-role.ts";
import { PLANNER, type PlannerProps } from "./roles.ts";
import { tellTodos, tellTools } from "./tell.ts";

/** A plan that can be executed; see `sanePlan`. */
export async function planByModel(view: PlanningView, models: Models, deps: AskDeps, effects: Effects): Promise<Planning> {
  const { question, sources, tools, todos, feedback, rejection, asked } = view;
  const told = await deps.prompts("messages/planner-state", {
    question,
    sources: sources.join(", ") || "none",
    tools: tellTools(tools),
    todos: tellTodos(todos),
    // A judge has read pages, and may say what they told it to.
    feedback: feedback === null ? "nothing" : fence("feedback", feedback),
    rejection: rejection ?? "they did accept it, or were not asked",
    asked: asked.map((one) => `- ${one.question}\n  Answer: ${one.answer}`).join("\n") || "nothing",
  });
  const known = [question, rejection ?? "", ...asked.map(({ answer }) => answer)].flatMap(addressesIn);
  return toPlanning(await askRole(PLANNER, { view, models, told, known }, deps, effects), view);
}

function toPlanning({ todos, needsMorePlanning, question }: PlannerProps, view: PlanningView): Planning {
  const plan = sanePlan(
    todos,
    view.todos.map(({ id }) => id),
  );
  return { todos: plan, needsMorePlanning, question: question?.trim() || null };
}
