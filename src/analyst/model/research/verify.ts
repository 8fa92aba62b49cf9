import type { Effects } from "../../../domain/ports/effects.ts";
import type { Verdict, VerificationView } from "../../../domain/ports/research-analyst.ts";
import type { Models } from "../../../domain/request.ts";
import { addressesIn } from "../../../evidence/addresses-in.ts";
import { type AskDeps, askRole } from "./ask-role.ts";
import type { JudgingRole, VerifierProps } from "./roles.ts";
import { tellExecuted } from "./tell.ts";

/** What the model of a judging role says of the todos, each of which is judged once, and of the whole. */
export async function verifyByModel(
  role: JudgingRole,
  view: VerificationView,
  models: Models,
  deps: AskDeps,
  effects: Effects,
): Promise<Verdict> {
  const told = await deps.prompts("messages/verifier-state", { question: view.question, todos: tellExecuted(view.executed) });
  const known = addressesIn(view.question);
  const faultOf = (props: VerifierProps) => strangeIds(props, view);
  return toVerdict(await askRole(role, { view, models, told, known, faultOf }, deps, effects), view);
}

/** Whoever judges none of the tasks that there are has judged something else. */
function strangeIds({ tasks }: VerifierProps, { executed }: VerificationView): string | null {
  const ids = executed.map(({ todo }) => todo.id);
  const known = new Set(ids.map(keyOf));
  if (tasks.length === 0 || ids.length === 0 || tasks.some(({ id }) => known.has(keyOf(id)))) return null;
  return `In \`tasks\`, none of these ids is that of a task; the tasks are ${ids.join(", ")}.`;
}

/** A todo that it says nothing of is what its execution came to; the whole is completed only where nothing of it failed. */
function toVerdict({ allCompleted, overallFeedback, tasks }: VerifierProps, { executed }: VerificationView): Verdict {
  const said = new Map(tasks.map((task) => [keyOf(task.id), task]));
  const judged = executed.map(({ todo: { id, status } }) => {
    const task = said.get(keyOf(id));
    return { id, completed: task?.completed ?? status !== "failed", feedback: task?.feedback ?? "" };
  });
  return { allCompleted: allCompleted && judged.every(({ completed }) => completed), overallFeedback, tasks: judged };
}

function keyOf(id: string): string {
  return id.trim().toLowerCase();
}
