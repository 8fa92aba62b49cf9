import { ARXIV, createArxiv } from "./arxiv/arxiv.ts";
import { CROSSREF, createCrossref } from "./crossref/crossref.ts";
import { createEuropePmc, EUROPE_PMC } from "./europe-pmc/europe-pmc.ts";
import { createOpenAlex, OPENALEX } from "./openalex/openalex.ts";
import { createPubmed, PUBMED } from "./pubmed/pubmed.ts";
import { createSemanticScholar, SEMANTIC_SCHOLAR } from "./semantic-scholar/semantic-scholar.ts";
import type { SourceEntry } from "./services/source-entry.ts";

/** Every source but the corpus. A new one is a folder here and a line in this list. */
export const SOURCES: readonly SourceEntry[] = [
  { endpoint: OPENALEX, needs: "nothing", create: createOpenAlex },
  { endpoint: CROSSREF, needs: "nothing", create: createCrossref },
  { endpoint: ARXIV, needs: "nothing", create: createArxiv },
  { endpoint: SEMANTIC_SCHOLAR, needs: "nothing", create: createSemanticScholar },
  { endpoint: PUBMED, needs: "nothing", create: createPubmed },
  { endpoint: EUROPE_PMC, needs: "nothing", create: createEuropePmc },
];
