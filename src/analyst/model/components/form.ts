import { z } from "zod";
import type { JsonValue } from "../../../domain/json.ts";
import type { JsonSchema } from "./fit-props.ts";

/** The schema of a typed component with these props. */
export type ComponentSchema<Props> = z.ZodObject<{
  type: z.ZodLiteral<"component">;
  component: z.ZodLiteral<string>;
  props: z.ZodType<Props>;
}>;

/** What is known of a component besides its schema. */
export interface Form<Props> {
  readonly name: string;
  /** The id of the todo that it is asked about, where it is asked about one. */
  readonly about?: string;
  readonly props: z.ZodType<Props>;
  /** By which props are read; with all its bounds. */
  readonly read: JsonSchema;
  /** What a model's server is told: all keys are asked for, and no bounds are named, as not every server knows them. */
  readonly wire: JsonSchema;
  /** The same in words that a model understands. */
  readonly sketch: string;
}

export function formOf<Props>(schema: ComponentSchema<Props>): Form<Props> {
  const name = schema.shape.component.value;
  const { props } = schema.shape;
  const read = jsonSchemaOf(props);
  const wire = { ...wireOf(jsonSchemaOf(schema)), title: name } as JsonSchema;
  const sketch = `{"type": "component", "component": ${JSON.stringify(name)}, "props": ${sketchOf(read)}}`;
  return { name, props, read, wire, sketch };
}

function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  return JSON.parse(JSON.stringify(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }))) as JsonSchema;
}

const KEPT = ["type", "const", "enum", "description"] as const;

function wireOf(schema: JsonSchema): JsonSchema {
  const { properties, items, anyOf } = schema as { properties?: Record<string, JsonSchema>; items?: JsonSchema; anyOf?: JsonSchema[] };
  const kept = KEPT.flatMap((key): [string, JsonValue][] => (schema[key] === undefined ? [] : [[key, schema[key]]]));
  return {
    ...Object.fromEntries(kept),
    ...(items !== undefined && { items: wireOf(items) }),
    ...(anyOf !== undefined && { anyOf: anyOf.map(wireOf) }),
    ...(properties !== undefined && {
      properties: Object.fromEntries(Object.entries(properties).map(([key, one]) => [key, wireOf(one)])),
      required: Object.keys(properties),
      additionalProperties: false,
    }),
  };
}

function sketchOf(schema: JsonSchema): string {
  const { properties, items, anyOf } = schema as { properties?: Record<string, JsonSchema>; items?: JsonSchema; anyOf?: JsonSchema[] };
  if (schema["const"] !== undefined) return JSON.stringify(schema["const"]);
  if (Array.isArray(schema["enum"])) return schema["enum"].map((one) => JSON.stringify(one)).join(" | ");
  if (anyOf !== undefined) return anyOf.map(sketchOf).join(" | ");
  if (items !== undefined) return `[${sketchOf(items)}, ...]`;
  if (properties !== undefined)
    return `{${Object.entries(properties)
      .map(([key, one]) => `"${key}": ${sketchOf(one)}`)
      .join(", ")}}`;
  return typeof schema["type"] === "string" ? (WORDS[schema["type"]] ?? schema["type"]) : "any value";
}

const WORDS: Readonly<Record<string, string>> = { string: "text", integer: "number", boolean: "true | false" };
