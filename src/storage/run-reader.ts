import type Database from "better-sqlite3";
import type { z } from "zod";
import { COMPONENT_SCHEMAS } from "../domain/components.ts";
import type { RunEvent } from "../domain/events.ts";
import { skipUnfinishedTodos } from "../domain/plan.ts";
import type { RunFilter, RunPage } from "../domain/ports/run-service.ts";
import type { PendingInterrupt } from "../domain/ports/run-store.ts";
import type { JournalRecord, LoggedEvent, Segment } from "../domain/recording.ts";
import { isEnded, type Run, type RunStatus, type Usage } from "../domain/run.ts";
import type { Child } from "../domain/team.ts";
import { DossierError } from "../errors.ts";
import { resolveLanguage } from "../ranking/language.ts";
import { takeTurn } from "../util/turns.ts";
import { damageOf, ifUndamaged, type Rows, throwDamage } from "./damage.ts";
import type { EventTail } from "./event-tail.ts";
import { toLoggedEvent, toRecord, toRun, toRunEvent } from "./rows.ts";
import { prepareStatements, type Statements } from "./run-statements.ts";
import { RunUsage } from "./run-usage.ts";
import type { EventRow, RunRow } from "./schema.ts";
import { createTextSearch, type TextSearch } from "./text-search.ts";
import { UnstoredEnds } from "./unstored-ends.ts";

type ComponentProps<Name extends keyof typeof COMPONENT_SCHEMAS> = z.infer<(typeof COMPONENT_SCHEMAS)[Name]>["props"];

const PAGE = 500;
const SEARCHED_AT_ONCE = 100;
/** One request looks through so many runs at most. */
const MAX_SEARCHED = 5_000;

const NO_USAGE: Usage = {
  ...{ modelCalls: 0, inputTokens: 0, outputTokens: 0, toolCalls: 0, sourceRequests: 0, downloads: 0, costUsd: 0 },
  models: [],
};

function unfinishedIn({ language, question }: Run): string {
  const isChinese = /^zh\b/i.test(resolveLanguage(language ?? "auto", question));
  return isChinese ? "在它完成之前，本次运行已经结束。" : "The run ended before it was done.";
}

export class RunReader {
  protected readonly database: Database.Database;
  protected readonly sql: Statements;
  protected readonly tail: EventTail;
  protected readonly unstored = new UnstoredEnds();
  readonly #usage: RunUsage;

  constructor(database: Database.Database, tail: EventTail) {
    this.database = database;
    this.tail = tail;
    this.sql = prepareStatements(database);
    this.#usage = new RunUsage(this.sql);
  }

  async findByKey(tenant: string, idempotencyKey: string): Promise<{ id: string; requestHash: string } | null> {
    const row = this.sql.findByKey.get(tenant, idempotencyKey);
    return row === undefined ? null : { id: row.id, requestHash: row.request_hash };
  }

  async countQueued(): Promise<number> {
    return this.sql.countQueued.get()?.queued ?? 0;
  }

  async get(tenant: string, runId: string): Promise<Run | null> {
    const row = this.sql.run.get(runId, tenant);
    if (row === undefined) return null;
    const latestOf = <Name extends "todo-list" | "child-list">(name: Name): ComponentProps<Name> | null =>
      hasOnlyBegun(row) ? null : ifUndamaged(() => this.latestComponent(runId, name), null);
    const latest = latestOf("todo-list")?.todos ?? null;
    const children = latestOf("child-list")?.children ?? null;
    const run = await this.#toRun(row);
    const todos = latest !== null && isEnded(run.status) ? skipUnfinishedTodos(latest, unfinishedIn(run)) : latest;
    const request = requestOf(row);
    return { ...run, ...(request !== null && { request }), todos, children };
  }

