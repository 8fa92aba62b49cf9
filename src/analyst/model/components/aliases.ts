import { COMPONENT_SCHEMAS } from "../../../domain/components.ts";
import type { JsonValue } from "../../../domain/json.ts";
import { TodoStatusSchema } from "../../../domain/plan.ts";
import { type Fields, fieldsOf, isFields } from "../../../util/json-fields.ts";
import { type ComponentFormat, fitProps, type PartialValue, type PropFilter } from "./component-format.ts";

type Named = Pick<ComponentFormat<unknown>, "name" | "about">;
type Shown = Pick<ComponentFormat<unknown>, "name" | "read">;

const MAX_LAYERS = 3;
const NONE: Fields = {};

export function isOtherComponent(value: unknown, name: string): boolean {
  const { component } = fieldsOf(value);
  if (typeof component !== "string" || component === name || !Object.hasOwn(COMPONENT_SCHEMAS, component)) return false;
  return !(name === "planner-response" && component === "todo-list");
}

/** Returns the props under the names by which they are read: see `unwrap`. */
export function unwrapProps(value: PartialValue, format: Named): PartialValue {
  const { open, closed } = unwrap(value, format);
  return { open: renameAliases(open, format), closed: renameAliases(closed, format) };
}

/** Returns the props as they were written. Models may wrap them in `props` or in the component's name, and vary the keys. */
export function unwrap(value: PartialValue, format: Pick<Named, "name">): PartialValue {
  let bare = value;
  for (let layer = 0; layer < MAX_LAYERS; layer += 1) {
    const open = fieldsOf(bare.open);
    const key = wrapperIn(open, format.name);
    if (key === undefined) break;
    bare = { open: mergeInner(open, key), closed: mergeInner(fieldsOf(bare.closed), key) };
  }
  return bare;
}

const ENVELOPE = ["type", "component"];

/** Returns props under the names that the model gave them, with its other complete fields, such as the todos of an executor. */
export function asWritten(props: JsonValue, written: PartialValue, format: Shown, readText: PropFilter): JsonValue {
  const names = aliasesIn(fieldsOf(written.open), format.name);
  const known = [...Object.keys(fieldsOf(format.read["properties"])), ...Object.values(names), ...ENVELOPE];
  const more = Object.fromEntries(Object.entries(fieldsOf(written.closed)).filter(([key]) => !known.includes(key)));
  const others = fitProps({}, { open: more, closed: more }, readText) as Readonly<Record<string, JsonValue>>;
  return { ...others, ...Object.fromEntries(Object.entries(props as object).map(([key, one]) => [names[key] ?? key, one])) };
}

const WRAPPERS = ["response", "result", "output", "data", "arguments"];

function wrapperIn(fields: Fields, name: string): string | undefined {
  const others = Object.keys(fields).length === 1 ? WRAPPERS : [];
  return [name, "props", ...others].find((key) => isFields(fields[key]));
}

function mergeInner(fields: Fields, key: string): Fields {
  const { [key]: inner, ...beside } = fields;
  return { ...beside, ...fieldsOf(inner) };
}

function renameAliases(value: unknown, { name, about }: Named): unknown {
  if (!isFields(value)) return value;
  const fields = Object.fromEntries(Object.entries(value).filter(([, one]) => one !== null));
  for (const [ours, theirs] of Object.entries(aliasesIn(fields, name))) fields[ours] = fields[theirs];
  if (name === "planner-response" && fields["todos"] !== undefined) {
    const todos = listOf(fields["todos"]).map((todo, i) => (typeof todo === "string" ? { id: `T${i + 1}`, description: todo } : todo));
    return { ...fields, todos };
  }
  return name === "executor-response" ? fillFromCurrentTodo(fields, about) : fields;
}

const OTHER_NAMES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "summary-response": { answer: "summary", missing: "unanswered" },
  "planner-response": { reasoning: "summary" },
};

/** Returns the other names that fields have in place of ours. */
function aliasesIn(fields: Fields, name: string): Readonly<Record<string, string>> {
  const all = Object.entries(OTHER_NAMES[name] ?? {});
  return Object.fromEntries(all.filter(([ours, theirs]) => isBlank(fields[ours]) && !isBlank(fields[theirs])));
}

function isBlank(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === "string" && value.trim() === "");
}

/** Returns todos as a list. Models write a list, an object with ids as keys, or a single todo. */
function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (!isFields(value)) return isBlank(value) ? [] : [value];
  const entries = Object.entries(value);
  const isMap = entries.every(([, one]) => isFields(one));
  return isMap ? entries.map(([id, one]) => ({ id, ...fieldsOf(one) })) : [value];
}

/** Fills missing fields of an executor's answer from the current todo in its `todos`. */
function fillFromCurrentTodo({ status, ...fields }: Fields, about: string | undefined): Fields {
  const own = statusOf(status);
  const { id, status: its, result, summary = result } = currentOf(listOf(fields["todos"]).map(fieldsOf), about);
  const current = Object.entries({ todoId: id, status: statusOf(its), summary }).filter(([, one]) => one !== undefined);
  return { ...Object.fromEntries(current), ...fields, ...(own !== undefined && { status: own }) };
}

/** Returns the todo with the id `about` unless another one is marked as current; without `about`, the only marked one; else `{}`. */
function currentOf(todos: readonly Fields[], about: string | undefined): Fields {
  const marked = todos.filter(({ isCurrent }) => isCurrent === true || String(isCurrent).toLowerCase() === "true");
  const [only, ...others] = marked;
  if (about === undefined) return others.length === 0 ? (only ?? NONE) : NONE;
  const todo = todos.find(({ id }) => idKey(id) === idKey(about));
  if (todo === undefined) return only !== undefined && others.length === 0 && isBlank(only["id"]) ? only : NONE;
  return marked.length === 0 || (only === todo && others.length === 0) ? todo : NONE;
}

export function idKey(id: unknown): string {
  return String(id ?? "")
    .trim()
    .toLowerCase();
}

const STATUSES: Readonly<Record<string, readonly string[]>> = {
  completed: ["done", "complete", "finished", "success", "succeeded", "已完成"],
  executing: ["in_progress", "in-progress", "inprogress", "running", "current", "进行中"],
  pending: ["todo", "waiting", "待处理"],
  failed: ["error", "failure", "失败"],
  skipped: ["cancelled"],
};

function statusOf(value: unknown): string | undefined {
  const word = typeof value === "string" ? value.trim().toLowerCase() : "";
  const ours = Object.keys(STATUSES).find((status) => STATUSES[status]?.includes(word));
  return TodoStatusSchema.safeParse(ours ?? word).data;
}
