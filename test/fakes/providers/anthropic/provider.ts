import { firstRefusal, type Provider, type ProviderRefusal } from "../provider.ts";
import { promptTokensOf, wireOf } from "../wire.ts";
import { fieldFault } from "./fields.ts";
import { ANTHROPIC_FORMAT } from "./frames.ts";
import { historyFault } from "./history.ts";
import { readMessages } from "./read.ts";

export interface AnthropicOptions {
  /** The only accepted key. */
  readonly requireKey?: string;
  /** If given, other models are refused with 404. */
  readonly models?: readonly string[];
  readonly maxContextTokens?: number;
}

const TYPES: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  529: "overloaded_error",
};

/** Anthropic's messages. */
export function anthropic({ requireKey, models, maxContextTokens }: AnthropicOptions = {}): Provider {
  return {
    basePath: "",
    asksModel: (path) => path === "/v1/messages",
    read: ({ body }) => readMessages(body),
    refuse,
    refusalOf({ headers, body }, neutral) {
      const wrong = (message: string | undefined) => (message === undefined ? undefined : refuse(400, message));
      return firstRefusal<ProviderRefusal>([
        () => (requireKey === undefined || headers["x-api-key"] === requireKey ? undefined : refuse(401, "invalid x-api-key")),
        () => wrong(headers["anthropic-version"] === undefined ? "anthropic-version: header is required" : undefined),
        () => wrong(fieldFault(body)),
        () => (models === undefined || models.includes(neutral.model) ? undefined : refuse(404, `model: ${neutral.model}`)),
        () => wrong(historyFault(body)),
        () => wrong(lengthFault(promptTokensOf(neutral), maxContextTokens)),
      ]);
    },
    wire: (behavior, accepted) => wireOf(ANTHROPIC_FORMAT, behavior, accepted),
    answer(route) {
      if (route !== "GET /v1/models") return undefined;
      const data = (models ?? ["scripted"]).map((id) => ({ id, type: "model", display_name: id, created_at: "2026-01-01T00:00:00Z" }));
      return { data, has_more: false, first_id: data[0]?.id, last_id: data.at(-1)?.id };
    },
  };
}

const refuse = (status: number, message: string): ProviderRefusal => ({
  status,
  message,
  body: { type: "error", error: { type: TYPES[status] ?? "api_error", message }, request_id: "req_scripted" },
});

const lengthFault = (tokens: number, limit: number | undefined) =>
  limit === undefined || tokens <= limit ? undefined : `prompt is too long: ${tokens} tokens > ${limit} maximum`;
