import {
  asCode,
  asDetail,
  asDetails,
  asError,
  asErrors,
  asErrorText,
  asMessage,
  byStatus,
  type RefusedRequest,
  within,
} from "./refused-request.ts";
import { both, formatIs, hasField, schemaHas, schemaNode, toolSchemaHas } from "./request-forms.ts";

const BOUNDS = ["minLength", "maxLength", "minItems", "maxItems", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"];
const TEXT_BOUNDS = ["minLength", "maxLength"];
const CHOICES = ["anyOf", "oneOf", "allOf"];

/** Servers that refuse what stands in schemas, or a format of the answer. */
export const SCHEMA_REFUSALS: readonly RefusedRequest[] = [
  byStatus(
    400,
    "any bounds",
    "We stopped: one of your shapes sets limits, and limits are something this engine never learned.",
    asError,
    schemaHas(...BOUNDS),
  ),
  byStatus(422, "bounds of texts", "How long a text may be is not for the caller to say here.", asDetails, schemaHas(...TEXT_BOUNDS)),
  within(
    "first-chunk",
    "counts of items",
    "rule compiler gave up: repetition counter overflow",
    asError,
    schemaHas("minItems", "maxItems"),
  ),
  byStatus(
    500,
    "bounds of numbers",
    "numeric interval → automaton: unimplemented",
    asErrorText,
    schemaHas("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"),
  ),
  byStatus(
    400,
    "patterns",
    "Regular expressions inside a description of arguments are ignored by nobody and accepted by nobody.",
    asMessage,
    schemaHas("pattern"),
  ),
  within("later-chunk", "patterns, late", "sampler: the expression could not be turned into states", asError, schemaHas("pattern")),
  byStatus(
    400,
    "formats",
    "Das Gerät kennt keine Angabe namens »format« und lehnt die Anfrage daher ab.",
    asErrorText,
    schemaHas("format"),
  ),
  byStatus(400, "closed objects", "additionalProperties: this word means nothing to us.", asErrors, schemaHas("additionalProperties")),
  byStatus(400, "choices", "Une valeur ne peut avoir qu'une seule forme ; plusieurs sont proposées.", asDetail, schemaHas(...CHOICES)),
  byStatus(
    400,
    "several types",
    "'type' wants one word, and it was given a list.",
    asError,
    schemaNode(({ schema }) => Array.isArray(schema["type"])),
  ),
  within("body", "constants", "参数结构中含有本服务无法解析的常量，请去掉后再提交。", asCode, schemaHas("const")),
  byStatus(
    400,
    "references",
    "Pointers between parts of a shape are left unresolved by this gateway.",
    asMessage,
    schemaHas("$ref", "$defs", "definitions"),
  ),
  byStatus(400, "dialects", "Unbekanntes Schlüsselwort am Anfang: $schema", asDetail, schemaHas("$schema")),
  byStatus(422, "defaults", "default values are the business of whoever calls the function", asDetails, schemaHas("default")),
  within(
    "first-chunk",
    "objects in lists",
    "depth limit of the constraint builder reached",
    asErrorText,
    schemaNode(({ path }) => path.filter((step) => step === "items").length > 0 && path.at(-2) === "properties"),
  ),
  byStatus(
    400,
    "patterns of tools",
    "La herramienta trae una expresión regular y aquí no se admite ninguna.",
    asError,
    toolSchemaHas("pattern"),
  ),
  byStatus(400, "strict", "The switch for exactness exists elsewhere, not on this machine.", asError, (body) =>
    JSON.stringify([body["tools"], body["response_format"]]).includes('"strict"'),
  ),
  byStatus(400, "schemas of answers", "An answer cannot be poured into a given shape by this model.", asError, formatIs("json_schema")),
  byStatus(501, "any format", "shaping of replies: on our list, not in our code", asErrorText, hasField("response_format")),
  byStatus(400, "JSON without a schema", "出力形式はスキーマ付きのみ受け付けます。", asMessage, formatIs("json_object")),
  byStatus(
    400,
    "a format beside tools",
    "Pick one: functions or a shaped reply. Both at once confuse the decoder.",
    asError,
    both(hasField("tools"), hasField("response_format")),
  ),
];
