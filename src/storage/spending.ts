import { sql } from "kysely";
import type { Caller } from "../domain/owners.ts";
import {
  type Admission,
  type Allowance,
  budgetHeld,
  dayOf,
  lesser,
  type Quotas,
  type RunsAtOnce,
  rest,
  type Spending,
} from "../domain/quota.ts";
import { DossierError } from "../errors.ts";
import { allRows, change, type Database, type Transaction } from "./database.ts";
import type { RunRow } from "./tables.ts";

interface SpendingRow {
  readonly owner: string;
  readonly tokens: number;
  readonly cost_usd: number;
}

/** Sums are kept this long, for whoever pays the bill. */
const KEPT_DAYS = 400;
const DAY_MS = 86_400_000;
const NOBODY = "";

/** Adds what a run has spent to the sums of its owner's day. They outlive the run. */
export async function addSpending(
  tx: Transaction,
  { tenant, owner }: Pick<RunRow, "tenant" | "owner">,
  spent: Spending,
  at: number,
): Promise<void> {
  if (spent.tokens === 0 && spent.costUsd === 0) return;
  const values = [tenant, owner ?? NOBODY, dayOf(at), spent.tokens, spent.costUsd];
  await change(
    tx,
    sql`insert into spending (tenant, owner, day, tokens, cost_usd) values (${sql.join(values)})
      on conflict (tenant, owner, day) do update set tokens = spending.tokens + excluded.tokens, cost_usd = spending.cost_usd + excluded.cost_usd`,
  );
}

/** `ofTenant` is what each tenant may spend in a day. */
export function createQuotas(database: Pick<Database, "db" | "write">, clock: () => number, ofTenant: Allowance): Quotas {
  return {
    ofTenant,
    left: (caller, ofKey, withReserved = false) => leftOf(database, caller, { ofKey, ofTenant }, clock(), withReserved),
    async clean() {
      const before = dayOf(clock() - KEPT_DAYS * DAY_MS);
      await database.write((tx) => change(tx, sql`delete from spending where day < ${before}`));
    },
  };
}

const isLimited = ({ tokens, costUsd }: Allowance): boolean => tokens !== null || costUsd !== null;

async function leftOf(
  source: Pick<Database, "db">,
  { tenant, owner }: Caller,
  { ofKey, ofTenant }: Pick<Admission, "ofKey" | "ofTenant">,
  at: number,
  withReserved = false,
): Promise<Allowance> {
  if (!isLimited(ofKey) && !isLimited(ofTenant)) return ofKey;
  const reserved = sql`union all select coalesce(owner, ${NOBODY}), case when reserved_tokens > 0 then reserved_tokens else 0 end,
    case when reserved_usd > 0 then reserved_usd else 0 end from runs where tenant = ${tenant} and ${OPEN} and reserved_tokens is not null`;
  const rows = await allRows(
    source,
    sql<SpendingRow>`select owner, tokens, cost_usd from spending where tenant = ${tenant} and day = ${dayOf(at)}
      ${withReserved ? sql`` : reserved}`,
  );
  const key = rest(ofKey, totalOf(rows.filter((row) => row.owner === (owner ?? NOBODY))));
  const whole = rest(ofTenant, totalOf(rows));
  return { tokens: lesser(key.tokens, whole.tokens), costUsd: lesser(key.costUsd, whole.costUsd) };
}

/** Runs that wait for their user hold nothing. */
const OPEN = sql`status in ('queued', 'running')`;

/**
 * Call it in the transaction that stores a new run: runs that start at once must not together exceed what each alone may.
 * @throws DossierError `too_many_runs`; `budget_exhausted` if others have reserved in the meantime what it was to have
 */
export async function admit(tx: Transaction, { tenant, owner, at, admission }: Admitted): Promise<void> {
  if (admission === undefined) return;
  const { runsAtOnce, reserved } = admission;
  const isCounted = runsAtOnce.ofTenant !== null || (owner !== null && runsAtOnce.ofKey !== null);
  if (tx.kind === "postgres" && (isCounted || reserved !== null))
    await allRows(tx, sql`select pg_advisory_xact_lock(hashtextextended(${`tenant ${tenant}`}, 0))`);
  if (isCounted) await refuseMoreRuns(tx, { tenant, owner, at }, runsAtOnce);
  if (reserved === null) return;
  const left = await leftOf(tx, { tenant, owner }, admission, at);
  const isLeft = (most: number | null, wanted: number): boolean => most === null || wanted <= most;
  if (!isLeft(left.tokens, reserved.tokens) || !isLeft(left.costUsd, reserved.costUsd)) throw budgetHeld();
}

interface Admitted extends Caller {
  readonly at: number;
  readonly admission?: Admission | undefined;
}

const RETRY_SECONDS = 10;

async function refuseMoreRuns(tx: Transaction, { tenant, owner, at }: Admitted, { ofKey, ofTenant }: RunsAtOnce): Promise<void> {
  const due = sql`${OPEN} and (start_after is null or start_after <= ${at})`;
  const rows = sql<{
    owner: string | null;
    runs: number;
  }>`select owner, count(*) as runs from runs where tenant = ${tenant} and ${due} group by owner`;
  const open = await allRows(tx, rows);
  const own = open.filter((row) => row.owner === owner).reduce((sum, row) => sum + Number(row.runs), 0);
  const all = open.reduce((sum, row) => sum + Number(row.runs), 0);
  for (const [whose, most, runs] of [["KEY", owner === null ? null : ofKey, own] as const, ["TENANT", ofTenant, all] as const])
    if (most !== null && runs >= most)
      throw new DossierError(
        "too_many_runs",
        `${runs} runs are queued or running, and ${whose}_RUNS_AT_ONCE is ${most}. Nothing was stored; try again when one has ended.`,
        { retryAfterSeconds: RETRY_SECONDS },
      );
}

/** The values of `reserved_tokens` and `reserved_usd` of a new run. */
export function reservedBy(admission: Admission | undefined): readonly [tokens: number | null, usd: number | null] {
  const { tokens = null, costUsd = null } = admission?.reserved ?? {};
  return [tokens, costUsd];
}

/** What an attempt spends was reserved for it. */
export async function useReserved(tx: Transaction, runId: string, { tokens, costUsd }: Spending): Promise<void> {
  if (tokens === 0 && costUsd === 0) return;
  const values = sql`reserved_tokens = reserved_tokens - ${tokens}, reserved_usd = reserved_usd - ${costUsd}`;
  await change(tx, sql`update runs set ${values} where id = ${runId} and reserved_tokens is not null`);
}

function totalOf(rows: readonly SpendingRow[]): Spending {
  return rows.reduce((sum, row) => ({ tokens: sum.tokens + Number(row.tokens), costUsd: sum.costUsd + Number(row.cost_usd) }), {
    tokens: 0,
    costUsd: 0,
  });
}
