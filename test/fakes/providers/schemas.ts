import type { Body } from "./neutral.ts";
import { objectIn } from "./values.ts";

/** A place in a schema: the schema there, and the path to it. */
export interface SchemaNode {
  readonly schema: Body;
  readonly path: readonly (string | number)[];
}

/** Keywords whose value is a map of names to schemas, a list of schemas, or a schema. */
const MAPS = ["properties", "$defs", "definitions", "patternProperties", "dependentSchemas"];
const LISTS = ["anyOf", "oneOf", "allOf", "prefixItems"];
const SCHEMAS = ["items", "additionalProperties", "not", "contains", "propertyNames", "if", "then", "else"];

/** Yields a schema and all schemas in it. A name of a property is no keyword. */
export function* nodesOf(value: unknown, path: readonly (string | number)[] = []): Iterable<SchemaNode> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return;
  const schema = objectIn(value);
  yield { schema, path };
  for (const map of MAPS) for (const [name, inner] of Object.entries(objectIn(schema[map]))) yield* nodesOf(inner, [...path, map, name]);
  for (const list of LISTS) {
    const inner = schema[list];
    if (Array.isArray(inner)) for (const [at, each] of inner.entries()) yield* nodesOf(each, [...path, list, at]);
  }
  for (const keyword of SCHEMAS) yield* nodesOf(schema[keyword], [...path, keyword]);
}

/** Returns the first place in a schema that has one of these keywords, with the keyword. */
export function findKeyword(schema: unknown, keywords: readonly string[]): (SchemaNode & { readonly keyword: string }) | undefined {
  for (const node of nodesOf(schema)) {
    const keyword = keywords.find((name) => Object.hasOwn(node.schema, name));
    if (keyword !== undefined) return { ...node, keyword };
  }
  return undefined;
}

/** Returns the patterns of a schema. */
export const patternsIn = (schema: unknown): string[] =>
  [...nodesOf(schema)].flatMap((node) => (typeof node.schema["pattern"] === "string" ? [node.schema["pattern"]] : []));
