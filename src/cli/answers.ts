import { type Plan, type PlannedTodo, PlanSchema } from "../domain/plan.ts";
import type { AnswerRequest } from "../domain/request.ts";
import type { Pending } from "../domain/run.ts";

const AGREED = /^(y|yes|是|好|同意)$/i;
/** Numbers of todos that are to go: `-2` or `-1,3`. */
const DROPPED = /^[-−–]\s*\d+(?:[\s,、]+\d+)*$/;
/** What is meant to be such a list, and is none, or nothing at all: nobody rejects a plan with numbers alone. */
const MEANT_TO_DROP = /^[-−–]\s*\d|^[-−–—\s\d,、.;]*$/;

/** The words before the cursor. */
export function promptFor({ kind }: Pending): string {
  if (kind === "question") return "answer> ";
  return kind === "plan" ? "y, -2,3 to leave these out, or what is against it> " : "y, or what is against it> ";
}

/** What is asked, line by line; of a plan its todos by number, of a call its arguments. */
export function shownQuestion({ kind, prompt, plan, call, path }: Pending): string[] {
  const todos = kind === "plan" ? (planOf(plan)?.todos ?? []) : [];
  const asked = `waits for an answer${path === "" ? "" : ` (${path})`}: ${prompt}`;
  return [asked, ...(call === null ? [] : [`  ${calledWith(call)}`]), ...todos.map(todoLine)];
}

/**
 * A line as an answer: a question takes it as it is; a plan or a confirmation takes y or yes, and anything else as the reason against
 * it, where a plan takes numbers after a minus as todos that are left out of it. Null for a line that looks like such numbers and names
 * no todos of the plan: a slip of the finger rejects nothing.
 */
export function readAnswer({ id, kind, plan }: Pending, line: string): AnswerRequest | null {
  if (kind === "question") return { pendingId: id, answer: line };
  const said = line.trim();
  const rejection: AnswerRequest = { pendingId: id, approve: false, reason: said };
  if (AGREED.test(said)) return { pendingId: id, approve: true };
  if (kind !== "plan") return rejection;
  const plain = said.normalize("NFKC");
  if (!MEANT_TO_DROP.test(plain)) return rejection;
  const own = DROPPED.test(plain) ? planOf(plan) : null;
  const numbers = (plain.match(/\d+/g) ?? []).map(Number);
  const known = own !== null && numbers.every((number) => number >= 1 && number <= own.todos.length);
  return known ? { pendingId: id, plan: without(own, new Set(numbers)) as never } : null;
}

/** What is said of a line that is no answer. */
export function notUnderstood({ plan }: Pending): string {
  const count = planOf(plan)?.todos.length ?? 0;
  return `This names no todos of the plan, which has the numbers 1 to ${count}. Nothing was decided; a reason against the plan is told in words.`;
}

/** What the todos that are left need of those that are not, they do without. */
function without({ todos }: Plan, numbers: ReadonlySet<number>): Plan {
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

/** What somebody is to agree to, with nothing in it that a terminal would act upon or not show. */
function calledWith(call: unknown): string {
  return JSON.stringify(call).replaceAll(
    /[\p{Cc}\p{Cf}\u2028\u2029]/gu,
    (hidden) => `\\u${hidden.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
