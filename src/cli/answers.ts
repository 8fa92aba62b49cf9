import { type Plan, type PlannedTodo, PlanSchema } from "../domain/plan.ts";
import type { AnswerRequest } from "../domain/request.ts";
import type { Pending } from "../domain/run.ts";

const APPROVAL = /^(y|yes|是|好|同意)$/i;
/** Matches numbers of todos to remove, such as `-2` or `-1,3`. */
const REMOVAL = /^[-−–]\s*\d+(?:[\s,、]+\d+)*$/;
const LOOKS_LIKE_REMOVAL = /^[-−–]\s*\d|^[-−–—\s\d,、.;]*$/;

export function promptFor({ kind }: Pending): string {
  if (kind === "question") return "answer> ";
  return kind === "plan" ? "y, -2,3 to remove these todos, or a reason against it> " : "y, or a reason against it> ";
}

export function shownQuestion({ kind, prompt, plan, call, path }: Pending): string[] {
  const todos = kind === "plan" ? (planOf(plan)?.todos ?? []) : [];
  const asked = `waits for an answer${path === "" ? "" : ` (${path})`}: ${prompt}`;
  return [asked, ...(call === null ? [] : [`  ${escapeCall(call)}`]), ...todos.map(todoLine)];
}

/** For a plan, returns null if the line is empty, mistyped or names unknown todos. */
export function readAnswer({ id, kind, plan }: Pending, line: string): AnswerRequest | null {
  if (kind === "question") return { pendingId: id, answer: line };
  const text = line.trim();
  const rejection: AnswerRequest = { pendingId: id, approve: false, reason: text };
  if (APPROVAL.test(text)) return { pendingId: id, approve: true };
  if (kind !== "plan") return rejection;
  const plain = text.normalize("NFKC");
  if (!LOOKS_LIKE_REMOVAL.test(plain)) return rejection;
  const own = REMOVAL.test(plain) ? planOf(plan) : null;
  const numbers = (plain.match(/\d+/g) ?? []).map(Number);
  const known = own !== null && numbers.every((number) => number >= 1 && number <= own.todos.length);
  return known ? { pendingId: id, plan: removeTodos(own, new Set(numbers)) as never } : null;
}

export function notUnderstood({ plan }: Pending): string {
  const count = planOf(plan)?.todos.length ?? 0;
  return `Nothing was decided: the plan has todos 1 to ${count}, and this line names others. To reject the plan, write a reason in words.`;
}

function removeTodos({ todos }: Plan, numbers: ReadonlySet<number>): Plan {
  const left = todos.filter((_, at) => !numbers.has(at + 1));
  const ids = new Set(left.map(({ id }) => id));
  return { todos: left.map((todo) => ({ ...todo, dependsOn: todo.dependsOn.filter((id) => ids.has(id)) })) };
}

function planOf(plan: Pending["plan"]): Plan | null {
  return PlanSchema.safeParse(plan).data ?? null;
}

function todoLine({ id, description, dependsOn }: PlannedTodo, at: number): string {
  return `  ${at + 1}. ${description} (${id}${dependsOn.length === 0 ? "" : `, after ${dependsOn.join(", ")}`})`;
}

/** Escapes control and invisible characters, which could hide parts of the call from the user. */
function escapeCall(call: unknown): string {
  return JSON.stringify(call).replaceAll(
    /[\p{Cc}\p{Cf}\u2028\u2029]/gu,
    (hidden) => `\\u${hidden.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
