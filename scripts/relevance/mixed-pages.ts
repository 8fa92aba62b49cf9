import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { createExtractor } from "../../src/documents/extract.ts";
import { contentHashOf } from "../../src/domain/document.ts";
import type { Reading } from "../../src/domain/ports/analyst.ts";
import { analyzeText } from "../../src/ranking/analyze-text.ts";
import { type BenchmarkPage, readBenchmark } from "../extraction/benchmark-pages.ts";
import { parseAs, readText } from "../retrieval/text-file.ts";

const QuestionsSchema = z.array(
  z.object({
    /** The id of the page that answers. */
    page: z.string(),
    question: z.string(),
    /** The queries that a model might write. */
    queries: z.array(z.string()).default([]),
    /** Stands once in the text of the page, in the answer. */
    says: z.string(),
  }),
);

export type RelevanceQuestion = z.infer<typeof QuestionsSchema>[number];

export async function readRelevanceQuestions(): Promise<RelevanceQuestion[]> {
  const path = join(import.meta.dirname, "../expectations/relevance.json");
  return parseAs(QuestionsSchema, await readText(path), path, "a list of questions");
}

/** Extracts the pages of both collections in `folder` as a run reads them. @throws Error that names the missing file; DossierError for a page without text */
export async function readMixedPages(folder: string): Promise<Reading[]> {
  const { pages } = await readBenchmark(join(folder, "article-extraction-benchmark"));
  const readings: Reading[] = [];
  for (const page of [...pages, ...(await readSelected(join(folder, "readability-selected")))]) readings.push(await readPage(page));
  return readings;
}

type Page = Pick<BenchmarkPage, "id" | "url" | "html">;

async function readSelected(folder: string): Promise<Page[]> {
  const ids = (await readdir(folder)).sort();
  const page = async (id: string): Promise<Page> => ({
    id,
    url: `https://example.org/${id}`,
    html: await readFile(join(folder, id, "source.html")),
  });
  return Promise.all(ids.map(page));
}

const extractor = createExtractor();

async function readPage({ id, url, html }: Page): Promise<Reading> {
  const document = await extractor.extract({ bytes: html, mediaType: "text/html", url });
  const found = { id, kind: "web" as const, title: document.title, url, publishedAt: null, foundBy: "pages", snippet: "" };
  const contentHash = contentHashOf(document.text);
  const hit = { ...found, contentHash, score: 1, origin: id, alternatives: [] };
  return { hit, document: { ...document, contentHash, analysis: analyzeText(document) } };
}
