import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { HumanMessage, SystemMessage, ToolMessage } from "@langchain/core/messages";
import { expect, it } from "vitest";
import * as say from "../model-server/behaviors.ts";
import type { Script } from "../model-server/script.ts";
import { anthropic } from "./anthropic/provider.ts";
import { gemini } from "./gemini/provider.ts";
import { chatAnthropic, chatDeepSeek, chatGemini, chatMistral, chatOllama, chatOpenAi } from "./langchain/classes.ts";
import { asMessage, SEARCH, streamed } from "./langchain/streamed.ts";
import { mistral } from "./mistral/provider.ts";
import type { NeutralRequest, ProviderScript } from "./neutral.ts";
import { ollama } from "./ollama/provider.ts";
import { openAi } from "./openai/provider.ts";
import type { Provider } from "./provider.ts";
import { fromScript } from "./seen-script.ts";
import { type ProviderServer, startProvider } from "./serve.ts";

const QUESTION = [new SystemMessage("Answer briefly."), new HumanMessage("Who?")];
const EVERY: readonly [string, () => Provider, (server: ProviderServer) => BaseChatModel][] = [
  ["OpenAI", openAi, chatOpenAi],
  ["DeepSeek", openAi, chatDeepSeek],
  ["Anthropic", anthropic, chatAnthropic],
  ["Gemini", gemini, chatGemini],
  ["Ollama", ollama, chatOllama],
  ["Mistral", mistral, chatMistral],
];

/** Calls the tool that it is offered, then answers with the result. */
const SCRIPT: ProviderScript = ({ messages, tools }: NeutralRequest) => {
  const told = messages.findLast(({ role }) => role === "tool");
  return told === undefined
    ? say.toolCalls([{ name: tools[0]?.name ?? "", arguments: { query: "茅台" } }])
    : say.text(`It says ${told.text}.`);
};
/** The same in OpenAI's protocol. */
const SEEN_SCRIPT: Script = ({ body: { messages, tools } }) => {
  const told = messages.findLast(({ role }) => role === "tool");
  return told === undefined
    ? say.toolCalls([{ name: tools?.[0]?.function.name ?? "", arguments: { query: "茅台" } }])
    : say.text(`It says ${String(told.content)}.`);
};

for (const [kind, script] of [
  ["one script", SCRIPT],
  ["one script of OpenAI's protocol", fromScript(SEEN_SCRIPT)],
] as const)
  it.each(EVERY)(`drives %s with ${kind}`, async (_, provider, chat) => {
    const server = await startProvider(provider(), script);
    const model = chat(server);
    const first = await streamed(model, QUESTION, { tools: [SEARCH] });
    expect(first.tool_calls).toMatchObject([{ name: "search", args: { query: "茅台" } }]);
    const result = new ToolMessage({ content: "1871", tool_call_id: first.tool_calls?.[0]?.id ?? "" });
    expect((await streamed(model, [...QUESTION, asMessage(first), result], { tools: [SEARCH] })).text).toBe("It says 1871.");
    expect([server.refused, server.unexpected]).toEqual([[], []]);
    expect(server.requests[1]?.neutral).toMatchObject({
      system: "Answer briefly.",
      messages: [{ text: "Who?" }, { role: "assistant" }, { role: "tool", text: "1871" }],
    });
  });

it.each(EVERY)("holds an answer of %s back until the test lets it go on", async (_, provider, chat) => {
  const gate = Promise.withResolvers<void>();
  const server = await startProvider(provider(), [say.held(say.text("一二三四五六七八"), { at: 1, until: gate.promise })]);
  const texts: string[] = [];
  for await (const { text } of await chat(server).stream(QUESTION)) {
    if (text !== "") texts.push(text);
    if (texts.length === 1) gate.resolve();
  }
  expect(texts).toEqual(["一二三四", "五六七八"]);
});

it.each(EVERY)("answers %s with the object of a schema, in one piece", async (_, provider, chat) => {
  const answer = { year: 1871 };
  const server = await startProvider(provider(), ({ tools }) =>
    tools[0] === undefined ? say.text(JSON.stringify(answer)) : say.toolCalls([{ name: tools[0].name, arguments: answer }]),
  );
  const schema = { title: "answer", type: "object", properties: { year: { type: "integer" } }, required: ["year"] };
  expect(await chat(server).withStructuredOutput(schema).invoke(QUESTION)).toEqual(answer);
  expect([server.refused, server.requests.map(({ status }) => status)]).toEqual([[], [200]]);
});
