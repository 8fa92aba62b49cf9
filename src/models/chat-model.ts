import PQueue from "p-queue";
import { type ChatDelta, type ChatReply, type ChatRequest, estimateInput } from "../domain/chat.ts";
import { copyJson } from "../domain/json.ts";
import type { Effects, KeptReplies } from "../domain/ports/effects.ts";
import { type CallOptions, type ChatModel, DEFAULT_CONNECTIONS } from "../domain/ports/models.ts";
import { OWN_LIMITS, type SharedLimits } from "../domain/ports/shared-limits.ts";
import { DossierError, toDossierError } from "../errors.ts";
import { askModel, placeOf, type Target } from "./ask-model.ts";
import { backoffMs, MAX_BACKOFF_MS, type ModelLimits, TryClock, waitFor } from "./backoff.ts";
import { costOf, fitToBudget, priceOf } from "./call-budget.ts";
import type { ModelEndpoint } from "./exchange.ts";
import { KnownModels } from "./ladder.ts";
import { createDefaultModel } from "./list-models.ts";
import { dividedName, loadClass, OPENAI, PROVIDERS } from "./providers.ts";
import { contextTooLarge, isUnreached } from "./read-failure.ts";
import { type CountedPrompt, cutAt } from "./sizes.ts";
import { TryEvents } from "./try-events.ts";

const MAX_TRIES = 3;
/** The prompts whose counts are compared. */
const MAX_PROMPTS = 8;
/** Makes the timeout of the effect longer than the limits of a try, whose errors are clearer. */
const GRACE_MS = 5_000;

interface ChatModelOptions {
  /** The OpenAI-compatible server of models without a provider in their names. */
  readonly endpoint: ModelEndpoint | null;
  /** The servers of other providers, by the provider's name; null if the provider has no key. */
  readonly endpointOf?: (provider: string) => ModelEndpoint | null;
  readonly known?: KnownModels;
  readonly limits: ModelLimits;
  /** The maximum number of calls at the same time. Further calls wait. */
  readonly connections?: number;
  /** Keeps the number of calls below `connections` in all processes together. */
  readonly shared?: SharedLimits;
}

/** A piece of the reply, or what happens while the call waits for a connection. */
type CallPiece = ChatDelta | { readonly ahead: number } | { readonly waitedMs: number };

type Lengths = { content: number; reasoning: number; toolCalls: number };

/** Pushes what follows after the pieces that an earlier process recorded of the same answer. */
function withoutPassed(passed: Lengths, push: (piece: CallPiece) => void): (piece: CallPiece) => void {
  const rest = <Part extends string | ChatDelta["toolCalls"]>(part: Part, of: keyof Lengths): Part => {
    const known = Math.min(part.length, passed[of]);
    passed[of] -= known;
    return part.slice(known) as Part;
  };
  return (piece) => {
    if (!("content" in piece)) return push(piece);
    const content = rest(piece.content, "content");
    const reasoning = rest(piece.reasoning, "reasoning");
    const toolCalls = rest(piece.toolCalls, "toolCalls");
    if (content !== "" || reasoning !== "" || toolCalls.length > 0) push({ content, reasoning, toolCalls });
  };
}

type Receipt = ChatReply & { readonly costUsd: number };

export function createChatModel(options: ChatModelOptions): ChatModel {
  const { limits, connections = DEFAULT_CONNECTIONS, known = new KnownModels(), shared = OWN_LIMITS } = options;
  const targetOf = createTargets(options);
  const breaker = new CircuitBreaker();
  const slots = new PQueue({ concurrency: connections });
  return {
    async complete(request, options, effects) {
      return new ModelCall({ request, options, effects, limits, targetOf, known, breaker, slots, shared }).complete();
    },
  };
}

type TargetOf = (model: string, signal: AbortSignal) => Promise<Target>;

function createTargets({ endpoint, endpointOf = () => null }: ChatModelOptions): TargetOf {
  const defaultModel = endpoint === null ? async () => "" : createDefaultModel(endpoint);
  return async (model, signal) => {
    const { id, name } = dividedName(model);
    const provider = PROVIDERS[id] ?? OPENAI;
    const own = id === "openai" ? endpoint : endpointOf(id);
    if (own === null) throw new DossierError("model_refused", `No key is set for the model ${model}. Set ${provider.variable}_API_KEY.`);
    return { provider, modelClass: await loadClass(provider), endpoint: own, model: name || (await defaultModel(signal)) };
  };
}

interface CallContext {
  readonly request: ChatRequest;
  readonly options: CallOptions;
  readonly effects: Effects;
  readonly limits: ModelLimits;
  readonly targetOf: TargetOf;
  readonly known: KnownModels;
  readonly breaker: CircuitBreaker;
  readonly slots: PQueue;
  readonly shared: SharedLimits;
}

