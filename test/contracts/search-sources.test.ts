import { expect, it } from "vitest";
import { SOURCES } from "../../src/tools/sources/sources.ts";
import { describeSearchSource, type SearchSourceContract } from "./search-source.ts";
import { ARXIV_CONTRACT } from "./sources/arxiv.ts";
import { BRAVE_CONTRACT } from "./sources/brave.ts";
import { CROSSREF_CONTRACT } from "./sources/crossref.ts";
import { DUCKDUCKGO_CONTRACT } from "./sources/duckduckgo.ts";
import { EUROPE_PMC_CONTRACT } from "./sources/europe-pmc.ts";
import { OPENALEX_CONTRACT } from "./sources/openalex.ts";
import { PUBMED_CONTRACT } from "./sources/pubmed.ts";
import { SEARXNG_CONTRACT } from "./sources/searxng.ts";
import { SEMANTIC_SCHOLAR_CONTRACT } from "./sources/semantic-scholar.ts";
import { SERPER_CONTRACT } from "./sources/serper.ts";
import { TAVILY_CONTRACT } from "./sources/tavily.ts";
import { WIKIPEDIA_CONTRACT } from "./sources/wikipedia.ts";

/** One for each source; a new source is a file in sources/ and a line here. */
const CONTRACTS: readonly SearchSourceContract[] = [
  OPENALEX_CONTRACT,
  CROSSREF_CONTRACT,
  ARXIV_CONTRACT,
  SEMANTIC_SCHOLAR_CONTRACT,
  PUBMED_CONTRACT,
  EUROPE_PMC_CONTRACT,
  WIKIPEDIA_CONTRACT,
  SEARXNG_CONTRACT,
  TAVILY_CONTRACT,
  BRAVE_CONTRACT,
  SERPER_CONTRACT,
  DUCKDUCKGO_CONTRACT,
];

it("every source on the network is held to the contract", () => {
  expect(CONTRACTS.map(({ entry }) => entry.endpoint.id).toSorted()).toEqual(SOURCES.map(({ endpoint }) => endpoint.id).toSorted());
});

for (const contract of CONTRACTS) describeSearchSource(contract);
