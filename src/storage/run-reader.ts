import type Database from "better-sqlite3";
import type { Kysely } from "kysely";
import type { z } from "zod";
import { COMPONENT_SCHEMAS } from "../domain/components.ts";
import type { RunEvent } from "../domain/events.ts";
import { skipUnfinishedTodos } from "../domain/plan.ts";
import type { RunPage } from "../domain/ports/run-service.ts";
import type { PendingInterrupt, RunStore } from "../domain/ports/run-store.ts";
import type { JournalRecord, LoggedEvent, Segment } from "../domain/recording.ts";
import { isEnded, type Run, type RunStatus, type Usage } from "../domain/run.ts";
import type { Child } from "../domain/team.ts";
import { DossierError } from "../errors.ts";
import { resolveLanguage } from "../ranking/language.ts";
import { toLoggedEvent, toRecord, toRun, toRunEvent } from "./rows.ts";
import { type HotReads, prepareReads, type RunRow } from "./run-statements.ts";
import type { Schema } from "./schema.ts";

type ComponentProps<Name extends keyof typeof COMPONENT_SCHEMAS> = z.infer<(typeof COMPONENT_SCHEMAS)[Name]>["props"];

/** Rows read at once where a whole run is gone through. */
const PAGE = 500;

/** What is said of a todo that a run has not come to the end of, in the language of the run. */
function unfinishedIn({ language, question }: Run): string {
  const isChinese = /^zh\b/i.test(resolveLanguage(language ?? "auto", question));
  return isChinese ? "在它完成之前，本次运行已经结束。" : "The run ended before it was done.";
}

/** The reading half of the run store; sees committed rows only. What every run asks for is prepared, the rest is Kysely's. */
export class RunReader {
  readonly #db: Kysely<Schema>;
  readonly #sql: HotReads;

  constructor(db: Kysely<Schema>, raw: Database.Database) {
    this.#db = db;
    this.#sql = prepareReads(raw);
  }

  async findByKey(tenant: string, idempotencyKey: string): Promise<{ id: string; requestHash: string } | null> {
    const row = this.#sql.findByKey.get(tenant, idempotencyKey);
    return row === undefined ? null : { id: row.id, requestHash: row.request_hash };
  }

  async countQueued(): Promise<number> {
    return this.#sql.countQueued.get()?.queued ?? 0;
  }

  async get(tenant: string, runId: string): Promise<Run | null> {
    const row = this.#sql.run.get(runId, tenant);
    if (row === undefined) return null;
    const told = this.latestComponent(runId, "todo-list")?.todos ?? null;
    const children = this.latestComponent(runId, "child-list")?.children ?? null;
    const run = await this.#toRun(row);
    const todos = told !== null && isEnded(run.status) ? skipUnfinishedTodos(told, unfinishedIn(run)) : told;
    return { ...run, todos, children };
  }

