import { type RawBuilder, sql } from "kysely";
import type { z } from "zod";
import { COMPONENT_SCHEMAS } from "../domain/components.ts";
import { skipUnfinishedTodos } from "../domain/plan.ts";
import type { PendingInterrupt, RunStore } from "../domain/ports/run-store.ts";
import { isEnded, type Run, type RunStatus, type Usage } from "../domain/run.ts";
import { resolveLanguage } from "../ranking/language.ts";
import { allRows, type Database, firstRow } from "./database.ts";
import { toLoggedEvent, toRecord, toRun, toRunEvent } from "./rows.ts";
import { listRuns, TITLED, type TitledRow } from "./run-list.ts";
import { type RunTables, sameKey } from "./run-tables.ts";
import { usageOf } from "./run-usage.ts";
import type { EventRow, JournalRow, PendingRow, RunRow, SegmentRow } from "./tables.ts";

const PAGE = 500;

const NO_USAGE: Usage = {
  ...{ modelCalls: 0, inputTokens: 0, outputTokens: 0, toolCalls: 0, sourceRequests: 0, downloads: 0, costUsd: 0 },
  models: [],
};

type Reading =
  | ("findByKey" | "countQueued" | "queueAt" | "get" | "list" | "pending" | "events" | "childrenOf" | "head")
  | ("segments" | "journal" | "loggedEvents" | "documentHashes");

/** Returns the props of the latest component of this name that is complete, or null. */
export async function latestComponent<Name extends ComponentName>(
  database: Pick<Database, "db">,
  runId: string,
  name: Name,
): Promise<ComponentProps<Name> | null> {
  const row = await firstRow(database, sql<{ body: string | null }>`select ${latestBody(sql`${runId}`, name)} as body`);
  return propsIn(name, row?.body ?? null);
}

function latestBody(runId: RawBuilder<unknown>, name: ComponentName) {
  return sql`(select body from events where run_id = ${runId} and component = ${name} and component is not null order by seq desc limit 1)`;
}

function propsIn<Name extends ComponentName>(name: Name, body: string | null): ComponentProps<Name> | null {
  const parsed = body === null ? null : COMPONENT_SCHEMAS[name].safeParse({ ...JSON.parse(body), type: "component" });
  return parsed?.success === true ? (parsed.data.props as ComponentProps<Name>) : null;
}

export function segmentsOf(database: Pick<Database, "db">, runId: string): Promise<SegmentRow[]> {
  return allRows(database, sql<SegmentRow>`select * from segments where run_id = ${runId} order by position, epoch`);
}

