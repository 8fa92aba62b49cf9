import { type RawBuilder, sql } from "kysely";
import type { RunFilter, RunPage } from "../domain/ports/run-service.ts";
import type { Run } from "../domain/run.ts";
import { DossierError } from "../errors.ts";
import { foldLetters } from "../ranking/fold-letters.ts";
import { allRows, type Database, firstRow } from "./database.ts";
import type { RunRow } from "./tables.ts";
import { visibleTo } from "./thread-owners.ts";

const SEARCHED_AT_ONCE = 100;
/** One request looks through so many runs at most. */
const MAX_SEARCHED = 5_000;

export type TitledRow = RunRow & { readonly title: string | null };
/** The columns of a `TitledRow`. */
export const TITLED = sql`runs.*, (select title from titles where run_id = runs.id) as title`;

type ToRun = (row: TitledRow) => Promise<Run>;

/** Lists the runs of a tenant, the newest first. A filter with a text looks for it in questions and titles. */
export async function listRuns(database: Database, tenant: string, filter: RunFilter, toRun: ToRun): Promise<RunPage> {
  const { limit, text = "" } = filter;
  const conditions = conditionsOf(tenant, filter);
  const parts = partsOf(text);
  if (parts.length > 0) return searchRuns(database, conditions, { limit, parts }, toRun);
  const rows = await allRows(
    database,
    sql<TitledRow>`select ${TITLED} from runs where ${conditions} order by position desc limit ${limit + 1}`,
  );
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const nextCursor = rows.length > limit && last !== undefined ? String(last.position) : null;
  const runs: Run[] = [];
  for (const row of shown) runs.push(await toRun(row));
  return { runs, nextCursor };
}

function conditionsOf(tenant: string, { status, threadId, graph, cursor, visibleTo: owner }: RunFilter): RawBuilder<unknown> {
  const conditions = [sql`tenant = ${tenant}`];
  if (status !== undefined) conditions.push(sql`status = ${status}`);
  if (threadId !== undefined) conditions.push(sql`thread_id = ${threadId}`);
  if (graph !== undefined) conditions.push(sql`graph = ${graph}`);
  if (cursor !== undefined) conditions.push(sql`position < ${parseCursor(cursor)}`);
  if (owner !== undefined) conditions.push(visibleTo(owner));
  return sql.join(conditions, sql` and `);
}

function parseCursor(cursor: string): number {
  if (/^\d{1,15}$/.test(cursor)) return Number(cursor);
  throw new DossierError("invalid_request", "The cursor is not valid. Use the nextCursor of a list of runs.", {
    faults: [{ path: "/cursor", message: "is not a cursor" }],
  });
}

/** Reads questions and titles a page at a time, and of a long history only a part: the page is then short, and its cursor leads on. */
async function searchRuns(
  database: Database,
  conditions: RawBuilder<unknown>,
  { limit, parts }: { limit: number; parts: readonly string[] },
  toRun: ToRun,
): Promise<RunPage> {
  type Row = Pick<TitledRow, "position" | "id" | "question" | "title">;
  const runs: Run[] = [];
  let before: number = Number.MAX_SAFE_INTEGER;
  for (let searched = 0; searched < MAX_SEARCHED; searched += SEARCHED_AT_ONCE) {
    const rows = await allRows(
      database,
      sql<Row>`select position, id, question, (select title from titles where run_id = runs.id) as title
        from runs where ${conditions} and position < ${before} order by position desc limit ${SEARCHED_AT_ONCE}`,
    );
    for (const { position, id, question, title } of rows) {
      if (!holdsAll(parts, [title ?? "", question])) continue;
      if (runs.length === limit) return { runs, nextCursor: String(before) };
      before = position;
      const row = await firstRow(database, sql<TitledRow>`select ${TITLED} from runs where id = ${id}`);
      if (row !== undefined) runs.push(await toRun(row));
    }
    before = rows.at(-1)?.position ?? before;
    if (rows.length < SEARCHED_AT_ONCE) return { runs, nextCursor: null };
  }
  return { runs, nextCursor: String(before) };
}

/** The parts of a searched text between its spaces. Each must be in the question or in the title. */
function partsOf(text: string): string[] {
  return fold(text)
    .split(/\s+/)
    .filter((part) => part !== "");
}

function holdsAll(parts: readonly string[], texts: readonly string[]): boolean {
  const folded = texts.map(fold);
  return parts.every((part) => folded.some((one) => one.includes(part)));
}

/** Case, accents and the width of characters make no difference. */
function fold(text: string): string {
  return foldLetters(text.normalize("NFKC"));
}
