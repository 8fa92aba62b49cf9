import type { Fact } from "./schema.ts";

/** A year or a quarter as the company counts them. */
export interface FiscalPeriod {
  readonly year: number;
  readonly quarter: 1 | 2 | 3 | 4 | null;
}

/** The period that a filing reports on, by its accession number. */
export type FilingPeriods = ReadonlyMap<string, { readonly end: string; readonly year: number; readonly fp: string }>;

const DAY_MS = 86_400_000;
const YEAR_DAYS = 365.25;
/** Years of 52 and 53 weeks end on other days. */
const TOLERANCE_DAYS = 20;
const COVER_DAYS = 150;
const YEAR_LENGTH = [350, 380] as const;
const QUARTER_LENGTH = [75, 105] as const;

/**
 * Which period each filing reports on: the last that any of its values is of. `fy` belongs to the filing, so last year's
 * value in this year's report carries this year's number; only with this can it be told which year a value is of.
 */
export function readFilingPeriods(facts: readonly Fact[]): FilingPeriods {
  const periods = new Map<string, { end: string; year: number; fp: string }>();
  for (const { accn, end, fy, fp } of facts) {
    const known = periods.get(accn);
    if (known === undefined || end > known.end) periods.set(accn, { end, year: fy ?? Number(end.slice(0, 4)), fp: fp ?? "FY" });
  }
  return periods;
}

/** The fiscal year or quarter that a value is of, or null where its filing does not tell (a sum of nine months, say). */
export function fiscalPeriodOf(fact: Fact, filings: FilingPeriods): FiscalPeriod | null {
  const filing = filings.get(fact.accn);
  if (filing === undefined) return null;
  const years = yearsBefore(fact.end, filing.end);
  if (years === null) return null;
  const year = filing.year - years;
  const quarter = filing.fp === "FY" ? 4 : Number(/^Q([1-3])$/.exec(filing.fp)?.[1] ?? 0);
  if (isYear(fact)) return filing.fp === "FY" ? { year, quarter: null } : null;
  const isOne = quarter === 1 || quarter === 2 || quarter === 3 || quarter === 4;
  if (isQuarter(fact)) return isOne ? { year, quarter } : null;
  if (fact.start) return null;
  // What stands at the end of a year is the year's, and its last quarter's.
  return filing.fp === "FY" ? { year, quarter: null } : isOne ? { year, quarter } : null;
}

/** Whole years from the end of a value to the end of its filing's period; what a cover tells is of a day some weeks later. */
function yearsBefore(end: string, filingEnd: string): number | null {
  const ago = days(end, filingEnd);
  if (ago < 0) return ago >= -COVER_DAYS ? 0 : null;
  const years = Math.round(ago / YEAR_DAYS);
  return Math.abs(ago - years * YEAR_DAYS) <= TOLERANCE_DAYS ? years : null;
}

function isYear({ start, end }: Fact): boolean {
  return within(start, end, YEAR_LENGTH);
}

function isQuarter({ start, end }: Fact): boolean {
  return within(start, end, QUARTER_LENGTH);
}

function within(start: string | null | undefined, end: string, [least, most]: readonly [number, number]): boolean {
  const length = start ? days(start, end) : 0;
  return length >= least && length <= most;
}

function days(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / DAY_MS;
}
