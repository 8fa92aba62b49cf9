import { z } from "zod";
import type { JsonValue } from "../../domain/json.ts";

export type ComponentSchema<Props> = z.ZodObject<{
  type: z.ZodLiteral<"component">;
  component: z.ZodLiteral<string>;
  props: z.ZodType<Props>;
}>;

export type JsonSchema = Readonly<Record<string, JsonValue>> & {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
};

export interface ComponentFormat<Props> {
  readonly name: string;
  readonly props: z.ZodType<Props>;
  /** The schema for servers. It requires all keys and has no bounds, because some servers do not support them. */
  readonly wire: JsonSchema;
  readonly sketch: string;
}

export function formatOf<Props>(schema: ComponentSchema<Props>): ComponentFormat<Props> {
  const name = schema.shape.component.value;
  const whole = JSON.parse(JSON.stringify(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }))) as JsonSchema;
  const wire = { ...wireOf(whole), title: name } as JsonSchema;
  return { name, props: schema.shape.props, wire, sketch: sketchOf(wire) };
}

/** The schema of the props. */
export function propsOf({ wire }: Pick<ComponentFormat<unknown>, "wire">): JsonSchema {
  return wire.properties?.["props"] ?? {};
}

const KEPT = ["type", "const", "enum", "description"];

function wireOf(schema: JsonSchema): object {
  const { properties, items, anyOf } = schema;
  return {
    ...Object.fromEntries(Object.entries(schema).filter(([key]) => KEPT.includes(key))),
    ...(items !== undefined && { items: wireOf(items) }),
    ...(anyOf !== undefined && { anyOf: anyOf.map(wireOf) }),
    ...(properties !== undefined && {
      properties: Object.fromEntries(Object.entries(properties).map(([key, one]) => [key, wireOf(one)])),
      required: Object.keys(properties),
      additionalProperties: false,
    }),
  };
}

const WORDS: Readonly<Record<string, string>> = { string: "text", integer: "number", boolean: "true | false" };

function sketchOf({ const: only, enum: names, anyOf, items, properties, type }: JsonSchema): string {
  if (only !== undefined) return JSON.stringify(only);
  if (Array.isArray(names)) return names.map((one) => JSON.stringify(one)).join(" | ");
  if (anyOf !== undefined) return anyOf.map(sketchOf).join(" | ");
  if (items !== undefined) return `[${sketchOf(items)}, ...]`;
  const fields = Object.entries(properties ?? {}).map(([key, one]) => `"${key}": ${sketchOf(one)}`);
  if (properties !== undefined) return `{${fields.join(", ")}}`;
  return typeof type === "string" ? (WORDS[type] ?? type) : "any value";
}
