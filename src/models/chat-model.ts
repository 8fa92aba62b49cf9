import { AsyncResource } from "node:async_hooks";
import PQueue from "p-queue";
import { type ChatDelta, type ChatReply, type ChatRequest, estimateInput, type TokenUsage } from "../domain/chat.ts";
import { copyJson } from "../domain/json.ts";
import type { Effects, KeptReplies } from "../domain/ports/effects.ts";
import { type CallOptions, type ChatModel, DEFAULT_CONNECTIONS } from "../domain/ports/models.ts";
import { OWN_LIMITS, type SharedLimits } from "../domain/ports/shared-limits.ts";
import { DossierError, toDossierError } from "../errors.ts";
import { askModel, type Target } from "./ask-model.ts";
import { backoffMs, MAX_BACKOFF_MS, type ModelLimits, TryClock, waitFor } from "./backoff.ts";
import { costOf, fitToBudget, priceOf } from "./call-budget.ts";
import type { ModelEndpoint } from "./exchange.ts";
import { KnownModels } from "./ladder.ts";
import { createDefaultModel } from "./model-facts.ts";
import { dividedName, loadClass, OPENAI, PROVIDERS } from "./providers.ts";
import { isUnreached } from "./read-failure.ts";
import { TryEvents } from "./try-events.ts";

const MAX_TRIES = 3;
/** Makes the timeout of the effect longer than the limits of a try, whose errors are clearer. */
const GRACE_MS = 5_000;

interface ChatModelOptions {
  /** The OpenAI-compatible server of models without a provider in their names. */
  readonly endpoint: ModelEndpoint | null;
  /** The servers of other providers, by the provider's name; null if the provider has no key. */
  readonly endpointOf?: (provider: string) => ModelEndpoint | null;
  /** Returns the server of a model that the tenant of the run has set. @throws DossierError `model_refused` if it is not set any more */
  readonly tenantsServer?: (runId: string, setting: string) => ModelEndpoint;
  readonly known?: KnownModels;
  readonly limits: ModelLimits;
  /** The maximum number of calls at the same time. Further calls wait. */
  readonly connections?: number;
  /** Keeps the number of calls below `connections` in all processes together. */
  readonly shared?: SharedLimits;
}

/** A piece of the reply, or how many calls are ahead of one that waits for a connection. */
type CallPiece = ChatDelta | { readonly ahead: number };

type Receipt = ChatReply & { readonly costUsd: number };

export function createChatModel(options: ChatModelOptions): ChatModel {
  const { limits, connections = DEFAULT_CONNECTIONS, known = new KnownModels(), shared = OWN_LIMITS } = options;
  const slots = new PQueue({ concurrency: connections });
  const parts = { limits, known, shared, targetOf: createTargets(options), breaker: new CircuitBreaker(), slots };
  return { complete: async (request, options, effects) => new ModelCall(parts, request, options, effects).complete() };
}

function createTargets({ endpoint, endpointOf = () => null, tenantsServer }: ChatModelOptions) {
  const defaultModel = endpoint === null ? async () => "" : createDefaultModel(endpoint);
  /** `setting` is that of the tenant, if it has set the model. */
  return async (model: string, runId: string, setting: string | undefined, signal: AbortSignal): Promise<Target> => {
    const { id, name } = dividedName(model);
    const provider = PROVIDERS[id] ?? OPENAI;
    if (setting !== undefined) {
      const named = { ...provider, variable: `your tenant's ${provider.variable}` };
      if (tenantsServer === undefined) throw new DossierError("model_refused", `The model ${model} of a tenant cannot be asked here.`);
      return { provider: named, modelClass: await loadClass(provider), endpoint: tenantsServer(runId, setting), model: name };
    }
    const own = id === "openai" ? endpoint : endpointOf(id);
    if (own === null) throw new DossierError("model_refused", `No key is set for the model ${model}. Set ${provider.variable}_API_KEY.`);
    return { provider, modelClass: await loadClass(provider), endpoint: own, model: name || (await defaultModel(signal)) };
  };
}

/** What all calls share. */
interface CallParts extends Required<Pick<ChatModelOptions, "limits" | "known" | "shared">> {
  readonly targetOf: ReturnType<typeof createTargets>;
  readonly breaker: CircuitBreaker;
  readonly slots: PQueue;
}

/** Whether another try follows depends only on recorded data, so that a replay decides the same. */
class ModelCall {
  readonly #parts: CallParts;
  readonly #request: ChatRequest;
  readonly #options: CallOptions;
  readonly #effects: Effects;
  readonly #callId: string;
  readonly #startedAt: number;
  readonly #provider: string;
  /** How long the server asked to wait before the next try. */
  #wait: number | null = null;

  constructor(parts: CallParts, request: ChatRequest, options: CallOptions, effects: Effects) {
    this.#parts = parts;
    this.#request = request;
    this.#options = options;
    this.#effects = effects;
    this.#callId = effects.nextId();
    this.#startedAt = effects.now();
    this.#provider = dividedName(request.model).id;
  }

