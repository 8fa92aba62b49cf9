import { BRAVE, createBrave } from "./brave/brave.ts";
import { CROSSREF, createCrossref } from "./crossref/crossref.ts";
import { createDuckduckgo, DUCKDUCKGO } from "./duckduckgo/duckduckgo.ts";
import { createSearxng, SEARXNG } from "./searxng/searxng.ts";
import { createSerper, SERPER } from "./serper/serper.ts";
import type { SourceEntry } from "./services/source-entry.ts";
import { createTavily, TAVILY } from "./tavily/tavily.ts";
import { createWikipedia, WIKIPEDIA } from "./wikipedia/wikipedia.ts";

/** Every source but the corpus. A new one is a folder here and a line in this list. */
export const SOURCES: readonly SourceEntry[] = [
  { endpoint: CROSSREF, needs: "nothing", create: createCrossref },
  { endpoint: WIKIPEDIA, needs: "nothing", create: createWikipedia },
  { endpoint: SEARXNG, needs: "address", create: createSearxng },
  { endpoint: TAVILY, needs: "key", create: createTavily },
  { endpoint: BRAVE, needs: "key", create: createBrave },
  { endpoint: SERPER, needs: "key", create: createSerper },
  { endpoint: DUCKDUCKGO, needs: "nothing", onlyWhenNamed: true, create: createDuckduckgo },
];
