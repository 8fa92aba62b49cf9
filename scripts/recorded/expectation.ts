import { readFile } from "node:fs/promises";
import { z } from "zod";

const ReadSchema = z.strictObject({
  /** The operation of the RecordedReader to call. */
  operation: z.string(),
  /** Arguments of the operation. */
  ask: z.record(z.string(), z.unknown()).optional(),
  /** HTTP status and content type if they are not recorded. Default: 200, and the type for the file's extension. */
  status: z.int().optional(),
  type: z.string().optional(),
  /** For adapters that send several requests: a part of the request's path and query, and the file of the folder to answer it with. */
  with: z.record(z.string(), z.string()).optional(),
});
const ResultsSchema = ReadSchema.extend({
  results: z.int().nonnegative(),
  /** Exact values by path, such as `0.title` or `1.publication.doi`. */
  values: z.record(z.string(), z.json()).optional(),
});
const FailureSchema = ReadSchema.extend({
  failure: z.string(),
  /** A part of the error's message. */
  says: z.string().optional(),
});
/** The reason why a file, such as a manual, is not read. */
const NotReadSchema = z.strictObject({ notRead: z.string() });

const ExpectationSchema = z.union([ResultsSchema, FailureSchema, NotReadSchema]);
export type Expectation = z.infer<typeof ExpectationSchema>;
export type ReadExpectation = Exclude<Expectation, z.infer<typeof NotReadSchema>>;

const FOLDER = new URL("../expectations/recorded/", import.meta.url);

/** Reads the expectations of a folder, by file. A key that ends with a slash covers all files below it. */
export async function readExpectations(folder: string): Promise<Readonly<Record<string, Expectation>>> {
  const text = await readFile(new URL(`${folder}.json`, FOLDER), "utf8").catch(() => "{}");
  return z.record(z.string(), ExpectationSchema).parse(JSON.parse(text));
}
