import type { ChatDelta, ChatReply, ChatRequest } from "../domain/chat.ts";
import type { JsonValue } from "../domain/json.ts";
import type { Effects } from "../domain/ports/effects.ts";
import type { CallOptions, ChatModel } from "../domain/ports/models.ts";
import { DossierError, toDossierError } from "../errors.ts";
import { askOnce } from "./ask-once.ts";
import { affordable } from "./call-budget.ts";
import { loadClient } from "./completions-client.ts";
import type { ModelEndpoint } from "./endpoint.ts";
import { OwnModel } from "./model-name.ts";
import { costOf, priceOf } from "./prices.ts";
import { connectionFailure, isUnreached } from "./read-failure.ts";
import { ShownTry } from "./show-pieces.ts";
import { SkillMemory } from "./skills.ts";
import { type ModelLimits, TryClock } from "./time-limits.ts";
import { LONGEST_WAIT_MS, waitBefore, waitFor } from "./waits.ts";

const MAX_TRIES = 3;
/** The effect's own limit comes after those of the try, which can say more. */
const GRACE_MS = 5_000;

export interface ChatModelOptions {
  readonly endpoint: ModelEndpoint;
  readonly limits: ModelLimits;
}

/** What the journal keeps of a try. */
type Receipt = ChatReply & { readonly costUsd: number };

/** A model behind an OpenAI-compatible server (Chat Completions, streamed). */
export function createChatModel({ endpoint, limits }: ChatModelOptions): ChatModel {
  const own = new OwnModel(endpoint);
  const skills = new SkillMemory();
  const leftAlone = new LeftAlone();
  return {
    async complete(request, options, effects) {
      return new ModelCall({ request, options, effects, limits, endpoint, own, skills, leftAlone }).complete();
    },
  };
}

interface Given {
  readonly request: ChatRequest;
  readonly options: CallOptions;
  readonly effects: Effects;
  readonly limits: ModelLimits;
  readonly endpoint: ModelEndpoint;
  readonly own: OwnModel;
  readonly skills: SkillMemory;
  readonly leftAlone: LeftAlone;
}

/** One call with its tries, each of which is an effect. Whether there is another one follows from what the journal keeps. */
class ModelCall {
  readonly #given: Given;
  readonly #callId: string;
  readonly #startedAt: number;
  /** What the server asked for in the last try; unknown after a crash, and of no use to a replay. */
  #wait: number | null = null;

  constructor(given: Given) {
    this.#given = given;
    this.#callId = given.effects.nextId();
    this.#startedAt = given.effects.now();
  }

