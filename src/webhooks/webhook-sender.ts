import { Webhook } from "standardwebhooks";
import type { HttpFetch } from "../domain/ports/sources.ts";
import type { DueDelivery, Outbox, Outcome } from "../domain/webhooks.ts";
import { type DossierError, toDossierError } from "../errors.ts";

interface SenderOptions {
  readonly outbox: Outbox;
  /** Guards the addresses, which are given by users. */
  readonly fetch: Pick<HttpFetch, "follow">;
  readonly clock: () => number;
  readonly onError: (error: DossierError) => void;
}

const LOOK_MS = 1_000;
const AT_ONCE = 10;
const TRY_MS = 15_000;
/** A process that dies meanwhile has not settled its messages, and another one sends them again. */
const LEASE_MS = 60_000;
const MINUTE_MS = 60_000;
/** The waits after each failed try. A message fails for good after the last one, after about three days. */
const BACKOFF_MS = [5_000, 5 * MINUTE_MS, 30 * MINUTE_MS, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * 60 * MINUTE_MS)];
const NO_KEY = "It was not sent: the key that encrypted its secret is not in SECRET_KEY_FILE.";
const GONE = 410;
const MAX_ANSWER_BYTES = 64_000;
const NAME = "webhooks";

/** Sends messages in the form of Standard Webhooks (standardwebhooks.com): signed, at least once, each with an id that stays the same. */
export class WebhookSender {
  readonly #options: SenderOptions;
  readonly #closing = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #sending: Promise<void> | null = null;

  constructor(options: SenderOptions) {
    this.#options = options;
    this.#timer = setInterval(() => void this.send(), LOOK_MS).unref();
  }

  /** Sends what is due. */
  send(): Promise<void> {
    this.#sending ??= this.#sendAll()
      // It is tried again at the next look.
      .catch((error: unknown) => this.#options.onError(toDossierError(error)))
      .finally(() => {
        this.#sending = null;
      });
    return this.#sending;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#closing.abort();
    await this.#sending;
  }

  async #sendAll(): Promise<void> {
    const { outbox } = this.#options;
    for (let due = await outbox.take(AT_ONCE, LEASE_MS); due.length > 0; due = await outbox.take(AT_ONCE, LEASE_MS)) {
      await Promise.all(due.map((delivery) => this.#deliver(delivery)));
      if (this.#closing.signal.aborted) return;
    }
  }

  async #deliver(delivery: DueDelivery): Promise<void> {
    const outcome = await this.#post(delivery);
    // A shutdown is no failure of the receiver: the message is sent again when its lease is over.
    if (!this.#closing.signal.aborted || outcome.failure === null) await this.#options.outbox.settle(delivery, outcome);
  }

  async #post({ id, url, secret, type, createdAt, run, tries }: DueDelivery): Promise<Outcome> {
    const { fetch, clock } = this.#options;
    const wait = BACKOFF_MS[tries - 1];
    const nextAt = wait === undefined ? null : clock() + wait;
    if (secret === null) return { status: null, failure: NO_KEY, nextAt, isGone: false };
    const body = JSON.stringify({ type, timestamp: new Date(createdAt).toISOString(), data: { run } });
    const at = new Date(clock());
    const headers = {
      "content-type": "application/json",
      "webhook-id": id,
      "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
      "webhook-signature": new Webhook(secret).sign(id, at, body),
    };
    try {
      const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(TRY_MS)]);
      const request = { method: "POST" as const, url, headers, body, maxBytes: MAX_ANSWER_BYTES, redirects: false as const };
      const { status } = await fetch.follow(NAME, request, { scope: [NAME], signal });
      if (status >= 200 && status < 300) return { status, failure: null, nextAt: null, isGone: false };
      const isGone = status === GONE;
      return { status, failure: `The receiver answered ${status}.`, nextAt: isGone ? null : nextAt, isGone };
    } catch (error) {
      return { status: null, failure: toDossierError(error).message, nextAt, isGone: false };
    }
  }
}
