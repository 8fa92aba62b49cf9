import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";

/** The folder of the documents and of both halves of the sentences. */
export const FAITHFUL_FOLDER = "test/fixtures/faithful";

export const FaultSchema = z.enum([
  "cut-amount",
  "wrong-unit",
  "wrong-scale",
  "wrong-currency",
  "wrong-year",
  "wrong-company",
  "wrong-person",
  "direction",
  "negation",
  "swapped-operands",
  "misread-range",
  "percent-for-points",
  "invented-quote",
  "invented-source",
  "invented-address",
  "wrong-result",
  "wrong-rounding",
]);

const CommonSchema = z.strictObject({
  id: z.string().regex(/^[ab]-\d{3}$/),
  language: z.enum(["en", "zh"]),
  /** The heading above the sentence; empty for the lead of the whole report. */
  section: z.string(),
  text: z.string().min(1),
  /** Quotes as a model wrote them, so some end inside an amount. */
  citations: z.array(z.strictObject({ document: z.string().min(1), quote: z.string().min(1) })),
  /** Arithmetic over amounts spelled as in the quotes. */
  expression: z.string().nullable(),
  /** One sentence that says why the sentence is true or false. */
  note: z.string().min(1),
});

const TrueSentenceSchema = CommonSchema.extend({
  truth: z.literal(true),
  kind: z.enum(["quoted", "computed", "paraphrased", "summary"]),
  fault: z.null(),
  decidable: z.literal(true),
  /** Set if code can only show the sentence as not verified, because the writer gave no expression. */
  expect: z.literal("unverified").optional(),
});

const FalseSentenceSchema = CommonSchema.extend({
  truth: z.literal(false),
  kind: z.null(),
  fault: FaultSchema,
  /** False if only a reader can tell, for example a wrong direction. */
  decidable: z.boolean(),
});

export const FaithfulSentenceSchema = z.discriminatedUnion("truth", [TrueSentenceSchema, FalseSentenceSchema]);
export type FaithfulSentence = z.infer<typeof FaithfulSentenceSchema>;

/** Reads one half in the order of its report. Throws a ZodError if a sentence does not fit the schema. */
export async function readSentences(half: "a" | "b"): Promise<FaithfulSentence[]> {
  return z.array(FaithfulSentenceSchema).parse(JSON.parse(await readFile(join(FAITHFUL_FOLDER, `half-${half}.json`), "utf8")));
}
