import { figuresIn } from "../../domain/companies.ts";
import type { Fact } from "./client.ts";

export interface WantedConcept {
  readonly name: string;
  /** XBRL tags in order of preference; empty for an unknown figure. */
  readonly tags: readonly string[];
  /** Whether a value belongs to one day, as in a balance sheet; null if unknown. */
  readonly instant: boolean | null;
}

/** A line has a figure's name, its US GAAP tags and its IFRS tags, the preferred tag first. */
const FLOWS = readTags(`
revenue; Revenues RevenueFromContractWithCustomerExcludingAssessedTax RevenueFromContractWithCustomerIncludingAssessedTax SalesRevenueNet RevenuesNetOfInterestExpense SalesRevenueGoodsNet; Revenue
cost of revenue; CostOfRevenue CostOfGoodsAndServicesSold CostOfGoodsSold; CostOfSales
gross profit; GrossProfit; GrossProfit
operating income; OperatingIncomeLoss; ProfitLossFromOperatingActivities
net income; NetIncomeLoss ProfitLoss NetIncomeLossAvailableToCommonStockholdersBasic; ProfitLossAttributableToOwnersOfParent ProfitLoss
diluted earnings per share; EarningsPerShareDiluted EarningsPerShareBasicAndDiluted EarningsPerShareBasic; DilutedEarningsLossPerShare
dividends per share; CommonStockDividendsPerShareDeclared CommonStockDividendsPerShareCashPaid
operating cash flow; NetCashProvidedByUsedInOperatingActivities NetCashProvidedByUsedInOperatingActivitiesContinuingOperations; CashFlowsFromUsedInOperatingActivities
capital expenditures; PaymentsToAcquirePropertyPlantAndEquipment PaymentsToAcquireProductiveAssets; PurchaseOfPropertyPlantAndEquipmentClassifiedAsInvestingActivities
research and development; ResearchAndDevelopmentExpense; ResearchAndDevelopmentExpense`);
const INSTANTS = readTags(`
total assets; Assets; Assets
total liabilities; Liabilities; Liabilities
shareholders' equity; StockholdersEquity StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest; EquityAttributableToOwnersOfParent Equity
cash and cash equivalents; CashAndCashEquivalentsAtCarryingValue CashCashEquivalentsRestrictedCashAndRestrictedCashEquivalents; CashAndCashEquivalents
long-term debt; LongTermDebtNoncurrent LongTermDebt; NoncurrentPortionOfNoncurrentBorrowings
inventory; InventoryNet; Inventories
shares outstanding; dei:EntityCommonStockSharesOutstanding CommonStockSharesOutstanding`);

function readTags(table: string): ReadonlyMap<string, readonly string[]> {
  const prefixed = (taxonomy: string, tags: string): string[] =>
    tags === "" ? [] : tags.split(" ").map((tag) => (tag.includes(":") ? tag : `${taxonomy}:${tag}`));
  const lines = table.trim().split("\n");
  return new Map(
    lines.map((line) => {
      const [name = "", gaap = "", ifrs = ""] = line.split("; ");
      return [name, [...prefixed("us-gaap", gaap), ...prefixed("ifrs-full", ifrs)]];
    }),
  );
}

const TAG = /^(?:([a-z][\w-]*):)?([A-Z][A-Za-z0-9]{2,})$/;

export function readConcepts(asked: readonly string[]): WantedConcept[] {
  return asked.flatMap((text) => {
    const [, taxonomy, tag] = TAG.exec(text) ?? [];
    const figures = figuresIn(text);
    const isTag = tag !== undefined && (taxonomy !== undefined || figures.length === 0 || /[a-z][A-Z]/.test(tag));
    if (isTag || figures.length === 0) return [{ name: text, tags: isTag ? [`${taxonomy ?? "us-gaap"}:${tag}`] : [], instant: null }];
    return figures.map(({ name }): WantedConcept => {
      const instants = INSTANTS.get(name);
      return { name, tags: instants ?? FLOWS.get(name) ?? [], instant: instants !== undefined };
    });
  });
}

export interface FiscalPeriod {
  readonly year: number;
  readonly quarter: number | null;
}

export type FilingPeriods = ReadonlyMap<string, { readonly end: string; readonly year: number; readonly fp: string }>;

const DAY_MS = 86_400_000;
const YEAR_DAYS = 365.25;
/** A fiscal year of 52 or 53 weeks ends on a different day each year. */
const TOLERANCE_DAYS = 20;
/** A filing's cover has values, such as shares outstanding, that are dated up to this long after its period. */
const COVER_DAYS = 150;
const YEAR_LENGTH = [350, 380] as const;
const QUARTER_LENGTH = [75, 105] as const;

/** A filing's period ends with its latest value. `fy` is the year of that period, not of each value. */
export function readFilingPeriods(facts: readonly Fact[]): FilingPeriods {
  const periods = new Map<string, { end: string; year: number; fp: string }>();
  for (const { accn, end, fy, fp } of facts) {
    const known = periods.get(accn);
    if (known === undefined || end > known.end) periods.set(accn, { end, year: fy ?? Number(end.slice(0, 4)), fp: fp ?? "FY" });
  }
  return periods;
}

