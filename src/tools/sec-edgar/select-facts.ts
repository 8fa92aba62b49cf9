import type { WantedConcept } from "./concepts.ts";
import { type FilingPeriods, type FiscalPeriod, fiscalPeriodOf } from "./fiscal-periods.ts";
import type { Fact } from "./schema.ts";

/** One value, and where it comes from. */
export interface SelectedFact {
  readonly concept: WantedConcept;
  readonly tag: string;
  readonly unit: string;
  readonly period: FiscalPeriod;
  /** The value in force, in the first of the filings that have had it ever since. */
  readonly fact: Fact;
  /** The first filing with another value; null where it was never restated. */
  readonly before: Fact | null;
}

export interface Selection {
  /** Fiscal years; the latest where there are none. */
  readonly years: readonly number[];
  readonly quarterly: boolean;
}

/** Values of a tag by unit. */
export type Units = ReadonlyMap<string, readonly Fact[]>;

const LATEST_YEARS = 3;
const LATEST_QUARTERS = 5;

/**
 * The values of a concept for the years or quarters asked for, newest first. A value that several filings repeat is taken
 * once; where they differ the one filed last is in force. For each period the first of the concept's tags that has it counts.
 */
export function selectFacts(
  concept: WantedConcept,
  unitsOf: (tag: string) => Units,
  filings: FilingPeriods,
  { years, quarterly }: Selection,
): SelectedFact[] {
  const chosen: SelectedFact[] = [];
  for (const tag of concept.tags) {
    const covered = new Set(chosen.map(({ period }) => periodKey(period)));
    const found = [...unitsOf(tag)].flatMap(([unit, facts]) => readUnit({ concept, tag, unit }, facts, filings, quarterly));
    chosen.push(...found.filter(({ period }) => !covered.has(periodKey(period))));
  }
  const sorted = chosen.sort((a, b) => b.fact.end.localeCompare(a.fact.end) || a.unit.localeCompare(b.unit));
  if (years.length > 0) return sorted.filter(({ period }) => years.includes(period.year));
  const latest = [...new Set(sorted.map(({ period }) => periodKey(period)))].slice(0, quarterly ? LATEST_QUARTERS : LATEST_YEARS);
  return sorted.filter(({ period }) => latest.includes(periodKey(period)));
}

function readUnit(
  origin: Pick<SelectedFact, "concept" | "tag" | "unit">,
  facts: readonly Fact[],
  filings: FilingPeriods,
  quarterly: boolean,
): SelectedFact[] {
  const byDates = Map.groupBy(facts, ({ start, end }) => `${start ?? ""} ${end}`);
  const read = [...byDates.values()].flatMap((group): SelectedFact[] => {
    const period = group.map((fact) => fiscalPeriodOf(fact, filings)).find((one) => one !== null && isWanted(one, quarterly));
    return period ? [{ ...origin, period, ...inForce(group) }] : [];
  });
  // Two spans of one fiscal year (a change of the year's end) would be one period with two values: the later one counts.
  const byPeriod = new Map(read.sort((a, b) => a.fact.end.localeCompare(b.fact.end)).map((one) => [periodKey(one.period), one]));
  return [...byPeriod.values()];
}

function inForce(group: readonly Fact[]): Pick<SelectedFact, "fact" | "before"> {
  // Of filings of one day the annual report comes first.
  const byFiling = group.toSorted((a, b) => a.filed.localeCompare(b.filed) || (a.fp ?? "").localeCompare(b.fp ?? ""));
  const last = byFiling.at(-1);
  if (last === undefined) throw new RangeError("a group has at least one fact");
  const since = byFiling.findLastIndex(({ val }) => val !== last.val) + 1;
  return { fact: byFiling[since] ?? last, before: byFiling.find(({ val }) => val !== last.val) ?? null };
}

function isWanted({ quarter }: FiscalPeriod, quarterly: boolean): boolean {
  return quarterly === (quarter !== null);
}

function periodKey({ year, quarter }: FiscalPeriod): string {
  return `${year} ${quarter ?? ""}`;
}