  async complete(): Promise<ChatReply> {
    const { effects, options, leftAlone } = this.#given;
    leftAlone.check(effects);
    let failed = 0;
    for (let number = 1; ; number += 1) {
      try {
        return await this.#try(number, failed);
      } catch (thrown) {
        effects.signal.throwIfAborted();
        const error = toDossierError(thrown);
        if (error.code !== "interrupted") failed += 1;
        this.#giveUpIfHopeless(error, failed);
        effects.emit({ type: "call-restarted", callId: this.#callId, try: number + 1, reason: error.message });
        options.restart?.();
      }
    }
  }

  #giveUpIfHopeless(error: DossierError, failed: number): void {
    if (error.code === "interrupted") return;
    const { options, effects, leftAlone } = this.#given;
    // What asks for more time than there is was recorded under this code, and what concerns the server as a whole under two others.
    if (error.code === "rate_limited") throw new DossierError("model_unavailable", error.message);
    if (error.code === "blocked") throw this.#leaveAlone(new DossierError("model_refused", error.message));
    if (error.code !== "model_unavailable" && error.code !== "unreachable") throw error;
    if (error.code === "unreachable") leftAlone.check(effects);
    const { tries = MAX_TRIES } = options;
    const last = new DossierError("model_unavailable", `${error.message} It was tried ${timesOf(failed)}; try again later.`);
    if (failed >= tries) throw error.code === "unreachable" ? this.#leaveAlone(last) : last;
    if (this.#restMs() <= 0) throw new DossierError("model_unavailable", `${error.message} The time for the call is used up.`);
  }

  #leaveAlone(error: DossierError): DossierError {
    this.#given.leftAlone.remember(error, this.#given.effects);
    return error;
  }

  async #try(number: number, failed: number): Promise<ChatReply> {
    const { options, effects } = this.#given;
    const request = affordable(this.#given.request, options, effects);
    const shown = new ShownTry(options, effects, { callId: this.#callId, try: number });
    const restMs = Math.max(this.#restMs(), 1);
    const { costUsd, ...reply } = await effects.stream<Receipt, ChatDelta>({
      kind: "model",
      request: JSON.parse(JSON.stringify(request)) as JsonValue,
      timeoutMs: restMs + LONGEST_WAIT_MS + GRACE_MS,
      live: (signal, push) => this.#live({ request, restMs, failed, signal, push }),
      onPiece: (delta) => shown.piece(delta),
    });
    shown.end(reply);
    effects.emit({ type: "usage", callId: this.#callId, model: reply.model, usage: reply.usage, costUsd, spent: effects.spent() });
    return reply;
  }

  async #live({ request, restMs, failed, signal, push }: Live): Promise<Receipt> {
    const { endpoint, skills, own, limits, options } = this.#given;
    await loadClient();
    const began = performance.now();
    const asked = this.#wait;
    this.#wait = null;
    const clock = new TryClock({ ...limits, callMs: restMs, whose: (options.timeoutMs ?? limits.callMs) < limits.callMs ? "run" : "call" });
    const given = AbortSignal.any([signal, clock.signal]);
    try {
      // A wait may not use up the time of the request that it is for.
      await waitFor(waitBefore(failed + 1, asked, restMs / 2), given);
      const model = request.model || (await own.name(given));
      const onWait = (ms: number): void => {
        this.#wait = ms;
      };
      const reply = await askOnce({ ...request, model }, { endpoint, skills, clock, signal, push, onWait });
      return { ...reply, costUsd: costOf(priceOf(options.models.prices, request.model), reply.usage) };
    } catch (error) {
      given.throwIfAborted();
      throw this.#toldApart(connectionFailure(error, endpoint), restMs - (performance.now() - began));
    } finally {
      clock.stop();
    }
  }

  /** A server that cannot be reached, or wants to be left alone for longer than there is time. */
  #toldApart(error: DossierError, restMs: number): DossierError {
    if (isUnreached(error)) return new DossierError("unreachable", error.message, { cause: error });
    if (error.code !== "model_unavailable" || this.#wait === null || this.#wait <= restMs) return error;
    return new DossierError("rate_limited", `${error.message} It can be asked again in ${Math.ceil(this.#wait / 1_000)} seconds.`);
  }

  #restMs(): number {
    const { effects, limits, options } = this.#given;
    return Math.min(options.timeoutMs ?? limits.callMs, limits.callMs) - effects.elapsedMs(this.#startedAt);
  }
}

function timesOf(count: number): string {
  return count === 1 ? "once" : `${count} times`;
}

interface Live {
  readonly request: ChatRequest;
  readonly restMs: number;
  readonly failed: number;
  readonly signal: AbortSignal;
  readonly push: (delta: ChatDelta) => void;
}

/**
 * For so long, on the run's clock, nobody of a segment asks a server again that could not be reached in the last try of a call, or did not
 * accept the key. A later segment asks again, and so does any other run.
 */
const PAUSE_MS = 30_000;

interface Failure {
  readonly error: DossierError;
  readonly at: number;
}

/** What calls of a segment have found out of their server, for the calls beside and after them. What it says follows from the journal alone. */
class LeftAlone {
  readonly #failures = new WeakMap<object, Failure>();

  remember(error: DossierError, { execution, now }: Effects): void {
    this.#failures.set(execution, { error, at: now() });
  }

  /** @throws DossierError the failure of the call that found it out, while the server is left alone */
  check({ execution, elapsedMs }: Effects): void {
    const failure = this.#failures.get(execution);
    if (failure === undefined || elapsedMs(failure.at) >= PAUSE_MS) return;
    throw new DossierError(failure.error.code, failure.error.message, { cause: failure.error });
  }
}
