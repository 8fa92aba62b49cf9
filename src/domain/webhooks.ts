import { z } from "zod";
import type { Caller } from "./owners.ts";

/** What a run did, of which other services may be told. */
export const WebhookEventSchema = z.enum(["run.succeeded", "run.failed", "run.cancelled", "run.waiting"]);
export type WebhookEvent = z.infer<typeof WebhookEventSchema>;

export const WebhookSchema = z.object({
  id: z.string(),
  url: z.string(),
  events: z.array(WebhookEventSchema),
  createdAt: z.string(),
  disabledAt: z.string().nullable().describe("When its address answered 410, after which it gets nothing any more."),
});
export type Webhook = z.infer<typeof WebhookSchema>;

export const DeliverySchema = z.object({
  id: z.string().describe("The `webhook-id` of the message, which stays the same when it is sent again."),
  runId: z.string(),
  type: WebhookEventSchema,
  createdAt: z.string(),
  status: z.enum(["waiting", "delivered", "failed"]),
  tries: z.int().nonnegative(),
  lastStatus: z.int().nullable().describe("The HTTP status of the last try; null if there was no answer."),
  failure: z.string().nullable(),
  nextTryAt: z.string().nullable(),
});
export type Delivery = z.infer<typeof DeliverySchema>;

/** The webhooks of callers, who are told of the runs that they own. */
export interface Webhooks {
  /** Returns the secret that signs its messages, shown this once. @throws DossierError `invalid_request` if there are too many, `secret_key_missing` */
  create(caller: Caller, url: string, events: readonly WebhookEvent[]): Promise<{ webhook: Webhook; secret: string }>;
  list(caller: Caller): Promise<Webhook[]>;
  /** Returns false if the caller has no such webhook. */
  delete(caller: Caller, id: string): Promise<boolean>;
  /** The latest messages, at most 100; null if the caller has no such webhook. */
  deliveries(caller: Caller, id: string): Promise<Delivery[] | null>;
}

/** A message that is to be sent now. */
export interface DueDelivery {
  readonly id: string;
  readonly webhookId: string;
  readonly url: string;
  /** Null if the key that encrypted it is missing. */
  readonly secret: string | null;
  readonly type: WebhookEvent;
  readonly createdAt: number;
  /** With this one. */
  readonly tries: number;
  readonly run: { readonly id: string; readonly threadId: string | null; readonly graph: string | null };
}

export interface Outcome {
  readonly status: number | null;
  readonly failure: string | null;
  /** When it is sent again; null: never. */
  readonly nextAt: number | null;
  /** Whether the webhook wants no more messages. */
  readonly isGone: boolean;
}

export interface Outbox {
  /** Takes messages that are due. Others take them again when `leaseMs` are over, unless `settle` was called. */
  take(limit: number, leaseMs: number): Promise<DueDelivery[]>;
  settle(delivery: Pick<DueDelivery, "id" | "webhookId">, outcome: Outcome): Promise<void>;
  /** Deletes messages that were settled long ago, and encrypts secrets with the current key. */
  clean(): Promise<void>;
}
