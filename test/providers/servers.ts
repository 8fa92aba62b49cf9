import { anthropic } from "../fakes/providers/anthropic/provider.ts";
import { gemini } from "../fakes/providers/gemini/provider.ts";
import { mistral } from "../fakes/providers/mistral/provider.ts";
import { ollama } from "../fakes/providers/ollama/provider.ts";
import type { Flavour } from "../fakes/providers/openai/flavour.ts";
import * as flavours from "../fakes/providers/openai/flavours.ts";
import { LLAMA_CPP, SGLANG, VLLM } from "../fakes/providers/openai/grammars.ts";
import { openAi } from "../fakes/providers/openai/provider.ts";
import type { Provider } from "../fakes/providers/provider.ts";

/** A server that people run, and the settings that lead to it. */
export interface ServerUnderTest {
  readonly name: string;
  /** The setting `MODEL`; without a provider before it, `OPENAI_MODEL`. */
  readonly model: string;
  /** What the names of its key and its address begin with. */
  readonly variable: string;
  readonly provider: () => Provider;
  /** Whether its model reasons. */
  readonly reasons: boolean;
  /** What a request has that gives back what the server attached; null if it attaches nothing that it wants back. */
  readonly returned: RegExp | null;
  /** Whether it counts the tokens in every form of a request. */
  readonly counts: boolean;
  /** What it refuses of the requests of the graphs, each of which is then made in a simpler form. */
  readonly refuses: readonly RegExp[];
}

/** The settings that lead to the server at an address. */
export function settingsFor({ model, variable }: ServerUnderTest, url: string): Readonly<Record<string, string>> {
  const setting = model.includes(":") ? "MODEL" : "OPENAI_MODEL";
  return { [setting]: model, [`${variable}_API_KEY`]: "sk-test", [`${variable}_BASE_URL`]: url, MODEL_PRICES: "" };
}

const REASONING = /"reasoning_content":"/;

const PLAIN = { reasons: true, returned: null, counts: true, refuses: [] };

export const OPENAI: ServerUnderTest = {
  ...{ name: "OpenAI", model: "openai:gpt-4o", variable: "OPENAI", provider: openAi },
  ...{ ...PLAIN, reasons: false },
};

export const ANTHROPIC: ServerUnderTest = {
  ...{ name: "Anthropic", model: "anthropic:claude-sonnet-4-5", variable: "ANTHROPIC", provider: anthropic },
  ...{ ...PLAIN, returned: /"signature":"[^"]{44}"/ },
};

export const GEMINI: ServerUnderTest = {
  ...{ name: "Gemini", model: "google-genai:gemini-3-pro-preview", variable: "GOOGLE", provider: gemini },
  ...{ ...PLAIN, returned: /"thoughtSignature":"[^"]{44}"/ },
  // Its class sends a list of types, and a turn for each result of parallel calls.
  refuses: [/Proto field is not repeating/, /^The number of function response parts/],
};

export const OLLAMA: ServerUnderTest = { name: "Ollama", model: "ollama:qwen3", variable: "OLLAMA", provider: ollama, ...PLAIN };

export const MISTRAL: ServerUnderTest = {
  ...{ name: "Mistral", model: "mistralai:magistral-small-latest", variable: "MISTRAL", provider: mistral, ...PLAIN },
};

/** The five protocols, each with its own LangChain class. */
export const PROTOCOLS: readonly ServerUnderTest[] = [OPENAI, ANTHROPIC, GEMINI, OLLAMA, MISTRAL];

/** A server that speaks OpenAI's protocol in its own way. */
export const compatible = (flavour: Flavour, returned: RegExp | null = null): ServerUnderTest => ({
  ...{ name: flavour.name, model: "local-model", variable: "OPENAI", provider: () => openAi({ flavour }) },
  ...{ ...PLAIN, returned },
});

/** Those that people run. */
export const COMPATIBLE: readonly ServerUnderTest[] = [
  compatible(flavours.GEMINI_ENDPOINT, /"thought_signature":"[^"]{44}"/),
  compatible(flavours.DEEPSEEK, REASONING),
  { ...compatible(flavours.DEEPSEEK, REASONING), name: "ChatDeepSeek", model: "deepseek:deepseek-reasoner", variable: "DEEPSEEK" },
  compatible(flavours.KIMI, REASONING),
  compatible(flavours.MISTRAL_ROLES),
  compatible(flavours.LITELLM_BEDROCK),
  compatible(flavours.LM_STUDIO),
  compatible(flavours.GPT_OSS),
  { ...compatible(LLAMA_CPP), refuses: [/failed to parse grammar/] },
  compatible(VLLM),
  compatible(SGLANG),
];
