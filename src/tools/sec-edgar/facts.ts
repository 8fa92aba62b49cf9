import type { CallContext } from "../../domain/ports/http-fetch.ts";
import type { ToolResult, ToolSource } from "../../domain/tool.ts";
import { rowText } from "../hits/row-text.ts";
import type { ServiceClient } from "../services/service-client.ts";
import { companyConceptUrl } from "./addresses.ts";
import type { Arguments } from "./arguments.ts";
import { readConcepts, USUAL_CONCEPTS, type WantedConcept } from "./concepts.ts";
import { conceptLabel, factRow } from "./fact-rows.ts";
import { type LoadedFacts, loadFacts } from "./load-facts.ts";
import { type SelectedFact, type Selection, selectFacts } from "./select-facts.ts";
import { companyLabel, type NamedCompany, wordingOf } from "./wording.ts";

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