/** Reads runs as clients see them, and what recordings are made of. */
export function createRunReader({ database, tail }: RunTables): Pick<RunStore, Reading> {
  async function pendingOf(runId: string): Promise<PendingInterrupt[]> {
    const rows = await allRows(database, sql<PendingRow>`select * from pending where run_id = ${runId} and answer is null order by id`);
    return rows.map((row) => ({ ...JSON.parse(row.body), interruptId: row.interrupt_id }));
  }

  async function readRun(row: TitledRow): Promise<Run> {
    const pending = row.status === "waiting" ? await pendingOf(row.id) : [];
    const usage = hasOnlyBegun(row) ? NO_USAGE : await usageOf(database, row.id);
    const shown = pending.map(({ interruptId: _, ...question }) => question);
    return toRun(row, shown, usage);
  }

  const eventsAfter = (runId: string, after: number, limit: number): Promise<EventRow[]> =>
    allRows(database, sql<EventRow>`select * from events where run_id = ${runId} and seq > ${after} order by seq limit ${limit}`);

  return {
    async findByKey(tenant, idempotencyKey) {
      const row = await firstRow(database, sameKey(tenant, idempotencyKey));
      return row === undefined ? null : { id: row.id, requestHash: row.request_hash };
    },

    async countQueued(tenant) {
      // Not in the condition, so that no index of all runs of the tenant is used.
      const whose = tenant === undefined ? sql`` : sql`filter (where tenant = ${tenant})`;
      const row = await firstRow(database, sql<{ queued: number }>`select count(*) ${whose} as queued from runs where status = 'queued'`);
      return row?.queued ?? 0;
    },

    async queueAt(at) {
      const ready = sql`status = 'queued' and ready = 1 and (start_after is null or start_after <= ${at})`;
      const row = await firstRow(
        database,
        sql<{ queued: number; oldest: number | null }>`select count(*) as queued, min(created_at) as oldest from runs where ${ready}`,
      );
      return { queued: Number(row?.queued ?? 0), oldestAt: row?.oldest ?? null };
    },

    async get(tenant, runId) {
      const row = await firstRow(
        database,
        sql<
          TitledRow & Lists
        >`select ${TITLED}, ${latestBody(sql`runs.id`, "todo-list")} as todos, ${latestBody(sql`runs.id`, "child-list")} as children
          from runs where id = ${runId} and tenant = ${tenant}`,
      );
      if (row === undefined) return null;
      const latest = propsIn("todo-list", row.todos)?.todos ?? null;
      const children = propsIn("child-list", row.children)?.children ?? null;
      const run = await readRun(row);
      const todos = latest !== null && isEnded(run.status) ? skipUnfinishedTodos(latest, unfinishedIn(run)) : latest;
      const request = requestOf(row);
      return { ...run, ...(request !== null && { request }), todos, children };
    },

    list: (tenant, filter) => listRuns(database, tenant, filter, readRun),
    pending: pendingOf,

    async events(runId, after, limit) {
      return (tail?.after(runId, after, limit) ?? (await eventsAfter(runId, after, limit))).map(toRunEvent);
    },

    childrenOf: async (runId) => (await latestComponent(database, runId, "child-list"))?.children ?? [],

    async head(tenant, runId) {
      const found = sql<Pick<RunRow, "head" | "status">>`select head, status from runs where id = ${runId} and tenant = ${tenant}`;
      const row = await firstRow(database, found);
      return row === undefined ? null : { seq: row.head, status: row.status as RunStatus };
    },

    async segments(runId) {
      const rows = await segmentsOf(database, runId);
      return rows.map(({ position, epoch, input, fingerprint }) => ({ index: position, epoch, input: JSON.parse(input), fingerprint }));
    },

    async *journal(runId) {
      for (const { position, epoch } of await segmentsOf(database, runId)) {
        for (let from = 0, more = true; more; from += PAGE) {
          const rows = await allRows(
            database,
            sql<JournalRow>`select * from journal where run_id = ${runId} and segment = ${position} and epoch = ${epoch} and ord >= ${from}
              order by ord limit ${PAGE}`,
          );
          for (const row of rows) yield { segment: position, epoch, record: toRecord(row) };
          more = rows.length === PAGE;
        }
      }
    },

    async *loggedEvents(runId) {
      let rows: EventRow[] = [];
      do {
        rows = await eventsAfter(runId, rows.at(-1)?.seq ?? 0, PAGE);
        for (const row of rows) yield { seq: row.seq, event: toLoggedEvent(row) };
      } while (rows.length === PAGE);
    },

    async documentHashes(runId) {
      const used = sql<{ content_hash: string }>`select content_hash from run_documents where run_id = ${runId} order by content_hash`;
      return (await allRows(database, used)).map((row) => row.content_hash);
    },
  };
}

interface Lists {
  readonly todos: string | null;
  readonly children: string | null;
}

type ComponentName = keyof typeof COMPONENT_SCHEMAS;
type ComponentProps<Name extends ComponentName> = z.infer<(typeof COMPONENT_SCHEMAS)[Name]>["props"];

/** Whether no event but that of its start is stored, so that nothing else has to be read. Each run is returned once in this state. */
function hasOnlyBegun({ head }: RunRow): boolean {
  return head <= 1;
}

function unfinishedIn({ language, question }: Run): string {
  const isChinese = /^zh\b/i.test(resolveLanguage(language ?? "auto", question));
  return isChinese ? "在它完成之前，本次运行已经结束。" : "The run ended before it was done.";
}

/** What was asked for, to ask again. The conversation is not stored. */
function requestOf({ request }: RunRow): Run["request"] | null {
  try {
    return JSON.parse(request);
  } catch {
    return null;
  }
}
