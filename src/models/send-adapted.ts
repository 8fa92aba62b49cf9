import type { ChatDelta, ChatReply, ChatRequest } from "../domain/chat.ts";
import type { KeptReplies } from "../domain/ports/effects.ts";
import { DossierError } from "../errors.ts";
import { maskSoFar } from "../util/mask-values.ts";
import { createTurns } from "../util/turns.ts";
import { ReplyAssembler, readChunk } from "./assemble-reply.ts";
import { retryDelayOf, type TryClock } from "./backoff.ts";
import { HttpExchange, type ModelEndpoint, streamChunks } from "./completions-client.ts";
import { deltaPieces } from "./delta-pieces.ts";
import { connectionFailure, failureOf, serverErrorOf, streamErrorOf } from "./read-failure.ts";
import type { KnownCapabilities, Refusal, ServerCapabilities } from "./server-capabilities.ts";
import { CallsInText } from "./tool-calls.ts";

const MAX_ADAPTATIONS = 6;

export interface SendContext {
  readonly endpoint: ModelEndpoint;
  readonly capabilities: KnownCapabilities;
  readonly clock: TryClock;
  readonly signal: AbortSignal;
  readonly push: (delta: ChatDelta) => void;
  readonly onWait: (ms: number) => void;
  readonly replies: KeptReplies;
}

const ANSWER = "answer";

/**
 * Sends the request again without a feature that the server refuses, or with a smaller output limit. @throws DossierError
 * `model_unavailable` if another try may help, `model_refused`, `context_too_large`, `timeout`
 */
export async function sendAdapted(request: ChatRequest, context: SendContext): Promise<ChatReply> {
  let smallerLimit: number | null = null;
  const kept = context.replies.take(ANSWER);
  for (let adaptations = 0; ; adaptations += 1) {
    const abort = new AbortController();
    const signal = AbortSignal.any([context.signal, context.clock.signal, abort.signal]);
    // A kept answer is read with the capabilities that its request had.
    const capabilities = kept === null ? context.capabilities.of(request.model) : (kept.head as unknown as ServerCapabilities);
    const keep = (body: Uint8Array): void => context.replies.keep(ANSWER, { head: { ...capabilities }, body });
    const exchange = new HttpExchange(context.endpoint, signal, {
      kept: kept?.body ?? null,
      keep,
      whileWaiting: context.replies.whileWaiting,
    });
    const sent = smallerLimit === null ? request : { ...request, maxOutputTokens: smallerLimit };
    try {
      return await readReply(sent, context, exchange, capabilities);
    } catch (error) {
      context.signal.throwIfAborted();
      context.clock.signal.throwIfAborted();
      if (exchange.refusal === null) throw error instanceof DossierError ? error : connectionFailure(error, context.endpoint);
      const { status, headers, body } = exchange.refusal;
      if (adaptations < MAX_ADAPTATIONS && context.capabilities.learn(request.model, exchange.refusal, request)) continue;
      if (smallerLimit === null) {
        smallerLimit = fittingOutput(exchange.refusal, request.maxOutputTokens);
        if (smallerLimit !== null) continue;
      }
      const wait = retryDelayOf(headers, Date.now());
      if (wait !== null) context.onWait(wait);
      throw failureOf(serverErrorOf(status, body), context.endpoint, request.model);
    } finally {
      // Closes a response that was not read to its end.
      abort.abort();
    }
  }
}

async function readReply(
  request: ChatRequest,
  context: SendContext,
  exchange: HttpExchange,
  capabilities: ServerCapabilities,
): Promise<ChatReply> {
  const { clock, endpoint } = context;
  const assembler = new ReplyAssembler(request, { lacksOpeningTag: !capabilities.opensThinking });
  const callFilter = new CallsInText(request.toolChoice === "none" ? [] : request.tools, !capabilities.tools);
  const gatherer = new DeltaGatherer(context.push, endpoint.secrets);
  const turn = createTurns(exchange.signal);
  const gather = async (delta: ChatDelta): Promise<void> => {
    for (const piece of deltaPieces(delta)) {
      await turn();
      gatherer.add(piece);
    }
  };
  try {
    clock.requestSent();
    for await (const chunk of streamChunks(request, exchange, capabilities)) {
      // A server may send a megabyte in one chunk, and parsing it took a part of this turn.
      await turn();
      const { error } = readChunk(chunk);
      if (error !== null) throw failureOf(streamErrorOf(error), endpoint, request.model);
      await gather(callFilter.push(assembler.push(chunk)));
      if (assembler.hasBegun) clock.pieceReceived();
      if (assembler.endedEarly) break;
    }
    if (!assembler.endedEarly) checkEnd(assembler, exchange);
    await turn();
    const { delta, reply } = assembler.end();
    if (assembler.lacksOpeningTag) context.capabilities.learnMissingOpeningTag(request.model);
    const ended = callFilter.end(delta, reply);
    await gather(ended.delta);
    gatherer.end();
    return { ...ended.reply, model: ended.reply.model || request.model };
  } finally {
    gatherer.stop();
  }
}