/** Whether another try follows depends only on recorded data, so that a replay decides the same. */
class ModelCall {
  readonly #context: CallContext;
  readonly #callId: string;
  readonly #startedAt: number;
  readonly #provider: string;
  #wait: number | null = null;
  /** How long all tries waited for a connection. This does not count as time of the call. */
  #waitedMs = 0;
  /** The time of the call at which it began to wait for a connection; null while it does not wait. */
  #waitsSince: number | null = null;

  constructor(context: CallContext) {
    this.#context = context;
    this.#callId = context.effects.nextId();
    this.#startedAt = context.effects.now();
    this.#provider = dividedName(context.request.model).id;
  }

  async complete(): Promise<ChatReply> {
    const { effects, options, breaker } = this.#context;
    breaker.check(this.#provider, effects);
    let failed = 0;
    for (let number = 1; ; number += 1) {
      try {
        return await this.#try(number, failed);
      } catch (thrown) {
        effects.signal.throwIfAborted();
        const error = toDossierError(thrown);
        if (error.code !== "interrupted") failed += 1;
        this.#throwIfFinal(error, failed);
        effects.emit({ type: "call-restarted", callId: this.#callId, try: number + 1, reason: error.message });
        options.restart?.();
      }
    }
  }

  #throwIfFinal(error: DossierError, failed: number): void {
    if (error.code === "interrupted") return;
    const { options, effects, breaker } = this.#context;
    // With `rate_limited`, the server asks for a longer delay than the time left. With `blocked`, it refuses the key.
    if (error.code === "rate_limited") throw new DossierError("model_unavailable", error.message);
    if (error.code === "blocked") throw this.#openBreaker(new DossierError("model_refused", error.message));
    if (error.code !== "model_unavailable" && error.code !== "unreachable") throw error;
    if (error.code === "unreachable") breaker.check(this.#provider, effects);
    const { tries = MAX_TRIES } = options;
    const last = new DossierError(
      "model_unavailable",
      `${error.message} It was tried ${failed === 1 ? "once" : `${failed} times`}; try again later.`,
    );
    if (failed >= tries) throw error.code === "unreachable" ? this.#openBreaker(last) : last;
    if (Math.min(...this.#timeLeft()) <= 0)
      throw new DossierError("model_unavailable", `${error.message} The time for the call is used up.`);
  }

  #openBreaker(error: DossierError): DossierError {
    this.#context.breaker.open(this.#provider, error, this.#context.effects);
    return error;
  }

  async #try(number: number, failed: number): Promise<ChatReply> {
    const { options, effects } = this.#context;
    const request = fitToBudget(this.#context.request, options, effects);
    const shown = new TryEvents(options, effects, { callId: this.#callId, try: number });
    this.#endWait();
    const [callMs, runMs] = this.#timeLeft().map((ms) => Math.max(ms, 1)) as [number, number];
    const passed = { content: 0, reasoning: 0, toolCalls: 0 };
    const { costUsd, ...reply } = await effects.stream<Receipt, CallPiece>({
      kind: "model",
      request: copyJson(request),
      timeoutMs: Math.min(runMs, options.limits.seconds * 1_000) + MAX_BACKOFF_MS + GRACE_MS,
      live: (signal, push, replies) =>
        this.#live({ request, callMs, runMs, failed, signal, push: withoutPassed({ ...passed }, push), replies }),
      onPiece: (piece) => {
        if ("ahead" in piece) {
          this.#waitsSince = effects.elapsedMs(this.#startedAt);
          effects.emit({ type: "call-waiting", callId: this.#callId, try: number, ahead: piece.ahead });
        } else if ("waitedMs" in piece) {
          this.#waitsSince = null;
          this.#waitedMs += piece.waitedMs;
        } else {
          passed.content += piece.content.length;
          passed.reasoning += piece.reasoning.length;
          passed.toolCalls += piece.toolCalls.length;
          shown.piece(piece);
        }
      },
    });
    await shown.end(reply);
    effects.emit({ type: "usage", callId: this.#callId, model: reply.model, usage: reply.usage, costUsd, spent: effects.spent() });
    return reply;
  }

  async #live({ request, callMs, runMs, failed, signal, push, replies }: Live): Promise<Receipt> {
    const { limits, targetOf } = this.#context;
    const began = performance.now();
    const waitMs = this.#wait;
    this.#wait = null;
    const waited = { ms: 0 };
    const clock = new TryClock({ ...limits, runMs });
    const either = AbortSignal.any([signal, clock.signal]);
    try {
      // The backoff leaves at least half of the time for the request.
      await waitFor(backoffMs(failed + 1, waitMs, Math.min(callMs, runMs) / 2), either);
      const backedOff = performance.now() - began;
      return await this.#whenConnected({ push, signal: either }, waited, async () => {
        clock.connected(Math.max(callMs - backedOff, 1));
        const target = await targetOf(request.model, either);
        return this.#send(request, { clock, signal, push, replies, failed, target });
      });
    } catch (error) {
      either.throwIfAborted();
      const elapsed = performance.now() - began;
      const restMs = Math.min(callMs - (elapsed - waited.ms), runMs - elapsed);
      throw this.#classify(toDossierError(error), restMs);
    } finally {
      clock.stop();
    }
  }

  /** Calls `send` as soon as fewer calls than connections are open. Reports that it waits, and for how long it did. */
  async #whenConnected<T>({ push, signal }: Pick<Live, "push" | "signal">, waited: { ms: number }, send: () => Promise<T>): Promise<T> {
    const { slots, shared } = this.#context;
    const began = performance.now();
    let isWaiting = false;
    const onWait = (): void => {
      if (!isWaiting) push({ ahead: slots.size });
      isWaiting = true;
    };
    if (slots.pending >= slots.concurrency) onWait();
    const connected = async (): Promise<T> => {
      const leave = await shared.enter("models", slots.concurrency, { onWait, signal });
      try {
        // The caller has gone on already.
        signal.throwIfAborted();
        if (isWaiting) {
          waited.ms = Math.round(performance.now() - began);
          push({ waitedMs: waited.ms });
        }
        return await send();
      } finally {
        leave();
      }
    };
    return slots.add(connected, { signal });
  }

  async #send(request: ChatRequest, { clock, signal, push, replies, failed, target }: Sending): Promise<Receipt> {
    const { known, options } = this.#context;
    const onWait = (ms: number): void => {
      this.#wait = ms;
    };
    const { contextTokens } = options.models;
    const reply = await askModel(request, { target, known, clock, signal, push, onWait, replies, contextTokens, failed });
    this.#checkPrompt({ estimated: estimateInput(request), reported: reply.usage.inputTokens }, reply, target);
    return { ...reply, costUsd: costOf(priceOf(options.models.prices, request.model), reply.usage) };
  }

  /** Some servers cut a prompt at their own context without a word. Their count of it tells. @throws DossierError `context_too_large` */
  #checkPrompt(prompt: CountedPrompt, { usage }: ChatReply, target: Target): void {
    if (usage.estimated) return;
    const { known } = this.#context;
    const place = placeOf(target);
    const { prompts } = known.of(place);
    const cut = cutAt(prompt, prompts);
    known.learn(place, { prompts: [...prompts, prompt].slice(-MAX_PROMPTS), ...(typeof cut === "number" && { contextTokens: cut }) });
    if (cut === null) return;
    const why = `The server of ${target.model} read ${prompt.reported} tokens of a prompt of about ${prompt.estimated} and said nothing of the rest.`;
    throw contextTooLarge(why, cut === "suspected" ? null : cut);
  }

  #classify(error: DossierError, restMs: number): DossierError {
    if (isUnreached(error)) return new DossierError("unreachable", error.message, { cause: error });
    if (error.code !== "model_unavailable" || this.#wait === null || this.#wait <= restMs) return error;
    return new DossierError("rate_limited", `${error.message} It accepts requests again in ${Math.ceil(this.#wait / 1_000)} seconds.`);
  }

  /** The process may have ended while the last try waited for a connection. */
  #endWait(): void {
    if (this.#waitsSince === null) return;
    this.#waitedMs += this.#context.effects.elapsedMs(this.#startedAt) - this.#waitsSince;
    this.#waitsSince = null;
  }

  /** The milliseconds that the call and the run have left. A limit that is not below the call's own is not one of the run. */
  #timeLeft(): [callMs: number, runMs: number] {
    const { effects, limits, options } = this.#context;
    const elapsed = effects.elapsedMs(this.#startedAt);
    const { timeoutMs = limits.callMs } = options;
    const runMs = timeoutMs < limits.callMs ? timeoutMs - elapsed : Number.POSITIVE_INFINITY;
    return [limits.callMs - (elapsed - this.#waitedMs), runMs];
  }
}

interface Live {
  readonly request: ChatRequest;
  readonly callMs: number;
  readonly runMs: number;
  readonly failed: number;
  readonly signal: AbortSignal;
  readonly push: (piece: CallPiece) => void;
  readonly replies: KeptReplies;
}

type Sending = Pick<Live, "signal" | "push" | "replies" | "failed"> & { readonly clock: TryClock; readonly target: Target };

const OPEN_MS = 30_000;

/** After the server of a provider was unreachable or refused the key, calls to it fail at once for OPEN_MS. */
class CircuitBreaker {
  readonly #failures = new WeakMap<object, Map<string, { readonly error: DossierError; readonly at: number }>>();

  open(provider: string, error: DossierError, { execution, now }: Effects): void {
    const failures = this.#failures.get(execution) ?? new Map();
    this.#failures.set(execution, failures.set(provider, { error, at: now() }));
  }

  check(provider: string, { execution, elapsedMs }: Effects): void {
    const failure = this.#failures.get(execution)?.get(provider);
    if (failure === undefined || elapsedMs(failure.at) >= OPEN_MS) return;
    throw new DossierError(failure.error.code, failure.error.message, { cause: failure.error });
  }
}
