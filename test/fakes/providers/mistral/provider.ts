import { readChat } from "../openai/read.ts";
import { firstRefusal, type Provider, type ProviderRefusal } from "../provider.ts";
import { promptTokensOf, wireOf } from "../wire.ts";
import { type Detail, detailsOf, type Fault, messagesFault } from "./faults.ts";
import { MISTRAL_FORMAT } from "./frames.ts";

export interface MistralOptions {
  /** The only accepted key, as a bearer token. */
  readonly requireKey?: string;
  /** If given, other models are refused with 400. */
  readonly models?: readonly string[];
  readonly maxContextTokens?: number;
}

/** Mistral's chat completions. */
export function mistral({ requireKey, models, maxContextTokens }: MistralOptions = {}): Provider {
  return {
    basePath: "",
    asksModel: (path) => path === "/v1/chat/completions",
    read: ({ body }) => readChat(body),
    refuse,
    refusalOf({ headers, body }, neutral) {
      const key = headers.authorization;
      return firstRefusal<ProviderRefusal>([
        () => (requireKey === undefined || key === `Bearer ${requireKey}` ? undefined : unauthorized()),
        () => unprocessable(detailsOf(body)),
        () => (models === undefined || models.includes(neutral.model) ? undefined : refuse(400, `Invalid model: ${neutral.model}`, MODEL)),
        () => wrong(messagesFault(body, neutral)),
        () => tooLong(promptTokensOf(neutral), maxContextTokens),
      ]);
    },
    wire: (behavior, accepted) => wireOf(MISTRAL_FORMAT, behavior, accepted),
    answer(route) {
      if (route !== "GET /v1/models") return undefined;
      return {
        object: "list",
        data: (models ?? ["scripted"]).map((id) => ({ id, object: "model", created: 1_700_000_000, max_context_length: 131_072 })),
      };
    },
  };
}

const MODEL = { type: "invalid_model", code: "1500" };

const refuse = (
  status: number,
  message: string,
  { type, code }: Omit<Fault, "message"> = { type: "invalid_request_error", code: "3000" },
): ProviderRefusal => ({
  status,
  message,
  body: { object: "error", message, type, param: null, code },
});

const wrong = (fault: Fault | undefined) => (fault === undefined ? undefined : refuse(400, fault.message, fault));

const unauthorized = (): ProviderRefusal => ({ status: 401, message: "Unauthorized", body: { detail: "Unauthorized" } });

function unprocessable(detail: readonly Detail[]): ProviderRefusal | undefined {
  const message = detail.map(({ loc, msg }) => `${loc.join(".")}: ${msg}`).join("; ");
  return detail.length === 0 ? undefined : { status: 422, message, body: { detail } };
}

const tooLong = (tokens: number, limit: number | undefined) =>
  limit === undefined || tokens <= limit
    ? undefined
    : refuse(400, `Prompt contains ${tokens} tokens, too large for model with ${limit} maximum context length`, {
        type: "invalid_request_prompt",
        code: "3051",
      });