  async list(tenant: string, filter: RunFilter): Promise<RunPage> {
    const { limit, text } = filter;
    const { where, values } = conditionsOf(tenant, filter);
    const search = createTextSearch(text ?? "");
    if (!search.isEmpty) return this.#search(where, values, { limit, search });
    const rows = this.#rows(where, values, limit + 1);
    const shown = rows.slice(0, limit);
    const last = shown.at(-1);
    const nextCursor = rows.length > limit && last !== undefined ? String(last.position) : null;
    const runs: Run[] = [];
    for (const row of shown) runs.push(await this.#toRun(row));
    return { runs: runs.filter(({ status }) => filter.status === undefined || status === filter.status), nextCursor };
  }

  async pending(runId: string): Promise<PendingInterrupt[]> {
    return this.#pending(runId);
  }

  async events(runId: string, after: number, limit: number): Promise<RunEvent[]> {
    const rows = this.tail.after(runId, after, limit) ?? this.sql.events.all(runId, after, limit);
    const last = rows.length < limit ? this.unstored.lastEvent(runId, after) : [];
    return [...rows, ...last].map(toRunEvent);
  }

  latestComponent<Name extends keyof typeof COMPONENT_SCHEMAS>(runId: string, name: Name): ComponentProps<Name> | null {
    const row = this.sql.component.get(runId, name);
    const parsed = row === undefined ? null : COMPONENT_SCHEMAS[name].safeParse({ ...JSON.parse(row.body), type: "component" });
    return parsed?.success === true ? (parsed.data.props as ComponentProps<Name>) : null;
  }

  async childrenOf(runId: string): Promise<readonly Child[]> {
    return this.latestComponent(runId, "child-list")?.children ?? [];
  }

  async head(tenant: string, runId: string): Promise<{ seq: number; status: RunStatus } | null> {
    const row = this.sql.head.get(runId, tenant);
    if (row === undefined) return null;
    const { head, status } = this.unstored.ended(runId, row);
    return { seq: head, status: status as RunStatus };
  }

  async segments(runId: string): Promise<Segment[]> {
    const rows = this.sql.segments.all(runId);
    return rows.map(({ position, epoch, input, fingerprint }) => ({ index: position, epoch, input: JSON.parse(input), fingerprint }));
  }

  async *journal(runId: string): AsyncIterable<{ segment: number; epoch: number; record: JournalRecord }> {
    for (const { position, epoch } of this.sql.segments.all(runId)) {
      for (let from = 0, more = true; more; from += PAGE) {
        const rows = this.sql.journal.all(runId, position, epoch, from, PAGE);
        for (const row of rows) yield { segment: position, epoch, record: toRecord(row) };
        more = rows.length === PAGE;
      }
    }
  }

  async *loggedEvents(runId: string): AsyncIterable<{ seq: number; event: LoggedEvent }> {
    let rows: EventRow[] = [];
    do {
      rows = this.sql.events.all(runId, rows.at(-1)?.seq ?? 0, PAGE);
      for (const row of rows) yield { seq: row.seq, event: toLoggedEvent(row) };
    } while (rows.length === PAGE);
  }

  async documentHashes(runId: string): Promise<string[]> {
    return this.sql.documents.all(runId).map((row) => row.content_hash);
  }

  /** Reads questions and titles in turns of the event loop, and of a long history only a part: the page is then short, and its cursor leads on. */
  async #search(
    where: string,
    values: readonly (string | number)[],
    { limit, search }: { limit: number; search: TextSearch },
  ): Promise<RunPage> {
    const statement = this.database.prepare(`select position, id, question, (select title from titles where run_id = runs.id) as title
      from runs where ${where} and position < ? order by position desc limit ${SEARCHED_AT_ONCE}`);
    const part = throwDamage(
      statement as unknown as Rows<Pick<RunRow, "position" | "id" | "question"> & { readonly title: string | null }>,
    );
    const runs: Run[] = [];
    let before: number = Number.MAX_SAFE_INTEGER;
    for (let searched = 0; searched < MAX_SEARCHED; searched += SEARCHED_AT_ONCE) {
      const rows = part.all(...values, before);
      for (const { position, id, question, title } of rows) {
        if (!search.matches([title ?? "", question])) continue;
        if (runs.length === limit) return { runs, nextCursor: String(before) };
        before = position;
        const row = ifUndamaged(() => this.sql.row.get(position), undefined);
        if (row?.id === id) runs.push(await this.#toRun(row));
      }
      before = rows.at(-1)?.position ?? before;
      if (rows.length < SEARCHED_AT_ONCE) return { runs, nextCursor: null };
      await takeTurn();
    }
    return { runs, nextCursor: String(before) };
  }

  /** Leaves out rows with damaged pages. */
  #rows(where: string, values: readonly (string | number)[], limit: number): RunRow[] {
    try {
      return this.database.prepare(`select * from runs where ${where} order by position desc limit ?`).all(...values, limit) as RunRow[];
    } catch (error) {
      if (damageOf(error) === null) throw error;
    }
    const [tenant] = values;
    const positions = this.database.prepare("select position from runs indexed by runs_by_tenant where tenant = ? order by position desc");
    const one = throwDamage(this.database.prepare(`select * from runs where ${where} and position = ?`) as unknown as Rows<RunRow>);
    const rows: RunRow[] = [];
    for (const position of positions.pluck().all(tenant)) {
      const row = ifUndamaged(() => one.get(...values, position), undefined);
      if (row !== undefined && rows.push(row) === limit) break;
    }
    return rows;
  }

