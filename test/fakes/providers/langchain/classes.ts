import { ChatAnthropic, type ChatAnthropicInput } from "@langchain/anthropic";
import { ChatDeepSeek, type ChatDeepSeekInput } from "@langchain/deepseek";
import { ChatGoogleGenerativeAI, type GoogleGenerativeAIChatInput } from "@langchain/google-genai";
import { ChatMistralAI, type ChatMistralAIInput } from "@langchain/mistralai";
import { ChatOllama, type ChatOllamaInput } from "@langchain/ollama";
import { ChatOpenAI, type ChatOpenAIFields } from "@langchain/openai";
import { PROVIDERS } from "../../../../src/models/providers.ts";
import type { ProviderServer } from "../serve.ts";

/** Nothing is tried again. */
const ONCE = { maxRetries: 0 };

export const chatOpenAi = ({ url }: ProviderServer, fields: ChatOpenAIFields = {}) =>
  new ChatOpenAI({ model: "gpt-4o", apiKey: "k", ...ONCE, ...fields, configuration: { baseURL: url, ...fields.configuration } });

export const chatAnthropic = ({ url }: ProviderServer, fields: ChatAnthropicInput = {}) =>
  new ChatAnthropic({ model: "claude-sonnet-4-5", apiKey: "k", anthropicApiUrl: url, ...ONCE, ...fields });

export function chatGemini({ url }: ProviderServer, fields: Partial<GoogleGenerativeAIChatInput> = {}): ChatGoogleGenerativeAI {
  const chat = new ChatGoogleGenerativeAI({ model: "gemini-2.5-flash", apiKey: "k", baseUrl: url, ...ONCE, ...fields });
  PROVIDERS["google-genai"]?.prepare?.(chat);
  return chat;
}

export const chatOllama = ({ url }: ProviderServer, fields: ChatOllamaInput = {}) =>
  new ChatOllama({ model: "qwen3", baseUrl: url, ...ONCE, ...fields });

export const chatMistral = ({ url }: ProviderServer, fields: ChatMistralAIInput = {}) =>
  new ChatMistralAI({ model: "mistral-small-latest", apiKey: "k", serverURL: url, ...ONCE, ...fields });

export const chatDeepSeek = ({ url }: ProviderServer, fields: Partial<ChatDeepSeekInput> = {}) =>
  new ChatDeepSeek({
    model: "deepseek-reasoner",
    apiKey: "k",
    ...ONCE,
    ...fields,
    configuration: { baseURL: url, ...fields.configuration },
  });
