import { sql } from "kysely";
import type { Caller } from "../domain/owners.ts";
import type { Delivery, DueDelivery, Outbox, Webhook, WebhookEvent, Webhooks } from "../domain/webhooks.ts";
import { DossierError } from "../errors.ts";
import { allRows, CLIENT, change, type Database, firstRow, type Transaction } from "./database.ts";
import type { SecretBox } from "./secret-box.ts";
import { newId, newSecret } from "./secrets.ts";

interface WebhookRow {
  readonly id: string;
  readonly url: string;
  /** Separated by spaces. */
  readonly events: string;
  readonly secret: string;
  readonly created_at: number;
  readonly disabled_at: number | null;
}

interface DeliveryRow {
  readonly id: string;
  readonly webhook_id: string;
  readonly run_id: string;
  readonly type: WebhookEvent;
  readonly created_at: number;
  readonly due_at: number;
  readonly status: Delivery["status"];
  readonly tries: number;
  readonly last_status: number | null;
  readonly failure: string | null;
}

const MAX_WEBHOOKS = 20;
const MAX_LISTED = 100;
const MAX_FAILURE = 300;
const KEPT_MS = 30 * 86_400_000;

/** Call it in the transaction in which a run ends or begins to wait, so that no message is lost. */
export async function addDeliveries(tx: Transaction, runId: string, type: WebhookEvent, at: number): Promise<void> {
  // A webhook rests while nobody has a valid key of its owner's name.
  const isHeld = sql`(webhooks.owner = '' or exists (select 1 from keys where keys.parent is null and keys.name = webhooks.owner
    and keys.tenant = webhooks.tenant and revoked_at is null and (expires_at is null or expires_at > ${at})))`;
  const owned = sql`webhooks.tenant = runs.tenant and webhooks.owner = coalesce(runs.owner, '') and ${isHeld}`;
  await change(
    tx,
    sql`insert into deliveries (id, webhook_id, run_id, type, created_at, due_at, status, tries)
      select ${`msg_${newId()}`} || webhooks.id, webhooks.id, runs.id, ${sql.join([type, at, at, "waiting"])}, 0 from webhooks
      join runs on ${owned} where runs.id = ${runId} and webhooks.disabled_at is null and webhooks.events like ${`%${type}%`}`,
  );
}

/** `clock` returns milliseconds since 1970. */
export function createWebhooks(database: Database, clock: () => number, box: SecretBox): Webhooks & { readonly outbox: Outbox } {
  const of = ({ tenant, owner }: Caller) => sql`tenant = ${tenant} and owner = ${owner ?? ""}`;
  const find = (caller: Caller, id: string) => firstRow(database, sql`select 1 from webhooks where ${of(caller)} and id = ${id}`);
  return {
    create: (caller, url, events) =>
      database.write(async (tx) => {
        const others = await firstRow(tx, sql<{ count: number }>`select count(*) as count from webhooks where ${of(caller)}`);
        if (Number(others?.count ?? 0) >= MAX_WEBHOOKS)
          throw new DossierError("invalid_request", `There are ${MAX_WEBHOOKS} webhooks already. Nothing was made; delete one first.`);
        const [id, secret] = [newId(), `whsec_${Buffer.from(newSecret("")).toString("base64")}`];
        const row = { id, url, events: events.join(" "), secret: box.seal(secret, id), created_at: clock(), disabled_at: null };
        const whose = [caller.tenant, caller.owner ?? ""];
        await change(
          tx,
          sql`insert into webhooks (id, url, events, secret, created_at, disabled_at, tenant, owner)
            values (${sql.join([...Object.values(row), ...whose])})`,
        );
        return { webhook: toWebhook(row), secret };
      }, CLIENT),
    async list(caller) {
      const rows = sql<WebhookRow>`select * from webhooks where ${of(caller)} order by created_at, id`;
      return (await allRows(database, rows)).map(toWebhook);
    },
    delete: (caller, id) =>
      database.write(async (tx) => {
        const deleted = await change(tx, sql`delete from webhooks where ${of(caller)} and id = ${id}`);
        if (deleted > 0) await change(tx, sql`delete from deliveries where webhook_id = ${id}`);
        return deleted > 0;
      }, CLIENT),
    async deliveries(caller, id) {
      if ((await find(caller, id)) === undefined) return null;
      const rows = sql<DeliveryRow>`select * from deliveries where webhook_id = ${id} order by created_at desc, id limit ${MAX_LISTED}`;
      return (await allRows(database, rows)).map(toDelivery);
    },
    outbox: createOutbox(database, clock, box),
  };
}

