// Measures HTML extraction as article-extraction-benchmark does: npm run -s eval:extraction -- --data DIR [--extractor NAME]
import { createHash } from "node:crypto";
import { parseArgs } from "node:util";
import { type BenchmarkPage, readBenchmark } from "./extraction/benchmark-pages.ts";
import { EXTRACTORS } from "./extraction/extractors.ts";
import { matchTexts, scoresOf } from "./extraction/shingles.ts";

type Extract = (page: BenchmarkPage) => Promise<string>;

async function evaluate(folder: string, extract: Extract): Promise<void> {
  const { pages, unmatched } = await readBenchmark(folder);
  if (unmatched.length > 0) console.error(`Not measured, because the page or the expected article is missing: ${unmatched.join(", ")}.`);
  const start = performance.now();
  const texts: string[] = [];
  for (const page of pages) texts.push(await extract(page));
  const msPerPage = (performance.now() - start) / pages.length;
  const matches = pages.map((page, i) => matchTexts(page.article, texts[i] ?? ""));
  const { f1, precision, recall } = scoresOf(matches);
  const [f1OfA, f1OfB] = ["a", "b"].map((half) => short(scoresOf(matches.filter((_, i) => halfOf(pages[i]?.id ?? "") === half)).f1));
  const scores = { f1: short(f1), precision: short(precision), recall: short(recall), f1OfA, f1OfB };
  console.log(JSON.stringify({ pages: pages.length, ...scores, msPerPage: short(msPerPage) }));
}

/** Splits the pages by the hash of their id. Extraction rules are tuned on half a; half b is only measured. */
function halfOf(id: string): "a" | "b" {
  return (createHash("sha256").update(id).digest().readUInt8() & 1) === 0 ? "a" : "b";
}

function short(value: number): number {
  return Number(value.toFixed(4));
}

function readOptions(): { folder: string; extract: Extract } {
  const { values } = parseArgs({ options: { data: { type: "string" }, extractor: { type: "string", default: "ours" } } });
  if (values.data === undefined) throw new Error("usage: npm run -s eval:extraction -- --data DIR [--extractor NAME]");
  const extract = EXTRACTORS[values.extractor];
  if (!extract) throw new Error(`There is no extractor ${values.extractor}. Use one of: ${Object.keys(EXTRACTORS).join(", ")}.`);
  return { folder: values.data, extract };
}

try {
  const { folder, extract } = readOptions();
  await evaluate(folder, extract);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
