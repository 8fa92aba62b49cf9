import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { createWorkerPool } from "../../src/compose/worker-pool.ts";
import type { Block } from "../../src/domain/document.ts";
import type { DocumentExtractor } from "../../src/domain/ports/sources.ts";
import type { RankingStages } from "../../src/ranking/rank-texts.ts";
import { type Corpus, FolderCorpus } from "../../src/tools/corpus/corpus.ts";
import { corpusPath } from "../../src/tools/corpus/sync-corpus.ts";

export interface CollectionDocument {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

export interface CollectionCorpus {
  readonly corpus: Corpus;
  /** Returns the id of the document with this URL, or "" if there is none. */
  idOf(url: string): string;
  /** Closes the corpus and deletes its files. */
  close(): Promise<void>;
}

const FileSchema = z.object({ title: z.string(), text: z.string() });

/**
 * Writes the documents to a temporary folder and indexes it with the service's own source `corpus`. Title and text stay separate fields,
 * so that the extractor need not guess the title.
 * @throws DossierError if the index cannot be made
 */
export async function openCollection(documents: readonly CollectionDocument[], stages?: RankingStages): Promise<CollectionCorpus> {
  const folder = await mkdtemp(join(tmpdir(), "dossier-collection-"));
  const workers = createWorkerPool(1);
  const close = async (): Promise<void> => {
    await workers.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    for (const [i, { title, text }] of documents.entries()) await writeFile(join(folder, `${i}.txt`), JSON.stringify({ title, text }));
    const databaseFile = join(folder, ".index", "corpus.sqlite");
    // The clock stands still, so that searches do not scan the folder for changes, which would add to the measured time.
    const corpus = new FolderCorpus({
      dir: folder,
      databaseFile,
      extractor: readAsIs,
      workers,
      ...(stages && { stages }),
      now: () => 0,
    });
    await corpus.sync(AbortSignal.timeout(INDEXING_MS));
    return {
      corpus,
      idOf: (url) => documents[Number.parseInt(corpusPath(url) ?? "", 10)]?.id ?? "",
      close: () => corpus.close().then(close),
    };
  } catch (error) {
    await close();
    throw error;
  }
}

const INDEXING_MS = 3_600_000;

const readAsIs: DocumentExtractor = {
  async extract({ bytes, url }) {
    const { title, text } = FileSchema.parse(JSON.parse(new TextDecoder().decode(bytes)));
    const whole = text === "" ? title : text;
    return { text: whole, title, url, language: null, publishedAt: null, author: null, blocks: paragraphs(whole) };
  },
};

/** Splits a text into blocks at empty lines. */
function paragraphs(text: string): Block[] {
  const found = Array.from(text.matchAll(/\S(?:(?!\n[^\S\n]*\n)[\s\S])*/g));
  return found.map(({ 0: paragraph, index }) => ({ kind: "paragraph", start: index, end: index + paragraph.length, level: 0 }));
}
