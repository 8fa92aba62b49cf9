import { FIGURES } from "../../domain/companies.ts";
import type { ToolResult, ToolSource } from "../../domain/tool.ts";
import { type Arguments, companyLabel, filingSource, type NamedCompany, printNumber, type Wording, wordingOf } from "./arguments.ts";
import {
  CompanyConceptSchema,
  CompanyFactsSchema,
  ConceptSchema,
  companyConceptUrl,
  companyFactsUrl,
  type Edgar,
  type Fact,
  FactSchema,
} from "./client.ts";
import {
  type FilingPeriods,
  type FiscalPeriod,
  readConcepts,
  readFilingPeriods,
  type SelectedFact,
  type Selection,
  selectFacts,
  type Units,
  type WantedConcept,
} from "./select-facts.ts";

const USUAL_CONCEPTS: readonly string[] = ["revenue", "net income", "total assets", "diluted earnings per share"];
const SNIPPET_ROWS = 4;

export async function lookUpFacts(args: Arguments, company: NamedCompany, edgar: Edgar): Promise<ToolResult> {
  const wording = wordingOf(args);
  const concepts = readConcepts(args.concepts ?? USUAL_CONCEPTS);
  const loaded = await loadFacts(company.cik, concepts, edgar);
  if (loaded === null) return { text: `${companyLabel(company, wording)} has reported no such figures in XBRL.`, sources: [] };
  const named = { ...company, name: loaded.name };
  const selection: Selection = { years: args.years ?? [], quarterly: args.quarterly ?? false };
  const selected = concepts
    .map((concept) => withLabel(concept, loaded))
    .map((concept) => ({ concept, facts: selectFacts(concept, loaded.unitsOf, loaded.filings, selection) }));
  const missing = selected.filter(({ facts }) => facts.length === 0).map(({ concept }) => missingNote(concept, selection, loaded));
  const byTag = Map.groupBy(
    selected.flatMap(({ facts }) => facts),
    ({ tag }) => tag,
  );
  const sources = [...byTag].map(([tag, facts]) => toSource(tag, facts, named, args));
  return { text: [companyLabel(named, wording), ...sources.map(({ text }) => text ?? ""), ...missing].join("\n"), sources };
}

function withLabel(concept: WantedConcept, { labelOf }: LoadedFacts): WantedConcept {
  const [only] = concept.tags;
  const label = concept.instant === null && only !== undefined ? labelOf(only) : null;
  return label === null ? concept : { ...concept, name: label, surface: label };
}

function toSource(tag: string, facts: readonly SelectedFact[], company: NamedCompany, args: Arguments): ToolSource {
  const wording = wordingOf(args);
  const names = [...new Set(facts.map((fact) => conceptLabel(fact, wording)))].join(", ");
  const part = [...(args.years ?? ["latest"]), ...(args.quarterly ? ["quarters"] : [])].join("-");
  const source = {
    title: `${companyLabel(company, wording)}: ${names} (${tag})`,
    url: `${companyConceptUrl(company.cik, tag)}#${part}`,
    publishedAt: facts.map(({ fact }) => fact.filed).reduce((latest, filed) => (filed > latest ? filed : latest)),
  };
  const rows = facts.map((fact) => factRow(fact, company, wording));
  return filingSource(source, rows, SNIPPET_ROWS);
}

function missingNote(concept: WantedConcept, { years, quarterly }: Selection, { unitsOf, filings }: LoadedFacts): string {
  if (concept.tags.length === 0) return `${concept.surface}: no known figure; ask for it by its XBRL tag, such as us-gaap:Assets.`;
  const all = selectFacts(concept, unitsOf, filings, { years: Array.from({ length: 200 }, (_, i) => 1950 + i), quarterly });
  const known = all.map(({ period }) => period.year).sort((a, b) => a - b);
  const when = years.length === 0 ? "" : ` for ${years.join(", ")}`;
  const instead = known.length === 0 ? "" : `; there are values for ${known[0]} to ${known.at(-1)}`;
  return `${concept.surface}: no value${when} under ${concept.tags.join(", ")}${instead}.`;
}

