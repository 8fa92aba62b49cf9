import { type Fields, fieldsOf, isFields, listOf } from "../../util/json-fields.ts";

/** The names of docs/origin.md for our props. */
const OTHER_NAMES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "summary-response": { answer: "summary" },
  "planner-response": { reasoning: "summary" },
};
const FLOW = ["taskCompleted", "shouldContinue", "nextAction", "status"];
const PLAN = "planner-response";

/** Returns the fields as they were written, under `props` or flat. A list is a plan. */
export function writtenFields(value: unknown): Fields {
  const { props, ...flat } = fieldsOf(Array.isArray(value) ? { todos: value } : value);
  return isFields(props) ? { ...flat, ...props } : flat;
}

/** Whether the fields say that they are those of another component. A plan is read from any. */
export function isOther({ component = null }: Fields, name: string): boolean {
  return component !== null && component !== name && name !== PLAN;
}

/** Returns the fields under the names of the schema, without those that are null. `ended`: they are complete. */
export function namedFields(fields: Fields, name: string, ended: boolean): Fields {
  const renamed = Object.fromEntries(Object.entries(namesIn(fields, name)).map(([ours, theirs]) => [ours, fields[theirs]]));
  const named = Object.fromEntries(Object.entries({ ...fields, ...renamed }).filter(([, one]) => one !== null));
  if (name === PLAN) return { ...named, todos: todosIn(fields, ended) };
  return name === "executor-response" && ended ? { ...named, ...currentStatus(fields) } : named;
}

/** Returns the other names that fields have in place of ours. */
export function namesIn(fields: Fields, name: string): Readonly<Record<string, string>> {
  const all = Object.entries(OTHER_NAMES[name] ?? {});
  return Object.fromEntries(all.filter(([ours, theirs]) => !fields[ours] && fields[theirs]));
}

/** An executor that names no next action may mark the current one of `todos`, which has a status. */
function currentStatus(fields: Fields): Fields {
  if (FLOW.some((key) => (fields[key] ?? null) !== null)) return {};
  const current = listOf(fields["todos"])
    .map(fieldsOf)
    .find(({ isCurrent }) => isCurrent === true);
  return current === undefined ? {} : { todoId: current["id"], status: current["status"] };
}

/** Returns the plan: `todos`, or the first list of strings or objects under any key. */
function todosIn(fields: Fields, ended: boolean): unknown {
  const list = Array.isArray(fields["todos"]) ? fields["todos"] : firstList(fields);
  return list?.map((item, i) => readTodo(item, ended || i < list.length - 1));
}

function firstList(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value.some((one) => typeof one === "string" || isFields(one)) ? value : undefined;
  return Object.values(fieldsOf(value))
    .map(firstList)
    .find((list) => list !== undefined);
}

/** A todo is a string, or an object whose longest string is the description unless it has one. Ids may be numbers. */
function readTodo(item: unknown, ended: boolean): Fields {
  if (typeof item === "string") return { description: item };
  const { id, description, dependsOn, ...others } = fieldsOf(item);
  const { doneCriteria, by, ...rest } = others;
  const texts = Object.values(rest).filter((value) => typeof value === "string");
  const longest = texts.reduce((longer, text) => (text.length > longer.length ? text : longer), "");
  const isDescribed = typeof description === "string" && description.trim() !== "";
  return {
    ...others,
    ...(id !== undefined && { id: String(id) }),
    ...(Array.isArray(dependsOn) && { dependsOn: dependsOn.map(String) }),
    description: isDescribed || !ended || longest === "" ? description : longest,
  };
}
