import type { ChatDelta, ChatReply, ChatRequest } from "../domain/chat.ts";
import { DossierError } from "../errors.ts";
import { ReplyAssembler } from "./assemble-reply.ts";
import { streamChunks } from "./completions-client.ts";
import type { ModelEndpoint } from "./endpoint.ts";
import { GatheredCalls } from "./gather-calls.ts";
import { fieldsOf, isFields } from "./raw-json.ts";
import { readChunk } from "./read-chunk.ts";
import { complaintInStream, complaintOf, connectionFailure, failureOf } from "./read-failure.ts";
import type { SkillMemory } from "./skills.ts";
import type { TryClock } from "./time-limits.ts";
import { waitAskedFor } from "./waits.ts";
import { type Refusal, Wire } from "./wire.ts";

/** How often a server may be asked again at once with less of the protocol. */
const MAX_LESSONS = 6;

export interface Try {
  readonly endpoint: ModelEndpoint;
  readonly skills: SkillMemory;
  readonly clock: TryClock;
  readonly signal: AbortSignal;
  readonly push: (delta: ChatDelta) => void;
  /** Told when the server says how many milliseconds to wait before the next try. */
  readonly onWait: (ms: number) => void;
}

/**
 * Asks the model's server once; what it does not know of the protocol is left out at once, and remembered. Where it has no room for
 * the longest answer, it is asked once more for a shorter one.
 * @throws DossierError `model_unavailable` where another try may help, `model_refused`, `context_too_large`, `timeout`
 */
export async function askOnce(request: ChatRequest, given: Try): Promise<ChatReply> {
  let fitted: number | null = null;
  for (let lessons = 0; ; lessons += 1) {
    const abort = new AbortController();
    const signal = AbortSignal.any([given.signal, given.clock.signal, abort.signal]);
    const wire = new Wire(given.endpoint, signal);
    try {
      return await readReply(fitted === null ? request : { ...request, maxOutputTokens: fitted }, given, { wire, signal, abort });
    } catch (error) {
      given.signal.throwIfAborted();
      given.clock.signal.throwIfAborted();
      if (wire.refusal === null) throw failureInStream(error, given.endpoint, request.model);
      const { status, headers, body } = wire.refusal;
      if (lessons < MAX_LESSONS && given.skills.learn(request.model, wire.refusal, request)) continue;
      if (fitted === null) {
        fitted = fittingOutput(wire.refusal, request.maxOutputTokens);
        if (fitted !== null) continue;
      }
      const wait = waitAskedFor(headers, Date.now());
      if (wait !== null) given.onWait(wait);
      throw failureOf(complaintOf(status, body), given.endpoint, request.model);
    }
  }
}

interface Exchange {
  readonly wire: Wire;
  readonly signal: AbortSignal;
  readonly abort: AbortController;
}

async function readReply(request: ChatRequest, given: Try, { wire, signal, abort }: Exchange): Promise<ChatReply> {
  const { clock, endpoint } = given;
  const skills = given.skills.of(request.model);
  const assembler = new ReplyAssembler(request, { unopened: !skills.opensThinking });
  const held = new GatheredCalls(request.toolChoice === "none" ? [] : request.tools, !skills.tools);
  const gatherer = new DeltaGatherer(given.push);
  try {
    clock.ask();
    for await (const chunk of await streamChunks(endpoint, request, { wire, skills, signal })) {
      const { error } = readChunk(chunk);
      if (error !== null) throw failureOf(complaintInStream(error), endpoint, request.model);
      gatherer.add(held.pass(assembler.push(chunk)));
      if (assembler.began) clock.tick();
      if (assembler.enough) break;
    }
    if (!assembler.enough) checkEnd(assembler, wire, signal);
    const { delta, reply } = assembler.end();
    if (assembler.unopened) given.skills.learnUnopened(request.model);
    const ended = held.end(delta, reply);
    gatherer.add(ended.delta);
    gatherer.flush();
    return { ...ended.reply, model: ended.reply.model || request.model };
  } finally {
    gatherer.stop();
    // Whatever the library still holds of the answer; after its end this does nothing.
    abort.abort();
  }
}