  async complete(): Promise<ChatReply> {
    const effects = this.#effects;
    this.#parts.breaker.check(this.#provider, effects);
    let failed = 0;
    for (let number = 1; ; number += 1) {
      try {
        return await this.#try(number, failed);
      } catch (thrown) {
        effects.signal.throwIfAborted();
        const error = toDossierError(thrown);
        if (error.code !== "interrupted") this.#throwIfFinal(error, ++failed);
        effects.emit({ type: "call-restarted", callId: this.#callId, try: number + 1, reason: error.message });
        this.#options.restart?.();
      }
    }
  }

  #throwIfFinal(error: DossierError, failed: number): void {
    const { breaker } = this.#parts;
    const { code, message } = error;
    // With `rate_limited`, the server asks for a longer delay than the time left. With `blocked`, it refuses the key.
    if (code === "rate_limited") throw new DossierError("model_unavailable", message);
    if (code === "blocked") throw breaker.open(this.#provider, new DossierError("model_refused", message), this.#effects);
    if (code !== "model_unavailable" && code !== "unreachable") throw error;
    if (code === "unreachable") breaker.check(this.#provider, this.#effects);
    if (failed >= (this.#options.tries ?? MAX_TRIES)) {
      const times = failed === 1 ? "once" : `${failed} times`;
      const last = new DossierError("model_unavailable", `${message} It was tried ${times}; try again later.`);
      throw code === "unreachable" ? breaker.open(this.#provider, last, this.#effects) : last;
    }
    if (this.#runMs() <= 0) throw new DossierError("model_unavailable", `${message} The time for the call is used up.`);
  }

  async #try(number: number, failed: number): Promise<ChatReply> {
    const [options, effects] = [this.#options, this.#effects];
    const request = fitToBudget(this.#request, options, effects);
    const shown = new TryEvents(options, effects, { callId: this.#callId, try: number });
    const runMs = Math.max(this.#runMs(), 1);
    const inputTokens = estimateInput(request);
    const { costUsd, ...reply } = await effects.stream<Receipt, CallPiece>({
      kind: "model",
      request: copyJson(request),
      atLeast: { tokens: inputTokens, costUsd: this.#costOf({ inputTokens, outputTokens: 0 }) },
      timeoutMs: Math.min(runMs, options.limits.seconds * 1_000) + MAX_BACKOFF_MS + GRACE_MS,
      live: (signal, push, replies) => {
        // An earlier process recorded pieces of this answer and kept the whole. The rest is shown at the end.
        const pushed = shown.hasPieces ? () => undefined : push;
        return this.#live({ request, runMs, failed, signal, push: pushed, replies });
      },
      onPiece: (piece) => {
        if ("ahead" in piece) effects.emit({ type: "call-waiting", callId: this.#callId, try: number, ahead: piece.ahead });
        if ("content" in piece) shown.piece(piece);
      },
    });
    await shown.end(reply);
    effects.emit({ type: "usage", callId: this.#callId, model: reply.model, usage: reply.usage, costUsd, spent: effects.spent() });
    return reply;
  }

  #costOf(usage: Pick<TokenUsage, "inputTokens" | "outputTokens">): number {
    return costOf(priceOf(this.#options.models.prices, this.#request.model), usage);
  }

  async #live({ request, runMs, failed, signal, push, replies }: Live): Promise<Receipt> {
    const { limits, targetOf, known } = this.#parts;
    const began = performance.now();
    const backoff = backoffMs(failed + 1, this.#wait, Math.min(limits.callMs, runMs) / 2);
    this.#wait = null;
    const clock = new TryClock({ ...limits, runMs });
    const either = AbortSignal.any([signal, clock.signal]);
    const onWait = (ms: number): void => {
      this.#wait = ms;
    };
    try {
      await waitFor(backoff, either);
      const reply = await this.#whenConnected(push, either, async () => {
        clock.connected();
        const { contextTokens, servers = {} } = this.#options.models;
        const target = await targetOf(request.model, this.#effects.runId, servers[request.model], either);
        return askModel(request, { target, known, clock, signal: either, push, onWait, replies, contextTokens, failed });
      });
      return { ...reply, costUsd: this.#costOf(reply.usage) };
    } catch (error) {
      either.throwIfAborted();
      throw this.#classify(toDossierError(error), Math.min(limits.callMs, runMs - (performance.now() - began)));
    } finally {
      clock.stop();
    }
  }

  /** Calls `send` as soon as fewer calls than connections are open, and reports that it waits. */
  async #whenConnected<T>(push: Live["push"], signal: AbortSignal, send: () => Promise<T>): Promise<T> {
    const { slots, shared } = this.#parts;
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
        return await send();
      } finally {
        leave();
      }
    };
    // The queue starts it where another call ends.
    return slots.add(AsyncResource.bind(connected), { signal });
  }

  #classify(error: DossierError, restMs: number): DossierError {
    if (isUnreached(error)) return new DossierError("unreachable", error.message, { cause: error });
    if (error.code !== "model_unavailable" || this.#wait === null || this.#wait <= restMs) return error;
    return new DossierError("rate_limited", `${error.message} It accepts requests again in ${Math.ceil(this.#wait / 1_000)} seconds.`);
  }

  /** The milliseconds that the run has left for the call. */
  #runMs(): number {
    return (this.#options.timeoutMs ?? Number.POSITIVE_INFINITY) - this.#effects.elapsedMs(this.#startedAt);
  }
}

interface Live {
  readonly request: ChatRequest;
  readonly runMs: number;
  readonly failed: number;
  readonly signal: AbortSignal;
  readonly push: (piece: CallPiece) => void;
  readonly replies: KeptReplies;
}

const OPEN_MS = 30_000;

/** After the server of a provider was unreachable or refused the key, calls to it fail at once for OPEN_MS. */
class CircuitBreaker {
  readonly #failures = new WeakMap<object, Map<string, { readonly error: DossierError; readonly at: number }>>();

  open(provider: string, error: DossierError, { execution, now }: Effects): DossierError {
    const failures = this.#failures.get(execution) ?? new Map();
    this.#failures.set(execution, failures.set(provider, { error, at: now() }));
    return error;
  }

  check(provider: string, { execution, elapsedMs }: Effects): void {
    const failure = this.#failures.get(execution)?.get(provider);
    if (failure === undefined || elapsedMs(failure.at) >= OPEN_MS) return;
    throw new DossierError(failure.error.code, failure.error.message, { cause: failure.error });
  }
}
