// Extracts all PDF files of a folder in parallel, as the service does, and checks the results: npm run check:pdf -- DIR
// The expected results are in scripts/expectations/pdf.json.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { createIsolatedExtractor } from "../src/documents/isolation/isolated-extractor.ts";
import { toDossierError } from "../src/errors.ts";

const MAX_MS = 10_000;
const MAX_MEGABYTES = 300;
/** Longest time that the event loop may be blocked. */
const MAX_DELAY_MS = 1_000;
const TICK_MS = 10;

const ExpectationsSchema = z.record(
  z.string(),
  z.union([z.object({ failure: z.string() }), z.object({ minCharacters: z.int(), says: z.array(z.string()) })]),
);
type Expected = z.infer<typeof ExpectationsSchema>[string] | undefined;
type Found = { readonly text: string } | { readonly failure: string; readonly message: string };

const expectationsFile = new URL("./expectations/pdf.json", import.meta.url);

function faultsOf(found: Found, expected: Expected, ms: number, megabytes: number): string[] {
  const faults: string[] = [];
  if (ms > MAX_MS) faults.push(`took more than ${MAX_MS} ms`);
  if (megabytes > MAX_MEGABYTES) faults.push(`used more than ${MAX_MEGABYTES} MB`);
  if (expected === undefined) return [...faults, "has no expectation"];
  if ("failure" in expected)
    return "failure" in found && found.failure === expected.failure ? faults : [...faults, `should have failed with ${expected.failure}`];
  if ("failure" in found) return [...faults, "should have been read"];
  if (found.text.length < expected.minCharacters) faults.push(`has fewer than ${expected.minCharacters} characters`);
  return [...faults, ...expected.says.filter((phrase) => !found.text.includes(phrase)).map((phrase) => `does not contain "${phrase}"`)];
}

/** Measures how long the event loop is blocked. The returned function stops and gives the longest delay in milliseconds. */
function watchDelay(): () => number {
  let last = performance.now();
  let worst = 0;
  const timer = setInterval(() => {
    const now = performance.now();
    worst = Math.max(worst, now - last - TICK_MS);
    last = now;
  }, TICK_MS);
  return () => {
    clearInterval(timer);
    return Math.round(worst);
  };
}

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("usage: npm run check:pdf -- DIR");
const expectations = ExpectationsSchema.parse(JSON.parse(await readFile(expectationsFile, "utf8")));
const usages = new Map<string, { readonly ms: number; readonly peakBytes: number }>();
const extractor = createIsolatedExtractor({ onRead: (usage) => usages.set(usage.url, usage) });

async function read(path: string, bytes: Uint8Array): Promise<Found> {
  try {
    return { text: (await extractor.extract({ bytes, mediaType: "", url: path })).text };
  } catch (error) {
    const { code, message } = toDossierError(error);
    return { failure: code, message };
  }
}

const paths = (await readdir(folder, { recursive: true })).filter((path) => path.endsWith(".pdf")).sort();
const files = await Promise.all(paths.map(async (path) => ({ path, bytes: await readFile(join(folder, path)) })));
const start = performance.now();
const delay = watchDelay();
const found = await Promise.all(files.map(async ({ path, bytes }) => ({ path, outcome: await read(path, bytes) })));
const worstMs = delay();
const totalMs = Math.round(performance.now() - start);
await extractor.close();

let failed = 0;
for (const { path, outcome } of found) {
  const { ms = 0, peakBytes = 0 } = usages.get(path) ?? {};
  const megabytes = Math.round(peakBytes / 2 ** 20);
  const faults = faultsOf(outcome, expectations[path], ms, megabytes);
  if (faults.length > 0) failed++;
  const what = "failure" in outcome ? `${outcome.failure}: ${outcome.message}` : `${outcome.text.length} characters`;
  const mark = faults.length === 0 ? "ok  " : "FAIL";
  console.log(`${mark} ${path}: ${what}, ${Math.round(ms)} ms, ${megabytes} MB${faults.map((fault) => ` (${fault})`).join("")}`);
}
for (const path of Object.keys(expectations).filter((name) => !paths.includes(name))) {
  failed++;
  console.log(`FAIL ${path}: the file is missing`);
}
console.log(`${paths.length} files in ${totalMs} ms; the event loop was blocked for at most ${worstMs} ms`);
if (failed > 0 || worstMs > MAX_DELAY_MS) process.exitCode = 1;
