import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import type { ChatRequest } from "../domain/chat.ts";
import { DossierError } from "../errors.ts";
import type { Fetch } from "./exchange.ts";

/** What a class is constructed with for one call. `fetch` goes through Dossier's network, if the class takes one. */
export interface ClassOptions {
  readonly model: string;
  readonly maxTokens: number;
  readonly contextTokens: number;
  readonly apiKey: string | undefined;
  readonly baseUrl: string;
  readonly fetch: Fetch;
}

export interface Provider {
  /** The npm package, and the version that Dossier is tested with. */
  readonly package: string;
  readonly version: string;
  readonly className: string;
  /** `<variable>_API_KEY` and `<variable>_BASE_URL` are settings. */
  readonly variable: string;
  readonly baseUrl: string;
  /** Set if the class speaks OpenAI's protocol, so that its answers and requests are adapted. */
  readonly compatible?: true;
  /** Set if a call needs no key of ours. */
  readonly keyless?: true;
  /** Set if the class takes no `fetch`; docs/models.md says what is lost then. */
  readonly ownNetwork?: true;
  fields(options: ClassOptions): object;
  /** Changes a new object of the class. */
  prepare?(chat: object): void;
  /** The options of a call whose answer fits a JSON Schema. Without it, the schema is described in the text. */
  schema?(schema: NonNullable<ChatRequest["schema"]>): object;
}

const common = ({ model, apiKey, maxTokens }: ClassOptions) => ({ model, apiKey, maxTokens, maxRetries: 0, outputVersion: "v0" });
const inOpenAiForm = (options: ClassOptions) => ({
  ...common(options),
  // Servers without keys get none; the library needs a text.
  apiKey: options.apiKey || "none",
  streamUsage: true,
  configuration: { baseURL: options.baseUrl, organization: null, project: null, fetch: options.fetch },
});
const openAiSchema = ({ name, schema }: NonNullable<ChatRequest["schema"]>) => ({
  response_format: { type: "json_schema", json_schema: { name, schema } },
});

interface GeminiClient {
  generateContentStream(...args: unknown[]): Promise<{ readonly response: Promise<unknown> }>;
}

/** Google's library promises the whole response beside its stream. Nobody awaits it, and its rejection would end the process. */
function observeResponse(chat: object): void {
  const { client } = chat as { readonly client: GeminiClient };
  const start = client.generateContentStream.bind(client);
  client.generateContentStream = async (...args) => {
    const result = await start(...args);
    result.response.catch(() => undefined);
    return result;
  };
}

/** The provider of names without a provider before them. */
export const OPENAI: Provider = {
  ...{ package: "@langchain/openai", version: "1.6.0", className: "ChatOpenAI" },
  ...{ variable: "OPENAI", baseUrl: "https://api.openai.com/v1", compatible: true },
  fields: inOpenAiForm,
  schema: openAiSchema,
};

/** By the name before the colon of `MODEL=provider:name`, which are those of LangChain's `initChatModel`. */
export const PROVIDERS: Readonly<Record<string, Provider>> = {
  openai: OPENAI,
  anthropic: {
    ...{ package: "@langchain/anthropic", version: "1.5.11", className: "ChatAnthropic" },
    ...{ variable: "ANTHROPIC", baseUrl: "https://api.anthropic.com" },
    fields: (options) => ({
      ...common(options),
      anthropicApiUrl: options.baseUrl,
      clientOptions: { fetch: options.fetch, maxRetries: 0, authToken: null },
    }),
  },
  "google-genai": {
    ...{ package: "@langchain/google-genai", version: "2.3.2", className: "ChatGoogleGenerativeAI" },
    ...{ variable: "GOOGLE", baseUrl: "https://generativelanguage.googleapis.com", ownNetwork: true },
    fields: (options) => ({ ...common(options), maxOutputTokens: options.maxTokens, baseUrl: options.baseUrl }),
    prepare: observeResponse,
  },
  mistralai: {
    ...{ package: "@langchain/mistralai", version: "1.2.0", className: "ChatMistralAI" },
    ...{ variable: "MISTRAL", baseUrl: "https://api.mistral.ai" },
    fields: (options) => ({ ...common(options), serverURL: options.baseUrl, httpClient: { request: options.fetch } }),
    schema: openAiSchema,
  },
  deepseek: {
    ...{ package: "@langchain/deepseek", version: "1.1.13", className: "ChatDeepSeek" },
    ...{ variable: "DEEPSEEK", baseUrl: "https://api.deepseek.com", compatible: true },
    fields: inOpenAiForm,
  },
  ollama: {
    ...{ package: "@langchain/ollama", version: "1.3.0", className: "ChatOllama" },
    ...{ variable: "OLLAMA", baseUrl: "http://127.0.0.1:11434", keyless: true },
    // Without a size, the server cuts the prompt at its own.
    fields: (options) => ({
      ...common(options),
      ...{ baseUrl: options.baseUrl, fetch: options.fetch, numPredict: options.maxTokens, numCtx: options.contextTokens },
    }),
    schema: ({ schema }) => ({ format: schema }),
  },
  groq: {
    ...{ package: "@langchain/groq", version: "1.3.1", className: "ChatGroq" },
    ...{ variable: "GROQ", baseUrl: "https://api.groq.com" },
    fields: (options) => ({ ...common(options), baseUrl: options.baseUrl, fetch: options.fetch }),
  },
  bedrock: {
    ...{ package: "@langchain/aws", version: "1.4.5", className: "ChatBedrockConverse" },
    ...{ variable: "BEDROCK", baseUrl: "https://bedrock-runtime.us-east-1.amazonaws.com", keyless: true, ownNetwork: true },
    fields: common,
  },
};

/** Divides `provider:name`. Other names with a colon, such as `qwen3:8b`, are names of the OpenAI-compatible server. */
export function dividedName(model: string): { readonly id: string; readonly name: string } {
  const [id = ""] = model.split(":", 1);
  const isProvider = model.length > id.length + 1 && Object.hasOwn(PROVIDERS, id);
  return isProvider ? { id, name: model.slice(id.length + 1) } : { id: "openai", name: model };
}

export function isInstalled({ package: name }: Provider): boolean {
  try {
    return import.meta.resolve(name) !== "";
  } catch {
    return false;
  }
}

export type ModelClass = new (fields: object) => BaseChatModel;

/** Loads the class of a provider. @throws DossierError `model_refused` if its package is not installed */
export async function loadClass({ package: name, version, className }: Provider): Promise<ModelClass> {
  try {
    const loaded = (await import(name)) as Record<string, ModelClass>;
    const found = loaded[className];
    if (found !== undefined) return found;
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
    if (code !== "ERR_MODULE_NOT_FOUND") throw cause;
  }
  throw new DossierError("model_refused", `The package ${name} is not installed. Install it: npm install ${name}@${version}`);
}
