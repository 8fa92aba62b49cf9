import { z } from "zod";
import { linesOf, parseAs, readText } from "./text-file.ts";

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

/** The first line of a `qrels.tsv`, which not all files have. */
const QRELS_HEADER = /^query-id\tcorpus-id\tscore\s*$/i;

/** The judgements of a `qrels.tsv`: query, document and grade between tabs; BEIR's first line of names is passed over. @throws Error that names the line */
export async function readJudgements(path: string): Promise<Judgements> {
  const judgements = new Map<string, Map<string, number>>();
  for (const [i, { line, number }] of linesOf(await readText(path)).entries()) {
    if (i === 0 && QRELS_HEADER.test(line)) continue;
    const [query = "", document = "", grade = ""] = line.split("\t");
    if (query === "" || document === "" || !isGrade(grade)) throw new Error(`${path}:${number} is not "query<tab>document<tab>grade".`);
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
  return lines.map(({ line, number }) => {
    const parsed = parseAs(schema, line, `${path}:${number}`, `a line of JSON like ${form}`);
    const first = firsts.get(parsed._id);
    // One document that is found twice would count twice, and the figures would be better than the best order.
    if (first !== undefined) throw new Error(`${path}:${number} has the _id ${JSON.stringify(parsed._id)} of line ${first} again.`);
    firsts.set(parsed._id, number);
    return parsed;
  });
}