/** A lost connection may look like the end of the stream. */
function checkEnd(assembler: ReplyAssembler, { whole, signal }: HttpExchange): void {
  signal.throwIfAborted();
  if (assembler.hasFinishReason || (whole && assembler.hasBegun)) return;
  const what = assembler.hasBegun ? "in the middle of the answer" : "before it began to answer";
  throw new DossierError("model_unavailable", `The model's server ended the connection ${what}.`);
}

const STATUSES = new Set([400, 413, 422]);
const ABOUT_OUTPUT = /max_(?:completion_|output_|new_)?tokens|in the completion|completion tokens|output tokens/i;
const TOO_MUCH = /too (?:large|big|high|many|long)|at most|maximum|exceed|less than|range|reduce/i;
const CONTEXT = /(?:maximum context length|max_model_len|context (?:length|size|window)) ?(?:is|of|:|=)? ?\(?(\d{3,8})/i;
const INPUT =
  /(\d+) (?:input tokens|prompt tokens|tokens? (?:in|from) (?:the |your )?(?:messages|prompt|input)|in (?:the |your )?(?:messages|prompt))/i;
const AT_MOST = /at most (\d{2,8}) (?:completion|output)/i;
const MARGIN_TOKENS = 16;
const MIN_OUTPUT_TOKENS = 100;

/** Returns the largest output limit in tokens that the refusal allows, or half of the limit sent. Null for other refusals. */
function fittingOutput({ status, body }: Refusal, maxOutputTokens: number): number | null {
  if (!STATUSES.has(status) || !ABOUT_OUTPUT.test(body) || !TOO_MUCH.test(body)) return null;
  const [context, input, most] = [CONTEXT, INPUT, AT_MOST].map((words) => Number(words.exec(body)?.[1] ?? Number.NaN)) as number[];
  const named = [(context ?? Number.NaN) - (input ?? Number.NaN) - MARGIN_TOKENS, most ?? Number.NaN].filter(Number.isFinite);
  const fitting = named.length > 0 ? Math.min(...named) : Math.floor(maxOutputTokens / 2);
  return fitting >= MIN_OUTPUT_TOKENS && fitting < maxOutputTokens ? fitting : null;
}

const GATHER_MS = 50;
const GATHER_CHARACTERS = 400;

/**
 * Joins small pieces, so that the journal does not record every token. The first piece is not delayed. Masks the key of the server, also
 * where pieces divide it.
 */
class DeltaGatherer {
  readonly #push: (delta: ChatDelta) => void;
  readonly #secrets: readonly string[];
  #content = "";
  #reasoning = "";
  #calls: ChatDelta["toolCalls"] = [];
  #flushedAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  constructor(push: (delta: ChatDelta) => void, secrets: readonly string[] = []) {
    this.#push = push;
    this.#secrets = secrets;
  }

  add({ content, reasoning, toolCalls }: ChatDelta): void {
    this.#content += content;
    this.#reasoning += reasoning;
    this.#calls = [...this.#calls, ...toolCalls];
    const wait = this.#flushedAt + GATHER_MS - performance.now();
    if (wait <= 0 || this.#content.length + this.#reasoning.length >= GATHER_CHARACTERS) return this.flush();
    this.#timer ??= setTimeout(() => this.flush(), wait);
  }

  flush(secrets = this.#secrets): void {
    this.stop();
    const [content, heldContent] = maskSoFar(this.#content, secrets);
    const [reasoning, heldReasoning] = maskSoFar(this.#reasoning, secrets);
    const toolCalls = this.#calls;
    [this.#content, this.#reasoning, this.#calls] = [heldContent, heldReasoning, []];
    if (content === "" && reasoning === "" && toolCalls.length === 0) return;
    this.#flushedAt = performance.now();
    this.#push({ content, reasoning, toolCalls });
  }

  end(): void {
    this.flush();
    this.flush([]);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