  #pending(runId: string): PendingInterrupt[] {
    return this.sql.pending.all(runId).map((row) => ({ ...JSON.parse(row.body), interruptId: row.interrupt_id }));
  }

  async #toRun(stored: RunRow): Promise<Run> {
    const row = this.unstored.ended(stored.id, stored);
    const pending = row.status === "waiting" ? ifUndamaged(() => this.#pending(row.id), null) : [];
    const usage = hasOnlyBegun(row) ? NO_USAGE : await this.#usage.of(row.id).catch(nullIfDamaged);
    const damaged = [...(pending === null ? ["pending"] : []), ...(usage === null ? ["usage"] : [])];
    const shown = (pending ?? []).map(({ interruptId: _, ...question }) => question);
    const title = ifUndamaged(() => this.sql.title.get(row.id), undefined)?.title;
    return toRun(row, shown, usage ?? NO_USAGE, damaged, title);
  }
}

/** Whether no event but that of its start is stored, so that nothing else has to be read. Each run is returned once in this state. */
function hasOnlyBegun({ head }: RunRow): boolean {
  return head <= 1;
}

function nullIfDamaged(error: unknown): null {
  if (damageOf(error) === null) throw error;
  return null;
}

/** What was asked for, to ask again. The conversation is not stored. */
function requestOf({ request }: RunRow): Run["request"] | null {
  try {
    return JSON.parse(request);
  } catch {
    return null;
  }
}

interface Conditions {
  readonly where: string;
  readonly values: readonly (string | number)[];
}

function conditionsOf(tenant: string, { status, threadId, graph, cursor }: RunFilter): Conditions {
  const conditions: [condition: string, value: string | number][] = [["tenant = ?", tenant]];
  if (status !== undefined) conditions.push(["status = ?", status]);
  if (threadId !== undefined) conditions.push(["thread_id = ?", threadId]);
  if (graph !== undefined) conditions.push(["graph = ?", graph]);
  if (cursor !== undefined) conditions.push(["position < ?", parseCursor(cursor)]);
  return { where: conditions.map(([condition]) => condition).join(" and "), values: conditions.map(([, value]) => value) };
}

function parseCursor(cursor: string): number {
  if (/^\d{1,15}$/.test(cursor)) return Number(cursor);
  throw new DossierError("invalid_request", "The cursor is not valid. Use the nextCursor of a list of runs.", {
    faults: [{ path: "/cursor", message: "is not a cursor" }],
  });
}
