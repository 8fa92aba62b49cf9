import { LRUCache } from "lru-cache";
import type { ChatRequest } from "../domain/chat.ts";
import { alternatives } from "../util/alternatives.ts";

export interface Refusal {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

const MAX_MODELS = 200;

/** The features of OpenAI's protocol that a server supports. All are assumed until the server refuses one. */
export interface ServerCapabilities {
  readonly tools: boolean;
  readonly toolChoice: boolean;
  readonly schemas: "json_schema" | "json_object" | "none";
  readonly streamOptions: boolean;
  /** The server accepts the role `system` and several messages of one role in a row. */
  readonly roles: boolean;
  readonly limitField: "max_tokens" | "max_completion_tokens" | null;
  /** The server sends `<think>` before reasoning, not only `</think>` after it. */
  readonly opensThinking: boolean;
}

const ALL: ServerCapabilities = {
  tools: true,
  toolChoice: true,
  schemas: "json_schema",
  streamOptions: true,
  roles: true,
  limitField: null,
  opensThinking: true,
};

export class KnownCapabilities {
  readonly #models = new LRUCache<string, ServerCapabilities>({ max: MAX_MODELS });

  of(model: string): ServerCapabilities {
    return this.#models.get(model) ?? ALL;
  }

  learnMissingOpeningTag(model: string): void {
    this.#models.set(model, { ...this.of(model), opensThinking: false });
  }

  /** Removes the feature that the server refused. Returns true if the request should be sent again at once. */
  learn(model: string, refusal: Refusal, request: ChatRequest): boolean {
    const adaptation = adaptationOf(refusal, request, this.of(model));
    if (adaptation === null) return false;
    this.#models.set(model, { ...this.of(model), ...adaptation });
    return true;
  }
}

const STATUSES = new Set([400, 404, 405, 415, 422, 500, 501]);
const UNKNOWN = new RegExp(
  alternatives(`
    not (?:be )?(?:support|allow|implement|permit|enabl|available)|n't support|unsupported|unrecogni[sz]ed|unknown|unexpected
    extra (?:inputs|fields)|requires?\\b|invalid|unavailable|no endpoints`),
  "i",
);
const TOO_LARGE = /too (?:large|big|high)|at most|maximum|exceed|less than|range/i;

const ROLES = /system[ -]?(?:role|message|prompt)s?[^.]{0,30}(?:not |n't |un)(?:be )?(?:support|allow)|roles must alternate/i;

function adaptationOf(
  { status, body }: Refusal,
  { tools, toolChoice, schema }: ChatRequest,
  known: ServerCapabilities,
): Partial<ServerCapabilities> | null {
  if (STATUSES.has(status) && known.roles && ROLES.test(body)) return { roles: false };
  if (!STATUSES.has(status) || !UNKNOWN.test(body)) return null;
  if (known.streamOptions && /stream_options|include_usage/i.test(body)) return { streamOptions: false };
  if (schema !== null && /response_format|json_?_?schema|structured output|json_object|guided/i.test(body)) return fewerSchemas(known);
  if (known.limitField === null && /max_(?:completion_)?tokens/i.test(body) && !TOO_LARGE.test(body))
    return { limitField: limitField(body) };
  if (tools.length === 0 || !known.tools) return null;
  if (toolChoice !== "auto" && known.toolChoice && /tool_choice/i.test(body)) return { toolChoice: false };
  return NO_TOOLS.some((words) => words.test(body)) ? { tools: false } : null;
}

function fewerSchemas({ schemas }: ServerCapabilities): Partial<ServerCapabilities> | null {
  if (schemas === "none") return null;
  return { schemas: schemas === "json_schema" ? "json_object" : "none" };
}

/** A refusal names the refused parameter first, so the other parameter is returned. */
function limitField(body: string): ServerCapabilities["limitField"] {
  return /max_(?:completion_)?tokens/i.exec(body)?.[0] === "max_tokens" ? "max_completion_tokens" : "max_tokens";
}

const TOOLS_NEED = /(?:tools?|functions?) ?(?:use|calls?|calling|choice|param\w*)[^.]{0,20}requires?\b/i;
const TOOLS_UNKNOWN =
  /\b(?:tools?|functions?)\b(?: ?(?:use|calls?|calling))?:?[^.:]{0,20}(?:not (?:be )?(?:support|enabl|available|allow|implement|permit)|unsupported)/i;
const UNKNOWN_TOOLS = /(?:not support|n't support|unsupported|unrecogni[sz]ed|unknown|no endpoints)[^.]{0,60}\b(?:tools?|functions?)\b/i;
const EXTRA_TOOLS = /\btools\b.{0,40}extra (?:inputs|fields)/i;
const NO_TOOLS = [TOOLS_NEED, TOOLS_UNKNOWN, UNKNOWN_TOOLS, EXTRA_TOOLS];
