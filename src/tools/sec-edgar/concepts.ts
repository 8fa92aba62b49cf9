import { figuresIn } from "../../domain/companies/figures.ts";

/** A figure under the tags that stand for it, the one to be preferred first. */
export interface WantedConcept {
  /** Its plain name, or the tag itself where a tag was asked for. */
  readonly name: string;
  /** As it was asked for. */
  readonly surface: string;
  readonly tags: readonly string[];
  /** Of one day, as in a balance sheet, rather than of a period; null where that is not known. */
  readonly instant: boolean | null;
}

const gaap = (...tags: readonly string[]): string[] => tags.map((tag) => `us-gaap:${tag}`);
const ifrs = (...tags: readonly string[]): string[] => tags.map((tag) => `ifrs-full:${tag}`);

/**
 * Companies tag one figure in different ways, and the ways change with the years. Revenues comes first, because where a
 * company reports it besides revenue from contracts, it is the whole and the other a part.
 */
const FLOWS: Readonly<Record<string, readonly string[]>> = {
  revenue: [
    ...gaap(
      "Revenues",
      "RevenueFromContractWithCustomerExcludingAssessedTax",
      "RevenueFromContractWithCustomerIncludingAssessedTax",
      "SalesRevenueNet",
      "RevenuesNetOfInterestExpense",
      "SalesRevenueGoodsNet",
    ),
    ...ifrs("Revenue"),
  ],
  "cost of revenue": [...gaap("CostOfRevenue", "CostOfGoodsAndServicesSold", "CostOfGoodsSold"), ...ifrs("CostOfSales")],
  "gross profit": [...gaap("GrossProfit"), ...ifrs("GrossProfit")],
  "operating income": [...gaap("OperatingIncomeLoss"), ...ifrs("ProfitLossFromOperatingActivities")],
  "net income": [
    ...gaap("NetIncomeLoss", "ProfitLoss", "NetIncomeLossAvailableToCommonStockholdersBasic"),
    ...ifrs("ProfitLossAttributableToOwnersOfParent", "ProfitLoss"),
  ],
  "diluted earnings per share": [
    ...gaap("EarningsPerShareDiluted", "EarningsPerShareBasicAndDiluted", "EarningsPerShareBasic"),
    ...ifrs("DilutedEarningsLossPerShare"),
  ],
  "dividends per share": gaap("CommonStockDividendsPerShareDeclared", "CommonStockDividendsPerShareCashPaid"),
  "operating cash flow": [
    ...gaap("NetCashProvidedByUsedInOperatingActivities", "NetCashProvidedByUsedInOperatingActivitiesContinuingOperations"),
    ...ifrs("CashFlowsFromUsedInOperatingActivities"),
  ],
  "capital expenditures": [
    ...gaap("PaymentsToAcquirePropertyPlantAndEquipment", "PaymentsToAcquireProductiveAssets"),
    ...ifrs("PurchaseOfPropertyPlantAndEquipmentClassifiedAsInvestingActivities"),
  ],
  "research and development": [...gaap("ResearchAndDevelopmentExpense"), ...ifrs("ResearchAndDevelopmentExpense")],
};
const INSTANTS: Readonly<Record<string, readonly string[]>> = {
  "total assets": [...gaap("Assets"), ...ifrs("Assets")],
  "total liabilities": [...gaap("Liabilities"), ...ifrs("Liabilities")],
  "shareholders' equity": [
    ...gaap("StockholdersEquity", "StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest"),
    ...ifrs("EquityAttributableToOwnersOfParent", "Equity"),
  ],
  "cash and cash equivalents": [
    ...gaap("CashAndCashEquivalentsAtCarryingValue", "CashCashEquivalentsRestrictedCashAndRestrictedCashEquivalents"),
    ...ifrs("CashAndCashEquivalents"),
  ],
  "long-term debt": [...gaap("LongTermDebtNoncurrent", "LongTermDebt"), ...ifrs("NoncurrentPortionOfNoncurrentBorrowings")],
  inventory: [...gaap("InventoryNet"), ...ifrs("Inventories")],
  "shares outstanding": ["dei:EntityCommonStockSharesOutstanding", ...gaap("CommonStockSharesOutstanding")],
};
const TAG = /^(?:([a-z][\w-]*):)?([A-Z][A-Za-z0-9]{2,})$/;

/** What is shown of a company where nothing particular is asked for. */
export const USUAL_CONCEPTS: readonly string[] = ["revenue", "net income", "total assets", "diluted earnings per share"];

/** The concepts behind what was asked for, in plain words of English or Chinese or as tags; what is neither has no tags. */
export function readConcepts(asked: readonly string[]): WantedConcept[] {
  return asked.flatMap((surface) => {
    const [, taxonomy, tag] = TAG.exec(surface) ?? [];
    const figures = figuresIn(surface);
    if (tag !== undefined && (taxonomy !== undefined || figures.length === 0 || /[a-z][A-Z]/.test(tag)))
      return [{ name: surface, surface, tags: [`${taxonomy ?? "us-gaap"}:${tag}`], instant: null }];
    if (figures.length === 0) return [{ name: surface, surface, tags: [], instant: null }];
    return figures.map((figure): WantedConcept => {
      const instants = INSTANTS[figure.name];
      return { ...figure, tags: instants ?? FLOWS[figure.name] ?? [], instant: instants !== undefined };
    });
  });
}