/** The library ends its stream quietly when it is aborted or the connection is. */
function checkEnd(assembler: ReplyAssembler, { whole }: Wire, signal: AbortSignal): void {
  signal.throwIfAborted();
  if (assembler.finished || (whole && assembler.began)) return;
  const what = assembler.began ? "in the middle of the answer" : "before it began to answer";
  throw new DossierError("model_unavailable", `The model's server ended the connection ${what}.`);
}

/** The library throws what a stream says with `error`; anything else is the connection's doing. */
function failureInStream(error: unknown, endpoint: ModelEndpoint, model: string): DossierError {
  if (error instanceof DossierError) return error;
  const said = fieldsOf(error)["error"];
  return isFields(said) ? failureOf(complaintInStream(said), endpoint, model) : connectionFailure(error, endpoint);
}

const STATUSES = new Set([400, 413, 422]);
/** The refusal is about how long the answer may be. */
const ABOUT_OUTPUT = /max_(?:completion_|output_|new_)?tokens|in the completion|completion tokens|output tokens/i;
const TOO_MUCH = /too (?:large|big|high|many|long)|at most|maximum|exceed|less than|range|reduce/i;
const CONTEXT = /(?:maximum context length|max_model_len|context (?:length|size|window)) ?(?:is|of|:|=)? ?\(?(\d{3,8})/i;
const INPUT =
  /(\d+) (?:input tokens|prompt tokens|tokens? (?:in|from) (?:the |your )?(?:messages|prompt|input)|in (?:the |your )?(?:messages|prompt))/i;
const AT_MOST = /at most (\d{2,8}) (?:completion|output)/i;
/** Servers count some tokens more than they say. */
const MARGIN = 16;
const LEAST_TOKENS = 100;

/**
 * The longest answer that the server may still allow to the request that it refused because of the one asked for: by the numbers
 * that it names, or half of it. Null where the refusal is of another kind or what is left is no answer.
 */
function fittingOutput({ status, body }: Refusal, maxOutputTokens: number): number | null {
  if (!STATUSES.has(status) || !ABOUT_OUTPUT.test(body) || !TOO_MUCH.test(body)) return null;
  const [context, input, most] = [CONTEXT, INPUT, AT_MOST].map((words) => Number(words.exec(body)?.[1] ?? Number.NaN)) as number[];
  const named = [(context ?? Number.NaN) - (input ?? Number.NaN) - MARGIN, most ?? Number.NaN].filter(Number.isFinite);
  const fitting = named.length > 0 ? Math.min(...named) : Math.floor(maxOutputTokens / 2);
  return fitting >= LEAST_TOKENS && fitting < maxOutputTokens ? fitting : null;
}

const GATHER_MS = 50;
const GATHER_CHARACTERS = 400;

/** Gathers the pieces of a stream, so that a record of it holds a few hundred pieces and not every token. The first goes at once. */
class DeltaGatherer {
  readonly #push: (delta: ChatDelta) => void;
  #content = "";
  #reasoning = "";
  #calls: ChatDelta["toolCalls"] = [];
  #flushedAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  constructor(push: (delta: ChatDelta) => void) {
    this.#push = push;
  }

  add({ content, reasoning, toolCalls }: ChatDelta): void {
    this.#content += content;
    this.#reasoning += reasoning;
    this.#calls = [...this.#calls, ...toolCalls];
    const wait = this.#flushedAt + GATHER_MS - performance.now();
    if (wait <= 0 || this.#content.length + this.#reasoning.length >= GATHER_CHARACTERS) return this.flush();
    this.#timer ??= setTimeout(() => this.flush(), wait);
  }

  /** Hands on what there is; to be called at the end as well. */
  flush(): void {
    this.stop();
    if (this.#content === "" && this.#reasoning === "" && this.#calls.length === 0) return;
    this.#flushedAt = performance.now();
    const delta = { content: this.#content, reasoning: this.#reasoning, toolCalls: this.#calls };
    this.#content = "";
    this.#reasoning = "";
    this.#calls = [];
    this.#push(delta);
  }

  /** Nothing more is handed on by itself. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