function fiscalPeriodOf(fact: Fact, filings: FilingPeriods): FiscalPeriod | null {
  const filing = filings.get(fact.accn);
  const years = filing === undefined ? null : yearsBefore(fact.end, filing.end);
  if (filing === undefined || years === null) return null;
  const isAnnual = filing.fp === "FY";
  const year = { year: filing.year - years, quarter: null };
  const quarter = isAnnual ? 4 : Number(/^Q([1-3])$/.exec(filing.fp)?.[1] ?? 0);
  const inQuarter = quarter === 0 ? null : { ...year, quarter };
  if (!fact.start) return isAnnual ? year : inQuarter;
  const length = days(fact.start, fact.end);
  if (isWithin(length, YEAR_LENGTH)) return isAnnual ? year : null;
  return isWithin(length, QUARTER_LENGTH) ? inQuarter : null;
}

function yearsBefore(end: string, filingEnd: string): number | null {
  const ago = days(end, filingEnd);
  if (ago < 0) return ago >= -COVER_DAYS ? 0 : null;
  const years = Math.round(ago / YEAR_DAYS);
  return Math.abs(ago - years * YEAR_DAYS) <= TOLERANCE_DAYS ? years : null;
}

function isWithin(length: number, [least, most]: readonly [number, number]): boolean {
  return length >= least && length <= most;
}

function days(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / DAY_MS;
}

export interface SelectedFact {
  readonly concept: WantedConcept;
  readonly tag: string;
  readonly unit: string;
  readonly period: FiscalPeriod;
  /** The current value, as reported by the first filing that contains it. */
  readonly fact: Fact;
  /** The value that was reported first, if it was changed later; otherwise null. */
  readonly before: Fact | null;
}

export interface Selection {
  /** Fiscal years. An empty list selects the latest years. */
  readonly years: readonly number[];
  readonly quarterly: boolean;
}

export type Units = ReadonlyMap<string, readonly Fact[]>;

const LATEST_YEARS = 3;
const LATEST_QUARTERS = 5;

/** Returns the values of all years or quarters, newest first. A tag fills only periods for which no earlier tag has a value. */
export function readFacts(
  concept: WantedConcept,
  unitsOf: (tag: string) => Units,
  filings: FilingPeriods,
  quarterly: boolean,
): SelectedFact[] {
  const chosen: SelectedFact[] = [];
  for (const tag of concept.tags) {
    const covered = new Set(chosen.map(periodKey));
    const found = [...unitsOf(tag)].flatMap(([unit, facts]) => selectUnit({ concept, tag, unit }, facts, filings, quarterly));
    chosen.push(...found.filter((one) => !covered.has(periodKey(one))));
  }
  return chosen.sort((a, b) => b.fact.end.localeCompare(a.fact.end) || a.unit.localeCompare(b.unit));
}

export function selectFacts(known: readonly SelectedFact[], { years, quarterly }: Selection): SelectedFact[] {
  if (years.length > 0) return known.filter(({ period }) => years.includes(period.year));
  const latest = [...new Set(known.map(periodKey))].slice(0, quarterly ? LATEST_QUARTERS : LATEST_YEARS);
  return known.filter((one) => latest.includes(periodKey(one)));
}

/** Two spans share a year if a company moves its fiscal year end. The later span wins. */
function selectUnit(
  origin: Pick<SelectedFact, "concept" | "tag" | "unit">,
  facts: readonly Fact[],
  filings: FilingPeriods,
  quarterly: boolean,
): SelectedFact[] {
  const bySpan = Map.groupBy(facts, ({ start, end }) => `${start ?? ""} ${end}`);
  const selected = [...bySpan.values()].flatMap((group): SelectedFact[] => {
    const periods = group.map((fact) => fiscalPeriodOf(fact, filings));
    const period = periods.find((one) => one !== null && quarterly === (one.quarter !== null));
    return period ? [{ ...origin, period, ...currentOf(group) }] : [];
  });
  return [...new Map(selected.sort((a, b) => a.fact.end.localeCompare(b.fact.end)).map((one) => [periodKey(one), one])).values()];
}

function currentOf(group: readonly Fact[]): Pick<SelectedFact, "fact" | "before"> {
  // "FY" sorts before "Q1", so of filings of the same day the annual report comes first.
  const byFiling = group.toSorted((a, b) => a.filed.localeCompare(b.filed) || (a.fp ?? "").localeCompare(b.fp ?? ""));
  const last = byFiling.at(-1);
  if (last === undefined) throw new RangeError("a group has at least one fact");
  const since = byFiling.findLastIndex(({ val }) => val !== last.val) + 1;
  return { fact: byFiling[since] ?? last, before: byFiling.find(({ val }) => val !== last.val) ?? null };
}

function periodKey({ period: { year, quarter } }: SelectedFact): string {
  return `${year} ${quarter ?? ""}`;
}
