import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { createWorkerPool } from "../../../src/compose/worker-pool.ts";
import { createExtractor } from "../../../src/documents/extract.ts";
import type { Hit } from "../../../src/domain/hit.ts";
import type { DocumentExtractor, SearchAnswer } from "../../../src/domain/ports/sources.ts";
import { type Corpus, type CorpusOptions, FolderCorpus } from "../../../src/tools/corpus/corpus.ts";

const FIXTURES = fileURLToPath(new URL("../../fixtures/corpus", import.meta.url));

/** The real extractor, which records the requested URLs. */
export interface RecordingExtractor extends DocumentExtractor {
  readonly urls: string[];
}

export function recordingExtractor(): RecordingExtractor {
  const real = createExtractor();
  const urls: string[] = [];
  return {
    urls,
    extract(input) {
      urls.push(input.url);
      return real.extract(input);
    },
  };
}

/** A corpus over a temporary folder, whose searches wait for the sync; both are closed and removed at the end of the test. */
export interface CorpusFolder {
  readonly dir: string;
  readonly databaseFile: string;
  readonly extractor: RecordingExtractor;
  /** The time of the corpus in milliseconds. */
  readonly clock: { now: number };
  readonly corpus: Corpus;
  write(path: string, content: string | Uint8Array): Promise<void>;
  /** Opens a new corpus object over the same folder and database. */
  reopen(options?: Partial<CorpusOptions>): Corpus;
  /** Returns the URLs of the hits, after a forced sync. */
  search(text: string, limit?: number): Promise<string[]>;
  hits(text: string, limit?: number): Promise<readonly Hit[]>;
  answer(text: string, language?: string): Promise<SearchAnswer>;
}

/** One for the tests of all files, because a thread takes long to start. Its threads end when they are idle. */
export const workers = createWorkerPool(1);

/** The context of a call. */
export const asking = (signal: AbortSignal): { signal: AbortSignal; scope: string[] } => ({ signal, scope: ["corpus"] });

export const live = (): AbortSignal => new AbortController().signal;

export async function corpusFolder(options: { fixtures?: boolean } & Partial<CorpusOptions> = {}): Promise<CorpusFolder> {
  const root = await mkdtemp(join(tmpdir(), "dossier-corpus-"));
  const dir = join(root, "documents");
  await mkdir(dir);
  if (options.fixtures) await cp(FIXTURES, dir, { recursive: true });
  const databaseFile = join(root, "index", "corpus.sqlite");
  const extractor = recordingExtractor();
  const clock = { now: 0 };
  const opened: Corpus[] = [];
  const reopen = (more: Partial<CorpusOptions> = {}): Corpus => {
    const corpus = new FolderCorpus({
      dir,
      databaseFile,
      extractor,
      workers,
      now: () => clock.now,
      patienceMs: 600_000,
      ...options,
      ...more,
    });
    opened.push(corpus);
    return corpus;
  };
  const corpus = reopen();
  onTestFinished(async () => {
    await Promise.all(opened.map((each) => each.close()));
    await rm(root, { recursive: true });
  });
  const answer = (text: string, language = "en", limit = 10): Promise<SearchAnswer> => {
    clock.now += 10_000;
    return corpus.search({ text, language, limit }, asking(live()));
  };
  const hits = async (text: string, limit?: number): Promise<readonly Hit[]> => (await answer(text, "en", limit)).hits;
  return {
    dir,
    databaseFile,
    extractor,
    clock,
    corpus,
    reopen,
    answer,
    hits,
    search: async (text, limit) => (await hits(text, limit)).map(({ url }) => url),
    async write(path, content) {
      await mkdir(dirname(join(dir, path)), { recursive: true });
      await writeFile(join(dir, path), content);
    },
  };
}
