import { ARXIV, createArxiv } from "./arxiv/arxiv.ts";
import { BRAVE, createBrave } from "./brave/brave.ts";
import { CROSSREF, createCrossref } from "./crossref/crossref.ts";
import { createDuckduckgo, DUCKDUCKGO } from "./duckduckgo/duckduckgo.ts";
import { createEuropePmc, EUROPE_PMC } from "./europe-pmc/europe-pmc.ts";
import { createOpenAlex, OPENALEX } from "./openalex/openalex.ts";
import { createPubmed, PUBMED } from "./pubmed/pubmed.ts";
import { createSearxng, SEARXNG } from "./searxng/searxng.ts";
import { createSemanticScholar, SEMANTIC_SCHOLAR } from "./semantic-scholar/semantic-scholar.ts";
import { createSerper, SERPER } from "./serper/serper.ts";
import type { SourceEntry } from "./services/source-entry.ts";
import { createTavily, TAVILY } from "./tavily/tavily.ts";
import { createWikipedia, WIKIPEDIA } from "./wikipedia/wikipedia.ts";

/** Every source but the corpus. A new one is a folder here and a line in this list. */
export const SOURCES: readonly SourceEntry[] = [
  { endpoint: OPENALEX, needs: "nothing", create: createOpenAlex },
  { endpoint: CROSSREF, needs: "nothing", create: createCrossref },
  { endpoint: ARXIV, needs: "nothing", create: createArxiv },
  { endpoint: SEMANTIC_SCHOLAR, needs: "nothing", create: createSemanticScholar },
  { endpoint: PUBMED, needs: "nothing", create: createPubmed },
  { endpoint: EUROPE_PMC, needs: "nothing", create: createEuropePmc },
  { endpoint: WIKIPEDIA, needs: "nothing", create: createWikipedia },
  { endpoint: SEARXNG, needs: "address", create: createSearxng },
  { endpoint: TAVILY, needs: "key", create: createTavily },
  { endpoint: BRAVE, needs: "key", create: createBrave },
  { endpoint: SERPER, needs: "key", create: createSerper },
  { endpoint: DUCKDUCKGO, needs: "nothing", onlyWhenNamed: true, create: createDuckduckgo },
];
