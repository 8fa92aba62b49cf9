/** What the files of one folder of src (or one file directly in it) may import from the rest of the project and from outside. */
export interface ImportRule {
  /** Names of rows of the table; a row may always import itself. */
  readonly mayImport: readonly string[];
  /** Paths below src of which types, and only types, may be imported; a star stands for one folder name. */
  readonly typesOf: readonly string[];
  /** Packages by name; "node:" allows every builtin, "npm:" every package that is not restricted to certain rows (see below). */
  readonly packages: readonly string[];
}

const row = (mayImport: readonly string[], packages: readonly string[], typesOf: readonly string[] = []): ImportRule => ({
  mayImport: [...mayImport, "util"],
  packages,
  typesOf,
});

/** Sentences that a person reads, and the rules for choosing them; the page uses them too. */
const words = row([], [], ["domain/report.ts"]);
const adapter = row(["domain", "errors", "ranking", "evidence"], ["node:", "npm:"]);
const speaking = row(["domain", "errors", "ranking", "evidence", "words"], ["node:", "npm:"]);
const composed = [
  "domain",
  "errors",
  "ranking",
  "evidence",
  "journal",
  "storage",
  "network",
  "documents",
  "tools",
  "analyst",
  "writing",
  "quoting",
  "models",
  "reports",
];
const everything = [...composed, "telemetry", "webhooks", "gathering", "nodes", "graphs", "runs", "http", "config"];

/** Which folder may import which: the only definition of the direction of imports. */
export const IMPORT_TABLE: Readonly<Record<string, ImportRule>> = {
  // util: small helpers for several folders, which import nothing of Dossier.
  util: { mayImport: [], typesOf: [], packages: ["node:", "jsonrepair"] },
  errors: { mayImport: [], typesOf: [], packages: [] },
  // Hashing is deterministic; the domain does not use the random functions of node:crypto.
  words,
  domain: row(["errors"], ["zod", "canonicalize", "node:crypto"]),
  ranking: row(["domain"], ["node:module", "node:url", "@orama/stopwords", "eld", "opencc-js", "snowball-stemmers", "stopword", "tldts"]),
  // Claims, quotes and addresses: checks what a text says of its sources against them. What Markdown links is decided on its tree.
  evidence: row(
    ["domain", "errors", "ranking"],
    ["entities", "mdast", "mdast-util-from-markdown", "mdast-util-gfm", "micromark-extension-gfm"],
  ),
  journal: adapter,
  network: adapter,
  storage: speaking,
  documents: adapter,
  tools: adapter,
  models: adapter,
  reports: speaking,
  // From passages to cited, checked sentences, by a model; and without one, in its own words.
  writing: row(["domain", "errors", "ranking", "evidence"], ["zod", "partial-json"]),
  quoting: row(["domain", "ranking"], []),
  // What a model decides, plans and judges.
  analyst: row(["domain", "errors", "ranking", "evidence", "writing"], ["zod"]),
  // From a question to the texts of its sources. It reaches sources, models and documents through the ports of the domain.
  gathering: row(["domain", "errors", "ranking", "evidence"], ["lru-cache"]),
  nodes: row(["domain", "errors", "ranking", "evidence", "gathering", "writing", "words"], ["@langchain/langgraph", "zod"]),
  graphs: row(["domain", "errors", "gathering", "nodes"], ["@langchain/core", "@langchain/langgraph", "zod"]),
  runs: row(["domain", "errors"], ["@langchain/langgraph", "zod", "node:"], ["graphs/registry.ts"]),
  http: row(["domain", "errors"], ["node:", "npm:"]),
  // What an operator sees: metrics and traces of what runs do.
  telemetry: row(["domain", "errors"], ["node:", "npm:"]),
  // Messages to other services, when runs end.
  webhooks: row(["domain", "errors"], ["node:", "standardwebhooks"]),
  // The entries of sources, tools and providers of models name their settings.
  config: row(["domain", "errors", "tools", "models"], ["node:", "npm:"]),
  compose: row(everything, ["node:", "npm:"]),
  server: row([...everything, "compose", "cli"], ["node:", "npm:"]),
  cli: row([...everything, "compose", "testing"], ["node:", "npm:"]),
  langgraph: row([...everything, "compose"], ["node:"]),
  testing: row([...everything, "compose"], ["node:"]),
};

/** Packages that "npm:" does not cover, except in the rows named here. */
export const PACKAGE_HOMES: Readonly<Record<string, readonly string[]>> = {
  "@langchain/langgraph": ["nodes", "graphs", "runs", "compose"],
  fastify: ["http", "server"],
};

/** The files that load by a computed path: packages of models' providers, which a user installs, and modules whose functions a thread runs. */
export const LOADERS: readonly string[] = ["src/models/providers.ts", "src/journal/compute-thread.ts"];

/** The only file that reads the environment. */
export const ENVIRONMENT_READER = "src/config.ts";

/** Rows that are a single file in src; the parts it is split into are in a folder of the same name. */
export const SINGLE_FILES: readonly string[] = ["errors", "config", "compose", "server", "cli", "langgraph", "testing"];
