import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { expect, it } from "vitest";
import * as say from "../model-server/behaviors.ts";
import { chatOpenAi } from "./langchain/classes.ts";
import { asMessage, failed, SEARCH, streamed } from "./langchain/streamed.ts";
import type { Flavour } from "./openai/flavour.ts";
import { DEEPSEEK, GEMINI_ENDPOINT, GPT_OSS, KIMI, LITELLM_BEDROCK, LM_STUDIO, MISTRAL_ROLES } from "./openai/flavours.ts";
import { LLAMA_CPP, SGLANG, VLLM } from "./openai/grammars.ts";
import { openAi } from "./openai/provider.ts";
import { startProvider } from "./serve.ts";

const QUESTION = [new HumanMessage("你好")];
const CALL = { id: "a", name: "search", args: { query: "x" } };
const CALLED = [...QUESTION, new AIMessage({ content: "", tool_calls: [CALL] }), new ToolMessage({ content: "found", tool_call_id: "a" })];

const patterned = (pattern: string) => ({
  type: "function" as const,
  function: { name: "search", parameters: { type: "object", properties: { query: { type: "string", pattern } } } },
});
const long = {
  type: "function" as const,
  function: { name: "search", parameters: { type: "object", properties: { query: { type: "string", maxLength: 2000 } } } },
};
const unique = { type: "json_schema", json_schema: { name: "s", schema: { type: "array", items: { type: "string" }, uniqueItems: true } } };

interface Accepted {
  readonly flavour: Flavour;
  readonly messages: readonly BaseMessage[];
  readonly options: Readonly<Record<string, unknown>>;
}
interface Refused extends Accepted {
  readonly what: string;
  readonly message: RegExp;
}

it.each<Refused>([
  {
    what: "a call without its signature",
    flavour: GEMINI_ENDPOINT,
    messages: CALLED,
    options: { tools: [SEARCH] },
    message: /thought_signature/,
  },
  {
    what: "a call without its reasoning",
    flavour: DEEPSEEK,
    messages: CALLED,
    options: { tools: [SEARCH] },
    message: /`reasoning_content` has to be passed back/,
  },
  {
    what: "a call without its reasoning",
    flavour: KIMI,
    messages: CALLED,
    options: { tools: [SEARCH] },
    message: /reasoning_content is missing .* at index 1/,
  },
  {
    what: "a user after a tool",
    flavour: MISTRAL_ROLES,
    messages: [...CALLED, ...QUESTION],
    options: {},
    message: /Unexpected role 'user' after role 'tool'/,
  },
  { what: "a history with calls but no tools", flavour: LITELLM_BEDROCK, messages: CALLED, options: {}, message: /Bedrock .* `tools=`/ },
  {
    what: "JSON without a schema",
    flavour: LM_STUDIO,
    messages: QUESTION,
    options: { response_format: { type: "json_object" } },
    message: /'json_schema' or 'text'/,
  },
  {
    what: "a shorthand in a pattern",
    flavour: LLAMA_CPP,
    messages: QUESTION,
    options: { tools: [patterned("^\\d+$")] },
    message: /failed to parse grammar/,
  },
  {
    what: "a pattern without anchors",
    flavour: LLAMA_CPP,
    messages: QUESTION,
    options: { tools: [patterned("a")] },
    message: /start with '\^'/,
  },
  { what: "a length of 2000", flavour: LLAMA_CPP, messages: QUESTION, options: { tools: [long] }, message: /failed to parse grammar/ },
  {
    what: "a schema that xgrammar does not have",
    flavour: VLLM,
    messages: QUESTION,
    options: { response_format: unique },
    message: /xgrammar/,
  },
  {
    what: "a lookahead",
    flavour: SGLANG,
    messages: QUESTION,
    options: { tools: [patterned("^(?=a)")], tool_choice: "required" },
    message: /lookaround/,
  },
])("refuses $what as $flavour.name", async ({ flavour, messages, options, message }) => {
  const server = await startProvider(openAi({ flavour }), []);
  const error = await failed(chatOpenAi(server), messages, options);
  expect(error).toMatchObject({ status: 400, message: expect.stringMatching(message) });
  expect(server.refused).toEqual([expect.stringMatching(message)]);
});

it.each<Accepted>([
  { flavour: DEEPSEEK, messages: [...CALLED, new AIMessage("done"), new HumanMessage("?")], options: { tools: [SEARCH] } },
  { flavour: GEMINI_ENDPOINT, messages: [...CALLED, new AIMessage("done"), new HumanMessage("?")], options: { tools: [SEARCH] } },
  { flavour: LITELLM_BEDROCK, messages: CALLED, options: { tools: [SEARCH] } },
  { flavour: LLAMA_CPP, messages: QUESTION, options: { tools: [patterned("^[0-9]{4}$")] } },
  { flavour: VLLM, messages: QUESTION, options: { tools: [patterned("^(?=a)")] } },
])("accepts other requests as $flavour.name", async ({ flavour, messages, options }) => {
  const server = await startProvider(openAi({ flavour }), [say.text("好")]);
  expect((await streamed(chatOpenAi(server), messages, options)).text).toBe("好");
});

it("refuses inside a stream if it is told so", async () => {
  const server = await startProvider(openAi({ flavour: LLAMA_CPP, refusesInStream: true }), []);
  const error = await failed(chatOpenAi(server), QUESTION, { tools: [long] });
  expect(error).toMatchObject({ error: { code: 400, message: expect.stringMatching(/failed to parse grammar/) } });
  expect(server.requests[0]?.status).toBe(200);
});

it("signs the first call, which the raw call of the chunk keeps", async () => {
  const server = await startProvider(openAi({ flavour: GEMINI_ENDPOINT }), [
    say.toolCalls([
      { name: "search", arguments: { query: "a" } },
      { name: "search", arguments: { query: "b" } },
    ]),
    say.text("好"),
  ]);
  const first = await streamed(chatOpenAi(server), QUESTION, { tools: [SEARCH] });
  const raw = first.additional_kwargs["tool_calls"] as { extra_content?: object }[];
  expect(raw.map(({ extra_content: extra }) => extra)).toEqual([{ google: { thought_signature: expect.any(String) } }, undefined]);
  const back = asMessage(first);
  back.tool_calls = [];
  const results = ["call_0_0", "call_0_1"].map((id) => new ToolMessage({ content: "found", tool_call_id: id }));
  expect((await streamed(chatOpenAi(server), [...QUESTION, back, ...results], { tools: [SEARCH] })).text).toBe("好");
});

it("speaks gpt-oss with the tokens of its channels", async () => {
  const server = await startProvider(openAi({ flavour: GPT_OSS }), [say.toolCalls([{ name: "search", arguments: {} }]), say.text("好")]);
  expect((await streamed(chatOpenAi(server), QUESTION, { tools: [SEARCH] })).tool_calls).toMatchObject([
    { name: "search<|channel|>commentary" },
  ]);
  expect((await streamed(chatOpenAi(server), QUESTION)).text).toBe("<|channel|>final<|message|>好");
});
