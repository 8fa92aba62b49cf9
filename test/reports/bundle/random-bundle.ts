import type { Block } from "../../../src/domain/blocks.ts";
import { coverageOf } from "../../../src/domain/citations.ts";
import { contentHashOf, type StoredDocument } from "../../../src/domain/document.ts";
import type { DomainEvent, EventBody, RunEvent } from "../../../src/domain/events.ts";
import type { RankedHit } from "../../../src/domain/hit.ts";
import type { Citation, DraftClaim, Report, Source } from "../../../src/domain/report.ts";
import type { Run } from "../../../src/domain/run.ts";
import { sampleWords } from "../../../src/ranking/text-copies.ts";
import { exportBundle } from "../../../src/reports/bundle/export-bundle.ts";
import { renderMarkdown } from "../../../src/reports/markdown.ts";
import { createMemoryDocumentStore } from "../../../src/storage/document-store.ts";
import { countOrigins, originsOfRead } from "../../../src/writing/origins.ts";
import { NO_BLOCKS, QUOTED, UNVERIFIED } from "../../helpers/claims.ts";
import { seeded } from "../../helpers/seeded.ts";

export const PROGRAM = "dossier 1.2.3";
const RUN_ID = "run:7";

const WORDS = [
  ...["lighthouse", "granite", "1874", "3.5%", "naïve", "“quoted”", 'a "straight" one', "back\\slash", "*stars*", "<b>", "tab\there"],
  ...["灯塔", "净利润", "建于", "四十条船", "，", "。", "𠮷野家", "🦜", "👩‍🚀", "ﬁ", "\u2028", "łódź", "مرحبا", "[7]", "line\nbreak"],
];
/** Sentences without a fact that a quote would have to support. */
const PLAIN_WORDS = ["lighthouse", "granite", "naïve", "back\\slash", "*stars*", "<b>", "灯塔", "建于", "🦜", "👩‍🚀", "ﬁ", "łódź", "مرحبا"];

export const below = (random: () => number, limit: number): number => Math.floor(random() * limit);
const pick = <T>(random: () => number, items: readonly T[]): T => items[below(random, items.length)] as T;

/** A bundle as the service writes it, of a random report: 2 to 6 documents, 3 to 9 claims with 1 to 3 citations each. */
export async function randomBundle(seed: number): Promise<string> {
  const random = seeded(seed);
  const documents = Array.from({ length: 2 + below(random, 5) }, (_, index) => randomDocument(random, index));
  // Every third report has a copy under another address.
  const [first] = documents;
  if (seed % 3 === 0 && first) documents.push(documentOf(`${first.text} ${pick(random, ["end", "完"])}`, "copy", "https://copy.example/"));
  return bundleOf(randomReport(random, documents), documents);
}

/** The bundle of a report as the service writes it. */
export async function bundleOf(
  report: Report,
  documents: readonly StoredDocument[],
  run: Partial<Run> = {},
  program = PROGRAM,
): Promise<string> {
  const whole: Run = { ...RUN, ...run, report };
  const stores = {
    runs: {
      get: async () => whole,
      segments: async () => [],
      events: async (_: string, after: number) => eventsOf(whole).slice(after, after + 2),
      documentHashes: async () => documents.map(({ contentHash }) => contentHash),
    },
    documents: createMemoryDocumentStore(documents),
  };
  return (await Array.fromAsync(exportBundle("default", whole.id, stores, program))).join("");
}

const RUN: Run = {
  id: RUN_ID,
  threadId: RUN_ID,
  graph: "executor",
  question: "Who built the lighthouse? 灯塔 🦜",
  status: "succeeded",
  createdAt: "2026-08-01T10:00:00.000Z",
  startedAt: "2026-08-01T10:00:00.001Z",
  endedAt: "2026-08-01T10:00:02.000Z",
  termination: { reason: "completed", node: "summarize", detail: null },
  pending: [],
  usage: { modelCalls: 0, inputTokens: 0, outputTokens: 0, toolCalls: 0, sourceRequests: 1, downloads: 0, costUsd: 0.0000015, models: [] },
  report: null,
  todos: null,
  children: null,
  error: null,
  metadata: {},
  links: {},
};

function eventsOf({ id, termination, status, report, usage: { costUsd } }: Run): RunEvent[] {
  const at = "2026-08-01T10:00:00.000Z";
  const spent = { modelCalls: 0, inputTokens: 0, outputTokens: 0, costUsd };
  const said: DomainEvent[] = [
    { type: "tool-started", tool: "alpha", arguments: { 税: 1e-7, "": 1e21, b: [0.1, -0] }, callId: "c" },
    ...(report?.sources ?? []).map((source) => ({ type: "source-found" as const, source })),
    { type: "usage", callId: "d", model: "m", usage: { inputTokens: 0, outputTokens: 0, estimated: false }, costUsd, spent },
    { type: "content", node: "summarize", callId: "report", try: 1, delta: report?.markdown ?? "" },
    { type: "run-ended", status, termination: termination ?? RUN.termination! },
  ];
  const events: EventBody[] = [{ type: "run-queued" }, { type: "run-started", attempt: 1 }, ...said];
  return events.map((event, index) => ({ ...event, seq: index + 1, runId: id, at, path: "" }));
}

