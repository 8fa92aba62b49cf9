import { FIGURES } from "../../domain/companies/figures.ts";
import type { CallContext } from "../../domain/ports/sources.ts";
import type { ToolResult, ToolSource } from "../../domain/tool.ts";
import type { ServiceClient } from "../services/service-client.ts";
import { rowText } from "../services/text.ts";
import { companyConceptUrl, companyFactsUrl } from "./addresses.ts";
import type { Arguments } from "./arguments.ts";
import { readConcepts, USUAL_CONCEPTS, type WantedConcept } from "./concepts.ts";
import { type FilingPeriods, type FiscalPeriod, readFilingPeriods } from "./fiscal-periods.ts";
import { nullIfMissing } from "./null-if-missing.ts";
import { CompanyConceptSchema, CompanyFactsSchema, ConceptSchema, type Fact, FactSchema } from "./schema.ts";
import { type SelectedFact, type Selection, selectFacts, type Units } from "./select-facts.ts";
import { companyLabel, type NamedCompany, printNumber, type Wording, wordingOf } from "./wording.ts";

const SNIPPET_ROWS = 4;

/** The figures a company reported, a source for each tag they stand under. */
export async function lookUpFacts(
  args: Arguments,
  company: NamedCompany,
  client: ServiceClient,
  context: CallContext,
): Promise<ToolResult> {
  const wording = wordingOf(args);
  const concepts = readConcepts(args.concepts ?? USUAL_CONCEPTS);
  const loaded = await loadFacts(company.cik, concepts, client, context);
  if (loaded === null) return { text: `${companyLabel(company, wording)} has reported no such figures in XBRL.`, sources: [] };
  const named = { ...company, name: loaded.name };
  const selection: Selection = { years: args.years ?? [], quarterly: args.quarterly ?? false };
  const selected = concepts
    .map((concept) => withLabel(concept, loaded))
    .map((concept) => ({ concept, facts: selectFacts(concept, loaded.unitsOf, loaded.filings, selection) }));
  const missing = selected.filter(({ facts }) => facts.length === 0).map(({ concept }) => missingNote(concept, selection, loaded));
  const facts = selected.flatMap((one) => one.facts);
  const sources = [...Map.groupBy(facts, ({ tag }) => tag).values()].map((group) => toSource(group, named, args));
  const text = [...sources.map((source) => source.text ?? ""), ...missing].join("\n");
  return { text: `${companyLabel(named, wording)}\n${text}`, sources };
}

/** What was asked for by its tag is called as the taxonomy calls it. */
function withLabel(concept: WantedConcept, { labelOf }: LoadedFacts): WantedConcept {
  const [only] = concept.tags;
  const label = concept.instant === null && only !== undefined ? labelOf(only) : null;
  return label === null ? concept : { ...concept, name: label, surface: label };
}

function toSource(facts: readonly SelectedFact[], company: NamedCompany, args: Arguments): ToolSource {
  const wording = wordingOf(args);
  const rows = facts.map((fact) => factRow(fact, company, wording));
  const tag = facts[0]?.tag ?? "";
  const names = [...new Set(facts.map((fact) => conceptLabel(fact, wording)))].join(", ");
  const part = [...(args.years ?? ["latest"]), ...(args.quarterly ? ["quarters"] : [])].join("-");
  return {
    title: `${companyLabel(company, wording)}: ${names} (${tag})`,
    url: `${companyConceptUrl(company.cik, tag)}#${part}`,
    publishedAt: facts.map(({ fact }) => fact.filed).reduce((latest, filed) => (filed > latest ? filed : latest)),
    snippet: rows.slice(0, SNIPPET_ROWS).join("\n"),
    kind: "filing",
    ...rowText(rows),
  };
}

/** What is not there, and what there is instead. */
function missingNote(concept: WantedConcept, { years, quarterly }: Selection, { unitsOf, filings }: LoadedFacts): string {
  if (concept.tags.length === 0) return `${concept.surface}: no known figure; ask for it by its XBRL tag, such as us-gaap:Assets.`;
  const all = selectFacts(concept, unitsOf, filings, { years: Array.from({ length: 200 }, (_, i) => 1950 + i), quarterly });
  const has = [...new Set(all.map(({ period }) => period.year))].sort((a, b) => a - b);
  const when = years.length === 0 ? "" : ` for ${years.join(", ")}`;
  return `${concept.surface}: no value${when} under ${concept.tags.join(", ")}${has.length === 0 ? "" : `; there are values for ${has[0]} to ${has.at(-1)}`}.`;
}

/** One value as a statement that can be quoted alone: what, of whom, when, how much, in which unit, and out of which filing. */
function factRow(selected: SelectedFact, company: NamedCompany, wording: Wording): string {
  const { fact, tag, unit, period, before } = selected;
  const value = `${printNumber(fact.val)} ${unitLabel(unit)}`;
  const restated = before === null ? [] : [`earlier reported as ${printNumber(before.val)} in ${before.accn}`];
  const origin = [tag, fact.form ?? "", `accession ${fact.accn}`, `filed ${fact.filed}`, ...restated].filter((part) => part !== "");
  const dates = fact.start ? [fact.start, fact.end] : [fact.end];
  const whose = companyLabel(company, wording);
  const what = conceptLabel(selected, wording);
  if (wording === "zh") return `${whose}，${what}，${chinesePeriod(period)}（${dates.join(" 至 ")}）：${value}（${origin.join("，")}）`;
  return `${whose}, ${what}, ${englishPeriod(period)} (${dates.join(" to ")}): ${value} (${origin.join(", ")})`;
}

/** The plain name, with the words of the call where they are others. */
function conceptLabel({ concept: { name, surface } }: Pick<SelectedFact, "concept">, wording: Wording): string {
  const own = wording === "zh" ? (FIGURES.find((figure) => figure.name === name)?.chinese ?? name) : name;
  if (own.toLowerCase() === surface.toLowerCase() || own.includes(surface)) return own;
  return wording === "zh" ? `${surface}（${own}）` : `${own} (${surface})`;
}

function englishPeriod({ year, quarter }: FiscalPeriod): string {
  return quarter === null ? `fiscal year ${year}` : `quarter ${quarter} (Q${quarter}) of fiscal year ${year}`;
}

function chinesePeriod({ year, quarter }: FiscalPeriod): string {
  return quarter === null ? `${year}财年` : `${year}财年第${quarter}季度`;
}

function unitLabel(unit: string): string {
  return unit.replace("/shares", " per share");
}

interface LoadedFacts {
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
async function loadFacts(
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
