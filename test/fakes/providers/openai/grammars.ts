import { invalid, type Refusal } from "../../model-server/refusal.ts";
import type { Body, NeutralRequest } from "../neutral.ts";
import { findKeyword, nodesOf, patternsIn } from "../schemas.ts";
import { objectIn } from "../values.ts";
import type { Flavour } from "./flavour.ts";

const LOOKAROUND = /\(\?[=!<]/;
const SHORTHAND = /\\[dswDSWbB]/;
/** The grammar of llama.cpp has a limit for repetitions; exactly this one is over it. */
const TOO_LONG = 2000;
const NOT_IN_XGRAMMAR = ["multipleOf", "uniqueItems", "contains", "minContains", "maxContains", "patternProperties", "propertyNames"];

/** llama.cpp makes a grammar of every schema. */
export const LLAMA_CPP: Flavour = {
  name: "llama.cpp",
  faultOf: (_, neutral) => firstFault(schemasIn(neutral), llamaFault),
  errorBody: ({ status, error }) => ({ error: { code: status, message: error.message, type: "invalid_request_error" } }),
};

/** vLLM makes one of the schema of the answer, and of tools only if one of them must be called. */
export const VLLM: Flavour = {
  name: "vllm",
  faultOf: (body, neutral) => firstFault(mustCall(body) ? schemasIn(neutral) : answerSchema(neutral), vllmFault),
  errorBody: ({ status, error }) => ({ error: { message: error.message, type: "BadRequestError", param: null, code: status } }),
};

/** SGLang does the same; its patterns have no lookarounds. */
export const SGLANG: Flavour = {
  name: "sglang",
  faultOf: (body, neutral) => firstFault(mustCall(body) ? schemasIn(neutral) : answerSchema(neutral), sglangFault),
  errorBody: ({ status, error }) => ({ object: "error", message: error.message, type: "BadRequest", param: null, code: status }),
};

const answerSchema = ({ schema }: NeutralRequest): object[] => (schema === null ? [] : [schema]);

const schemasIn = (neutral: NeutralRequest): object[] => [...neutral.tools.map(({ schema }) => schema), ...answerSchema(neutral)];

const mustCall = ({ tool_choice: choice }: Body) => choice === "required" || Object.hasOwn(objectIn(choice), "function");

function firstFault(schemas: readonly object[], faultOf: (schema: object) => string | undefined): Refusal | undefined {
  for (const schema of schemas) {
    const fault = faultOf(schema);
    if (fault !== undefined) return invalid(fault);
  }
  return undefined;
}

function llamaFault(schema: object): string | undefined {
  const patterns = patternsIn(schema);
  if (patterns.some((pattern) => !(pattern.startsWith("^") && pattern.endsWith("$"))))
    return "The parser for this template cannot be generated: JSON schema conversion failed:\nA pattern has to start with '^' and end with '$'";
  const bounded = [...nodesOf(schema)].some((node) => node.schema["maxLength"] === TOO_LONG);
  const unfit = bounded || patterns.some((pattern) => LOOKAROUND.test(pattern) || SHORTHAND.test(pattern));
  return unfit ? "Failed to initialize samplers: failed to parse grammar" : undefined;
}

function vllmFault(schema: object): string | undefined {
  const lookaround = patternsIn(schema).some((pattern) => LOOKAROUND.test(pattern));
  if (!lookaround && findKeyword(schema, NOT_IN_XGRAMMAR) === undefined) return undefined;
  return "The JSON schema has features that xgrammar does not support.";
}

function sglangFault(schema: object): string | undefined {
  const pattern = patternsIn(schema).find((each) => LOOKAROUND.test(each));
  return pattern === undefined ? undefined : `Failed to compile json grammar: lookaround is not supported in ${JSON.stringify(pattern)}`;
}
