/** The most nodes of a schema with its references in their places. */
const MAX_NODES = 3_000;
const MAX_DEPTH = 24;
const MAX_LENGTH = 16_000;
const REFERENCE = /^#\/(?:\$defs|definitions)\/(.+)$/;

/** Whether a JSON Schema stays small when its references are put in their places: a few that name each other twice can fill the memory. */
export function isBoundedSchema(schema: unknown): boolean {
  if (JSON.stringify(schema).length > MAX_LENGTH) return false;
  const definitions = new Map(["$defs", "definitions"].flatMap((key) => Object.entries(recordOf(recordOf(schema)[key]))));
  return count(schema, definitions, { left: MAX_NODES }, 0);
}

function count(value: unknown, definitions: ReadonlyMap<string, unknown>, budget: { left: number }, depth: number): boolean {
  budget.left -= 1;
  if (budget.left < 0 || depth > MAX_DEPTH) return false;
  if (typeof value !== "object" || value === null) return true;
  const reference = recordOf(value)["$ref"];
  const name = typeof reference === "string" ? REFERENCE.exec(reference)?.[1] : undefined;
  const named = name === undefined ? [] : [definitions.get(name)];
  return [...Object.values(value), ...named].every((part) => count(part, definitions, budget, depth + 1));
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}