type DueRow = DeliveryRow & Pick<WebhookRow, "url" | "secret"> & { readonly thread_id: string | null; readonly graph: string | null };

function createOutbox(database: Database, clock: () => number, box: SecretBox): Outbox {
  const isDue = () => sql`status = 'waiting' and due_at <= ${clock()}`;
  return {
    async take(limit, leaseMs) {
      // Most of the time nothing is due, and a read disturbs nobody.
      if ((await firstRow(database, sql`select 1 from deliveries where ${isDue()} limit 1`)) === undefined) return [];
      const locked = database.kind === "postgres" ? sql`for update skip locked` : sql``;
      return database.write(async (tx) => {
        const taken = await allRows(
          tx,
          sql<{ id: string }>`update deliveries set tries = tries + 1, due_at = ${clock() + leaseMs} where id in
            (select id from deliveries where ${isDue()} order by due_at limit ${limit} ${locked}) returning id`,
        );
        if (taken.length === 0) return [];
        const rows = await allRows(
          tx,
          sql<DueRow>`select deliveries.*, webhooks.url, webhooks.secret, runs.thread_id, runs.graph from deliveries
            join webhooks on webhooks.id = deliveries.webhook_id left join runs on runs.id = deliveries.run_id
            where deliveries.id in (${sql.join(taken.map(({ id }) => id))})`,
        );
        return rows.map((row) => toDue(row, box));
      });
    },
    async settle({ id, webhookId }, { status, failure, nextAt, isGone }) {
      const state = failure === null ? "delivered" : nextAt === null ? "failed" : "waiting";
      await database.write(async (tx) => {
        const values = sql`status = ${state}, last_status = ${status}, failure = ${failure?.slice(0, MAX_FAILURE) ?? null}`;
        await change(tx, sql`update deliveries set ${values}, due_at = ${nextAt ?? clock()} where id = ${id}`);
        if (isGone) await change(tx, sql`update webhooks set disabled_at = ${clock()} where id = ${webhookId}`);
      });
    },
    async clean() {
      await database.write((tx) => change(tx, sql`delete from deliveries where status <> 'waiting' and due_at < ${clock() - KEPT_MS}`));
      for (const { id, secret } of await allRows(database, sql<WebhookRow>`select * from webhooks`)) {
        const plain = box.isCurrent(secret) ? null : box.tryOpen(secret, id);
        if (plain === null) continue;
        const sealed = box.seal(plain, id);
        await database.write((tx) => change(tx, sql`update webhooks set secret = ${sealed} where id = ${id}`));
      }
    },
  };
}

function toWebhook({ id, url, events, created_at: createdAt, disabled_at: disabledAt }: WebhookRow): Webhook {
  const kinds = events.split(" ") as WebhookEvent[];
  return { id, url, events: kinds, createdAt: instant(createdAt), disabledAt: disabledAt === null ? null : instant(disabledAt) };
}

function toDelivery({
  id,
  run_id: runId,
  type,
  created_at,
  due_at,
  status,
  tries,
  last_status: lastStatus,
  failure,
}: DeliveryRow): Delivery {
  const nextTryAt = status === "waiting" ? instant(due_at) : null;
  return { id, runId, type, createdAt: instant(created_at), status, tries, lastStatus, failure, nextTryAt };
}

function toDue(
  { id, webhook_id: webhookId, url, secret, type, created_at: createdAt, tries, ...run }: DueRow,
  box: SecretBox,
): DueDelivery {
  const about = { id: run.run_id, threadId: run.thread_id, graph: run.graph };
  return { id, webhookId, url, secret: box.tryOpen(secret, webhookId), type, createdAt, tries, run: about };
}

function instant(at: number): string {
  return new Date(at).toISOString();
}
