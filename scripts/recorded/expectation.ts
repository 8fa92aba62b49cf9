import { readFile } from "node:fs/promises";
import { z } from "zod";

const ReadSchema = z.strictObject({
  /** The reader's operation that takes this body. */
  operation: z.string(),
  /** Arguments of the operation. */
  ask: z.record(z.string(), z.unknown()).optional(),
  /** Status and type of the body if they are not recorded; by default 200, and a type by the file's name. */
  status: z.int().optional(),
  type: z.string().optional(),
  /** Other files of the folder, for adapters that ask more than once, by a part of the request's path and query. */
  with: z.record(z.string(), z.string()).optional(),
});
const ResultsSchema = ReadSchema.extend({
  results: z.int().nonnegative(),
  /** By place, such as `0.title` or `1.publication.doi`: the exact value there. */
  values: z.record(z.string(), z.json()).optional(),
});
const FailureSchema = ReadSchema.extend({
  failure: z.string(),
  /** A part of the error's message. */
  says: z.string().optional(),
});
/** Why a file, such as a manual, is not read. */
const NotReadSchema = z.strictObject({ notRead: z.string() });

const ExpectationSchema = z.union([ResultsSchema, FailureSchema, NotReadSchema]);
export type Expectation = z.infer<typeof ExpectationSchema>;
export type ReadExpectation = Exclude<Expectation, z.infer<typeof NotReadSchema>>;

const FOLDER = new URL("../expectations/recorded/", import.meta.url);

/** The expectations of a folder by file; a path that ends with a slash covers all files below it. */
export async function readExpectations(folder: string): Promise<Readonly<Record<string, Expectation>>> {
  const text = await readFile(new URL(`${folder}.json`, FOLDER), "utf8").catch(() => "{}");
  return z.record(z.string(), ExpectationSchema).parse(JSON.parse(text));
}
