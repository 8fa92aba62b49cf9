import { z } from "zod";
import type { JsonValue } from "../../domain/json.ts";

export type ComponentSchema<Props> = z.ZodObject<{
  type: z.ZodLiteral<"component">;
  component: z.ZodLiteral<string>;
  props: z.ZodType<Props>;
}>;

type JsonSchema = z.core.JSONSchema.BaseSchema;

export interface ComponentFormat<Props> {
  readonly name: string;
  readonly props: z.ZodType<Props>;
  /** The schema for servers. It requires all keys and has no bounds, because some servers do not support them. */
  readonly wire: Readonly<Record<string, JsonValue>>;
  readonly sketch: string;
}

export function formatOf<Props>(schema: ComponentSchema<Props>): ComponentFormat<Props> {
  const name = schema.shape.component.value;
  const whole = z.toJSONSchema(schema, { io: "input", unrepresentable: "any", override: ({ jsonSchema }) => simplify(jsonSchema) });
  const { $schema: _, ...wire } = JSON.parse(JSON.stringify(whole));
  return { name, props: schema.shape.props, wire: { ...wire, title: name }, sketch: sketchOf(wire) };
}

const KEPT = ["type", "const", "enum", "description", "items", "anyOf", "properties"];

function simplify(schema: JsonSchema): void {
  for (const key of Object.keys(schema).filter((one) => !KEPT.includes(one))) delete schema[key];
  if (schema.properties !== undefined) Object.assign(schema, { required: Object.keys(schema.properties), additionalProperties: false });
}

const WORDS: Readonly<Record<string, string>> = { string: "text", integer: "number", boolean: "true | false" };

function sketchOf({ const: only, enum: names, anyOf, items, properties, type }: JsonSchema): string {
  if (only !== undefined) return JSON.stringify(only);
  if (names !== undefined) return names.map((one) => JSON.stringify(one)).join(" | ");
  if (anyOf !== undefined) return anyOf.map((one) => sketchOf(one as JsonSchema)).join(" | ");
  if (items !== undefined) return `[${sketchOf(items as JsonSchema)}, ...]`;
  const fields = Object.entries(properties ?? {}).map(([key, one]) => `"${key}": ${sketchOf(one as JsonSchema)}`);
  if (properties !== undefined) return `{${fields.join(", ")}}`;
  return typeof type === "string" ? (WORDS[type] ?? type) : "any value";
}
