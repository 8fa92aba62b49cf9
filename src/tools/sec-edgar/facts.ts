import type { ToolResult } from "../../domain/tool.ts";
import { type Arguments, companyLabel, filingSource, type NamedCompany, printNumber } from "./arguments.ts";
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
  readFacts,
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
  const concepts = readConcepts(args.concepts ?? USUAL_CONCEPTS);
  const loaded = await loadFacts(company.cik, concepts, edgar);
  if (loaded === null) return { text: `${companyLabel(company)} has reported no such figures in XBRL.`, sources: [] };
  const named = { ...company, name: loaded.name };
  const selection: Selection = { years: args.years ?? [], quarterly: args.quarterly ?? false };
  const selected = concepts.map((asked) => {
    const concept = withLabel(asked, loaded);
    const known = readFacts(concept, loaded.unitsOf, loaded.filings, selection.quarterly);
    return { concept, known, facts: selectFacts(known, selection) };
  });
  const missing = selected.filter(({ facts }) => facts.length === 0).map(({ concept, known }) => missingNote(concept, selection, known));
  const byTag = Map.groupBy(
    selected.flatMap(({ facts }) => facts),
    ({ tag }) => tag,
  );
  const sources = [...byTag].map(([tag, facts]) => toSource(tag, facts, named, args));
  return { text: [companyLabel(named), ...sources.map(({ text }) => text), ...missing].join("\n"), sources };
}

/** Names a tag as the taxonomy does. */
function withLabel(concept: WantedConcept, { labelOf }: LoadedFacts): WantedConcept {
  const [only] = concept.tags;
  const label = concept.instant === null && only !== undefined ? labelOf(only) : null;
  return { ...concept, name: label ?? concept.name };
}

function toSource(tag: string, facts: readonly SelectedFact[], company: NamedCompany, args: Arguments) {
  const names = [...new Set(facts.map(({ concept }) => concept.name))].join(", ");
  const part = [...(args.years ?? ["latest"]), ...(args.quarterly ? ["quarters"] : [])].join("-");
  const source = {
    title: `${companyLabel(company)}: ${names} (${tag})`,
    url: `${companyConceptUrl(company.cik, tag)}#${part}`,
    publishedAt: facts.map(({ fact }) => fact.filed).reduce((latest, filed) => (filed > latest ? filed : latest)),
  };
  const rows = facts.map((fact) => factRow(fact, company));
  return filingSource(source, rows, SNIPPET_ROWS);
}

function missingNote({ name, tags }: WantedConcept, { years }: Selection, known: readonly SelectedFact[]): string {
  if (tags.length === 0) return `${name}: no known figure; ask for it by its XBRL tag, such as us-gaap:Assets.`;
  const when = years.length === 0 ? "" : ` for ${years.join(", ")}`;
  const [newest, oldest] = [known[0]?.period.year, known.at(-1)?.period.year];
  const instead = newest === undefined ? "" : `; there are values for ${oldest} to ${newest}`;
  return `${name}: no value${when} under ${tags.join(", ")}${instead}.`;
}

function factRow({ concept, fact, tag, unit, period, before }: SelectedFact, company: NamedCompany): string {
  const value = `${printNumber(fact.val)} ${unit.replace("/shares", " per share")}`;
  const restated = before === null ? [] : [`earlier reported as ${printNumber(before.val)} in ${before.accn}`];
  const origin = [tag, fact.form ?? "", `accession ${fact.accn}`, `filed ${fact.filed}`, ...restated].filter((part) => part !== "");
  const dates = fact.start ? `${fact.start} to ${fact.end}` : fact.end;
  return `${companyLabel(company)}, ${concept.name}, ${periodLabel(period)} (${dates}): ${value} (${origin.join(", ")})`;
}

function periodLabel({ year, quarter }: FiscalPeriod): string {
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

async function loadFacts(cik: number, concepts: readonly WantedConcept[], edgar: Edgar): Promise<LoadedFacts | null> {
  const tags = [...new Set(concepts.flatMap((concept) => concept.tags))];
  const answer = await loadTags(cik, tags, edgar);
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

/** For a single tag, loads a small file instead of all facts of the company. */
async function loadTags(cik: number, [tag, ...others]: readonly string[], edgar: Edgar) {
  if (tag === undefined || others.length > 0) return edgar.jsonOrNull(CompanyFactsSchema, companyFactsUrl(cik));
  const concept = await edgar.jsonOrNull(CompanyConceptSchema, companyConceptUrl(cik, tag));
  const [taxonomy = "", name = ""] = tag.split(":");
  return concept && { entityName: concept.entityName, facts: { [taxonomy]: { [name]: concept } as Record<string, unknown> } };
}

function readUnits(concept: unknown): Units {
  const units = ConceptSchema.safeParse(concept).data?.units ?? {};
  return new Map(Object.entries(units).map(([unit, facts]) => [unit, facts.flatMap((fact) => FactSchema.safeParse(fact).data ?? [])]));
}

function periodsOf(units: readonly Units[]): FilingPeriods {
  return readFilingPeriods(units.flatMap((one): Fact[] => [...one.values()].flat()));
}
