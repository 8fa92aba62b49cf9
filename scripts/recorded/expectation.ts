import { readFile } from "node:fs/promises";
import { z } from "zod";

const ReadSchema = z.strictObject({
  /** The reader's operation that takes this body. */
  operation: z.string(),
  /** What the operation is asked, where that matters. */
  ask: z.record(z.string(), z.unknown()).optional(),
  /** What the server says of the body where no recording does: 200, and a type by the file's name. */
  status: z.int().optional(),
  type: z.string().optional(),
  /** Other files of the folder, for connectors that ask more than once: by a part of the path and query that asks for them. */
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
/** A file that is no answer of the service, a manual for instance, and why nothing reads it. */
const NotReadSchema = z.strictObject({ notRead: z.string() });

const ExpectationSchema = z.union([ResultsSchema, FailureSchema, NotReadSchema]);
export type Expectation = z.infer<typeof ExpectationSchema>;
export type ReadExpectation = Exclude<Expectation, z.infer<typeof NotReadSchema>>;

const FOLDER = new URL("../expectations/recorded/", import.meta.url);

/** What is expected of each file of a folder, by its path in there; a path that ends with a slash stands for all below it. */
export async function readExpectations(folder: string): Promise<Readonly<Record<string, Expectation>>> {
  const text = await readFile(new URL(`${folder}.json`, FOLDER), "utf8").catch(() => "{}");
  return z.record(z.string(), ExpectationSchema).parse(JSON.parse(text));
}
