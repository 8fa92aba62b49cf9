import type { CallContext } from "../../domain/ports/http-fetch.ts";
import type { ServiceClient } from "../services/service-client.ts";
import { companyConceptUrl, companyFactsUrl } from "./addresses.ts";
import type { WantedConcept } from "./concepts.ts";
import { type FilingPeriods, readFilingPeriods } from "./fiscal-periods.ts";
import { nullIfMissing } from "./null-if-missing.ts";
import { CompanyConceptSchema, CompanyFactsSchema, ConceptSchema, type Fact, FactSchema } from "./schema.ts";
import type { Units } from "./select-facts.ts";

export interface LoadedFacts {
  readonly name: string;
  readonly filings: FilingPeriods;
  /** Empty for a tag under which the company reports nothing. */
  unitsOf(tag: string): Units;
  /** What the taxonomy calls a tag, or null. */
  labelOf(tag: string): string | null;
}

/** Most filings have these, and the last of their ends is the end of the period that the filing is of. */
const ANCHORS = [
  "us-gaap:NetIncomeLoss",
  "us-gaap:ProfitLoss",
  "us-gaap:Assets",
  "us-gaap:StockholdersEquity",
  "ifrs-full:Assets",
  "ifrs-full:ProfitLoss",
];

/** The facts of a company, all at once where several tags could be meant; null where it reports none. */
export async function loadFacts(
  cik: number,
  concepts: readonly WantedConcept[],
  client: ServiceClient,
  context: CallContext,
): Promise<LoadedFacts | null> {
  const tags = new Set(concepts.flatMap((concept) => concept.tags));
  const [only] = tags;
  return tags.size === 1 && only !== undefined ? loadConcept(cik, only, client, context) : loadCompany(cik, [...tags], client, context);
}

async function loadConcept(cik: number, tag: string, client: ServiceClient, context: CallContext): Promise<LoadedFacts | null> {
  const answer = await nullIfMissing(client.json(CompanyConceptSchema, companyConceptUrl(cik, tag), context));
  if (answer === null) return null;
  const units = readUnits(answer);
  return {
    name: answer.entityName,
    filings: periodsOf([units]),
    unitsOf: (wanted) => (wanted === tag ? units : new Map()),
    labelOf: () => answer.label ?? null,
  };
}

async function loadCompany(cik: number, tags: readonly string[], client: ServiceClient, context: CallContext): Promise<LoadedFacts | null> {
  const answer = await nullIfMissing(client.json(CompanyFactsSchema, companyFactsUrl(cik), context));
  if (answer === null) return null;
  const read = new Map([...ANCHORS, ...tags].map((tag) => [tag, readUnits(at(answer.facts, tag))]));
  const unitsOf = (tag: string): Units => read.get(tag) ?? new Map();
  // Other values may be of days after the period, dividends for instance; they tell only of filings without an anchor.
  const filings = new Map([...periodsOf(tags.map(unitsOf)), ...periodsOf(ANCHORS.map(unitsOf))]);
  return {
    name: answer.entityName,
    filings,
    unitsOf,
    labelOf: (tag) => ConceptSchema.safeParse(at(answer.facts, tag)).data?.label ?? null,
  };
}

function at(facts: Readonly<Record<string, Readonly<Record<string, unknown>>>>, tag: string): unknown {
  const [taxonomy = "", name = ""] = tag.split(":");
  return Object.hasOwn(facts, taxonomy) && Object.hasOwn(facts[taxonomy] ?? {}, name) ? facts[taxonomy]?.[name] : undefined;
}

/** One odd value does not lose the others. */
function readUnits(concept: unknown): Units {
  const parsed = ConceptSchema.safeParse(concept);
  if (!parsed.success) return new Map();
  return new Map(Object.entries(parsed.data.units).map(([unit, facts]) => [unit, facts.flatMap(readFact)]));
}

function readFact(value: unknown): Fact[] {
  const parsed = FactSchema.safeParse(value);
  return parsed.success ? [parsed.data] : [];
}

function periodsOf(units: readonly Units[]): FilingPeriods {
  return readFilingPeriods(units.flatMap((one) => [...one.values()].flat()));
}
