import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { z } from "zod";

const SUFFIX = ".html.gz";
const GroundTruthSchema = z.record(z.string(), z.object({ articleBody: z.string().default(""), url: z.string().optional() }));

export interface BenchmarkPage {
  readonly id: string;
  readonly url: string;
  readonly html: Uint8Array;
  /** The text that the extractor should return. */
  readonly article: string;
}

export interface Benchmark {
  readonly pages: readonly BenchmarkPage[];
  /** Ids with a page but no article, or an article but no page. They cannot be measured. */
  readonly unmatched: readonly string[];
}

/**
 * Reads a folder in the format of article-extraction-benchmark: `ground-truth.json` and `html/ID.html.gz`.
 * @throws Error that names the missing file
 */
export async function readBenchmark(folder: string): Promise<Benchmark> {
  const truth = await readGroundTruth(join(folder, "ground-truth.json"));
  const ids = await readIds(join(folder, "html"));
  const known = ids.filter((id) => truth[id] !== undefined);
  if (known.length === 0) throw new Error(`${folder}: ground-truth.json has no article for any page in html/.`);
  const pages = known.map(async (id) => ({
    id,
    url: truth[id]?.url ?? `https://example.org/${id}.html`,
    html: gunzipSync(await readFile(join(folder, "html", id + SUFFIX))),
    article: truth[id]?.articleBody ?? "",
  }));
  return { pages: await Promise.all(pages), unmatched: [...new Set([...ids, ...Object.keys(truth)])].filter((id) => !known.includes(id)) };
}

async function readGroundTruth(path: string): Promise<z.infer<typeof GroundTruthSchema>> {
  const json = await readFile(path, "utf8").catch(() => null);
  if (json === null) throw new Error(`${path} cannot be read: the folder is not in the format of article-extraction-benchmark.`);
  const parsed = GroundTruthSchema.safeParse(parseJson(json));
  if (!parsed.success) throw new Error(`${path} is not a JSON object of { "ID": { "articleBody": "...", "url": "..." } }.`);
  return parsed.data;
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

async function readIds(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  const ids = names.filter((name) => name.endsWith(SUFFIX)).map((name) => name.slice(0, -SUFFIX.length));
  if (ids.length === 0)
    throw new Error(`${folder} has no *${SUFFIX} file: the folder is not in the format of article-extraction-benchmark.`);
  return ids.sort();
}
