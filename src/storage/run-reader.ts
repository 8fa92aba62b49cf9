import type { z } from "zod";
import { COMPONENT_SCHEMAS } from "../domain/components.ts";
import { skipUnfinishedTodos } from "../domain/plan.ts";
import type { PendingInterrupt, RunStore } from "../domain/ports/run-store.ts";
import { isEnded, type Run, type RunStatus, type Usage } from "../domain/run.ts";
import { resolveLanguage } from "../ranking/language.ts";
import { toLoggedEvent, toRecord, toRun, toRunEvent } from "./rows.ts";
import { listRuns } from "./run-list.ts";
import type { RunTables } from "./run-tables.ts";
import { createUsageReader } from "./run-usage.ts";
import type { EventRow, RunRow } from "./schema.ts";

const PAGE = 500;

const NO_USAGE: Usage = {
  ...{ modelCalls: 0, inputTokens: 0, outputTokens: 0, toolCalls: 0, sourceRequests: 0, downloads: 0, costUsd: 0 },
  models: [],
};

type Reading =
  | ("findByKey" | "countQueued" | "get" | "list" | "pending" | "events" | "childrenOf" | "head")
  | ("segments" | "journal" | "loggedEvents" | "documentHashes");

/** Returns the props of the latest component of this name that is complete, or null. */
export function latestComponent<Name extends keyof typeof COMPONENT_SCHEMAS>(
  sql: Pick<RunTables["sql"], "component">,
  runId: string,
  name: Name,
): ComponentProps<Name> | null {
  const row = sql.component.get(runId, name);
  const parsed = row === undefined ? null : COMPONENT_SCHEMAS[name].safeParse({ ...JSON.parse(row.body), type: "component" });
  return parsed?.success === true ? (parsed.data.props as ComponentProps<Name>) : null;
}

/** Reads runs as clients see them, and what recordings are made of. */
export function createRunReader(tables: RunTables): Pick<RunStore, Reading> {
  const { sql, tail } = tables;
  const usageOf = createUsageReader(sql);

  function pendingOf(runId: string): PendingInterrupt[] {
    return sql.pending.all(runId).map((row) => ({ ...JSON.parse(row.body), interruptId: row.interrupt_id }));
  }

  async function readRun(row: RunRow): Promise<Run> {
    const pending = row.status === "waiting" ? pendingOf(row.id) : [];
    const usage = hasOnlyBegun(row) ? NO_USAGE : await usageOf(row.id);
    const shown = pending.map(({ interruptId: _, ...question }) => question);
    return toRun(row, shown, usage, sql.title.get(row.id)?.title);
  }

  return {
    async findByKey(tenant, idempotencyKey) {
      const row = sql.findByKey.get(tenant, idempotencyKey);
      return row === undefined ? null : { id: row.id, requestHash: row.request_hash };
    },
    countQueued: async () => sql.countQueued.get()?.queued ?? 0,

    async get(tenant, runId) {
      const row = sql.run.get(runId, tenant);
      if (row === undefined) return null;
      const latestOf = <Name extends "todo-list" | "child-list">(name: Name): ComponentProps<Name> | null =>
        hasOnlyBegun(row) ? null : latestComponent(sql, runId, name);
      const latest = latestOf("todo-list")?.todos ?? null;
      const children = latestOf("child-list")?.children ?? null;
      const run = await readRun(row);
      const todos = latest !== null && isEnded(run.status) ? skipUnfinishedTodos(latest, unfinishedIn(run)) : latest;
      const request = requestOf(row);
      return { ...run, ...(request !== null && { request }), todos, children };
    },

    list: (tenant, filter) => listRuns(tables, tenant, filter, readRun),
    pending: async (runId) => pendingOf(runId),

    async events(runId, after, limit) {
      const rows = tail.after(runId, after, limit) ?? sql.events.all(runId, after, limit);
      return rows.map(toRunEvent);
    },

    childrenOf: async (runId) => latestComponent(sql, runId, "child-list")?.children ?? [],

    async head(tenant, runId) {
      const row = sql.head.get(runId, tenant);
      return row === undefined ? null : { seq: row.head, status: row.status as RunStatus };
    },

    async segments(runId) {
      const rows = sql.segments.all(runId);
      return rows.map(({ position, epoch, input, fingerprint }) => ({ index: position, epoch, input: JSON.parse(input), fingerprint }));
    },

    async *journal(runId) {
      for (const { position, epoch } of sql.segments.all(runId)) {
        for (let from = 0, more = true; more; from += PAGE) {
          const rows = sql.journal.all(runId, position, epoch, from, PAGE);
          for (const row of rows) yield { segment: position, epoch, record: toRecord(row) };
          more = rows.length === PAGE;
        }
      }
    },

    async *loggedEvents(runId) {
      let rows: EventRow[] = [];
      do {
        rows = sql.events.all(runId, rows.at(-1)?.seq ?? 0, PAGE);
        for (const row of rows) yield { seq: row.seq, event: toLoggedEvent(row) };
      } while (rows.length === PAGE);
    },

    documentHashes: async (runId) => sql.documents.all(runId).map((row) => row.content_hash),
  };
}

type ComponentProps<Name extends keyof typeof COMPONENT_SCHEMAS> = z.infer<(typeof COMPONENT_SCHEMAS)[Name]>["props"];

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
