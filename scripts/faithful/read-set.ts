import { readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { z } from "zod";
import { FAITHFUL_FOLDER } from "./sentences.ts";

const CitationSchema = z.object({ document: z.string(), quote: z.string() });

/** A sentence of any set: like `FaithfulSentenceSchema`, but most fields may be missing. */
const SentenceSchema = z.object({
  id: z.union([z.string(), z.number()]).transform(String).optional(),
  section: z.string().nullish(),
  text: z.string().min(1),
  citations: z.array(CitationSchema).nullish(),
  expression: z.string().nullish(),
  truth: z.boolean(),
  kind: z.string().nullish(),
  expect: z.string().nullish(),
  fault: z.string().nullish(),
  decidable: z.boolean().nullish(),
});
export type SetSentence = z.infer<typeof SentenceSchema>;
const SetSchema = z.union([
  z.array(SentenceSchema),
  z.object({ sentences: z.array(SentenceSchema) }).transform(({ sentences }) => sentences),
]);

export interface FaithfulSet {
  readonly sentences: readonly SetSentence[];
  /** The texts of the documents by the name that citations use. A cited document that has no file is invented. */
  readonly documents: ReadonlyMap<string, string>;
}

export function readHalf(half: string): Promise<FaithfulSet> {
  return readSet(join(FAITHFUL_FOLDER, `half-${half}.json`), null);
}

/** Reads a set. Its documents are in `documents`, otherwise in the folder `documents` beside the file, or beside the file itself. */
export async function readSet(file: string, documents: string | null): Promise<FaithfulSet> {
  const sentences = SetSchema.parse(JSON.parse(await readFile(file, "utf8")));
  const folders = documents === null ? [join(dirname(file), "documents"), dirname(file)] : [documents];
  const names = [...new Set(sentences.flatMap(({ citations }) => (citations ?? []).map(({ document }) => document)))];
  const found = await Promise.all(names.map(async (name) => [name, await readFirst(folders, name)] as const));
  return { sentences, documents: new Map(found.flatMap(([name, text]) => (text === null ? [] : [[name, text] as const]))) };
}

async function readFirst(folders: readonly string[], name: string): Promise<string | null> {
  for (const folder of folders)
    for (const ending of ["", ".md", ".txt"]) {
      const text = await readFile(join(folder, basename(name) + ending), "utf8").catch(() => null);
      if (text !== null) return text;
    }
  return null;
}
