import { z } from "zod";
import { linesOf, parseAs, readText } from "./text-file.ts";

const DocumentSchema = z.object({ _id: z.string().min(1), title: z.string().default(""), text: z.string() });
const QuerySchema = z.object({ _id: z.string().min(1), text: z.string() });

export type BeirDocument = z.infer<typeof DocumentSchema>;
export type BeirQuery = z.infer<typeof QuerySchema>;

/** Query id to the grades of its judged documents. A grade above 0 means relevant. */
export type Judgments = ReadonlyMap<string, ReadonlyMap<string, number>>;

/**
 * Reads a `corpus.jsonl`, gzipped if the name ends with `.gz`.
 * @throws Error that names the file and the line if a line is invalid, an id occurs twice, or the file is empty
 */
export function readDocuments(path: string): Promise<BeirDocument[]> {
  return readLines(path, DocumentSchema, '{"_id": "...", "title": "...", "text": "..."}');
}

/** Reads a `queries.jsonl`. @throws Error as `readDocuments` does */
export function readQueries(path: string): Promise<BeirQuery[]> {
  return readLines(path, QuerySchema, '{"_id": "...", "text": "..."}');
}

/** Matches the header line of a `qrels.tsv`, which is optional. */
const QRELS_HEADER = /^query-id\tcorpus-id\tscore\s*$/i;

/** Reads a `qrels.tsv` with query, document and grade separated by tabs. @throws Error that names the line */
export async function readJudgments(path: string): Promise<Judgments> {
  const judgments = new Map<string, Map<string, number>>();
  for (const [i, { line, number }] of linesOf(await readText(path)).entries()) {
    if (i === 0 && QRELS_HEADER.test(line)) continue;
    const [query = "", document = "", grade = ""] = line.split("\t");
    if (query === "" || document === "" || !isGrade(grade)) throw new Error(`${path}:${number} is not "query<tab>document<tab>grade".`);
    judgments.set(query, (judgments.get(query) ?? new Map<string, number>()).set(document, Number(grade)));
  }
  return judgments;
}

function isGrade(text: string): boolean {
  return /^-?\d{1,6}(?:\.\d{1,6})?\s*$/.test(text);
}

async function readLines<T extends { readonly _id: string }>(path: string, schema: z.ZodType<T>, form: string): Promise<T[]> {
  const lines = linesOf(await readText(path));
  if (lines.length === 0) throw new Error(`${path} is empty: there is nothing to measure.`);
  const firsts = new Map<string, number>();
  return lines.map(({ line, number }) => {
    const parsed = parseAs(schema, line, `${path}:${number}`, `a line of JSON like ${form}`);
    const first = firsts.get(parsed._id);
    // A document with two entries would count twice and raise the scores.
    if (first !== undefined)
      throw new Error(`${path}:${number} has the _id ${JSON.stringify(parsed._id)} of line ${first} again: remove one of them.`);
    firsts.set(parsed._id, number);
    return parsed;
  });
}