function factRow(selected: SelectedFact, company: NamedCompany, wording: Wording): string {
  const { fact, tag, unit, period, before } = selected;
  const value = `${printNumber(fact.val)} ${unit.replace("/shares", " per share")}`;
  const restated = before === null ? [] : [`earlier reported as ${printNumber(before.val)} in ${before.accn}`];
  const origin = [tag, fact.form ?? "", `accession ${fact.accn}`, `filed ${fact.filed}`, ...restated].filter((part) => part !== "");
  const dates = fact.start ? [fact.start, fact.end] : [fact.end];
  const whose = companyLabel(company, wording);
  const what = [conceptLabel(selected, wording), periodLabel(period, wording)];
  if (wording === "zh") return `${[whose, ...what].join("，")}（${dates.join(" 至 ")}）：${value}（${origin.join("，")}）`;
  return `${[whose, ...what].join(", ")} (${dates.join(" to ")}): ${value} (${origin.join(", ")})`;
}

/** Returns `营收（营业收入）`: the requested word for a figure, and its usual name if that differs. */
function conceptLabel({ concept: { name, surface } }: Pick<SelectedFact, "concept">, wording: Wording): string {
  const own = wording === "zh" ? (FIGURES.find((figure) => figure.name === name)?.chinese ?? name) : name;
  if (own.toLowerCase() === surface.toLowerCase() || own.includes(surface)) return own;
  return wording === "zh" ? `${surface}（${own}）` : `${own} (${surface})`;
}

function periodLabel({ year, quarter }: FiscalPeriod, wording: Wording): string {
  if (wording === "zh") return quarter === null ? `${year}财年` : `${year}财年第${quarter}季度`;
  return quarter === null ? `fiscal year ${year}` : `quarter ${quarter} (Q${quarter}) of fiscal year ${year}`;
}

interface LoadedFacts {
  readonly name: string;
  readonly filings: FilingPeriods;
  unitsOf(tag: string): Units;
  labelOf(tag: string): string | null;
}

/** Most filings report these tags. Their latest value shows when the filing's period ends. */
const ANCHORS = [
  "us-gaap:NetIncomeLoss",
  "us-gaap:ProfitLoss",
  "us-gaap:Assets",
  "us-gaap:StockholdersEquity",
  "ifrs-full:Assets",
  "ifrs-full:ProfitLoss",
];

/** For a single tag, loads a small file instead of all facts of the company. */
async function loadFacts(cik: number, concepts: readonly WantedConcept[], edgar: Edgar): Promise<LoadedFacts | null> {
  const tags = [...new Set(concepts.flatMap((concept) => concept.tags))];
  const [only, ...others] = tags;
  const isOne = only !== undefined && others.length === 0;
  return isOne ? loadConcept(cik, only, edgar) : loadCompany(cik, tags, edgar);
}

async function loadConcept(cik: number, tag: string, edgar: Edgar): Promise<LoadedFacts | null> {
  const answer = await edgar.jsonOrNull(CompanyConceptSchema, companyConceptUrl(cik, tag));
  if (answer === null) return null;
  const units = readUnits(answer);
  return {
    name: answer.entityName,
    filings: periodsOf([units]),
    unitsOf: (wanted) => (wanted === tag ? units : new Map()),
    labelOf: () => answer.label ?? null,
  };
}

async function loadCompany(cik: number, tags: readonly string[], edgar: Edgar): Promise<LoadedFacts | null> {
  const answer = await edgar.jsonOrNull(CompanyFactsSchema, companyFactsUrl(cik));
  if (answer === null) return null;
  const conceptOf = (tag: string): unknown => {
    const [taxonomy = "", name = ""] = tag.split(":");
    return answer.facts[taxonomy]?.[name];
  };
  const read = new Map([...ANCHORS, ...tags].map((tag) => [tag, readUnits(conceptOf(tag))]));
  const unitsOf = (tag: string): Units => read.get(tag) ?? new Map();
  return {
    name: answer.entityName,
    // `ANCHORS` override the rest, because values such as dividends can be dated after the filing's period.
    filings: new Map([...periodsOf(tags.map(unitsOf)), ...periodsOf(ANCHORS.map(unitsOf))]),
    unitsOf,
    labelOf: (tag) => ConceptSchema.safeParse(conceptOf(tag)).data?.label ?? null,
  };
}

function readUnits(concept: unknown): Units {
  const units = ConceptSchema.safeParse(concept).data?.units ?? {};
  return new Map(Object.entries(units).map(([unit, facts]) => [unit, facts.flatMap((fact) => FactSchema.safeParse(fact).data ?? [])]));
}

function periodsOf(units: readonly Units[]): FilingPeriods {
  return readFilingPeriods(units.flatMap((one): Fact[] => [...one.values()].flat()));
}
