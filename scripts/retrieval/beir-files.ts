import { readFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";
import { z } from "zod";

const DocumentSchema = z.object({ _id: z.string().min(1), title: z.string().default(""), text: z.string() });
const QuerySchema = z.object({ _id: z.string().min(1), text: z.string() });

export type BeirDocument = z.infer<typeof DocumentSchema>;
export type BeirQuery = z.infer<typeof QuerySchema>;

/** By query: the grade of each judged document; only what is above 0 is relevant. */
export type Judgements = ReadonlyMap<string, ReadonlyMap<string, number>>;

/**
 * The documents of a `corpus.jsonl`, gzipped where the name ends in `.gz`: at least one, each id once.
 * @throws Error that names the file and the line
 */
export function readDocuments(path: string): Promise<BeirDocument[]> {
  return readLines(path, DocumentSchema, '{"_id": "...", "title": "...", "text": "..."}');
}

/** The queries of a `queries.jsonl`: at least one, each id once. @throws Error that names the file and the line */
export function readQueries(path: string): Promise<BeirQuery[]> {
  return readLines(path, QuerySchema, '{"_id": "...", "text": "..."}');
}

/** The judgements of a `qrels.tsv`: query, document and grade between tabs; a first line of names is passed over. @throws Error that names the line */
export async function readJudgements(path: string): Promise<Judgements> {
  const judgements = new Map<string, Map<string, number>>();
  for (const [i, line] of linesOf(await readText(path)).entries()) {
    const [query = "", document = "", grade = ""] = line.split("\t");
    if (i === 0 && !isGrade(grade)) continue;
    if (query === "" || document === "" || !isGrade(grade)) throw new Error(`${path}:${i + 1} is not "query<tab>document<tab>grade".`);
    judgements.set(query, (judgements.get(query) ?? new Map<string, number>()).set(document, Number(grade)));
  }
  return judgements;
}

function isGrade(text: string): boolean {
  return /^-?\d{1,6}(?:\.\d{1,6})?\s*$/.test(text);
}

async function readLines<T extends { readonly _id: string }>(path: string, schema: z.ZodType<T>, form: string): Promise<T[]> {
  const lines = linesOf(await readText(path));
  if (lines.length === 0) throw new Error(`${path} is empty: there is nothing to measure.`);
  const firsts = new Map<string, number>();
  return lines.map((line, i) => {
    const parsed = schema.safeParse(parseJson(line));
    if (!parsed.success) throw new Error(`${path}:${i + 1} is not a line of JSON like ${form}.`);
    const first = firsts.get(parsed.data._id);
    // One document that is found twice would count twice, and the figures would be better than the best order.
    if (first !== undefined) throw new Error(`${path}:${i + 1} has the _id ${JSON.stringify(parsed.data._id)} of line ${first} again.`);
    firsts.set(parsed.data._id, i + 1);
    return parsed.data;
  });
}

async function readText(path: string): Promise<string> {
  try {
    const bytes = await readFile(path);
    return (path.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
  } catch (cause) {
    throw new Error(`${path} cannot be read: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
}

function linesOf(text: string): string[] {
  return text.split(/\r?\n/).filter((line) => line.trim() !== "");
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
