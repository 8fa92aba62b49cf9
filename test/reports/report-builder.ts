import type { Block } from "../../src/domain/blocks.ts";
import { CELL_SEPARATOR } from "../../src/domain/blocks.ts";
import { coverageOf } from "../../src/domain/citations.ts";
import type { StoredDocument } from "../../src/domain/document.ts";
import type { ReportedRun } from "../../src/domain/ports/run-service.ts";
import type { Answers, Citation, Claim, LedgerEntry, Report, Source, StruckSentence, Support } from "../../src/domain/report.ts";
import { renderMarkdown } from "../../src/reports/markdown.ts";
import { documentOf } from "./bundle/random-bundle.ts";

/** A sentence by its text and quotes. A quote stands in exactly one of the documents. */
export type Said = readonly [
  text: string,
  quotes: readonly string[],
  more?: Partial<Pick<Claim, "support" | "supported" | "reason" | "expression">>,
];

/** A part of a report in short: `#` to `######` and a text, sentences, items with levels, or a table. */
export type Part =
  | string
  | readonly Said[]
  | { readonly start?: number; readonly items: readonly (readonly [level: number, ...sentences: Said[]])[] }
  | {
      readonly head: readonly string[];
      readonly rows: readonly (readonly [cells: readonly string[], quotes: readonly string[], more?: Said[2]])[];
    };

export interface Page {
  readonly title: string;
  readonly url: string;
  readonly publishedAt: string | null;
  readonly text: string;
  readonly publication?: Source["publication"];
}

export interface Outline {
  readonly question: string;
  readonly language: string;
  readonly pages: readonly Page[];
  readonly parts: readonly Part[];
  readonly answers: Answers | null;
  readonly missing: readonly string[];
  readonly struck: readonly StruckSentence[];
  readonly ledger: readonly LedgerEntry[];
}

/** Builds a finished run and its documents. Claims get the support `quoted` if they cite something, and `summary` if not. */
export function buildRun(outline: Outline): { readonly run: ReportedRun; readonly documents: readonly StoredDocument[] } {
  const documents = outline.pages.map(({ text, title, url, publishedAt }) => ({ ...documentOf(text, title, url), publishedAt }));
  const claims: Claim[] = [];
  const citations: Citation[] = [];
  let section = "";
  const cite = (quote: string): number => {
    const known = citations.find((citation) => citation.quote === quote);
    if (known !== undefined) return known.id;
    const index = documents.findIndex(({ text }) => text.includes(quote));
    const document = documents[index];
    if (document === undefined) throw new Error(`No document has the quote ${quote}.`);
    const start = document.text.indexOf(quote);
    const { contentHash } = document;
    citations.push({ id: citations.length + 1, sourceId: `S${index}`, contentHash, start, end: start + quote.length, quote });
    return citations.length;
  };
  const say = ([text, quotes, more]: Said): number => {
    const support: Support = more?.support ?? (quotes.length > 0 ? "quoted" : "summary");
    const ids = quotes.map(cite);
    const origins = new Set(ids.map((id) => citations[id - 1]?.sourceId)).size;
    const supported = support === "quoted" || support === "computed";
    claims.push({ text, citations: ids, reason: null, expression: null, supported, section, origins, ...more, support });
    return claims.length - 1;
  };
  const blocks = outline.parts.map((part): Block => {
    if (typeof part === "string") {
      const [, signs = "", text = ""] = /^(#+) (.*)$/.exec(part) ?? [];
      section = text;
      return { kind: "heading", level: signs.length, text, support: null, reason: null };
    }
    if ("head" in part) {
      const rows = part.rows.map(([cells, quotes, more]) => say([cells.join(CELL_SEPARATOR), quotes, more ?? {}]));
      return { kind: "table", head: [...part.head], rows, support: null, reason: null };
    }
    if (!("items" in part)) return { kind: "paragraph", sentences: part.map(say) };
    const items = part.items.map(([level, ...sentences]) => ({ level, sentences: sentences.map(say) }));
    return part.start === undefined ? { kind: "list", items } : { kind: "numbered-list", start: part.start, items };
  });
  const content = {
    blocks,
    claims,
    citations,
    closest: [],
    sources: outline.pages.map((page, index) => sourceOf(page, index, documents[index]?.contentHash ?? null)),
    coverage: coverageOf(claims, outline.struck.length),
    ledger: [...outline.ledger],
    answers: outline.answers,
    missing: [...outline.missing],
    struck: [...outline.struck],
    summary: null,
  };
  const { question, language } = outline;
  const report: Report = { ...content, markdown: renderMarkdown({ ...content, question, language, reason: null }) };
  return { run: { ...RUN, question, language, report }, documents };
}

function sourceOf({ title, url, publishedAt, publication }: Page, index: number, contentHash: string | null): Source {
  const id = `S${index}`;
  const known = { id, title, url, publishedAt, contentHash, origin: id, score: 1 / (index + 1) };
  const kind = publication === undefined ? ("web" as const) : ("scholar" as const);
  return { ...known, kind, foundBy: "web", status: "read", failure: null, ...(publication !== undefined && { publication }) };
}

const RUN: Omit<ReportedRun, "question" | "report" | "language"> = {
  id: "run-2026-11-20",
  threadId: "run-2026-11-20",
  graph: "research",
  status: "succeeded",
  createdAt: "2026-11-20T09:12:00.000Z",
  startedAt: "2026-11-20T09:12:00.400Z",
  endedAt: "2026-11-20T09:13:41.000Z",
  termination: { reason: "completed", node: "summarize", detail: null },
  pending: [],
  usage: {
    ...{ modelCalls: 11, inputTokens: 48_211, outputTokens: 6_034, toolCalls: 1, sourceRequests: 3, downloads: 3, costUsd: 0.0613 },
    models: [{ model: "writer-large", calls: 11, inputTokens: 48_211, outputTokens: 6_034, costUsd: 0.0613, estimated: 0 }],
  },
  todos: null,
  children: null,
  error: null,
  metadata: {},
  links: {},
};
