import { firstRefusal, type Provider, type ProviderRefusal } from "../provider.ts";
import { promptTokensOf, wireOf } from "../wire.ts";
import { type FieldFault, fieldFaults, valueFault } from "./fields.ts";
import { GEMINI_FORMAT } from "./frames.ts";
import { contentsFault } from "./history.ts";
import { PATH, readContents } from "./read.ts";

export interface GeminiOptions {
  /** The only accepted key. */
  readonly requireKey?: string;
  /** If given, other models are refused with 404. */
  readonly models?: readonly string[];
  readonly maxContextTokens?: number;
  /** Keywords that it takes in schemas besides those of its subset. */
  readonly keywords?: readonly string[];
  /** Refuses signatures that belong to another call. By default, a call only has to be signed. */
  readonly exactSignatures?: boolean;
}

const STATUSES: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  500: "INTERNAL",
  503: "UNAVAILABLE",
};

/** Gemini's generateContent and streamGenerateContent. */
export function gemini({ requireKey, models, maxContextTokens, keywords = [], exactSignatures = false }: GeminiOptions = {}): Provider {
  return {
    basePath: "",
    asksModel: (path) => PATH.test(path),
    read: readContents,
    refuse,
    refusalOf({ headers, query, body }, neutral) {
      const wrong = (message: string | undefined) => (message === undefined ? undefined : refuse(400, message));
      const key = headers["x-goog-api-key"] ?? query.get("key");
      return firstRefusal<ProviderRefusal>([
        () => (requireKey === undefined || key === requireKey ? undefined : refuse(400, "API key not valid.")),
        () => (models === undefined || models.includes(neutral.model) ? undefined : refuse(404, `models/${neutral.model} is not found`)),
        () => wrong(neutral.stream && query.get("alt") !== "sse" ? "This server streams with alt=sse only." : undefined),
        () => badFields(fieldFaults(body, keywords)),
        () => wrong(valueFault(body, neutral)),
        () => wrong(contentsFault(body, neutral, exactSignatures)),
        () => wrong(lengthFault(promptTokensOf(neutral), maxContextTokens)),
      ]);
    },
    wire: (behavior, accepted) => wireOf(GEMINI_FORMAT, behavior, accepted),
    answer(route) {
      if (route !== "GET /v1beta/models") return undefined;
      const methods = ["generateContent", "countTokens"];
      return {
        models: (models ?? ["scripted"]).map((id) => ({
          name: `models/${id}`,
          supportedGenerationMethods: methods,
          inputTokenLimit: 1_048_576,
        })),
      };
    },
  };
}

const refuse = (status: number, message: string, details?: readonly unknown[]): ProviderRefusal => ({
  status,
  message,
  body: { error: { code: status, message, status: STATUSES[status] ?? "UNKNOWN", ...(details ? { details } : {}) } },
});

function badFields(faults: readonly FieldFault[]): ProviderRefusal | undefined {
  if (faults.length === 0) return undefined;
  const details = [{ "@type": "type.googleapis.com/google.rpc.BadRequest", fieldViolations: faults }];
  return refuse(400, faults.map(({ description }) => description).join("\n"), details);
}

const lengthFault = (tokens: number, limit: number | undefined) =>
  limit === undefined || tokens <= limit
    ? undefined
    : `The input token count (${tokens}) exceeds the maximum number of tokens allowed (${limit}).`;
