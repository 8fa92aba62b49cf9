import type { Body, NeutralRequest } from "../neutral.ts";
import { nodesOf, type SchemaNode } from "../schemas.ts";
import { objectIn, stringIn, unknownKeys } from "../values.ts";
import { declarationsIn } from "./read.ts";

const FIELDS = [
  ...["contents", "tools", "toolConfig", "safetySettings", "systemInstruction", "system_instruction", "generationConfig", "cachedContent"],
  ...["labels", "serviceTier", "store", "model"],
];
/** The keywords of its subset of OpenAPI schemas. */
const KEYWORDS = [
  ...["type", "format", "title", "description", "nullable", "enum", "items", "minItems", "maxItems", "properties", "required"],
  ...["propertyOrdering", "minProperties", "maxProperties", "minLength", "maxLength", "minimum", "maximum", "anyOf", "default", "example"],
];
const TEXT_FORMATS = ["enum", "date-time"];
const NAME = /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/;

/** A field that the request must not have, and where. */
export interface FieldFault {
  readonly field: string;
  readonly description: string;
}

/** Returns all fields of a request, and of its schemas, that Gemini does not know; `known` are further keywords of schemas. */
export function fieldFaults(body: Body, known: readonly string[]): FieldFault[] {
  const config = objectIn(body["generationConfig"]);
  return [
    ...unknownKeys(body, FIELDS).map((key) => unknownField(key, "")),
    ...declarationsIn(body).flatMap(({ parameters }, at) => [
      ...schemaFaults(parameters, `tools[0].function_declarations[${at}].parameters`, known),
    ]),
    ...schemaFaults(config["responseSchema"], "generation_config.response_schema", known),
  ];
}

/** Returns why Gemini refuses a request with known fields; undefined if it does not. */
export function valueFault(body: Body, { model, tools }: NeutralRequest): string | undefined {
  const config = objectIn(body["generationConfig"]);
  const badName = declarationsIn(body).findIndex(({ name }) => !NAME.test(stringIn(name)));
  if (badName !== -1)
    return `* GenerateContentRequest.tools[0].function_declarations[${badName}].name: [FIELD_INVALID] Invalid function name.`;
  if (tools.length > 0 && config["responseMimeType"] === "application/json" && !model.includes("gemini-3"))
    return "Function calling with a response mime type: 'application/json' is unsupported";
  const strange = allowedIn(body).find((name) => tools.every((tool) => tool.name !== name));
  if (strange !== undefined) return `* GenerateContentRequest.tool_config: allowed_function_names has '${strange}', which is not declared`;
  for (const [at, { parameters }] of declarationsIn(body).entries())
    for (const node of nodesOf(parameters)) {
      const fault = nodeFault(node);
      if (fault !== undefined)
        return `* GenerateContentRequest.tools[0].function_declarations[${at}].parameters${placeOf(node.path)}${fault}`;
    }
  return undefined;
}

function allowedIn(body: Body): unknown[] {
  const { allowedFunctionNames: names } = objectIn(objectIn(body["toolConfig"])["functionCallingConfig"]);
  return Array.isArray(names) ? names : [];
}

function* schemaFaults(root: unknown, where: string, known: readonly string[]): Iterable<FieldFault> {
  for (const { schema, path } of nodesOf(root)) {
    const place = where + placeOf(path);
    for (const key of unknownKeys(schema, [...KEYWORDS, ...known])) yield unknownField(key, place);
    if (Array.isArray(schema["type"]))
      yield { field: place, description: describe("type", place, "Proto field is not repeating, cannot start list.") };
  }
}

function nodeFault({ schema }: SchemaNode): string | undefined {
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  const at = required.findIndex((name) => !Object.hasOwn(objectIn(schema["properties"]), stringIn(name)));
  if (at !== -1) return `.required[${at}]: property is not defined`;
  const format = schema["format"];
  if (schema["type"] === "string" && typeof format === "string" && !TEXT_FORMATS.includes(format))
    return ".format: only 'enum' and 'date-time' are supported for STRING type";
  return Array.isArray(schema["enum"]) && schema["enum"].includes("") ? ".enum: cannot be empty" : undefined;
}

const unknownField = (key: string, place: string): FieldFault => ({
  field: place,
  description: describe(key, place, "Cannot find field."),
});

const describe = (key: string, place: string, why: string) =>
  `Invalid JSON payload received. Unknown name "${key}"${place === "" ? "" : ` at '${place}'`}: ${why}`;

const placeOf = (path: readonly (string | number)[]) => path.map((step) => (typeof step === "number" ? `[${step}]` : `.${step}`)).join("");
