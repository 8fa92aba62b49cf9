import { LRUCache } from "lru-cache";
import type { ChatRequest } from "../domain/chat.ts";
import type { Refusal } from "./wire.ts";

const MAX_MODELS = 200;

/** What of the protocol the server of a model is believed to know. */
export interface Skills {
  readonly tools: boolean;
  /** Whether a tool can be demanded or forbidden. */
  readonly toolChoice: boolean;
  readonly schemas: "json_schema" | "json_object" | "none";
  readonly streamOptions: boolean;
  /** Whether messages may have the role `system`, and follow each other in one role. */
  readonly roles: boolean;
  /** How the limit of an answer is called; null where the model's name decides. */
  readonly limitField: "max_tokens" | "max_completion_tokens" | null;
  /** Whether its reasoning has the opening tag that it may be told by; some only write the closing one. */
  readonly opensThinking: boolean;
}

const ALL: Skills = {
  tools: true,
  toolChoice: true,
  schemas: "json_schema",
  streamOptions: true,
  roles: true,
  limitField: null,
  opensThinking: true,
};

/** What was learnt of the models of one endpoint; below the journal, so that the request that is recorded stays the same. */
export class SkillMemory {
  readonly #models = new LRUCache<string, Skills>({ max: MAX_MODELS });

  of(model: string): Skills {
    return this.#models.get(model) ?? ALL;
  }

  /** The model was seen to write only the closing tag of its reasoning. */
  learnUnopened(model: string): void {
    this.#models.set(model, { ...this.of(model), opensThinking: false });
  }

  /** Takes a lesson from a refusal: whether it is worth asking again at once. */
  learn(model: string, refusal: Refusal, request: ChatRequest): boolean {
    const lesson = lessonOf(refusal, request, this.of(model));
    if (lesson === null) return false;
    this.#models.set(model, { ...this.of(model), ...lesson });
    return true;
  }
}

const STATUSES = new Set([400, 404, 405, 415, 422, 500, 501]);
const UNKNOWN =
  /not (?:be )?(?:support|allow|implement|permit|enabl|available)|n't support|unsupported|unrecogni[sz]ed|unknown|unexpected|extra (?:inputs|fields)|requires?\b|invalid|unavailable|no endpoints/i;
/** It is known, but the number does not please. */
const TOO_LARGE = /too (?:large|big|high)|at most|maximum|exceed|less than|range/i;

const ROLES = /system[ -]?(?:role|message|prompt)s?[^.]{0,30}(?:not |n't |un)(?:be )?(?:support|allow)|roles must alternate/i;

function lessonOf({ status, body }: Refusal, { tools, toolChoice, schema }: ChatRequest, known: Skills): Partial<Skills> | null {
  if (STATUSES.has(status) && known.roles && ROLES.test(body)) return { roles: false };
  if (!STATUSES.has(status) || !UNKNOWN.test(body)) return null;
  if (known.streamOptions && /stream_options|include_usage/i.test(body)) return { streamOptions: false };
  if (schema !== null && /response_format|json_?_?schema|structured output|json_object|guided/i.test(body)) return fewerSchemas(known);
  if (known.limitField === null && /max_(?:completion_)?tokens/i.test(body) && !TOO_LARGE.test(body))
    return { limitField: limitField(body) };
  if (tools.length === 0 || !known.tools) return null;
  if (toolChoice !== "auto" && known.toolChoice && /tool_choice/i.test(body)) return { toolChoice: false };
  return lacksTools(body) ? { tools: false } : null;
}

function fewerSchemas({ schemas }: Skills): Partial<Skills> | null {
  if (schemas === "none") return null;
  return { schemas: schemas === "json_schema" ? "json_object" : "none" };
}

/** The one that is named first is the one that was refused. */
function limitField(body: string): Skills["limitField"] {
  return /max_(?:completion_)?tokens/i.exec(body)?.[0] === "max_tokens" ? "max_completion_tokens" : "max_tokens";
}

const TOOLS_NEED = /(?:tools?|functions?) ?(?:use|calls?|calling|choice|param\w*)[^.]{0,20}requires?\b/i;
const TOOLS_UNKNOWN =
  /\b(?:tools?|functions?)\b(?: ?(?:use|calls?|calling))?:?[^.:]{0,20}(?:not (?:be )?(?:support|enabl|available|allow|implement|permit)|unsupported)/i;
const UNKNOWN_TOOLS = /(?:not support|n't support|unsupported|unrecogni[sz]ed|unknown|no endpoints)[^.]{0,60}\b(?:tools?|functions?)\b/i;
const EXTRA_TOOLS = /\btools\b.{0,40}extra (?:inputs|fields)/i;

function lacksTools(body: string): boolean {
  return [TOOLS_NEED, TOOLS_UNKNOWN, UNKNOWN_TOOLS, EXTRA_TOOLS].some((words) => words.test(body));
}