  async list(tenant: string, filter: Parameters<RunStore["list"]>[1]): Promise<RunPage> {
    let query = this.#db
      .selectFrom("runs")
      .selectAll()
      .where("tenant", "=", tenant)
      .orderBy("position", "desc")
      .limit(filter.limit + 1);
    if (filter.status !== undefined) query = query.where("status", "=", filter.status);
    if (filter.threadId !== undefined) query = query.where("thread_id", "=", filter.threadId);
    if (filter.cursor !== undefined) query = query.where("position", "<", parseCursor(filter.cursor));
    const rows = await query.execute();
    const shown = rows.slice(0, filter.limit);
    const runs = await Promise.all(shown.map((row) => this.#toRun(row)));
    const last = shown.at(-1);
    return { runs, nextCursor: rows.length > filter.limit && last !== undefined ? String(last.position) : null };
  }

  async pending(runId: string): Promise<PendingInterrupt[]> {
    const rows = await this.#db
      .selectFrom("pending")
      .selectAll()
      .where("run_id", "=", runId)
      .where("answer", "is", null)
      .orderBy("id")
      .execute();
    return rows.map((row) => ({ ...JSON.parse(row.body), interruptId: row.interrupt_id }));
  }

  async events(runId: string, after: number, limit: number): Promise<RunEvent[]> {
    return (await this.#eventRows(runId, after, limit)).map(toRunEvent);
  }

  /** The props of the component as they were said last; null where it never was, or cannot be read. */
  latestComponent<Name extends keyof typeof COMPONENT_SCHEMAS>(runId: string, name: Name): ComponentProps<Name> | null {
    const row = this.#sql.component.get(runId, name);
    const parsed = row === undefined ? null : COMPONENT_SCHEMAS[name].safeParse(bodyOf(row.body));
    return parsed?.success === true ? (parsed.data.props as ComponentProps<Name>) : null;
  }

  async childrenOf(runId: string): Promise<readonly Child[]> {
    return this.latestComponent(runId, "child-list")?.children ?? [];
  }

  async head(tenant: string, runId: string): Promise<{ seq: number; status: RunStatus } | null> {
    const row = this.#sql.head.get(runId, tenant);
    return row === undefined ? null : { seq: row.head, status: row.status as RunStatus };
  }

  async segments(runId: string): Promise<Segment[]> {
    const rows = await this.#db
      .selectFrom("segments")
      .selectAll()
      .where("run_id", "=", runId)
      .orderBy("position")
      .orderBy("epoch")
      .execute();
    return rows.map(({ position, epoch, input, fingerprint }) => ({ index: position, epoch, input: JSON.parse(input), fingerprint }));
  }

  async *journal(runId: string): AsyncIterable<{ segment: number; epoch: number; record: JournalRecord }> {
    for (const { position, epoch } of await this.#segmentKeys(runId)) {
      for (let from = 0; ; from += PAGE) {
        const rows = await this.#journalRows(runId, position, epoch, from);
        for (const row of rows) yield { segment: position, epoch, record: toRecord(row) };
        if (rows.length < PAGE) break;
      }
    }
  }

  async *loggedEvents(runId: string): AsyncIterable<{ seq: number; event: LoggedEvent }> {
    for (let after = 0; ; ) {
      const rows = await this.#eventRows(runId, after, PAGE);
      for (const row of rows) yield { seq: row.seq, event: toLoggedEvent(row) };
      if (rows.length < PAGE) return;
      after = rows.at(-1)?.seq ?? after;
    }
  }

  async documentHashes(runId: string): Promise<string[]> {
    const rows = await this.#db
      .selectFrom("run_documents")
      .select("content_hash")
      .where("run_id", "=", runId)
      .orderBy("content_hash")
      .execute();
    return rows.map((row) => row.content_hash);
  }

  async #toRun(row: RunRow): Promise<Run> {
    const pending = row.status === "waiting" ? await this.pending(row.id) : [];
    return toRun(
      row,
      pending.map(({ interruptId: _, ...shown }) => shown),
      this.#usage(row.id),
    );
  }

  /** Counted from the journal, so that it is right at any instant; a segment that was begun again counts as it went the last time. */
  #usage(runId: string): Usage {
    const rows = this.#sql.performed.all(runId, runId);
    const of = (kind: string): number => rows.find((row) => row.kind === kind)?.performed ?? 0;
    const models = of("model") === 0 ? [] : this.#sql.receipt.all(runId, runId);
    const sum = (key: "inputTokens" | "outputTokens" | "costUsd"): number => models.reduce((total, row) => total + row[key], 0);
    return {
      modelCalls: of("model"),
      inputTokens: sum("inputTokens"),
      outputTokens: sum("outputTokens"),
      toolCalls: of("tool"),
      sourceRequests: of("search"),
      downloads: of("download"),
      costUsd: sum("costUsd"),
      models,
    };
  }

  #eventRows(runId: string, after: number, limit: number) {
    return this.#db
      .selectFrom("events")
      .selectAll()
      .where("run_id", "=", runId)
      .where("seq", ">", after)
      .orderBy("seq")
      .limit(limit)
      .execute();
  }

  #segmentKeys(runId: string) {
    return this.#db
      .selectFrom("segments")
      .select(["position", "epoch"])
      .where("run_id", "=", runId)
      .orderBy("position")
      .orderBy("epoch")
      .execute();
  }

  #journalRows(runId: string, segment: number, epoch: number, from: number) {
    return this.#db
      .selectFrom("journal")
      .selectAll()
      .where("run_id", "=", runId)
      .where("segment", "=", segment)
      .where("epoch", "=", epoch)
      .where("ord", ">=", from)
      .orderBy("ord")
      .limit(PAGE)
      .execute();
  }
}

/** As a model would have said it, so that one schema reads both. */
function bodyOf(body: string): unknown {
  const said: unknown = JSON.parse(body);
  return { ...(said as object), type: "component" };
}

function parseCursor(cursor: string): number {
  if (/^\d{1,15}$/.test(cursor)) return Number(cursor);
  throw new DossierError("invalid_request", "The cursor is not one that a list of runs gave out.", {
    faults: [{ path: "/cursor", message: "not a cursor" }],
  });
}
