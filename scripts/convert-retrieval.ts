// Converts Cranfield or CISI to the BEIR format: npm run -s convert:retrieval -- --form cranfield|cisi --data DIR --out DIR
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { readSmart, type SmartRecord } from "./retrieval/smart-records.ts";

interface Collection {
  readonly documents: readonly SmartRecord[];
  readonly queries: readonly SmartRecord[];
  /** Tuples of query id, document id and grade. */
  readonly judgments: readonly (readonly [string, string, number])[];
}

const FORMS: Readonly<Record<string, (folder: string) => Promise<Collection>>> = { cranfield: readCranfield, cisi: readCisi };

/** The judgments number queries by their position in the file, not by their id. Grades 1 to 4 are relevant; 5 and -1 are not. */
async function readCranfield(folder: string): Promise<Collection> {
  const rows = (await read(folder, "cranqrel")).map((row) => row.trim().split(/\s+/));
  const judgments = rows.map(([query = "", document = "", code = ""]) => [query, document, Number(code)] as const);
  const queries = readSmart((await read(folder, "cran.qry")).join("\n"));
  return {
    documents: readSmart((await read(folder, "cran.all.1400")).join("\n")),
    queries: queries.map((query, i) => ({ ...query, id: String(i + 1) })),
    judgments: judgments.map(([query, document, code]) => [query, document, code >= 1 && code <= 4 ? 1 : 0]),
  };
}

async function readCisi(folder: string): Promise<Collection> {
  const rows = (await read(folder, "CISI.REL")).map((row) => row.trim().split(/\s+/));
  return {
    documents: readSmart((await read(folder, "CISI.ALL")).join("\n")),
    queries: readSmart((await read(folder, "CISI.QRY")).join("\n")),
    judgments: rows.map(([query = "", document = ""]) => [query, document, 1]),
  };
}

async function read(folder: string, name: string): Promise<string[]> {
  const text = await readFile(join(folder, name), "utf8").catch(() => {
    throw new Error(`${join(folder, name)} cannot be read: ${folder} does not contain that collection.`);
  });
  return text.split(/\r?\n/).filter((line) => line.trim() !== "");
}

async function convert(): Promise<void> {
  const { values } = parseArgs({ options: { form: { type: "string" }, data: { type: "string" }, out: { type: "string" } } });
  const { form, data, out } = values;
  const readCollection = FORMS[form ?? ""];
  if (!readCollection || data === undefined || out === undefined)
    throw new Error(`usage: npm run -s convert:retrieval -- --form ${Object.keys(FORMS).join("|")} --data DIR --out DIR`);
  const { documents, queries, judgments } = await readCollection(data);
  await mkdir(out, { recursive: true });
  await writeFile(join(out, "corpus.jsonl"), toLines(documents.map(({ id, title, text }) => ({ _id: id, title, text }))));
  await writeFile(
    join(out, "queries.jsonl"),
    toLines(queries.map(({ id, title, text }) => ({ _id: id, text: `${title} ${text}`.trim() }))),
  );
  const header = "query-id\tcorpus-id\tscore\n";
  await writeFile(join(out, "qrels.tsv"), header + judgments.map((row) => `${row.join("\t")}\n`).join(""));
  console.log(JSON.stringify({ documents: documents.length, queries: queries.length, judgments: judgments.length }));
}

function toLines(records: readonly object[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}

try {
  await convert();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