export function documentOf(text: string, title: string, url: string): StoredDocument {
  return { contentHash: contentHashOf(text), title, url, language: null, publishedAt: null, author: null, blocks: [], text };
}

function randomDocument(random: () => number, index: number): StoredDocument {
  const words = Array.from({ length: 60 + below(random, 60) }, () => pick(random, WORDS));
  return documentOf(`${index} ${words.join(pick(random, [" ", ""]))}`, `${pick(random, WORDS)} ${index}`, `https://example.org/${index}`);
}

export function hitOf({ title, url, contentHash }: StoredDocument, index: number): RankedHit {
  const id = `S${index}`;
  return {
    ...{ id, kind: "web", title, url, publishedAt: null, foundBy: "web", contentHash, snippet: "" },
    ...{ score: 1 / (index + 3), origin: id, alternatives: [] },
  };
}

function randomReport(random: () => number, documents: readonly StoredDocument[]): Report {
  const citations: Citation[] = [];
  const cite = (): number => {
    const index = below(random, documents.length);
    const { text, contentHash } = documents[index]!;
    const [start, end] = wholeCharacters(text, below(random, text.length - 40), 8 + below(random, 30));
    citations.push({ id: citations.length + 1, sourceId: `S${index}`, contentHash, start, end, quote: text.slice(start, end) });
    return citations.length;
  };
  const drafts: DraftClaim[] = Array.from({ length: 3 + below(random, 7) }, () => {
    const ids = Array.from({ length: 1 + below(random, 3) }, cite);
    const words = `${pick(random, PLAIN_WORDS)} ${pick(random, PLAIN_WORDS)}`;
    const text = random() < 0.5 ? words : (citations.find(({ id }) => id === ids[0])?.quote ?? words);
    return {
      text,
      citations: ids,
      ...QUOTED,
      section: pick(random, ["", "灯塔", "Harbour"]),
    };
  });
  drafts.push({
    text: "没有依据的一句。",
    citations: [],
    ...UNVERIFIED,
    section: "",
  });
  return reportOf(drafts, citations, documents, { blocks: randomBlocks(random, drafts.length), ...randomWords(random) });
}

/** Puts sentences 0 to `count` - 1 into blocks of each kind, in order. */
function randomBlocks(random: () => number, count: number): Block[] {
  const label = { support: null, reason: null };
  const blocks: Block[] = [];
  for (let next = 0; next < count; ) {
    const sentences = Array.from({ length: Math.min(1 + below(random, 3), count - next) }, (_, index) => next + index);
    next += sentences.length;
    const items = sentences.map((sentence, level) => ({ level, sentences: [sentence] }));
    const kinds: Block[] = [
      { kind: "paragraph", sentences },
      { kind: "list", items },
      { kind: "numbered-list", start: below(random, 20), items },
      { kind: "table", head: [pick(random, WORDS), "税"], rows: sentences, ...label },
    ];
    if (blocks.length === 0 || random() < 0.5)
      blocks.push({ kind: "heading", level: 1 + below(random, 6), text: pick(random, WORDS), ...label });
    blocks.push(pick(random, kinds));
  }
  return blocks;
}

function randomWords(random: () => number): Pick<Report, "answers" | "missing" | "struck"> {
  const sentence = (): string => `${pick(random, WORDS)} ${pick(random, WORDS)}`;
  return {
    answers: pick(random, ["fully", "partly", "not"]),
    missing: [sentence(), sentence()],
    struck: [{ text: sentence(), reason: pick(random, ["quote_not_found", "amount_contradicted: 税 3%", "invented_later"]) }],
  };
}

/** A report like that of the summarize node. */
export function reportOf(
  drafts: readonly DraftClaim[],
  citations: readonly Citation[],
  documents: readonly StoredDocument[],
  said: Partial<Pick<Report, "closest" | "blocks" | "answers" | "missing" | "struck">> = {},
): Report {
  const readings = documents.map((document, index) => ({
    hit: hitOf(document, index),
    document: { ...document, analysis: { words: sampleWords(document.text) } },
  }));
  const origins = originsOfRead(citations, readings);
  const sources = readings.map(({ hit: { snippet: _, alternatives: __, ...hit } }): Source => {
    return { ...hit, status: "read", failure: null, origin: origins.get(hit.id) ?? hit.origin };
  });
  const content = {
    ...NO_BLOCKS,
    closest: [],
    ...said,
    claims: countOrigins(drafts, citations, origins),
    citations: [...citations],
    sources,
    coverage: coverageOf(drafts, said.struck?.length ?? 0),
    ledger: [
      { what: "search", source: "web", target: "灯塔", outcome: "found", results: 3, failure: null, detail: null, ms: 1.25 },
    ] as Report["ledger"],
  };
  return { ...content, markdown: renderMarkdown({ ...content, question: RUN.question, language: "auto", reason: null }) };
}

/** Widens the range so that it cuts no surrogate pair. */
function wholeCharacters(text: string, from: number, length: number): [start: number, end: number] {
  const isCut = (at: number): boolean => /[\udc00-\udfff]/.test(text[at] ?? "");
  const start = isCut(from) ? from - 1 : from;
  const end = from + length;
  return [start, isCut(end) ? end + 1 : end];
}
