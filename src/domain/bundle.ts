import { z } from "zod";
import { StoredDocumentSchema } from "./document.ts";
import { ReportSchema } from "./report.ts";
import { RunSchema } from "./run.ts";

export const BUNDLE_TYPE = "dossier-bundle";
export const BUNDLE_VERSION = 3;

export const BundledRunSchema = RunSchema.pick({
  id: true,
  graph: true,
  question: true,
  status: true,
  createdAt: true,
  startedAt: true,
  endedAt: true,
  termination: true,
  usage: true,
});
export type BundledRun = z.infer<typeof BundledRunSchema>;

/** `text` is null unless the report quotes the document. */
export const BundledDocumentSchema = StoredDocumentSchema.omit({ blocks: true, text: true }).extend({
  /** In UTF-16 code units. */
  characters: z.int().nonnegative(),
  text: z.string().nullable(),
});
export type BundledDocument = z.infer<typeof BundledDocumentSchema>;

export const BundledEventSchema = z.looseObject({ seq: z.int().positive(), runId: z.string(), at: z.string(), type: z.string() });
export type BundledEvent = z.infer<typeof BundledEventSchema>;

/** The arguments of the Markdown renderer; null if the Markdown was not rendered from the report's fields. */
export const RenderedSchema = z.object({ language: z.string(), reason: z.string().nullable() }).nullable();
export type Rendered = z.infer<typeof RenderedSchema>;

const SumSchema = z.string().regex(/^[0-9a-f]{64}$/);

const Sums = z.array(SumSchema);

/** One checksum per item, so that `npm run verify` can name the changed item. Optional fields that the report lacks count as null. */
export const SumsSchema = z.strictObject({
  documents: Sums,
  events: Sums,
  program: SumSchema,
  rendered: SumSchema,
  report: z.strictObject({
    answers: SumSchema,
    blocks: Sums,
    citations: Sums,
    claims: Sums,
    closest: Sums,
    coverage: SumSchema,
    cutOff: SumSchema,
    ledger: Sums,
    markdown: SumSchema,
    missing: Sums,
    sources: Sums,
    struck: Sums,
  }),
  run: SumSchema,
});
export type Sums = z.infer<typeof SumsSchema>;

/** A report with the evidence to check it offline. `digest` is the SHA-256 of all other fields as canonical JSON (RFC 8785). */
export const BundleSchema = z.object({
  type: z.literal(BUNDLE_TYPE),
  version: z.literal(BUNDLE_VERSION),
  program: z.string(),
  run: BundledRunSchema,
  report: ReportSchema,
  rendered: RenderedSchema,
  documents: z.array(BundledDocumentSchema),
  events: z.array(BundledEventSchema),
  sums: SumsSchema,
  digest: SumSchema,
});
