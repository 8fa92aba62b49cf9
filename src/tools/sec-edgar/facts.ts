import { FIGURES } from "../../domain/companies/figures.ts";
import type { CallContext } from "../../domain/ports/http-fetch.ts";
import type { ToolResult, ToolSource } from "../../domain/tool.ts";
import { rowText } from "../hits/row-text.ts";
import type { ServiceClient } from "../services/service-client.ts";
import { companyConceptUrl } from "./addresses.ts";
import type { Arguments } from "./arguments.ts";
import { readConcepts, USUAL_CONCEPTS, type WantedConcept } from "./concepts.ts";
import type { FiscalPeriod } from "./fiscal-periods.ts";
import { type LoadedFacts, loadFacts } from "./load-facts.ts";
import { type SelectedFact, type Selection, selectFacts } from "./select-facts.ts";
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
