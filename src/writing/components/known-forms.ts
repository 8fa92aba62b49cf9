import { COMPONENT_SCHEMAS } from "../../domain/components.ts";
import { type Fields, fieldsOf, isFields, listOf } from "../../util/json-fields.ts";
import type { ComponentFormat } from "./component-format.ts";

/** The names of docs/origin.md for our props, and `unanswered` of earlier versions. */
const OTHER_NAMES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "summary-response": { answer: "summary", missing: "unanswered" },
  "planner-response": { reasoning: "summary" },
};
const FLOW = ["taskCompleted", "shouldContinue", "nextAction", "status"];

export const PLAN = "planner-response";

/** Returns the fields as they were written, under `props` or flat; null if they are those of another component. */
export function writtenFields(value: unknown, name: string): Fields | null {
  const fields: Fields = Array.isArray(value) ? { todos: value } : fieldsOf(value);
  const { props, ...flat } = fields;
  const { component } = flat;
  const isOther = typeof component === "string" && component !== name && Object.hasOwn(COMPONENT_SCHEMAS, component);
  if (isOther && name !== PLAN) return null;
  return isFields(props) ? { ...flat, ...props } : fields;
}

/** Returns the fields under the names of the schema, without those that are null. `ended`: they are complete. */
export function namedFields(fields: Fields, { name, about }: Pick<ComponentFormat<unknown>, "name" | "about">, ended: boolean): Fields {
  const renamed = Object.fromEntries(Object.entries(namesIn(fields, name)).map(([ours, theirs]) => [ours, fields[theirs]]));
  const named = Object.fromEntries(Object.entries({ ...fields, ...renamed }).filter(([, one]) => one !== null));
  if (name === PLAN) return { ...named, todos: todosIn(fields, ended) };
  return name === "executor-response" && ended ? { ...named, ...currentStatus(fields, about) } : named;
}

/** Returns the other names that fields have in place of ours. */
export function namesIn(fields: Fields, name: string): Readonly<Record<string, string>> {
  const all = Object.entries(OTHER_NAMES[name] ?? {});
  return Object.fromEntries(all.filter(([ours, theirs]) => !fields[ours] && fields[theirs]));
}

/** An executor that names no next action may give the current todo a status in `todos`. */
function currentStatus(fields: Fields, about: string | undefined): Fields {
  if (FLOW.some((key) => (fields[key] ?? null) !== null)) return {};
  const todos = listOf(fields["todos"]).map(fieldsOf);
  const current = todos.find(({ isCurrent }) => isCurrent === true) ?? todos.find(({ id }) => id !== undefined && String(id) === about);
  return current === undefined ? {} : { todoId: current["id"], status: current["status"] };
}

/** Returns the plan: `todos`, or the first list of strings or objects under any key. */
function todosIn(fields: Fields, ended: boolean): unknown {
  const list = [fields["todos"], ...listsIn(fields)].find(Array.isArray);
  return list?.map((item, i) => readTodo(item, ended || i < list.length - 1));
}

function* listsIn(fields: Fields): Generator<unknown> {
  const values = Object.values(fields);
  yield* values.filter((value) => listOf(value).some((one) => typeof one === "string" || isFields(one)));
  for (const value of values) if (isFields(value)) yield* listsIn(value);
}

/** A todo is a string, or an object whose longest string is the description unless it has one. */
function readTodo(item: unknown, ended: boolean): Fields {
  if (typeof item === "string") return { description: item };
  const { description, dependsOn, dependencies, ...others } = fieldsOf(item);
  const { id: _, doneCriteria, by, ...texts } = others;
  const longest = Object.values(texts)
    .filter((value) => typeof value === "string")
    .reduce((longer, text) => (text.length > longer.length ? text : longer), "");
  const isDescribed = typeof description === "string" && description.trim() !== "";
  return { ...others, description: isDescribed || !ended ? description : longest || description, dependsOn: dependsOn ?? dependencies };
}
